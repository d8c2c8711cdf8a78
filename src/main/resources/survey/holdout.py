"""The hold-out, 7 of 7: the rows that the harness hides. Its program is the data card's with these seven in place of its printing.

Finds out how the test table was taken, and hides rows of the training table by the same scheme: some for the final choice (select), and FOLDS folds of
the others, or one part of them if that is 1 or the data allow no more. A line before says how many FOLDS. It writes below ./final/holdout

    fold<k>/<path of a table>  the tables that scripts see in place of the task's: training without the fold and select, and these two with the test's rows
    study/                     the same for studies, where there are folds: training without select alone, and study_folds.csv, the fold of each row (-1: none)
    labels.csv                 each hidden row once: its id, target or targets, group, and part: the number of its fold, or "select"
    names.csv                  where the test's rows have other ids there than in the task's own table: both ids of each
    left-out.json              the names of files that scripts do not see

and prints {"scheme", "files", "rows" of each fold, "select", "in_time", "left_out"}, scheme and left_out in words, or {"missing": why it hides none}.
"""
import gc
import hashlib
import random

LAST = END + SECONDS * 2 / 7   # Nine tenths of all the time that there is.
VARIED = 20                    # Different values of a column whose range is looked at.
GUESSING = 1000000             # Rounds of the hash that makes the seed: who guesses labels pays a second or so for each guess of all of them.


class Missing(Exception):
    """Says why no rows can be hidden."""


def hold_out(card):
    """Says why none are hidden while there is time to say it, whatever the size of the tables."""
    said = [{'missing': 'the time was over before all rows were looked at'}]

    def look():
        gc.disable()  # Nothing here refers to itself, and to look for such things among millions of values takes long.
        try:
            said.append(held_out(card))
        except Missing as why:
            said.append({'missing': str(why)})
        except MemoryError:
            said.append({'missing': 'the tables need more memory than %s' % sized(MEMORY)})
        except Exception as e:
            said.append({'missing': 'the program that hides them failed: ' + reason(e)})

    worker = threading.Thread(target=look, daemon=True)
    worker.start()
    worker.join(LAST - time.monotonic())
    return said[-1]


def held_out(card):
    train, test, sample = (whole(card, role) for role in ('train', 'test', 'submission'))
    form = Records(card.root, sample)
    identifier = sample.names[0]
    if len(set(form.column(identifier))) < len(form):
        raise Missing('the first column of %s does not name its rows' % quoted(sample.path))
    targets, wide = asked(train, test, sample)
    if identifier not in test.names:
        raise Missing('%s has no column %s' % (quoted(test.path), quoted(identifier)))
    lacking = [name for name in without(test.names, train.names) if name != identifier]
    if lacking:
        raise Missing('%s has no %s' % (quoted(train.path), listed(lacking, 4)))
    look_for_test_folders(card)
    rows, tests = Records(card.root, train), Records(card.root, test)
    labelled = [i for i in range(len(rows)) if any(rows.at(i, target) for target in targets)]
    used = [train.path, test.path, sample.path]
    count, few = affordable(sum(os.path.getsize(os.path.join(card.root, path)) for path in used))
    size = size_of(len(labelled), count, train.path)
    chance = chance_of(rows)
    hidden = hidden_rows(rows, tests, identifier, targets, labelled, size, count, chance)
    telling_files, unread = left_out(card, used, rows, labelled, targets, [
        name for name in dict.fromkeys([identifier] + tests.names) if name in rows.places])
    unseen = set(telling_files + unread)
    others = [path for path in card.files if path not in used and path not in unseen]
    is_joined = any(TABLE.search(path) and path not in card.tables for path in others) or joined_by(
        tests, identifier, [card.tables[path] for path in others if path in card.tables], others)
    names, said = names_of(rows, tests, identifier, hidden, is_joined, chance)
    write(rows, tests, form, targets, wide, hidden, names, chance)
    said = [hidden.scheme, few, said] + ([] if hidden.moments else list(telling(rows, tests, labelled, identifier, targets)))
    put('left-out.json', json.dumps(sorted(unseen)), [])
    return {'scheme': '; '.join(filter(None, said)), 'files': used, 'rows': list(map(len, hidden.folds)), 'select': len(hidden.select), 'in_time': bool(hidden.moments),
            'left_out': ', and '.join(why + listed(paths, 6) for why, paths in (
                ('what tells the target: ', telling_files), ('what could not be read whole: ', unread)) if paths)}


