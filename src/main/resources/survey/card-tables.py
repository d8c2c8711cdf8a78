"""The data card, 3 of 11: reading tables, whole or in pieces."""

TABLE = re.compile(r'\.(csv|tsv|tab|jsonl|ndjson|json|parquet|pq)(\.gz|\.bz2|\.zip)?$', re.IGNORECASE)
# Names of sample submissions, some of which are called .txt.
SUBMISSION = re.compile(r'submission|(sample|example)[-_. ]?(sub|solution|entry|output|answer)', re.IGNORECASE)
EXAMPLE = re.compile(r'sample|example|format', re.IGNORECASE)
PLAIN = re.compile(r'\.txt(\.gz|\.bz2|\.zip)?$', re.IGNORECASE)
HEAD = 4 << 20               # Bytes of the first piece of a table that is not read whole.
PIECE = 1 << 20              # Bytes of each later one.
PIECES = 28                  # How many later ones.
COUNTING = 10                # Seconds in which the lines of one table are counted.
DELIMITERS = ',;\t|'
WIDE = ('utf-16', 'utf-32')
CONTROLS = bytes(each for each in range(32) if each not in b'\t\n\f\r\x1a')
csv.field_size_limit(1 << 30)


class Table:
    """What was found of one table.

    rows     how many it has, and what stands before that where nobody counted them: about, at least
    sampled  of how many rows the columns tell
    doubts   notes that tell of rows that could not be read as they were meant
    keys     columns that may hold identifiers, by name, each with all its values; none of a table that was not read whole
    """

    def __init__(self, path, form):
        self.path, self.form = path, form
        self.names, self.columns, self.keys, self.notes, self.doubts = [], [], {}, [], []
        self.rows, self.roughly, self.sampled, self.has_header = 0, '', 0, True
        self.begin, self.extra, self.part, self.reading, self.dialect, self.skipped, self.longer = b'', 0, slice(None), {}, {}, 0, 0

    def column(self, name):
        return next((each for each in self.columns if each.name == name), None)


