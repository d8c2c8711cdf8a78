"""The data card, 2 of 11: what a column holds."""

# `words` counts the values that pandas reads as missing and people may mean as a category, where a column holds words.
Column = collections.namedtuple('Column', 'name kind text remarkable counts present missing words')

NUMBERS = {
    'integer': r'[+-]?(0|[1-9][0-9]*)',
    'real': r'[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?inf',
    'number with commas between thousands': r'[+-]?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]+)?|[+-]?[0-9]{1,3}',
    'real with decimal comma': r'[+-]?[0-9]+(,[0-9]+)?([eE][+-]?[0-9]+)?',
}
MOMENTS = {
    'date': r'[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}([T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?( ?(Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?)?',
    'date, day and month first': r'[0-9]{1,2}([-/.])[0-9]{1,2}\1([0-9]{4}|[0-9]{2})([T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2})?( ?[AP]M)?)?',
    'time': r'[0-9]{1,2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?',
}
PATTERNS = [(kind, re.compile(pattern)) for kind, pattern in list(NUMBERS.items()) + list(MOMENTS.items())]
REAL = re.compile(NUMBERS['real'])
DATE = re.compile(MOMENTS['date'])
LONGEST = 48                 # Characters of a number or a moment. A longer text is none, and could keep a pattern busy for ever.
BOOLEANS = ({'true', 'false'}, {'yes', 'no'}, {'t', 'f'}, {'y', 'n'}, {'0', '1'})
IDENTIFIER = re.compile(r'(?i:(^|[^a-z])(id|uuid|guid|key|index|idx)s?([^a-z]|$))|[a-z]I[dD]$')
RELATIVES = 16               # Columns of names that differ in a number at the end; more of them are told in one line.
FEW = 12
LONG = 40                    # Characters of the texts of a column, in the mean, that are worth reading.
BEYOND = re.compile(r'(, (?:far from the others|and the others are not negative)): \S+ to \S+')
REPEATED = 3                 # Columns beside each other that hold the same one value; more of them are told in one line.


def value_of(kind, text):
    if kind == 'integer':
        return int(text)
    return float(text.replace(',', '' if kind == 'number with commas between thousands' else '.'))


def kind_of(distinct):
    if max(map(len, distinct)) <= LONGEST:
        for kind, pattern in PATTERNS:
            if all(map(pattern.fullmatch, distinct)):
                return kind
    return 'text'


def is_real(text):
    return len(text) <= LONGEST and bool(REAL.fullmatch(text))


def column(name, values, is_first):
    """@param values texts; what stands around them does not count"""
    counts = collections.Counter(map(str.strip, values))
    taken = collections.Counter({word: counts.pop(word) for word in MISSING if word in counts})
    words = collections.Counter({word: taken[word] for word in WORDS if taken[word]}) if holds_words(counts) else collections.Counter()
    if {value.lower() for value in counts} not in BOOLEANS:
        counts, taken = counts + words, taken - words
    missing = sum(taken.values())
    present = len(values) - missing
    lacking = ['%s missing' % share(missing, len(values))] if missing else []
    if not present:
        return Column(name, 'empty', 'empty', True, counts, 0, missing, words)
    lacking += [misread(words, len(values))] if words else []
    kind = kind_of(counts)
    is_unique = len(counts) == present == len(values) and present >= 10
    if len(counts) == 1:
        said = ['always ' + quoted(next(iter(counts))) if kind not in NUMBERS else 'always ' + next(iter(counts))[:24]]
        return Column(name, 'constant', ', '.join(['constant'] + lacking + said), True, counts, present, missing, words)
    if is_unique and is_identifier(name, kind, values, is_first):
        return Column(name, 'identifier', ', '.join(['identifier'] + lacking + identified(kind, counts)), False, counts, present, missing, words)
    if {value.lower() for value in counts} in BOOLEANS:
        said = ', '.join(['boolean'] + lacking + [shares(counts, present)])
        return Column(name, 'boolean', said, missing * 2 > len(values), counts, present, missing, words)
    if kind in NUMBERS:
        kind, said = measured(kind, counts, present)
    elif kind in MOMENTS:
        said = dated(kind, counts)
    else:
        kind, said = worded(counts, present)
    remarkable = bool(words) or missing * 2 > len(values) or 'but' in kind or ' with ' in kind or any(' the others' in one for one in said)
    return Column(name, kind.split(',')[0].split(' with')[0], ', '.join([kind] + lacking + said), remarkable, counts, present, missing, words)


def holds_words(counts):
    return bool(counts) and kind_of(counts) == 'text' and not is_mostly_numbers(list(counts))


def misread(words, total):
    return '%s are written %s, which pandas reads as missing (keep_default_na=False)' % (share(sum(words.values()), total), listed(list(words), 3))


def is_identifier(name, kind, values, is_first):
    """Of values that are all there and all different."""
    if kind == 'text':
        return max(map(len, values)) <= 64 and not any(re.search(r'\s', value.strip()) for value in values) and not is_mostly_numbers(values)
    return kind == 'integer' and bool(IDENTIFIER.search(name) or is_first and is_rising(list(map(int, values))))


def is_mostly_numbers(values):
    return sum(is_real(value.strip()) for value in values) >= 0.9 * len(values)


def is_rising(numbers):
    return all(one < next_one for one, next_one in zip(numbers, numbers[1:]))


def identified(kind, counts):
    if kind == 'integer':
        return ['%s to %s' % (number(min(map(int, counts))), number(max(map(int, counts))))]
    return ['e.g. ' + listed(list(counts)[:3])]


