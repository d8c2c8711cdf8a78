"""The form, 2 of 5: whole tables by the text of their rows, records of JSON, and rows that no file has."""
import array
import bz2
import csv
import gc
import gzip
import io
import itertools
import json
import mmap
import os
import re
import sys
import zipfile

LARGEST = 256 << 20          # Bytes of a table, and of any file that is looked through.
BATCH = 4096                 # Rows that are read at once.
PACKED = re.compile(r'\.(gz|bz2|zip)$', re.IGNORECASE)
COMMA = re.compile('[-+]?[0-9]{1,30},[0-9]{1,30}')


class Missing(Exception):
    """Says why no rows can be hidden, or what does not fit."""


class Records:
    """A table by columns, whose values have no space around them. The very text of a row stays in the file; all end as the header does.

    names   of the columns in the file; there may be others, which are made of them"""
    is_made = False

    def __init__(self, root, table):
        self.path, self.names, self.delimiter = table.path, table.names, table.delimiter
        self.places = {name: i for i, name in enumerate(self.names)}
        self.columns, self.begins, self.ends = [[] for _ in self.names], array.array('Q'), array.array('Q')
        self.each = re.compile('("(?:[^"]|"")*"[^%s]*|[^%s]*)(%s|$)' % (3 * (re.escape(self.delimiter),)))
        self.bytes, text = text_of(os.path.join(root, table.path))
        with text as file:
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

    def add(self, name, values):
        self.places[name] = len(self.columns)
        self.columns.append(values)


class Listed:
    """Rows that no table has: of names of files, or of the ids that a submission has."""
    delimiter, bytes, is_made = ',', b'', True

    def __init__(self, path, columns):
        self.path, self.names, self.columns = path, list(columns), list(columns.values())
        self.places = {name: i for i, name in enumerate(self.names)}

    __len__, at, plain, column, add = (lambda self: len(self.columns[0])), Records.at, Records.plain, Records.column, Records.add

    def text(self, row):
        return '\t'.join(column[row] for column in self.columns) + '\n'


class Documents(Listed):
    """The records of a JSON document: a list, or the longest list of an object."""
    is_made = False

    def __init__(self, root, table):
        with open(os.path.join(root, table.path), encoding='utf-8-sig') as file:
            self.whole = json.load(file)
        lists = self.whole if isinstance(self.whole, dict) else {'': self.whole}
        self.under = max((name for name, each in lists.items() if isinstance(each, list)), key=lambda name: len(lists[name]))
        self.records = lists[self.under]
        if not all(isinstance(each, dict) for each in self.records):
            raise Missing('%s is no list of records' % quoted(table.path))
        names = dict.fromkeys(name for each in self.records for name in each)
        Listed.__init__(self, table.path, {name: [json_text(each.get(name)).strip() for each in self.records] for name in names})

    def text(self, row):
        return json.dumps(self.records[row], ensure_ascii=False)

    def document(self, texts):
        """The same with other records."""
        records = '[' + ',\n'.join(texts) + ']'
        if not isinstance(self.whole, dict):
            return records + '\n'
        return '{' + ', '.join('%s: %s' % (json.dumps(name, ensure_ascii=False), records if name == self.under else json.dumps(each, ensure_ascii=False))
                               for name, each in self.whole.items()) + '}\n'


def text_of(path):
    """The bytes of a table, as they would be unpacked, and a text that reads them."""
    if ARCHIVE.search(path):
        with zipfile.ZipFile(path) as archive:
            content = archive.read(next(name for name in archive.namelist() if TABLE.search(name) and not name.startswith('__MACOSX/')))
    elif path.lower().endswith(('.gz', '.bz2')):
        with (gzip if path.lower().endswith('gz') else bz2).open(path) as file:
            content = file.read(LARGEST + 1)
    else:
        file = open(path, encoding='utf-8-sig', newline='')
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), file
    if len(content) > LARGEST:
        raise Missing('%s is larger than %s' % (quoted(os.path.basename(path)), sized(LARGEST)))
    return content, io.TextIOWrapper(io.BytesIO(content), 'utf-8-sig', newline='')


def packed(name, text):
    """Text as a file of that name holds it."""
    content = text.encode()
    if ARCHIVE.search(name):
        file = io.BytesIO()
        with zipfile.ZipFile(file, 'w', zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo(os.path.basename(name)[:-4]), content)
        return file.getvalue()
    return gzip.compress(content, mtime=0) if name.lower().endswith('.gz') else bz2.compress(content) if name.lower().endswith('.bz2') else content


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
