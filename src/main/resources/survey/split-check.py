"""The split, 3 of 3: whether what a task's own split.py gave can be used. It is believed nothing: each view is made here, of the data and of what
./split.json says is changed in it.

`examples(data)`      the names of training's examples that may be hidden; or, where some belong together, a dictionary with the group of each
`hide(data, hidden)`  what is changed where these examples stand among the test's, as a dictionary of

    files    the text (or bytes) of each file that is another then, by its path below the data
    moves    where each file stands then that stands elsewhere, by its path; None where it is not shown
    answers  CSV: the rows of the sample submission for the hidden examples, with the right values, and behind them the column "example"
"""
import base64
import collections
import csv
import io
import json
import os

MOST_ANEW = 12               # Files that a view has of its own.
LONGEST_NAME = 200           # Characters of an example's name.
MOST_TEXTS = 20              # Texts whose lines are looked at; and rows of an example, by each of which they are searched for its answers,
FEW_EXAMPLES = 60            # of so many examples.
FEW_OTHERS = 10              # Lines of a file that name no training example, at least, if the test's are among them.


def hidden_by_split(card):
    """Says as `held_out` what is hidden, and writes the same files.

    @raise Missing with what is wrong, for the author of split.py"""
    with open('./split.json', encoding='utf-8') as file:
        given = json.load(file)
    groups = groups_of(given)
    chosen = chosen_of(groups, FOLDS, draws_of(card.root))
    check(chosen, 'split.py names examples of %s; %d are needed' % (counted(len(set(groups.values())), 'group'), 2 * PART_GROUPS))
    sample = opened(card, card.roles.get('submission'), 'the form of the submission')
    views = [View(card, sample, name, hidden, given['views'].get(name)) for name, hidden in views_of(chosen).items()]
    check_together(views)
    anew = sorted({path for view in views for path in view.files} - {sample.path}) + [sample.path]
    check(len(anew) <= MOST_ANEW, 'split.py writes %s anew; %d can be, and others moved' % (counted(len(anew), 'file'), MOST_ANEW))
    unread = look_for_answers(card, views, groups)
    for view in views[1:]:
        view.write(anew)
    write_answers(sample, views, chosen, groups)
    put('left-out.json', json.dumps(sorted(unread + [path for path in card.files if path in ('split.py', 'metric.py')])), [])
    rows = [[len(known) for known in map(rows_by_example(views).get, part) if known] for part in chosen.folds + [chosen.select]]
    return {'scheme': 'examples at random in %s, by split.py: %s of %s' % (
                'one part' if len(chosen.folds) == 1 else '%d folds' % len(chosen.folds), counted(sum(map(len, rows)), 'example'), grouped(len(groups))) + (
                '' if len(set(groups.values())) == len(groups) else ', whole groups of them'),
            'files': anew, 'rows': list(map(sum, rows[:-1])), 'select': sum(rows[-1]), 'in_time': False,
            'left_out': 'what could not be read whole: ' + listed(unread, 6) if unread else ''}


def check(is_right, otherwise):
    if not is_right:
        raise Missing(otherwise)


def whole_bytes(card, path):
    with open(os.path.join(card.root, path), 'rb') as file:
        return file.read()


def text_lines(content):
    return (content if isinstance(content, str) else content.decode('utf-8', 'replace')).splitlines()


def is_text_by_text(thing, also=()):
    return isinstance(thing, dict) and all(isinstance(value, (str,) + also) for value in thing.values())


def groups_of(given):
    groups, count = given['examples']
    check(is_text_by_text(groups), 'examples() must give a list of names, or a dictionary of groups by name')
    check(len(groups) == count, 'examples() names some example twice')
    check(all(0 < len(name) <= LONGEST_NAME for name in groups), 'examples() gives names of no or of more than %d characters' % LONGEST_NAME)
    return groups


