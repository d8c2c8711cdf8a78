"""The hold-out, 1 of 7: tables by the text of their rows, the ids of hidden rows, and what is written."""
import array
import collections
import csv
import io
import itertools
import json
import math
import mmap
import os
import re
import sys

COMMA = re.compile('[-+]?[0-9]{1,30},[0-9]{1,30}')
NUMBERED = re.compile('([^0-9]*)([0-9]{1,15})')
OF_TEST = -1                 # Less the number of a row of the test table: its key, where that of a row of the training table is its number.
COMPARED = 2000              # Ids of each kind that are compared,
APART = 0.1                  # and how far shares of theirs may differ besides what is chance.
BATCH = 4096                 # Rows that are read at once.
BY_ID = 0.1                  # Of the ids of the test that another table or the names of files must have, to be joined by them.


class Records:
    """A table by columns, whose values have no space around them. The very text of a row stays in the file; all end as the header does."""

    def __init__(self, root, table):
        self.path, self.names, self.delimiter = table.path, table.names, table.delimiter
        self.places = {name: i for i, name in enumerate(self.names)}
        self.columns, self.begins, self.ends = [[] for _ in self.names], array.array('Q'), array.array('Q')
        self.each = re.compile('("(?:[^"]|"")*"[^%s]*|[^%s]*)(%s|$)' % (3 * (re.escape(self.delimiter),)))
        with open(os.path.join(root, table.path), encoding='utf-8-sig', newline='') as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            try:
                rows = self.rows(file)
                header = next(rows)[0]
                self.end = header[len(header.rstrip('\r\n')):] or '\n'
                self.header = header.rstrip('\r\n') + self.end
                for batch in iter(lambda: [fields for _, fields in itertools.islice(rows, BATCH)], []):
                    self.take(batch)
            except UnicodeDecodeError:
                raise Missing('%s is not UTF-8' % quoted(table.path))

    def rows(self, file):
        """The rows that are not blank. Of each but the header it keeps where the text begins and ends."""
        place, is_header = 3 * self.bytes[:3].startswith(b'\xef\xbb\xbf'), True
        for text, fields in split(file, self.delimiter):
            begin, line = place, text.rstrip('\r\n')
            place += len(text) if text.isascii() else len(text.encode())
            if text.strip():
                if not is_header:
                    self.begins.append(begin)
                    self.ends.append(place - len(text) + len(line))
                is_header = False
                yield text, fields

    def take(self, batch):
        if any(len(fields) != len(self.names) for fields in batch):
            raise Missing('%s has rows with another number of fields than its header' % quoted(self.path))
        for column, values in zip(self.columns, zip(*batch)):
            values = list(map(str.strip, values))
            column.extend(map(sys.intern, values) if len(set(values)) < len(values) / 2 else values)

    def __len__(self):
        return len(self.begins)

    def text(self, row):
        return self.bytes[self.begins[row]:self.ends[row]].decode() + self.end

    def at(self, row, name):
        return self.columns[self.places[name]][row]

    def raw(self, row):
        """The text of each field, with its quotes."""
        text = self.text(row).rstrip('\r\n')
        return [field for field, _ in self.each.findall(text)][:len(self.names)] if '"' in text else text.split(self.delimiter)

    def own(self, row):
        """Each field with the spaces around it."""
        text = self.text(row)
        return next(csv.reader(io.StringIO(text, newline=''), delimiter=self.delimiter)) if '"' in text else self.raw(row)

    def plain(self, row, name):
        """A number with a decimal comma as one with a point."""
        value = self.at(row, name)
        return value.replace(',', '.') if self.delimiter != ',' and COMMA.fullmatch(value) else value

    def column(self, name):
        return self.columns[self.places[name]]


def split(file, delimiter=','):
    """Rows as the data card reads them: the very text of each, with the line ends that are within quotes, and its fields."""
    taken = []

    def lines():
        for line in file:
            taken.append(line)
            yield line

    for fields in csv.reader(lines(), delimiter=delimiter):
        yield ''.join(taken), fields
        taken.clear()


