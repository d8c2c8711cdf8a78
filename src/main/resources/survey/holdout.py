"""The hold-out, 4 of 4: the rows that the harness hides. Its program is the data card's with these four in place of its printing.

Finds out how the test table was taken, hides rows of the training table by the same scheme, and writes below ./final/holdout the tables that scripts see
in place of the task's (in input/), the names of files that they do not see, and the labels of the hidden rows. It prints {"scheme", "files", "search",
"select", "left_out"}, the last in words, or {"missing": why it hides none}.
"""
import hashlib
import random

PART = 0.1                   # Of the rows, for each of the two parts.
LEAST = 100                  # Rows of each part: of fewer the noise would hide every gain.
MOST = 20000                 # Rows of each part.
MOST_HIDDEN = 0.3            # Of the rows: the rest has to be enough to learn from.
GROUPS = 20                  # Groups that a column must have to be the scheme.
UNSEEN = 0.9                 # Share of the test rows whose value of the column training lacks.
ORDERED = re.compile(r'(?i)(^|[^a-z])(date|day|week|month|quarter|year|time|timestamp|period)s?([^a-z]|$)')
GUESSING = 1000000          # Rounds of the hash that makes the seed: who guesses labels pays a second or so for each guess of all of them.


class Missing(Exception):
    """Says why no rows can be hidden."""


def hold_out(card):
    try:
        return held_out(card)
    except Missing as why:
        return {'missing': str(why)}


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
    labelled = [i for i in range(len(rows)) if all(rows.at(i, target).strip() for target in targets)]
    size = min(MOST, max(LEAST, int(PART * len(labelled))))
    if 2 * size > MOST_HIDDEN * len(labelled):
        raise Missing('%s has %s with a target; at least %s are needed' % (
            quoted(train.path), counted(len(labelled), 'row'), grouped(math.ceil(2 * LEAST / MOST_HIDDEN))))
    scheme, groups, is_time = scheme_of(rows, tests, labelled, targets)
    chance = chance_of(rows)
    search, select = parts(rows, labelled, groups, is_time, targets[0], size, chance)
    used = [train.path, test.path, sample.path]
    telling_files, unread = left_out(card, used, rows, labelled, targets, [
        name for name in dict.fromkeys([identifier] + tests.names) if name in rows.places])
    unseen = set(telling_files + unread)
    others = [path for path in card.files if path not in used and path not in unseen]
    is_joined = any(TABLE.search(path) and path not in card.tables for path in others) or joined_by(
        tests, identifier, [card.tables[path] for path in others if path in card.tables], others)
    ids, said = ids_of(rows, tests, identifier, sorted(search + select), is_time, is_joined, chance)
    write(rows, tests, form, targets, wide, groups, (search, select), is_time, ids, chance)
    said = [scheme, said] + ([] if is_time else list(telling(rows, tests, labelled, identifier, targets)))
    put('left-out.json', json.dumps(sorted(unseen)), [])
    return {'scheme': '; '.join(filter(None, said)), 'files': used, 'search': len(search), 'select': len(select), 'left_out': ', and '.join(
        why + listed(paths, 6) for why, paths in (('what tells the target: ', telling_files), ('what could not be read whole: ', unread)) if paths)}


def whole(card, role):
    table = card.tables.get(card.roles.get(role))
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


def scheme_of(rows, tests, labelled, targets):
    """How the test was taken, as far as the values of one column tell.

    @return in words; the group of each row; whether the groups are in time"""
    found = []
    for name in tests.names:
        if name not in rows.places or name in targets:
            continue
        here, there = rows.column(name), tests.column(name)
        seen = set(here)
        unseen = sum(value not in seen for value in there) / max(1, len(there))
        key = moments(name, seen | set(there))
        if key and unseen == 1 and '' not in seen and min(map(key, set(there))) > max(map(key, seen)):
            return ('the last rows by %s: it is later in all rows of %s than in any of %s' % (quoted(name), quoted(tests.path), quoted(rows.path)),
                    [key(value) for value in here], True)
        is_measured = all(is_real(value) for value in itertools.islice(seen, 1000) if value) and not all(value.isdigit() for value in seen if value)
        if unseen >= UNSEEN and GROUPS <= len(seen) <= len(here) / 1.5 and not is_measured:
            found.append((len(seen), name, unseen, here))
    if found:
        count, name, unseen, here = min(found)
        return ('whole groups of one %s: %s has values that %s lacks in %s of its rows' % (
            quoted(name), quoted(tests.path), quoted(rows.path), share(round(unseen * len(tests)), len(tests))), here, False)
    return 'rows at random: no column of %s has mostly values that %s lacks' % (quoted(tests.path), quoted(rows.path)), None, False


