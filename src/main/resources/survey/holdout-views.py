"""The hold-out, 2 of 9: what is written: the tables that scripts see in place of the task's, where files stand for them, and the labels."""
import csv
import io
import itertools
import json
import os

COPIED = 256 << 20           # Bytes of all files, each of 8 KiB at least, where views are copies: links to files of the task would keep their times.
LONGEST_OTHER = 100          # Characters of the values of a column that a metric may go by: they are weights or names of groups.


class Views:
    """Writes, for each fold and for studies, training without what is hidden and the test with it; and for all of them the labels.

    names  the ids of the rows that scripts predict, in their order: by the number of a hidden row, or by OF_TEST less that of a row of the test
    sides  further tables that tell of training rows by their keys: they lack what is hidden"""

    def __init__(self, form, chosen, names, sides, chance):
        self.form, self.rows, self.tests, self.sample = form, form.rows, form.tests, form.sample
        self.chosen, self.names, self.sides, self.chance = chosen, names, sides, chance
        self.parts = parts_of(chosen)
        self.real = form.tests.column(form.identifier)
        self.is_renamed = any(names[OF_TEST - row] != each for row, each in enumerate(self.real))
        self.quotes, self.sample_quotes = quotes_of(self.tests), quotes_of(self.sample)
        self.defaults = [self.sample.raw(row) for row in range(len(self.sample))]
        self.columns = [(at, name) for at, name in enumerate(self.sample.names) if name not in form.asked]

    def write(self):
        folds = self.chosen.folds
        for number, fold in enumerate(folds):
            self.show('fold%d' % number, fold)
        if len(folds) > 1:
            gone = self.show('study', [])
            kept, groups = [row for row in range(len(self.rows)) if row not in gone], self.chosen.groups or {}
            number = {group: at for at, group in enumerate(dict.fromkeys(groups.values()))}
            columns = {'fold': [self.parts.get(row, -1) for row in kept], 'group': [number.get(groups.get(row), '') for row in kept]}
            if self.form.named:
                columns['file'] = [self.rows.at(row, self.form.identifier) for row in kept]
            put('study/study_folds.csv', line(columns), map(line, zip(*columns.values())))
        self.write_labels()
        if self.form.by_place:
            put_table('own', self.sample, map(self.sample.text, range(len(self.sample))))
        if self.is_renamed:
            put('names.csv', line(['name', 'id']), (line([self.names[OF_TEST - row], each]) for row, each in enumerate(self.real)))

    def show(self, folder, fold):
        """@return the rows that training lacks there"""
        gone, shown = lacking(self.chosen, fold or self.chosen.select), set(fold + self.chosen.select)
        asked = [row for row in self.names if row < 0 or row in shown]
        put_table(folder, self.rows, (self.rows.text(row) for row in range(len(self.rows)) if row not in gone))
        put_table(folder, self.tests, map(self.text, asked))
        put_table(folder, self.sample, (self.asked(row, place) for place, row in enumerate(asked)))
        hidden = {self.rows.at(row, self.form.identifier) for row in gone} if self.sides else ()
        for table in self.sides:
            put_table(folder, table, (table.text(row) for row, key in enumerate(table.column(self.form.identifier)) if key not in hidden))
        if self.form.by_place:
            put(os.path.join('order', folder + '.csv'), '', (line([self.names[row]]) for row in asked))
        moves = dict(self.moves(asked, gone - shown))
        if moves:
            put(os.path.join('moves', folder + '.json'), json.dumps(moves), [])
        return gone

    def text(self, row):
        """A row of the test table, under the id that it has there."""
        form, tests = self.form, self.tests
        if tests.is_made:
            return ''
        named = self.named(row)
        if isinstance(tests, Documents):
            record = dict(self.rows.records[row] if row >= 0 else tests.records[OF_TEST - row])
            if self.is_renamed or row >= 0:
                record.update((name, int(value) if isinstance(record.get(name), int) else value) for name, value in named.items())
            return json.dumps({name: record[name] for name in tests.names if name in record}, ensure_ascii=False)
        if row < 0 and not self.is_renamed:
            return tests.text(OF_TEST - row)
        if row < 0:
            fields = tests.raw(OF_TEST - row)
            for name, value in named.items():
                fields[tests.places[name]] = dressed(value, value, self.quotes[name], tests.delimiter)
            return tests.delimiter.join(fields) + tests.end
        found = dict(zip(self.rows.names, zip(self.rows.own(row), self.rows.raw(row))))
        found.update((name, (value, value)) for name, value in named.items())
        return tests.delimiter.join(dressed(*found[name], self.quotes[name], tests.delimiter) for name in tests.names) + tests.end

    def named(self, row):
        """The columns of the key that hold something else than before: of a key of several, the first alone can."""
        form, name = self.form, self.names[row]
        if form.by_place or form.lasting:
            return {}
        table, number = (self.rows, row) if row >= 0 else (self.tests, OF_TEST - row)
        rest = ''.join(form.joint + table.at(number, column) for column in form.key[1:])
        return {form.key[0]: name[:len(name) - len(rest)]}

    def asked(self, row, place):
        """A row of the sample submission, with values of any other one."""
        sample, form, name = self.sample, self.form, self.names[row]
        fields = list(self.chance.choice(self.defaults))
        for at, column in self.columns:
            value = name if len(form.key) == 1 or column not in form.key and not form.by_place else self.value(column, row, place)
            fields[at] = dressed(value, value, self.sample_quotes[column], sample.delimiter)
        return sample.delimiter.join(fields) + sample.end

    def value(self, column, row, place):
        """What stands in the sample beside the name of a row, or in its place: the row's own values, or its number."""
        table, number = (self.rows, row) if row >= 0 else (self.tests, OF_TEST - row)
        if self.form.by_place and column not in self.tests.names:
            return str(int(self.sample.at(0, column)) + place)
        return table.at(number, column) if isinstance(table, Listed) else table.own(number)[table.names.index(column)]

    def moves(self, asked, lost):
        """Where each file of an example stands that is not where the task has it; None where it is not shown."""
        form = self.form
        for place, to in form.places:
            taken = {path for paths in to.files.values() for path in paths} if to and not self.is_renamed else ()
            for row in asked if self.is_renamed else [row for row in asked if row >= 0]:
                old = self.rows.at(row, form.identifier) if row >= 0 else self.real[OF_TEST - row]
                for path in place.files.get(old, ()) if row >= 0 else to.files.get(old, ()) if to else ():
                    there = moved(path, old, to, self.names[row]) if to else None
                    if there in taken and there != path:
                        raise Missing('%s would stand in the place of another file' % quoted(path, 120))
                    if there != path:
                        yield path, there
            for row in lost:
                yield from ((path, None) for path in place.files.get(self.rows.at(row, form.identifier), ()))

    def write_labels(self):
        form, rows, groups = self.form, self.rows, self.chosen.groups or {row: row for row in self.parts}
        hidden, keys = sorted(self.parts), form.key if form.is_kept() else [form.identifier]
        numbers = {group: i for i, group in enumerate(dict.fromkeys(groups[row] for row in hidden))}

        def named(row):
            return [rows.at(row, name) for name in form.key] if form.is_kept() else [self.names[row]]

        def values(row):
            if form.wide:
                return [form.of_class.get(rows.at(row, form.targets[0]), rows.plain(row, form.targets[0]))]
            return [rows.plain(row, target) for target in form.targets]
        put('labels.csv', line(keys + (form.targets if form.wide else form.asked) + ['group', 'part']), (
            line(named(row) + values(row) + [numbers[groups[row]], self.parts[row]]) for row in hidden))
        others = [name for name in without(rows.names, keys + form.targets) if all(len(rows.at(row, name)) <= LONGEST_OTHER for row in hidden)]
        if others:
            put('columns.csv', line(others), (line([rows.plain(row, name) for name in others]) for row in hidden))


def quotes_of(table):
    """Of each column how many of its values stand in quotes: all (True), none (False) or some (None)."""
    if table.is_made or isinstance(table, Documents) or table.bytes.find(b'"') < 0:
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


def parts_of(chosen):
    return {each: part for part, fold in [('select', chosen.select)] + list(enumerate(chosen.folds)) for each in fold}


def copy_files(card):
    """Has views with files of hidden rows made of copies, unless these would take too much."""
    if sum(max(8192, size) for _, size in card.found[0]) > COPIED:
        return False
    put('copies.json', 'true', [])
    return True


def line(fields):
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerow(fields)
    return text.getvalue()


def put_table(folder, table, texts):
    if isinstance(table, Documents):
        put(os.path.join(folder, table.path), table.document(texts), [])
    elif not table.is_made:
        put(os.path.join(folder, table.path), table.header, texts)


def put(path, header, texts):
    target = os.path.join('./final/holdout', path)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if PACKED.search(path) or isinstance(header, bytes):
        with open(target, 'wb') as file:
            file.write(header if isinstance(header, bytes) else packed(path, header + ''.join(texts)))
        return
    with open(target, 'w', encoding='utf-8', newline='') as file:
        file.write(header)
        file.writelines(texts)
