"""The data card, 4 of 11: what stands around the fields of a table: lines before the header, quotes of another kind, rows longer than the header."""

DIALECTS = ({'quoting': csv.QUOTE_NONE}, {'quotechar': "'"}, {'escapechar': '\\'})


def look_at_form(source, table):
    """What of a table's form the readers have to know: lines before the header, quotes of another kind, more fields than the header has names."""
    table.begin, table.is_begin_whole = source.pieces[0][:HEAD], source.whole and len(source.pieces[0]) <= HEAD
    text = begin_text(source)
    table.skipped = lines_before_header(text, table.form)
    if table.skipped:
        skip(source, table.skipped)
        table.notes.append('%s before the header' % counted(table.skipped, 'line'))
        text = begin_text(source)
    delimiter = delimiter_of(text, table.form)
    table.dialect = dialect_of(text, delimiter)
    table.reading = {} if 'quoting' in table.dialect else table.dialect
    rows = rows_of(text, delimiter, table.reading)
    table.extra, table.part = more_fields(rows)
    table.is_first_longer = not table.extra and len(rows) > 1 and len(rows[1]) > len(rows[0])
    if table.extra:
        table.doubts.append('rows have %s more than the header' % counted(table.extra, 'field'))


def encoding_of(source):
    """As pandas has to be told it: Windows-1252 lacks five bytes that Latin-1 has."""
    try:
        return source.read_as if source.read_as != 'cp1252' else source.pieces[0].decode('cp1252') and 'cp1252'
    except UnicodeDecodeError:
        return 'latin-1'


def begin_text(source):
    return next(source.texts()).read(1 << 16).replace('\0', '')


def skip(source, lines):
    is_wide = source.read_as.startswith(('utf-16', 'utf-32'))
    piece = next(source.texts()).read().encode('utf-8') if is_wide else source.pieces[0]
    for _ in range(lines):
        piece = piece[piece.find(b'\n') + 1:]
    source.pieces[0] = piece.decode('utf-8').encode(source.read_as) if is_wide else piece
    source.lines = max(0, source.lines - lines)


def rows_of(text, delimiter, reading):
    """The rows of the begin of a table; the last one may be cut."""
    rows = [row for row in safely(csv.reader(io.StringIO(text, newline=''), delimiter=delimiter, **reading)) if row]
    return rows[:-1] if len(rows) > 2 and len(text) >= 1 << 16 else rows


def lines_before_header(text, form):
    """Comments and titles. A title is one field above a row of names."""
    best = (0, 0)
    for delimiter in '\t' if form in ('tsv', 'tab') else DELIMITERS:
        reader, rows, starts, line = csv.reader(io.StringIO(text, newline=''), delimiter=delimiter), [], [], 0
        for row in safely(reader):
            rows, starts, line = rows + [row] if row else rows, starts + [line] if row else starts, reader.line_num
            if len(rows) == 200:
                break
        width, fits = collections.Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if width < 2 or 2 * fits < len(rows) or (fits / len(rows)) * width <= best[0]:
            continue
        comments = len(list(itertools.takewhile(lambda row: row[0].lstrip().startswith('#'), rows)))
        if comments and len(rows[comments - 1]) == width and (comments == len(rows) or is_of_numbers(rows[comments])):
            comments -= 1                       # The last of them names the columns.
        first = comments
        while first < min(20, len(rows) - 1) and len([cell for cell in rows[first] if cell.strip()]) < 2:
            first += 1
        if first > comments and (len(rows[first]) < width or is_of_numbers(rows[first])):
            first = comments
        best = ((fits / len(rows)) * width, starts[first] if 0 < first < len(rows) and '\n' in text else 0)
    return best[1]


def safely(reader):
    """The rows up to one that the reader cannot read."""
    try:
        yield from reader
    except csv.Error:
        return


def is_of_numbers(row):
    return 2 * sum(is_real(cell.strip()) for cell in row) > len(row)


def dialect_of(text, delimiter):
    """How quotes are meant, where another way than the usual gives more rows that fit, and hardly one that does not."""
    def fit(reading):
        rows = rows_of(text, delimiter, reading)
        return sum(len(row) == len(rows[0]) for row in rows), sum(len(row) != len(rows[0]) for row in rows), rows
    fits, _, rows = fit({})
    doubled = re.compile(r'\\""(?![%s\r\n]|$)' % re.escape(delimiter))     # A backslash, and a quote that is doubled as usual.
    for dialect in DIALECTS:
        others, wrong, read = fit(dialect)
        garbled = 'escapechar' in dialect and '\\"' in text and others == fits and read != rows and not doubled.search(text)
        if rows and len(rows[0]) > 1 and 20 * wrong <= others and (others > fits or garbled):
            return dialect
    return {}


def more_fields(rows):
    """How many fields the rows have beyond the header, and which part of a row the header names."""
    if len(rows) < 2 or not len(rows[0]) < len(rows[1]):
        return 0, slice(None)
    names, width, below = len(rows[0]), len(rows[1]), rows[1:]
    if 10 * sum(len(row) == width for row in below) < 8 * len(below):
        return 0, slice(None)
    are_rows_named = width == names + 1 and any(row[-1].strip() for row in below) and len({row[0] for row in below}) == len(below)
    if are_rows_named and not IDENTIFIER.search(rows[0][0]):
        return 1, slice(1, None)
    return width - names, slice(names)