class Bytes:
    """The pieces of a file that are looked at.

    whole    whether they are all of it
    lines    how many all of it has, as far as they could be counted
    roughly  what stands before that where they could not
    """

    def __init__(self, path):
        suffix = path.lower().rsplit('.', 1)[-1]
        if suffix not in ('gz', 'bz2', 'zip'):
            with open(path, 'rb') as file:
                self.of_file(file, os.fstat(file.fileno()).st_size)
        elif suffix == 'zip':
            with zipfile.ZipFile(path) as archive:
                tables = [name for name in archive.namelist() if TABLE.search(name) and not name.startswith('__MACOSX/')]
                if len(tables) != 1:
                    raise Unreadable('the archive holds %s' % counted(len(tables), 'table'))
                with archive.open(tables[0]) as file:
                    self.of_stream(file)
        else:
            with (gzip if suffix == 'gz' else bz2).open(path) as file:
                self.of_stream(file)
        self.read_as = self.encoding()

    def of_file(self, file, size):
        """One that can be read anywhere: pieces from first to last."""
        if size <= WHOLE:
            self.of_stream(file)
            return
        self.whole, self.pieces = False, [file.read(HEAD)]
        for i in range(PIECES):
            file.seek(HEAD + (size - HEAD - PIECE) * i // (PIECES - 1))
            self.pieces.append(file.read(PIECE))
        file.seek(0)
        self.count(file, b'')
        if self.roughly:
            self.roughly, self.lines = 'about ', size * sum(map(lines_in, self.pieces)) // sum(map(len, self.pieces))

    def of_stream(self, file):
        """One that can be read from its begin only."""
        begin = file.read(WHOLE)
        self.whole = len(begin) < WHOLE or not file.peek(1)
        self.count(file, begin)
        if self.whole and self.lines > ROWS:
            self.whole = False
            self.pieces = [begin[:HEAD]] + [begin[HEAD + (len(begin) - HEAD - PIECE) * i // (PIECES - 1):][:PIECE] for i in range(PIECES)]
        else:
            self.pieces = [begin]

    def count(self, file, begin):
        end = min(END, time.monotonic() + COUNTING)
        self.lines, self.roughly, last = lines_in(begin), '', begin[-1:]
        block = file.read(PIECE)
        while block:
            self.lines, last = self.lines + lines_in(block), block[-1:]
            if time.monotonic() > end:
                self.roughly = 'at least '
                return
            block = file.read(PIECE)
        self.lines += last not in (b'', b'\n', b'\r', b'\0')

    def encoding(self):
        head = self.pieces[0][:1 << 16]
        check_kind(head)
        for mark, encoding in ((b'\xef\xbb\xbf', 'utf-8-sig'), (b'\xff\xfe\0\0', 'utf-32'), (b'\0\0\xfe\xff', 'utf-32'), (b'\xff\xfe', 'utf-16'), (b'\xfe\xff', 'utf-16')):
            if head.startswith(mark):
                return encoding
        for encoding, zeros in (('utf-16-le', head[1::2]), ('utf-16-be', head[0::2])):
            if 3 * zeros.count(0) > len(head) > 3 * (head.count(0) - zeros.count(0)) * 3:
                return encoding
        text = head.replace(b'\0', b'')
        if 20 * len(text.translate(None, CONTROLS)) < 19 * len(text) or head and not text:
            raise Unreadable('it is no text')
        try:
            self.pieces[0].decode('utf-8')
        except UnicodeDecodeError as e:
            if self.whole or e.start < len(self.pieces[0]) - 4:
                return before_unicode(text)
        return 'utf-8'

    def texts(self):
        """Each piece as a text that is read line by line; of one that is not whole what stands between its first and its last line end."""
        is_wide = self.read_as.startswith(WIDE)
        for i, piece in enumerate(self.pieces[:1] if is_wide else self.pieces):
            if not self.whole:
                begin, end = piece.find(b'\n') + 1 if i else 0, piece.rfind(b'\n') + 1
                if not end and not i:
                    raise Unreadable('no line ends within its first %s' % sized(len(piece)))
                piece = piece[begin:end - end % 2 + 2 * (end % 2) if is_wide else end]
            yield io.TextIOWrapper(io.BytesIO(piece), 'utf-8' if i and self.read_as == 'utf-8-sig' else self.read_as, 'replace', newline='')


def is_table(path):
    return bool(TABLE.search(path) or PLAIN.search(path) and SUBMISSION.search(os.path.basename(path)))


def lines_in(piece):
    return piece.count(b'\n') or piece.count(b'\r')


def read_table(root, shown, cells):
    """@param shown the path below the root
    @param cells most of them that are looked at
    @raise Unreadable, OSError and what the readers raise"""
    named = TABLE.search(shown)
    path, form = os.path.join(root, shown), named.group(1).lower() if named else 'csv'
    table = Table(shown, form)
    if form in ('parquet', 'pq'):
        rows = parquet(path, table, cells)
    else:
        source = Bytes(path)
        if not any(source.pieces):
            raise Unreadable('it is empty')
        if form in ('jsonl', 'ndjson', 'json'):
            rows = json_rows(source, table, cells)
        else:
            look_at_form(source, table)
            rows = separated(source, table, cells)
            table.words = missing_words(rows, len(table.names))
    table.sampled = len(rows)
    for i, name in enumerate(table.names):
        table.columns.append(column(name, [row[i] for row in rows], i == 0))
    return table


class Choice:
    """Which rows of a table are looked at: as many as the cells allow, spread evenly."""

    def __init__(self, table, source, cells):
        self.lines = sum(map(lines_in, source.pieces)) + 1
        self.most, self.seen, self.taken = max(50, cells // max(1, len(table.names))), 0, 0

    def takes_next(self):
        self.seen += 1
        takes = self.lines <= self.most or self.seen * self.most // self.lines > self.taken
        self.taken += takes
        return takes


def delimiter_of(text, form):
    """The one that cuts the first lines into as many fields as the very first."""
    if form in ('tsv', 'tab'):
        return '\t'
    best, most = ',', (0, 0)
    for delimiter in DELIMITERS:
        rows = [row for row in csv.reader(io.StringIO(text, newline=''), delimiter=delimiter) if row]
        if len(rows) > 2:
            rows.pop()                          # It may be cut.
        if rows and len(rows[0]) > 1:
            fits = sum(len(row) == len(rows[0]) for row in rows) / len(rows)
            if (fits > 0.8, fits * len(rows[0])) > most:
                best, most = delimiter, (fits > 0.8, fits * len(rows[0]))
    return best


def is_header(row, below):
    """Numbers in a first row are data, unless they count the columns; so are words most of which stand in their columns again."""
    numbers = [name.strip() for name in row if is_real(name.strip())]
    if len(numbers) * 2 > len(row):
        return numbers in ([str(i + first) for i in range(len(numbers))] for first in (0, 1))
    words = [(i, name.strip()) for i, name in enumerate(row) if name.strip() and not is_real(name.strip())]
    again = sum(any(i < len(other) and other[i].strip() == word for other in below if other != row) for i, word in words)
    return again * 2 <= len(words)


def separated(source, table, cells):
    begin = next(source.texts()).read(1 << 16).replace('\0', '')
    table.delimiter = delimiter_of(begin, table.form)
    first = rows_of(begin, table.delimiter, table.reading)[:500]
    table.has_header = bool(first) and is_header(first[0], first[1:])
    state = Rows(table, source, cells)
    for text in source.texts():
        rows = csv.reader((line.replace('\0', '') for line in text), delimiter=table.delimiter, **table.reading)
        state.read(rows if source.whole else itertools.islice(rows, ROWS // len(source.pieces)))
    state.end()
    return state.kept


class Rows:
    """Goes through the rows of a table, keeps some, and notes what strikes of all."""

    def __init__(self, table, source, cells):
        self.table, self.source, self.cells = table, source, cells
        self.kept, self.choice, self.number, self.uneven, self.twice = [], None, 0, 0, 0
        self.seen, self.keys = set(), {}

    def read(self, rows):
        line = 0
        for row in rows:
            if row and self.choice is None:
                self.begin(row)
            elif row:
                self.take(row)
            if self.source.whole:
                if rows.line_num > line + 2:
                    self.look_for_rows_in(row, line + 1)
                line = rows.line_num
            if self.number % 1000 == 999 and is_time_over():
                raise Unreadable('the time was over')

    def begin(self, row):
        headed = self.table.has_header
        names = [name.strip() for name in row] if headed else ['column %d' % (i + 1) for i in range(len(row))]
        self.table.names, self.table.raw_names, self.table.encoding = names, row if headed else [], encoding_of(self.source)
        self.choice = Choice(self.table, self.source, self.cells)
        self.keys = {i: [] for i in [i for i, name in enumerate(names) if headed and (i == 0 or IDENTIFIER.search(name))][:3]}
        if not headed:
            self.table.notes.append('no header')
            self.take(row)
        twice = [name for name, count in collections.Counter(names).items() if count > 1]
        if twice:
            self.table.notes.append('columns of one name: ' + listed(twice, 4))

    def take(self, row):
        self.number += 1
        row = row[self.table.part] if self.table.extra and len(row) == len(self.table.names) + self.table.extra else row
        if len(row) != len(self.table.names):
            self.uneven += 1
            self.table.longer += any(row[len(self.table.names):])
            return
        if self.choice.takes_next():
            self.kept.append(row)
        if self.source.whole:
            for i, values in self.keys.items():
                values.append(row[i].strip())
            digest = hash(tuple(row))
            self.twice += digest in self.seen
            self.seen.add(digest)

    def look_for_rows_in(self, row, line):
        """Fields of several lines that look like rows: their quotes are likely to have no end."""
        for value in row:
            within = value.split('\n')[1:-1]
            alike = sum(len(each.split(self.table.delimiter)) == len(self.table.names) > 1 for each in within)
            if alike > 1 and alike >= 0.8 * len(within) and len(self.table.doubts) < 3:
                self.table.doubts.append('a quote in the row that begins in line %s holds %s that look like rows' % (grouped(line + self.table.skipped), counted(alike, 'line')))

    def end(self):
        table, source = self.table, self.source
        if self.choice is None:
            raise Unreadable('it holds no row')
        table.rows = self.number if source.whole else max(0, source.lines - ('no header' not in table.notes))
        table.roughly = '' if source.whole else source.roughly or ('about ' if any(b'"' in piece for piece in source.pieces) else '')
        if source.whole:
            table.keys = {table.names[i]: values for i, values in self.keys.items()}
            table.notes += [counted(self.twice, 'duplicated row')] if self.twice else []
            table.doubts += ['%s with another number of fields' % counted(self.uneven, 'row')] if self.uneven else []
            table.notes += table.doubts
        table.notes += [] if table.rows else ['a header and no row']
        said = {'utf-8': [], 'utf-8-sig': ['UTF-8 with a byte order mark'], 'cp1252': ['encoding Windows-1252 or Latin-1, not UTF-8'],
                'cp1251': ['encoding Windows-1251, not UTF-8'], 'cp932': ['encoding Shift-JIS (cp932), not UTF-8']}
        table.notes += said.get(source.read_as, ['encoding ' + source.read_as.upper()])
        if any(0 in piece for piece in source.pieces) and not source.read_as.startswith(WIDE):
            table.notes.append('NUL characters in it')
        if table.delimiter != (',' if table.form == 'csv' else '\t'):
            table.notes.append('delimiter ' + {',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar'}[table.delimiter])