def shares(counts, present, most=FEW):
    """How often each value occurs; equal ones in their own order."""
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    said = ', '.join('%s %s' % (quoted(value, 32), share(count, present)) for value, count in ordered[:most])
    return said + (', …' if len(ordered) > most else '')


def measured(kind, counts, present):
    """Numbers: as shares if they are few, else by their spread."""
    if kind == 'integer' and len(counts) <= FEW and 2 * len(counts) <= present:
        return kind, ['%d values: ' % len(counts) + shares(counts, present)]
    numbers = []
    for value, count in counts.items():
        numbers += [value_of(kind, value)] * count
    if kind == 'real' and any(value[:1] == '0' and value.isdigit() and len(value) > 1 for value in counts):
        kind = 'digits with leading zeros'
    return kind, [span(numbers)] + (['%s values' % grouped(len(counts))] if len(counts) <= 100 else []) + stand_ins(sorted(numbers))


def blurred(each):
    """A column of targets, of whose numbers neither the least nor the most is told, only what nine of ten lie between: a row with one may be a hidden one."""
    if each.kind not in NUMBERS:
        return each
    numbers = sorted(value_of(each.kind, value) for value, count in each.counts.items() for _ in range(count))
    low, first, middle, third, high = ('%.3g' % numbers[(len(numbers) - 1) * part // 20] for part in (1, 5, 10, 15, 19))
    text = each.text.replace(span(numbers), 'mostly %s to %s, quartiles %s, %s, %s' % (low, high, first, middle, third), 1)
    return each._replace(text=BEYOND.sub(r'\1', text))


def stand_ins(numbers):
    """Values that may stand for something missing: often there, at an end, and alone there.

    @param numbers sorted"""
    said = []
    for end, rest in ((numbers[0], numbers[bisect.bisect_right(numbers, numbers[0]):]), (numbers[-1], numbers[:bisect.bisect_left(numbers, numbers[-1])])):
        often = len(numbers) - len(rest)
        if often * 100 < len(numbers) or often < 3 or not rest or rest[0] == rest[-1] or not math.isfinite(end + rest[0] + rest[-1]):
            continue
        is_far = min(abs(end - rest[0]), abs(end - rest[-1])) >= rest[-1] - rest[0]
        if is_far or end == -1 and rest[0] >= 0:
            said.append('%s is %s of them, %s: %s to %s' % (number(end), share(often, len(numbers)), 'far from the others' if is_far
                                                          else 'and the others are not negative', number(rest[0]), number(rest[-1])))
    return said


def dated(kind, counts):
    if kind != 'date':
        return ['%s values, e.g. %s' % (grouped(len(counts)), listed(list(counts)[:3]))]
    return ['%s to %s' % (quoted(min(counts)), quoted(max(counts))), '%s values' % grouped(len(counts))]


def worded(counts, present):
    """Texts: categories if they come back, else by their lengths."""
    numeric = sum(count for value, count in counts.items() if is_real(value))
    if numeric >= 0.9 * present:
        others = {value: count for value, count in counts.items() if not is_real(value)}
        return 'text, but %s are numbers' % share(numeric, present), ['the others: ' + shares(others, present, 4)]
    lengths = [len(value) for value, count in counts.items() for _ in range(count)]
    if len(counts) <= max(20, present // 10) and 2 * len(counts) <= present and max(lengths) <= 200:
        return 'category', ['%s values: %s' % (grouped(len(counts)), shares(counts, present, FEW if len(counts) <= FEW else 5))]
    shown, most = (2, 40) if sum(lengths) < LONG * present else (4, 120)
    return 'text', ['%s values' % grouped(len(counts)), 'characters ' + span(lengths),
                    'e.g. ' + ', '.join(quoted(value, most) for value in list(counts)[:shown])]


def column_lines(columns):
    """A line for each column, and one for all of those that differ in a number at the end of their names, where the first and the last stand alone, or that
    hold the same one value."""
    runs = (list(run) for _, run in itertools.groupby(columns, lambda each: each.text if each.kind == 'constant' else id(each)))
    alike = {id(each): run for run in runs if len(run) > REPEATED for each in run}
    families = collections.defaultdict(list)
    for each in columns[1:-1]:
        families[family_of(each.name)].append(each)
    lines, told = [], set()
    for i, each in enumerate(columns):
        name = family_of(each.name) if 0 < i < len(columns) - 1 else None
        if name is None or len(families[name]) <= RELATIVES:
            run = alike.get(id(each), [each])
            if each is run[0]:
                named = quoted(each.name) + (' to %s, %s' % (quoted(run[-1].name), counted(len(run), 'column')) if len(run) > 1 else '')
                lines.append((named + ': ' + each.text, each.remarkable, each.kind))
        elif name not in told:
            told.add(name)
            lines.append((family_text(families[name]), True, 'family'))
    return lines


def family_of(name):
    """What stands before the number at the end; None without a number."""
    begin = name.rstrip('0123456789')
    return begin if begin != name else None


def family_text(family):
    kinds = collections.Counter(each.kind for each in family)
    numbers = [value_of('real', value) for each in family for value in each.counts if is_real(value)]
    lacking = [1 - each.present / (each.present + each.missing) for each in family if each.missing]
    said = ['%s to %s, %s: %s' % (quoted(family[0].name), quoted(family[-1].name), counted(len(family), 'column'), ', '.join(
        '%s %s' % (grouped(count), kind) for kind, count in kinds.most_common()))]
    said += ['values ' + span(numbers) + ' (of the different ones of each)'] if numbers else []
    said += ['%s lack values, %s of them at most' % (counted(len(lacking), 'column'), share(max(lacking), 1))] if lacking else []
    return '; '.join(said)
