"""The hold-out, 9 of 9: the rows that the harness hides. Its program is the data card's with the form's and these in place of its printing.

Finds out how the test table was taken, and hides rows of the training table by the same scheme: some for the final choice (select), and FOLDS folds of
the others, or one part of them if that is 1 or the data allow no more. A line before says how many FOLDS. It writes below ./final/holdout

    fold<k>/<path of a table>  the tables that scripts see in place of the task's: training without the fold and select, and these two with the test's rows
    study/                     the same for studies, where there are folds: training without select alone, and study_folds.csv, the fold of each row (-1: none)
    labels.csv                 each hidden row once: its id, target or targets, group, and part: the number of its fold, or "select"
    columns.csv                what else training tells of these rows, in their order: a metric may go by weights or groups. The harness keeps what its metric needs
    copies.json                there if hidden rows have files and all files of a view are copies, so that no time tells which are hidden
    names.csv                  where the test's rows have other ids there than in the task's own table: both ids of each
    left-out.json              the names of files that scripts do not see
    tables.json                which table is for what

and prints {"scheme", "files", "rows" of each fold, "select", "in_time", "left_out"}, scheme, left_out and "differs" in words, or {"missing": why none}.
"""
import hashlib
import itertools
import shutil

LAST = END + SECONDS * 2 / 7   # Nine tenths of all the time that there is.
MOST_SIDES = 8               # Further tables that lose the rows of what is hidden.
VARIED = 20                    # Different values of a column whose range is looked at.


class Formless(Missing):
    """No rule finds the form of the data."""


def hold_out(card):
    """Says why none are hidden while there is time to say it, whatever the size of the tables."""
    said = [{'missing': 'the time was over before all rows were looked at'}]

    def look():
        try:
            said.append((hidden_by_split if os.path.exists('./split.json') else held_out)(card))
        except Missing as why:
            shutil.rmtree('./final/holdout', ignore_errors=True)
            said.append({'missing': str(why), 'formless': isinstance(why, Formless)})
        except MemoryError:
            said.append({'missing': 'the tables need more memory than %s' % sized(MEMORY)})
        except Exception as e:
            said.append({'missing': 'the program that hides them failed: ' + reason(e)})

    worker = threading.Thread(target=look, daemon=True)
    worker.start()
    worker.join(LAST - time.monotonic())
    return dict(said[-1], differs=card.form.differs)


def held_out(card):
    form = card.form
    if form.why:
        raise (Formless if form.is_unruled else Missing)(form.why)
    look_for_other_files(card, form)
    rows, tests, targets = form.rows, form.tests, form.targets
    lacks = [name for name in without(tests.names, rows.names) if name not in form.key]
    if lacks:
        raise Missing('%s has no %s' % (quoted(rows.path), listed(lacks, 4)))
    labelled = [row for row in range(len(rows)) if any(rows.at(row, target) for target in targets)]
    shown = [table for table in (rows, tests, form.sample) if not table.is_made]
    used = [table.path for table in shown]
    count, few = affordable(sum(os.path.getsize(os.path.join(card.root, path)) for path in used))
    size = size_of(len(labelled), count, rows.path)
    chance = chance_of(rows)
    hidden = hidden_rows(form, stratum(rows, targets, labelled), labelled, size, count, chance)
    of_examples = form.files()
    telling_files, unread = left_out(card, of_examples.union(used), rows, labelled, targets, [
        name for name in dict.fromkeys([form.identifier] + tests.names) if name in rows.places])
    look_at_contents(card, form, rows, labelled, targets)
    unseen = set(telling_files + unread)
    sides = [] if form.by_place or form.named else list(itertools.islice(sides_of(card, form, unseen.union(used)), MOST_SIDES))
    used = [table.path for table in sides] + used
    others = [path for path in card.files if path not in used and path not in unseen and path not in of_examples]
    is_joined = any(TABLE.search(path) and path not in card.tables for path in others) or joined_by(
        tests, form.identifier, [card.tables[path] for path in others if path in card.tables], others)
    names, said = names_by_form(form, hidden, is_joined, chance)
    Views(form, hidden, names, sides, chance).write()
    keeps_times = any(to for _, to in form.places) and not copy_files(card)
    said = [hidden.scheme, few, said] + form.said + ['hidden rows have their files in ' + listed([to.pattern for place, to in form.places if to], 4)] * bool(
        form.places) + ([] if hidden.moments else list(telling(form, labelled, keeps_times)))
    put('left-out.json', json.dumps(sorted(unseen)), [])
    put('tables.json', json.dumps(card.roles), [])
    return {'scheme': '; '.join(filter(None, said)), 'files': used, 'rows': list(map(len, hidden.folds)), 'select': len(hidden.select), 'in_time': bool(hidden.moments),
            'left_out': ', and '.join(why + listed(paths, 6) for why, paths in (
                ('what tells the target: ', telling_files), ('what could not be read whole: ', unread)) if paths)}