def write(rows, tests, sample, targets, wide, chosen, names, chance):
    """For each fold the tables that scripts see, the same for studies, with the fold of each row; for all of them the labels, and the ids behind new names."""
    identifier = sample.names[0]
    real, asked = tests.column(identifier), sample.column(identifier)
    if len(asked) != len(real) or set(asked) != set(real):
        raise Missing('the ids of %s are not those of %s' % (quoted(sample.path), quoted(tests.path)))
    quotes, own = quotes_of(tests), quotes_of(sample)[identifier]
    values = [sample.delimiter.join(sample.raw(row)[1:]) for row in range(len(sample))]
    parts = {row: part for part, fold in [('select', chosen.select)] + list(enumerate(chosen.folds)) for row in fold}
    is_renamed = any(names[OF_TEST - row] != each for row, each in enumerate(real))

    def text(row):
        if row >= 0:
            return as_test(rows, row, tests, identifier, names[row], quotes)
        if not is_renamed:
            return tests.text(OF_TEST - row)
        fields = tests.raw(OF_TEST - row)
        fields[tests.places[identifier]] = dressed(names[row], names[row], quotes[identifier], tests.delimiter)
        return tests.delimiter.join(fields) + tests.end

    def show(folder, fold):
        gone, shown = lacking(chosen, fold or chosen.select), set(fold + chosen.select)
        asked = [row for row in names if row < 0 or row in shown]
        put(os.path.join(folder, rows.path), rows.header, (rows.text(row) for row in range(len(rows)) if row not in gone))
        put(os.path.join(folder, tests.path), tests.header, map(text, asked))
        put(os.path.join(folder, sample.path), sample.header, (
            dressed(names[row], names[row], own, sample.delimiter) + sample.delimiter + chance.choice(values) + sample.end for row in asked))
        return gone

    for number, fold in enumerate(chosen.folds):
        show('fold%d' % number, fold)
    if len(chosen.folds) > 1:
        gone = show('study', [])
        put('study/study_folds.csv', 'fold\n', ('%s\n' % parts.get(row, -1) for row in range(len(rows)) if row not in gone))
    groups = chosen.groups or {row: row for row in parts}
    numbers = {group: i for i, group in enumerate(dict.fromkeys(groups[row] for row in sorted(parts)))}
    put('labels.csv', line([identifier] + (targets if wide else sample.names[1:]) + ['group', 'part']), (
        line([names[row]] + [rows.plain(row, target) for target in targets] + [numbers[groups[row]], parts[row]]) for row in sorted(parts)))
    if is_renamed:
        put('names.csv', line(['name', 'id']), (line([names[OF_TEST - row], each]) for row, each in enumerate(real)))


def as_test(rows, row, tests, identifier, new, quotes):
    """The text of a training row as one of the test, under the id that it has there."""
    found = dict(zip(rows.names, zip(rows.own(row), rows.raw(row))))
    found[identifier] = new, new
    return tests.delimiter.join(dressed(*found[name], quotes[name], tests.delimiter) for name in tests.names) + tests.end


def quotes_of(table):
    """Of each column how many of its values stand in quotes: all (True), none (False) or some (None)."""
    if table.bytes.find(b'"') < 0:
        return dict.fromkeys(table.names, False)
    found = [set() for _ in table.names]
    for row in range(len(table)):
        for seen, raw in zip(found, table.raw(row)):
            seen.add(raw.startswith('"'))
    return {name: seen == {True} if len(seen) == 1 else None for name, seen in zip(table.names, found)}


def dressed(value, raw, quotes, delimiter):
    """A value as the others of its column stand in the table, so that no quote tells where it comes from."""
    if quotes or any(c in value for c in delimiter + '"\r\n'):
        return '"' + value.replace('"', '""') + '"'
    return raw if quotes is None else value


def names_of(rows, tests, identifier, chosen, joined, chance):
    """The ids under which scripts see the rows that they predict, the same in all folds: those that the rows have where nothing of them tells which
    rows are hidden, or where they mean something; else those of the test and new ones, dealt among all rows. By time hidden rows stand first, else
    all are in the order of their ids or in none.

    @param joined whether other files may be joined by them
    @return the ids by the number of a hidden row, or by OF_TEST less that of a row of the test, in their order; and what of them is worth saying
    @raise Missing if they mean something, as dates do, so that new ones would be wrong"""
    taken = tests.column(identifier)
    own = rows.column(identifier) if identifier in rows.places else []
    hidden, gone = sorted(sum(chosen.folds, chosen.select)), lacking(chosen, chosen.folds[-1])
    theirs = [own[row] for row in hidden] if own else []
    others = [each for row, each in enumerate(own) if row not in gone]
    order = hidden + [OF_TEST - row for row in range(len(taken))]
    if not chosen.moments:
        chance.shuffle(order)
    number = number_in(taken + theirs)
    is_moment = bool(moments_of(identifier, set(taken + own) - {''}))
    is_more = is_moment or any(1 < len(set(column)) < len(column) / 2 for column in columns_of(taken))
    is_free = own and len(set(theirs)) == len(theirs) and not set(taken) & set(theirs) and all(theirs)
    is_among = is_free and (
        is_moment or outside(taken, others) <= 0.5 or outside([own[row] for row in chosen.folds[-1] + chosen.select], others) > 0.5)
    if is_free and joined or is_among and (chosen.moments or is_more or not is_told_apart(theirs, taken, chance)):
        if not chosen.moments and taken == sorted(taken, key=number):
            order.sort(key=lambda row: number(own[row] if row >= 0 else taken[OF_TEST - row]))
        return {row: own[row] if row >= 0 else taken[OF_TEST - row] for row in order}, '' if is_among else \
            'hidden rows keep their %s, by which other files may be joined, though those of %s lie outside' % (quoted(identifier), quoted(tests.path))
    if is_more:
        raise Missing('hidden rows would need new values of %s, but those of %s tell more than which row it is' % (quoted(identifier), quoted(tests.path)))
    new = taken + (numbered if all(map(NUMBERED.fullmatch, taken)) else drawn)(taken, own, len(hidden), chance)
    if taken == sorted(taken, key=number):
        new.sort(key=number_in(new))
    else:
        chance.shuffle(new)
    return dict(zip(order, new)), 'all rows to be predicted have new values of ' + quoted(identifier)