class View:
    """What split.py gave for one view, checked by itself.

    files    what is in each file that is another than the task's: text, or bytes
    moves    where files stand by where the task has them; None if nowhere
    answers  the rows of each hidden example, by its name"""

    def __init__(self, card, sample, name, hidden, given):
        self.card, self.sample, self.name, self.hidden = card, sample, name, set(hidden)
        check(isinstance(given, dict) and is_text_by_text(given['files'], (dict,)) and is_text_by_text(given['moves'], (type(None),)) and isinstance(
            given['answers'], str), 'hide() must give a dictionary with files (text or bytes by path), moves (path or None by path) and answers (text)')
        self.files = {path: content if isinstance(content, str) else base64.b64decode(content['base64']) for path, content in given['files'].items()}
        self.moves = {path: to for path, to in given['moves'].items() if path != to}
        self.check_files()
        self.check_moves()
        self.keys = next((count for count in range(1, len(sample.names)) if are_different(sample, sample.names[:count])), None)
        check(self.keys, 'the first columns of %s do not name its rows' % quoted(sample.path))
        self.answers = self.checked_answers(given['answers'])
        self.check_sample()

    def check_files(self):
        for path, content in self.files.items():
            check(path in self.card.files, 'files has %s, which the data have not' % quoted(path, 120))
            table = self.card.tables.get(path)
            if table and table.form != 'json' and isinstance(content, str):
                names = next(csv.reader(io.StringIO(content, newline=''), delimiter=table.delimiter), [])
                lacks = without(table.names, [each.strip() for each in names])
                check(not lacks, '%s lacks the column %s' % (quoted(path, 120), listed(lacks, 4)))
                check(len(names) == len(table.names), '%s has columns that it has not in the data' % quoted(path, 120))

    def check_moves(self):
        known, stand = set(self.card.files), collections.Counter(self.moves.get(path, path) for path in self.card.files)
        folders = set(map(os.path.dirname, known))
        for path, to in self.moves.items():
            check(path in known, 'moves has %s, which the data have not' % quoted(path, 120))
            check(path not in self.files, '%s is in files and in moves' % quoted(path, 120))
            check(to is None or os.path.normpath(to) == to and not os.path.isabs(to) and os.path.dirname(to) in folders,
                  'moves puts %s where the data have no folder' % quoted(path, 120))
            check(to is None or stand[to] == 1, 'two files would stand at %s' % quoted(to or '', 120))

    def rows_in(self, text, names, what):
        rows = [row for row in csv.reader(io.StringIO(text, newline=''), delimiter=self.sample.delimiter if what != 'answers' else ',') if row]
        check(rows and [each.strip() for each in rows[0]] == names, '%s must have the columns %s' % (what, listed(names)))
        check(all(len(row) == len(names) for row in rows), '%s has rows with another number of fields than its header' % what)
        return [[each.strip() for each in row] for row in rows[1:]]

    def checked_answers(self, text):
        found, theirs = collections.defaultdict(list), set(zip(*map(self.sample.column, self.sample.names[:self.keys])))
        if not self.hidden and not text.strip():
            return found
        rows = self.rows_in(text, self.sample.names + ['example'], 'answers')
        ids = [tuple(row[:self.keys]) for row in rows]
        check(len(set(ids)) == len(ids), 'answers has a row twice')
        check(not theirs & set(ids), 'answers has a row of the test itself: %s' % listed(list(next(iter(theirs & set(ids)), ()))))
        check(all(all(row) for row in rows), 'answers has empty values')
        for row in rows:
            check(row[-1] in self.hidden, 'answers has a row of %s, which is not hidden' % quoted(row[-1]))
            found[row[-1]].append(row[:-1])
        lacks = sorted(self.hidden - set(found))
        check(not lacks, 'answers has no row of %s' % listed(lacks, 4))
        return found

    def check_sample(self):
        """The view's sample submission names the rows of the test and the hidden ones, and tells nothing of them."""
        content = self.files.get(self.sample.path)
        rows = self.rows_in(content, self.sample.names, quoted(self.sample.path)) if isinstance(content, str) else [
            [self.sample.at(row, name) for name in self.sample.names] for row in range(len(self.sample))]
        found = {tuple(row[:self.keys]): row for row in rows}
        hidden = {tuple(row[:self.keys]): row for rows in self.answers.values() for row in rows}
        theirs = set(zip(*map(self.sample.column, self.sample.names[:self.keys])))
        check(len(found) == len(rows) and set(found) == theirs | set(hidden), '%s names %s; it must name the %s of the test and the %s of the hidden examples' % (
            quoted(self.sample.path), counted(len(rows), 'row'), grouped(len(theirs)), grouped(len(hidden))))
        same = sum(found[key] == row for key, row in hidden.items())
        varied = len({tuple(row[self.keys:]) for row in hidden.values()}) > 1
        check(not varied or same < AGREE * len(hidden), '%s tells the answers of the hidden rows' % quoted(self.sample.path))

    def place(self, path):
        """Where a file of the data stands; None if nowhere."""
        return self.moves.get(path, path)

    def lines(self, path):
        """Those of a text that it shows in place of one of the data; none where it shows no such file."""
        content = self.files.get(path, b'' if self.place(path) is None else None)
        return text_lines(whole_bytes(self.card, path)[:SMALL] if content is None else content)

    def write(self, anew):
        for path in anew:
            put(os.path.join(self.name, path), self.files.get(path, whole_bytes(self.card, path)), [])
        if self.moves:
            put(os.path.join('moves', self.name + '.json'), json.dumps(self.moves), [])
            copy_files(self.card)


