"""The data card, 10 of 11: how the defaults of pandas.read_csv misread a table, and the arguments that read it as it is meant."""

CLEAN, CLEAN_COMMA = r'[^0-9.-]', r'[^0-9,-]'                # What stands in a number besides the number, with a decimal point or a decimal comma.
SYMBOL = r'(?:US\$|[$€£¥₹]|USD|EUR|GBP|CHF|JPY)'
STYLES = [(style, re.compile(pattern), re.compile(needed)) for style, pattern, needed in (
    ('percent', r'[+-]?[0-9][0-9.,]*\s?%?', '%'),
    ('money', r'[+-]?\s?%s?\s?[+-]?[0-9][0-9.,]*\s?%s?' % (SYMBOL, SYMBOL), SYMBOL),
    ('points', r'[+-]?[0-9]{1,3}(\.[0-9]{3})*(,[0-9]+)?', r'\..*,'),
    ('spaces', r'[+-]?[0-9]{1,3}( [0-9]{3})*([.,][0-9]+)?', ' '),
    ('other spaces', r'[+-]?[0-9]{1,3}([\s\'][0-9]{3})*([.,][0-9]+)?', r'[\s\']'),
    ('commas', NUMBERS['number with commas between thousands'], ','),
    ('comma', NUMBERS['real with decimal comma'], ','),
)]
SAID = {'percent': 'is written in percent', 'money': 'is written as money', 'points': 'has points between thousands and decimal commas',
        'spaces': 'has spaces between thousands', 'other spaces': 'has spaces or marks between thousands', 'commas': 'has commas between thousands',
        'comma': 'has decimal commas'}
TRIED = 10000                # Rows that pandas reads to try the arguments.
SHARE = 0.1                  # Of the time, that must be left for a try.


class Call:
    """A call of read_csv: its arguments, what is to be done with columns after it, and a line for each thing that the defaults misread."""

    def __init__(self, table):
        self.table, self.arguments, self.cleaned, self.lines = table, {}, {}, []
        # What pandas calls the columns: what stands in the header, without its spaces only where an argument says so.
        named = [name.lstrip(' ') for name in table.raw_names] if has_spaces(table) else table.raw_names
        self.keys = dict(zip(table.names, named or range(len(table.names))))

    def line(self, said, fix):
        self.lines.append('%s: %s: %s' % (quoted(self.table.path, 120), said, fix))

    def takes(self, said, condition='', **arguments):
        self.arguments.update(arguments)
        self.line(said, arguments_text(arguments) + condition)

    def text(self):
        return 'read_csv(%s)%s' % (arguments_text(dict(self.arguments)) or '…', ', then the columns as above' if self.cleaned else '')


def arguments_text(arguments):
    text = ', '.join('%s=%s' % (name, value_text(value)) for name, value in arguments.items())
    return text if len(text) <= 600 else text[:600] + '…'


def value_text(value):
    if isinstance(value, dict):
        return '{%s}' % ', '.join('%s: %s' % (value_text(name), value_text(one)) for name, one in value.items())
    if isinstance(value, list):
        return '[%s]' % ', '.join(map(value_text, value))
    return quoted(value, 120) if isinstance(value, str) else 'str' if value is str else repr(value)


def missing_words(rows, width):
    """What pandas takes for missing, by column; nothing of empty fields."""
    words = set(MISSING) - {''}
    return [collections.Counter(row[i].strip() for row in rows if row[i].strip() in words) for i in range(width)]


def call_of(table):
    call = Call(table)
    of_form(call, table)
    of_numbers(call, table)
    of_digits(call, table)
    of_missing(call, table)
    return call


def of_form(call, table):
    if not table.encoding.startswith('utf-8'):
        call.takes('it is not UTF-8 and cannot be read', encoding=table.encoding)
    if table.skipped:
        call.takes('%s before the header' % ('1 line stands' if table.skipped == 1 else '%d lines stand' % table.skipped), skiprows=table.skipped)
    if table.delimiter != ',':
        call.takes('the delimiter is a ' + {';': 'semicolon', '\t': 'tab', '|': 'bar'}[table.delimiter], sep=table.delimiter)
    if 'no header' in table.notes:
        call.takes('its first row is no header, and would give the names', header=None)
    if table.extra:
        if table.part.start:
            call.line('the first field of each row has no name, and becomes the index', 'index_col=False would shift the names to the left')
        else:
            call.takes('rows are longer than the header, and the first column would become the index', index_col=False)
    longer = table.longer - table.is_first_longer
    if table.is_first_longer and not table.dialect:
        call.takes('the first row is longer than the header, and the first column would become the index', index_col=False)
    if longer > 0 and not table.dialect:
        call.takes('%s more fields than the header, and the reading fails' % ('1 row has' if longer == 1 else '%s rows have' % grouped(longer)),
                   ' leaves them out', on_bad_lines='warn')
    said = {'quoting': 'a quote has no end and swallows rows', 'quotechar': 'texts stand in single quotes',
            'escapechar': 'quotes in texts have a backslash before them'}
    for name, value in table.dialect.items():
        call.takes(said[name], **{name: value})
    if has_spaces(table):
        call.takes('spaces stand before names and texts, and stay', skipinitialspace=True)