def number_in(ids):
    """What ids are sorted by: their numbers if all have one behind the same beginning, else their text."""
    found = list(map(NUMBERED.fullmatch, ids))
    is_number = all(found) and len({match.group(1) for match in found}) == 1
    return (lambda each: int(NUMBERED.fullmatch(each).group(2))) if is_number else str


def is_told_apart(ids, others, chance):
    """Whether the form of an id, what it begins or ends with, or its number tells of which ones it is, more than by chance."""
    one, other = (chance.sample(each, min(COMPARED, len(each))) for each in (ids, others))
    slack = APART + 2 * math.sqrt(1 / len(one) + 1 / len(other))
    traits = [len, lambda each: re.sub('[A-Z]', 'A', re.sub('[a-z]', 'a', re.sub('[0-9]', '0', each)))]
    traits += [lambda each, size=size: each[:size] for size in range(1, 9)] + [lambda each: each[-1:]]
    if all(map(NUMBERED.fullmatch, one + other)):
        traits += [lambda each, by=by: int(NUMBERED.fullmatch(each).group(2)) % by for by in range(2, 17)]
        numbers = sorted((int(NUMBERED.fullmatch(each).group(2)), step) for step, each in (
            [(1 / len(one), each) for each in one] + [(-1 / len(other), each) for each in other]))
        if max(map(abs, itertools.accumulate(step for _, step in numbers))) > slack:
            return True
    return any(abs(here[value] / len(one) - there[value] / len(other)) > slack for here, there in (
        (collections.Counter(map(trait, one)), collections.Counter(map(trait, other))) for trait in traits) for value in here | there)


def columns_of(ids):
    """The parts of ids between marks such as - and _, if all have as many; else the ids."""
    parts = [re.split('([^0-9A-Za-z]+)', each) for each in ids]
    return list(zip(*parts)) if len(set(map(len, parts))) == 1 else [ids]


def numbered(taken, own, count, _):
    """Those behind all others."""
    first = 1 + max(int(match.group(2)) for match in map(NUMBERED.fullmatch, itertools.chain(taken, own)) if match)
    matches = list(map(NUMBERED.fullmatch, taken))
    begin = collections.Counter(match.group(1) for match in matches).most_common(1)[0][0]
    width = min(len(match.group(2)) for match in matches)
    return [begin + str(first + i).zfill(width) for i in range(count)]


def drawn(taken, own, count, chance):
    """In the form of those of the test: what all have in common, and letters and digits by chance where they differ."""
    columns, known, new = columns_of(taken), set(taken + own), {}
    signs = [{kind: sorted(filter(kind, set(''.join(column)))) for kind in (str.isdigit, str.isupper, str.islower)} for column in columns]
    for _ in range(100 * count):
        made = ''.join(column[0] if len(set_of) == 1 else ''.join(next((chance.choice(each) for kind, each in of_kind.items() if kind(sign)), sign)
                       for sign in chance.choice(column)) for column, of_kind, set_of in zip(columns, signs, map(set, columns)))
        if made not in known:
            new[made] = True
        if len(new) == count:
            return list(new)
    raise Missing('hidden rows would need new ids, and there are too few of the form of %s' % quoted(taken[0]))


def outside(ids, others):
    """Share of ids that are no number between the least and the most of the others. Of ids that are no numbers none is."""
    ranges = collections.defaultdict(list)
    for match in filter(None, map(NUMBERED.fullmatch, others)):
        ranges[match.group(1)].append(int(match.group(2)))
    ranges = {begin: (min(numbers), max(numbers)) for begin, numbers in ranges.items()}
    found = 0
    for match in filter(None, map(NUMBERED.fullmatch, ids)):
        low, high = ranges.get(match.group(1), (1, 0))
        found += not low <= int(match.group(2)) <= high
    return found / max(1, len(ids))


def joined_by(tests, identifier, tables, files):
    """Whether another table, or the names of files, have ids of the test."""
    ids = set(tests.column(identifier))
    names = [{stem(path) for path in files}] + [
        set(table.keys.get(each.name) or each.counts) for table in tables for each in table.columns]
    return any(len(ids & there) >= max(1, BY_ID * min(len(ids), len(there))) for there in names)


def line(fields):
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerow(fields)
    return text.getvalue()


def put(path, header, texts):
    target = os.path.join('./final/holdout', path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, 'w', encoding='utf-8', newline='') as file:
        file.write(header)
        file.writelines(texts)