def check_together(views):
    """Where nothing is hidden the data are as they were; elsewhere an example has the same rows in each view, and its files are its own."""
    none, others = views[0], views[1:]
    check(not none.moves and not none.answers, 'hide() moves files or gives answers where no example is hidden')
    for path, content in none.files.items():
        check(len(text_lines(content)) == len(text_lines(whole_bytes(none.card, path))), '%s has another number of lines where no example is hidden' % quoted(path, 120))
    known = {}
    for view in others:
        for example, rows in view.answers.items():
            check(known.setdefault(example, sorted(rows)) == sorted(rows), 'the answers of %s are not the same in each view' % quoted(example))
    for path in {path for view in others for path in view.moves}:
        those, rest = ([view.hidden for view in others if (view.place(path) != path) is moved] for moved in (True, False))
        check(set.intersection(*those) - set().union(*rest), 'moves has %s where quite other examples are hidden, too' % quoted(path, 120))


def rows_by_example(views):
    return {example: rows for view in views for example, rows in view.answers.items()}


def look_for_answers(card, views, groups):
    """Nothing that a view shows tells the answers of what it hides.

    @return the files of the data that could not be read whole"""
    known = rows_by_example(views)
    changed = {path for view in views for path in list(view.files) + list(view.moves)}
    rows, targets = rows_of_answers(known, views[0])
    tell, unread = left_out(card, changed, rows, range(len(rows)), targets, ['row', 'example'])
    check(not tell, '%s tells the answers of hidden examples: give it in files without them, or as None in moves' % listed(tell, 4))
    for view in views[1:]:
        hidden = [row for row in range(len(rows)) if rows.at(row, 'example') in view.hidden]
        sought = Sought(rows, hidden, targets, ['row', 'example'], MANY_ROWS)
        for path in sorted(set(view.files) - {view.sample.path}):
            look_at(path, view.lines(path), sought)
        look_at_moved(card, view, sought)
    look_by_example(card, views[1])
    look_at_places(card, views, groups)
    look_at_lines(card, views, groups)
    return unread


def rows_of_answers(known, view):
    """The answers as a table in which other files are searched for, and which of its columns are answers."""
    rows = [row + [example] for example in sorted(known) for row in known[example]]
    columns = dict(zip(view.sample.names + ['example'], map(list, zip(*rows))))
    targets = view.sample.names[view.keys:]
    return Listed('answers', {'row': ['_'.join(row[:view.keys]) for row in rows], 'example': columns['example'],
                              **{name: columns[name] for name in targets}}), targets


def look_by_example(card, view):
    """No text has a line for each example with what all of its rows are, where each has as many."""
    size, order = max(map(len, view.answers.values())), sorted(view.answers)
    if 1 < size <= MOST_TEXTS and min(map(len, view.answers.values())) == size:
        columns = {'%d %d' % (at, value): [view.answers[example][at][value] for example in order]
                   for at in range(size) for value in range(view.keys, len(view.sample.names))}
        sought = Sought(Listed('answers', {'example': order, **columns}), range(len(order)), list(columns), ['example'], FEW_EXAMPLES)
        for path in texts_of(card, view):
            look_at(path, view.lines(path), sought)