def telling(rows, tests, labelled, identifier, targets):
    """What tells of hidden rows and not of the test's: a script that learns from it scores too well."""
    orders = {'their place in ' + quoted(rows.path): labelled}
    if identifier in rows.places and all(NUMBERED.fullmatch(each) for each in rows.column(identifier)):
        number = [NUMBERED.fullmatch(each).groups() for each in rows.column(identifier)]
        orders[quoted(identifier)] = sorted(labelled, key=lambda row: (number[row][0], int(number[row][1])))
    alike = [name for name, order in orders.items() if any(are_neighbours_alike([rows.at(row, target).strip() for row in order]) for target in targets)]
    if alike:
        yield ' and '.join(alike) + (' tell' if len(alike) > 1 else ' tells') + ' much of the target, so do not learn from it'
    for name in tests.names:
        if name in rows.places and name != identifier and name not in targets:
            here, there = [[value for value in table.column(name) if value] for table in (rows, tests)]
            if len(set(here)) >= GROUPS and all(map(is_real, here)) and all(map(is_real, there)) and there:
                low, high = min(map(float, here)), max(map(float, here))
                beyond = sum(not low <= float(value) <= high for value in there)
                if beyond >= UNSEEN * len(there):
                    yield '%s lies beyond all of %s in %s of the rows of %s, and in no hidden row: what it is worth there no score tells' % (
                        quoted(name), quoted(rows.path), share(beyond, len(there)), quoted(tests.path))


def are_neighbours_alike(values):
    """Whether a value says much of the next one: they differ by less than half of what two drawn at random do."""
    counts = collections.Counter(values)
    if len(counts) > 20 and all(map(is_real, values)):
        rank = {value: i for i, value in enumerate(sorted(values, key=float))}
        apart = sum(abs(rank[one] - rank[other]) for one, other in zip(values, values[1:])) / len(values)
        return apart < len(values) / 3 / 2
    differ = sum(one != other for one, other in zip(values, values[1:])) / len(values)
    return differ < (1 - sum((count / len(values)) ** 2 for count in counts.values())) / 2


def moments(name, values):
    """What orders the values of a column of moments in time; None if it is none."""
    if all(len(value) <= LONGEST and DATE.fullmatch(value) for value in values):
        return lambda value: tuple(moment(value))
    if ORDERED.search(name) and all(value.isdigit() and len(value) < 15 for value in values):
        return lambda value: (int(value),)
    return None


def chance_of(rows):
    """The same for each fork and machine, and not to be found out without the labels that become hidden."""
    table = hashlib.sha256(''.join(rows.texts).encode()).digest()
    return random.Random(hashlib.pbkdf2_hmac('sha256', table, b'hold-out', GUESSING))


def parts(rows, labelled, groups, is_time, target, size, chance):
    """@return the rows of each part"""
    if groups is None:
        return at_random(rows, labelled, target, size, chance)
    members = collections.defaultdict(list)
    for row in labelled:
        members[groups[row]].append(row)
    order = sorted(members)
    if is_time:
        order.reverse()
    else:
        chance.shuffle(order)
    chosen = ([], [])
    for group in order:
        lesser = min(chosen, key=len)
        if len(lesser) >= size:
            break
        lesser.extend(members[group])
    if sum(map(len, chosen)) > MOST_HIDDEN * len(labelled) or min(map(len, chosen)) < LEAST:
        raise Missing('the groups are too few or too large to hide whole ones')
    return chosen


def at_random(rows, labelled, target, size, chance):
    """With the same share of each class, or of each tenth of the numbers, in both parts."""
    values = {row: rows.plain(row, target) for row in labelled}
    shuffled = chance.sample(labelled, len(labelled))
    if len(set(values.values())) <= 20 or not all(map(is_real, values.values())):
        ordered = sorted(shuffled, key=lambda row: values[row])
    else:
        ordered = sorted(shuffled, key=lambda row: float(values[row]))
    bounds = [round(i * len(ordered) / (2 * size)) for i in range(2 * size + 1)]
    hidden = [ordered[chance.randrange(*cell)] for cell in zip(bounds, bounds[1:])]
    return hidden[0::2], hidden[1::2]


main(hold_out)