def has_spaces(table):
    return any(name[:1] == ' ' for name in table.raw_names)


def style_of(each):
    values = list(itertools.islice(each.counts, 20000))
    if not values or max(map(len, values)) > LONGEST or all(map(is_real, values)):
        return None
    for style, pattern, needed in STYLES:
        if all(map(pattern.fullmatch, values)) and any(map(needed.search, values)):
            return 'comma' if style == 'commas' and any(value.lstrip('+-').startswith('0,') for value in values) else style
    return None


def has_decimal_comma(each):
    """Of percents, money and spaced thousands: what follows the last comma is no group of three digits."""
    ends = [re.search(r',([0-9]+)\D*$', value) for value in itertools.islice(each.counts, 20000)]
    return any(end and len(end.group(1)) != 3 for end in ends)


def of_numbers(call, table):
    styles = {each.name: style_of(each) for each in table.columns}
    if table.delimiter != ',' and ('comma' in styles.values() or 'points' in styles.values()):
        styles = {name: 'comma' if style == 'commas' else style for name, style in styles.items()}
    points = any(kind_of(each.counts) == 'real' and any('.' in value for value in each.counts) for each in table.columns if each.counts)
    wanted, given = {'commas': (',', None), 'comma': (None, ','), 'points': ('.', ',')}, {}
    for each in table.columns:
        if styles[each.name] == 'spaces':
            wanted['spaces'] = (' ', ',' if has_decimal_comma(each) else None)
    found = {wanted[style] for style in styles.values() if style in wanted}
    thousands, decimals = ({one[i] for one in found if one[i]} for i in (0, 1))
    fits = len(thousands) < 2 and not (decimals and (points or ',' in thousands))
    for style in dict.fromkeys(filter(None, styles.values())):
        columns = [each for each in table.columns if styles[each.name] == style]
        said = '%s %s (%s), and becomes text' % (listed([each.name for each in columns], 4), SAID[style], quoted(example(columns[0], style)))
        if fits and style in wanted:
            given = {name: value for name, value in zip(('thousands', 'decimal'), wanted[style]) if value}
            call.takes(said, **given)
            continue
        for each in columns:
            call.cleaned[call.keys[each.name]] = style in ('comma', 'points') or has_decimal_comma(each)
        key = call.keys[columns[0].name]
        call.line(said, cleaning_text(value_text(key), call.cleaned[key]))


def example(each, style):
    needed = next(needed for name, _, needed in STYLES if name == style)
    return next((value for value in each.counts if needed.search(value)), next(iter(each.counts)))


def cleaning_text(name, comma):
    return 't[%s] = pandas.to_numeric(t[%s].str.replace(r"%s", "", regex=True)%s)' % (
        name, name, CLEAN_COMMA if comma else CLEAN, '.str.replace(",", ".")' if comma else '')


def of_digits(call, table):
    zeros, long = [], []
    for each in table.columns:
        values = list(itertools.islice(each.counts, 20000))
        if values and all(value.isascii() and value.lstrip('-').isdigit() for value in values):
            if any(len(value) > 1 and value[0] == '0' for value in values):
                zeros.append((each.name, next(value for value in values if len(value) > 1 and value[0] == '0')))
            elif max(map(len, values)) < 400 and max(abs(int(value)) for value in values) > (1 << 53 if each.missing else (1 << 63) - 1):
                long.append((each.name, max(values, key=len)))
    for columns, said in ((zeros, 'has leading zeros (%s), and loses them'), (long, 'has whole numbers beyond 2^%d (%%s), and may lose digits')):
        if columns:
            text = said % (53 if columns[0][0] and table.column(columns[0][0]).missing else 63) if columns is long else said
            call.line(listed([name for name, _ in columns], 4) + ' ' + text % quoted(columns[0][1]),
                      arguments_text({'dtype': {call.keys[name]: str for name, _ in columns[:4]}}))
            call.arguments.setdefault('dtype', {}).update({call.keys[name]: str for name, _ in columns})