def texts_of(card, view):
    """Files with lines, those with the most bytes first; not the sample submission."""
    texts = [(-size, path) for path, size in card.found[0] if kind_of_file(path).lower() in BY_LINE + ('txt', 'json') and path != view.sample.path]
    return [path for _, path in sorted(texts)[:MOST_TEXTS]]


def look_at_moved(card, view, sought):
    """What is written in files among the test's tells no answers where the test's own files say less."""
    moved = {path: to for path, to in sorted(view.moves.items()) if to and kind_of_file(path).lower() not in IMAGES + SOUNDS}
    folders = set(map(os.path.dirname, moved.values()))
    notes = {path: ' '.join(note(card.root, path).split()) for path in moved}
    theirs = [note(card.root, path) for path in spread([path for path in card.files if os.path.dirname(path) in folders], FEW_ROWS)]
    if moved and (not theirs or typical(notes.values()) != typical(theirs)):
        look_at(next(iter(moved)), (stem(path) + '\t' + text for path, text in notes.items()), sought)


def look_at(path, lines, sought):
    try:
        look_through(lines, sought)
    except Told:
        raise Missing('%s tells the answers of hidden examples' % quoted(path, 120))


def look_at_places(card, views, groups):
    """No file of a hidden example stands where only training's examples have files."""
    for place in places_of(card.files, set(groups), SOME):
        before, _, behind = place.pattern.partition(KEY)
        own = {path for paths in place.files.values() for path in paths}
        if '*' not in before and not any(path.startswith(before) and path.endswith(behind) and path not in own for path in card.files):
            for view in views[1:]:
                left = sorted(path for example in view.hidden for path in place.files.get(example, ()) if view.place(path) == path)
                check(not left, '%s is there where its example is hidden, and only training has such files' % quoted(left[0] if left else '', 120))


def look_at_lines(card, views, groups):
    """No line of a text names a hidden example where only training's are named; and where others are, it says no more of hidden ones than of these."""
    for path in texts_of(card, views[0]):
        lines = list(map(words, text_lines(whole_bytes(card, path)[:SMALL])))
        theirs = [line for line in lines if line and line[0] in groups]
        others = [line for line in lines if line and line[0] not in groups]
        if 2 * len(theirs) < len(groups):
            continue
        typical = typical_fields(others, theirs) if len(others) >= FEW_OTHERS else {}
        for view in views[1:]:
            hidden = [line for line in map(words, view.lines(path)) if line and line[0] in view.hidden]
            check(len(others) > 1 or not hidden, '%s names %s, which is hidden' % (quoted(path, 120), quoted(hidden[0][0] if hidden else '')))
            for at, value in typical.items():
                same = sum(line[at:at + 1] == [value] for line in hidden)
                check(same >= AGREE * len(hidden), '%s says of the hidden examples more than of the test: theirs have %s there' % (
                    quoted(path, 120), quoted(value)))


def typical_fields(others, theirs):
    """What nearly all lines of the test have at a place, and nearly none of training's."""
    found = {}
    for at in range(1, max(map(len, others))):
        value, count = collections.Counter(line[at] for line in others if len(line) > at).most_common(1)[0]
        if count >= AGREE * (len(others) - 1) and sum(line[at:at + 1] == [value] for line in theirs) <= (1 - AGREE) * len(theirs):
            found[at] = value
    return found


def write_answers(sample, views, chosen, groups):
    known, parts = rows_by_example(views), parts_of(chosen)
    numbers = {group: number for number, group in enumerate(sorted(set(groups.values())))}
    put('labels.csv', line(sample.names + ['group', 'part']), (
        line(row + [numbers[groups[example]], parts[example]]) for example in sorted(parts) for row in known[example]))
    if len(chosen.folds) > 1:
        put('study/study_folds.csv', 'fold,example\n', (line([parts[example], example]) for example in sorted(parts) if parts[example] != 'select'))