def sides_of(card, form, used):
    """Other tables with rows for training's keys and for none of the test's, as boxes that people drew: they lose the rows of what is hidden."""
    learnt, tested = set(form.rows.column(form.identifier)) if form.identifier in form.rows.places else set(), set(form.tests.column(form.identifier))
    for path, table in card.tables.items():
        each = table.column(form.identifier)
        if each and learnt and path not in used and table.form in ('csv', 'tsv', 'tab') and os.path.getsize(os.path.join(card.root, path)) <= LARGEST:
            there = set(each.counts)
            if 2 * len(there & learnt) > len(there) and not there & (tested - learnt) and len(there) > 1:
                try:
                    yield opened(card, path, 'training')
                except Missing:
                    pass  # It is looked through as any other file.


def stratum(rows, targets, labelled):
    """The column by whose values hidden rows are like the others: the first target, or which of several a row has."""
    if all(rows.at(row, targets[0]) for row in labelled):
        return targets[0]
    rows.add('', [' '.join(str(int(bool(rows.at(row, target)))) for target in targets) for row in range(len(rows))])
    return ''


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


def look_for_other_files(card, form):
    for path in card.files if not any(to for _, to in form.places) else ():
        if path not in card.tables and any(re.match('(?i)test', folder) for folder in path.split('/')[:-1]):
            raise Formless('files of test rows lie in a folder of their own, e.g. %s, and no rule tells which are whose' % quoted(path, 120))


def look_at_contents(card, form, rows, labelled, targets):
    """The answer must not be written in files of training's examples, where the test's say less than they do."""
    sought = Sought(rows, labelled, targets, [form.identifier], FEW_ROWS) if form.places else None
    for place, to in form.places:
        paths = {row: place.files[rows.at(row, form.identifier)][0] for row in sought.sample if place.files.get(rows.at(row, form.identifier))} if to else {}
        if not paths or kind_of_file(next(iter(paths.values()))).lower() in IMAGES + SOUNDS:
            continue
        notes = {row: ' '.join(note(card.root, path).split()) for row, path in paths.items()}
        theirs = [note(card.root, each[0]) for each in spread(list(to.files.values()), FEW_ROWS)]
        if typical(notes.values()) != typical(theirs):
            try:
                look_at_columns(notes, sought)
            except Told:
                raise Missing('the files in %s tell %s, and those in %s say less' % (quoted(place.pattern, 120), listed(targets, 4), quoted(to.pattern, 120)))


def typical(notes):
    """How many words most of them have."""
    return collections.Counter(len(words(text)) for text in notes).most_common(1)[0][0]


def telling(form, labelled, keeps_times):
    """What tells of hidden rows and not of the test's: a script that learns from it scores too well."""
    rows, tests, identifier, targets = form.rows, form.tests, form.identifier, form.targets
    orders = {} if form.named else {'their place in ' + quoted(rows.path): labelled}
    if keeps_times and form.places[0][1]:
        times, theirs = (times_of(place, table.column(identifier)) for place, table in zip(form.places[0], (rows, tests)))
        learnt = [row for row in labelled if times[row]]
        orders['the time of their files'] = sorted(learnt, key=times.__getitem__) if len(set(times)) > VARIED else []
        if learnt and any(theirs) and abs(apart([times[row] for row in learnt], list(filter(None, theirs))) - 0.5) > UNLIKE - 0.5:
            yield 'the time of a file tells hidden rows from those of the test, so do not learn from it'
    if not form.named and identifier in rows.places and all(NUMBERED.fullmatch(each) for each in rows.column(identifier)):
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


def times_of(place, keys):
    """Of the file of each, which a link to it has, too; None if there is none."""
    return [os.stat(os.path.join('./input', place.files[key][0])).st_mtime_ns if place.files.get(key) else None for key in keys]


def are_neighbours_alike(values):
    """Whether a value says much of the next one: they differ by less than half of what two drawn at random do."""
    counts = collections.Counter(values)
    if len(counts) < 2:
        return False
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
    return chance_from(table)


main(hold_out)