def of_missing(call, table):
    """Words that are meant, and words for missing that pandas does not know."""
    meant, absent = {}, {}
    for each, words in zip(table.columns, table.words):
        is_text = bool(each.counts) and kind_of(each.counts) == 'text' and not is_mostly_numbers(list(each.counts))
        meant[each.name] = [word for word in words if is_text and word in WORDS]
        absent[each.name] = [word for word in words if word not in meant[each.name]]
        others = [value for value in each.counts if not is_real(value)] if each.kind == 'text' and is_mostly_numbers(list(each.counts)) else []
        if 0 < len(others) <= 3 and max(map(len, others)) <= 20 and style_of(each) is None:
            of_one = {call.keys[each.name]: others}
            call.line('%s is of numbers but for %s, and becomes text' % (quoted(each.name), listed(others)),
                      arguments_text({'na_values': of_one}) + ' if that stands for missing')
            call.arguments.setdefault('na_values', {}).update(of_one)
    words = sorted({word for each in meant.values() for word in each})
    if words:
        known = {word for each in absent.values() for word in each}
        values = {call.keys[name]: [''] + each for name, each in absent.items()} \
            if known & set(words) or 'na_values' in call.arguments else [''] + sorted(known)
        for name, others in call.arguments.get('na_values', {}).items():
            values[name] = values[name] + others
        call.takes('%s in %s would be missing' % (listed(words), listed([name for name in meant if meant[name]], 4)), ' if that is a category',
                   keep_default_na=False, na_values=values)


def misreadings(card):
    """A line for each thing that the defaults misread, and one for the whole call of each table, tried where there is pandas."""
    calls = [call_of(table) for table in card.tables.values() if table.begin]
    lines = [(line, True, 'line') for call in calls for line in call.lines]
    if lines:
        card.chapter('What the defaults of pandas.read_csv misread, and what reads it right', lines, 'entry')
    pandas, why = imported() if calls and time.monotonic() < END - SHARE * SECONDS else (None, 'no time was left')
    for call in calls:
        said = 'not tried: ' + (why or 'no time was left') if pandas is None or is_time_over() else tried(pandas, call)
        if call.arguments or call.cleaned:
            lines.append(('%s: %s; %s' % (quoted(call.table.path, 120), call.text(), said), True, 'line'))
        elif pandas and said.startswith('pandas'):
            card.chapter('%s: %s' % (quoted(call.table.path, 120), said), [], 'entry')


def imported():
    """The library if scripts have it, else why not."""
    os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
    try:
        import pandas
        import warnings
        warnings.simplefilter('ignore')
        return pandas, ''
    except BaseException as e:
        return None, reason(e)


def tried(pandas, call):
    """What the arguments give and the defaults do not."""
    table = call.table
    data, most = table.begin, min(TRIED, CELLS // max(1, len(table.names)))
    if not table.is_begin_whole:
        most = max(1, min(most, len(rows_of(data.decode(table.encoding, 'replace'), table.delimiter, table.dialect)) * 9 // 10))
    default, right = (read(pandas, data, most, *how) for how in (({}, {}), (call.arguments, call.cleaned)))
    if isinstance(right, str):
        so = ' so' * bool(call.arguments)
        return 'pandas %s cannot read it%s: %s' % (pandas.__version__, so, right) if so or table.is_begin_whole else ''
    return 'tried with pandas %s on %s: %s' % (pandas.__version__, counted(len(right), 'row'), difference(default, right))


def read(pandas, data, most, arguments, cleaned):
    try:
        frame = pandas.read_csv(io.BytesIO(data), nrows=most, **arguments)
        for name, comma in cleaned.items():
            texts = frame[name].str.replace(CLEAN_COMMA if comma else CLEAN, '', regex=True)
            frame[name] = pandas.to_numeric(texts.str.replace(',', '.') if comma else texts)
        return frame
    except Exception as e:
        return '%s: %s' % (type(e).__name__, quoted(' '.join(str(e).split()), 120)[1:-1])


def difference(default, right):
    if isinstance(default, str):
        return 'the defaults fail, ' + default
    named = [listed(list(map(str, frame.columns)), 3) for frame in (default, right)]
    if default.shape == right.shape and named[0] != named[1]:
        return 'the defaults name the columns %s, these %s' % tuple(named)
    if default.shape != right.shape:
        return 'the defaults give %s, these %s' % tuple(
            '%s and %s' % (counted(len(frame), 'row'), counted(frame.shape[1], 'column')) for frame in (default, right))
    differ = []
    for i in range(right.shape[1]):
        pairs = zip(default.iloc[:, i].tolist(), right.iloc[:, i].tolist())
        pair = next((pair for pair in pairs if repr(pair[0]) != repr(pair[1])), None)
        if pair:
            differ.append((str(right.columns[i]), pair))
    if not differ:
        return 'the defaults read these rows alike'
    return 'the defaults misread %s, e.g. %s: %s in place of %s' % (counted(len(differ), 'column'), quoted(differ[0][0]), *map(cell, differ[0][1]))


def cell(value):
    return 'missing' if value is None or value != value else quoted(value) if isinstance(value, str) else quoted(repr(value))[1:-1]