def affordable(size):
    """How many folds, and why fewer than asked for."""
    count = max(1, min(FOLDS, COPIES // max(1, size)))
    return count, '' if count == FOLDS else '%s and not %d, since each is a copy of tables of %s, and all may have %s' % (
        counted(count, 'fold'), FOLDS, sized(size), sized(COPIES))


def size_of(labelled, count, path):
    """Rows of select, and of the part that is hidden for the search where there are no folds. Small tables have folds, and for select as large a share
    as those of LEAST rows may have: folds take no row from the search, so that they serve it better than one part would.

    @raise Missing if there are too few"""
    size, most = min(MOST, max(LEAST, int(PART * labelled))), MOST_HIDDEN * labelled
    if 2 * size <= most:
        return size
    if count > 1 and labelled >= SMALLEST:
        return int(most / 2)
    raise Missing('%s has %s with a target; at least %s are needed, since %s' % (
        quoted(path), counted(labelled, 'row'), grouped(SMALLEST if count > 1 else math.ceil(2 * LEAST / MOST_HIDDEN)),
        'folds of fewer say too little' if count > 1 else 'each half needs %d hidden rows, and at most %s of the rows can be hidden' % (
            LEAST, share(MOST_HIDDEN, 1))))


def whole(card, role):
    table = card.tables.get(card.roles.get(role))
    if card.roles.get(role) in card.unread:
        raise Missing('%s could not be read: %s' % (quoted(card.roles[role]), card.unread[card.roles[role]]))
    if not table:
        raise Missing('there is no table for %s' % {'train': 'training', 'test': 'testing', 'submission': 'the form of the submission'}[role])
    path = os.path.join(card.root, table.path)
    if not path.lower().endswith(('.csv', '.tsv', '.tab', '.txt')) or 'no header' in table.notes or table.skipped or table.reading or table.extra:
        raise Missing('%s is no table of plain text with a header' % quoted(table.path))
    if os.path.getsize(path) > LARGEST:
        raise Missing('%s is larger than %s' % (quoted(table.path), sized(LARGEST)))
    if any('number of fields' in doubt or 'quote' in doubt for doubt in table.doubts):
        raise Missing('%s: %s' % (quoted(table.path), table.doubts[0]))
    return table


def asked(train, test, sample):
    """@return the columns of the training table to be predicted, and whether the submission has a column for each class"""
    wanted = sample.names[1:]
    classes = whose_classes_are_asked(train, sample)
    if len(classes) == 1 and not set(wanted) & set(train.names):
        return [classes[0].name], True
    targets = likely_targets(train, test, sample)
    if targets and (targets == wanted or len(targets) == len(wanted) == 1):
        return targets, False
    raise Missing('it is not clear which columns of %s the submission asks for' % quoted(train.path))


def look_for_test_folders(card):
    for path in card.files:
        if any(re.match('(?i)test', folder) for folder in path.split('/')[:-1]):
            raise Missing('files of test rows lie in a folder of their own, e.g. %s' % quoted(path, 120))


def telling(rows, tests, labelled, identifier, targets):
    """What tells of hidden rows and not of the test's: a script that learns from it scores too well."""
    orders = {'their place in ' + quoted(rows.path): labelled}
    if identifier in rows.places and all(NUMBERED.fullmatch(each) for each in rows.column(identifier)):
        def number(row):
            begin, digits = NUMBERED.fullmatch(rows.at(row, identifier)).groups()
            return sys.intern(begin), int(digits)
        orders[quoted(identifier)] = sorted(labelled, key=number)
    alike = [name for name, order in orders.items() if any(are_neighbours_alike([rows.at(row, target) for row in order]) for target in targets)]
    if alike:
        yield ' and '.join(alike) + (' tell' if len(alike) > 1 else ' tells') + ' much of the target, so do not learn from it'
    for name in tests.names:
        if name in rows.places and name != identifier and name not in targets:
            here, there = [[value for value in table.column(name) if value] for table in (rows, tests)]
            if len(set(here)) >= VARIED and all(map(is_real, here)) and all(map(is_real, there)) and there:
                outer = beyond(here, there)
                if outer >= UNSEEN * len(there):
                    yield '%s lies beyond all of %s in %s of the rows of %s, and in no hidden row: what it is worth there no score tells' % (
                        quoted(name), quoted(rows.path), share(outer, len(there)), quoted(tests.path))


def are_neighbours_alike(values):
    """Whether a value says much of the next one: they differ by less than half of what two drawn at random do."""
    counts = collections.Counter(values)
    if len(counts) > 20 and all(map(is_real, values)):
        rank = {value: i for i, value in enumerate(sorted(values, key=float))}
        apart = sum(abs(rank[one] - rank[other]) for one, other in zip(values, values[1:])) / len(values)
        return apart < len(values) / 3 / 2
    differ = sum(one != other for one, other in zip(values, values[1:])) / len(values)
    return differ < (1 - sum((count / len(values)) ** 2 for count in counts.values())) / 2


def chance_of(rows):
    """The same for each fork and machine, and not to be found out without the labels that become hidden."""
    table = hashlib.sha256()
    for row in range(len(rows)):
        table.update(rows.text(row).encode())
    return random.Random(hashlib.pbkdf2_hmac('sha256', table.digest(), b'hold-out', GUESSING))


main(hold_out)
