"""The hold-out, 3 of 9: whether lines tell the target of training rows, whatever the form of the file and the name of the column."""
import collections
import csv
import itertools

FEW_ROWS = 200               # Training rows, at most, that are looked for in a large file,
MANY_ROWS = 2000             # and in a small one.
AGREE = 0.95                 # Share of the rows whose target a column must give, to tell it.
CLASSES = 20                 # Different values of a target that may stand there under other names.
JOINED = 8                   # Places of a line that may name the row: those whose values come back least, and those with most of them.
BETWEEN = str.maketrans(dict.fromkeys(',;|:={}[]()<>"\'', ' '))


class Told(Exception):
    """A file tells the target."""


class Sought:
    """Training rows that are looked for: by their ids, by other values that only they have, and by their place.

    keys  a word, and the row that it names"""

    def __init__(self, rows, labelled, targets, shown, most):
        self.rows, self.targets, self.shown = rows, targets, shown
        values = {row: rows.at(row, targets[0]) for row in labelled}
        is_few = len(set(values.values())) <= CLASSES
        if is_few or not all(map(is_real, values.values())):
            of_each = collections.defaultdict(list)
            for row in labelled:
                of_each[values[row]].append(row)
            chosen = [row for each in of_each.values() for row in spread(each, max(2, most // len(of_each)))]
            self.sample = set(chosen if is_few else spread(chosen, most))
        else:
            self.sample = set(spread(sorted(labelled, key=lambda row: float(values[row])), most))
        self.keys = {}
        for name in self.shown:
            column = rows.column(name)
            if len(set(column)) == len(column) and (name == shown[0] or sum(map(len, column)) >= 6 * len(column)):
                self.keys.update((max(words(column[row]), key=len, default=''), row) for row in self.sample)
        self.keys.pop('', None)
        self.keys.update([(key + '.0', row) for key, row in self.keys.items() if key.isdigit()])  # As pandas writes them where others are missing.


def words(line):
    return line.translate(BETWEEN).split()


def look_through(lines, sought):
    """Joins the lines with training rows by what names them, at one place of all lines, and by their own place, with a header or without.

    @raise Told if then a place of the lines tells the target"""
    named, hits, ordered, number = collections.defaultdict(dict), collections.Counter(), ({}, {}), 0
    for line in lines:
        found = words(line)
        if not sought.keys.keys().isdisjoint(found):
            for at, word in enumerate(found):
                if word in sought.keys:
                    for place in (at, at - len(found)):
                        hits[place] += 1
                        named[place].setdefault(sought.keys[word], line)
        if found and line[0] not in '#@%':
            for before in (0, 1):
                if number - before in sought.sample:
                    ordered[before][number - before] = line
            number += 1
    by_use = sorted(named, key=lambda place: hits[place] / len(named[place]))
    by_size = sorted(named, key=lambda place: -len(named[place]))
    for place in dict.fromkeys(by_use[:JOINED] + by_size[:JOINED]):
        look_at_columns(named[place], sought)
    for found in ordered if number >= len(sought.rows) else ():
        look_at_columns(found, sought)


def values_of(line):
    """What stands in a line, by place: words from the begin and from the end, and fields between each delimiter."""
    found = words(line)
    values = dict(enumerate(found))
    values.update((i - len(found), word) for i, word in enumerate(found))
    for delimiter in DELIMITERS:
        if delimiter in line:
            try:
                fields = next(csv.reader([line], delimiter=delimiter))
            except (csv.Error, StopIteration):
                continue
            values.update(((delimiter, i), field.strip()) for i, field in enumerate(fields))
    return values


def look_at_columns(found, sought):
    """@param found a line for each row
    @raise Told"""
    rows = spread(list(found), max(40, 20000 // (1 + max((len(words(line)) for line in found.values()), default=0))))
    found = {row: found[row] for row in rows}
    for target in sought.targets if len(found) >= 5 else ():
        labels = {row: sought.rows.at(row, target) for row in found}
        distinct = sorted(set(labels.values()))
        if len(distinct) < 2:
            continue
        held, other = (sum(len(label) >= 8 and label in line for label, line in those) for those in (
            [(labels[row], line) for row, line in found.items()],
            [(distinct[labels[row] == distinct[0]], line) for row, line in found.items()]))
        if held >= AGREE * len(found) and other < 0.5 * len(found) < len(set(found.values())):
            raise Told()
        columns = collections.defaultdict(dict)
        for row, line in found.items():
            for place, value in values_of(line).items():
                columns[place][row] = value
        is_few = len({sought.rows.at(row, target) for row in sought.sample}) <= CLASSES
        for column in columns.values():
            if len(column) >= 0.9 * len(found) and tell(column, labels, is_few) and not is_shown(column, sought):
                raise Told()


def is_shown(column, sought):
    """Whether these are the values of a column that the training table and the test have, and so hidden rows."""
    return any(sum(same(sought.rows.at(row, name)) == same(value) for row, value in column.items()) >= AGREE * len(column) for name in sought.shown)


def same(value):
    """One form for each number."""
    return '%.6g' % float(value) if is_real(value.strip()) else value.strip()


def tell(column, labels, is_few):
    """Whether they are the labels, or these under other names, or in the order of these."""
    pairs = [(same(value), same(labels[row])) for row, value in column.items()]
    if is_few:
        of_each = collections.defaultdict(collections.Counter)
        for value, label in pairs:
            of_each[value][label] += 1
        counts = collections.Counter(label for _, label in pairs)
        right, most = sum(max(each.values()) for each in of_each.values()), max(counts.values())
        return len(pairs) >= 20 and len(of_each) <= 2 * len(counts) and right >= AGREE * len(pairs) and right - most >= 0.8 * (len(pairs) - most)
    if sum(value == label for value, label in pairs) >= AGREE * len(pairs):
        return True
    if not all(is_real(value) and is_real(label) for value, label in pairs):
        return False
    numbers = [(float(value), float(label)) for value, label in spread(pairs, 50)]
    apart = [(one[0] - other[0]) * (one[1] - other[1]) for one, other in itertools.combinations(numbers, 2) if one[1] != other[1]]
    return len(numbers) >= 10 and max(sum(each > 0 for each in apart), sum(each < 0 for each in apart)) >= 0.98 * len(apart)
