"""The hold-out, 4 of 5: how the test was taken, as far as one column tells, and which rows are hidden in the same way."""
import collections
import math
import re

PART = 0.1                   # Of the rows, for each of the two halves of what is hidden.
LEAST = 100                  # Rows of each half: of fewer the noise would hide every gain.
MOST = 20000                 # Rows of each half.
MOST_HIDDEN = 0.3            # Of the rows: the rest has to be enough to learn from.
FEWEST = 10                  # Groups, or blocks of time, of each half: of fewer the error of a score says little.
LARGE = 0.2                  # Of a half: the score of one with a larger group would be that group's. Such groups stay in training.
UNSEEN = 0.9                 # Share of the test rows whose value of the column training lacks.
LATER = 0.95                 # Share of the test rows that come after the same share of the training rows.
SHARED = 1.5                 # Rows for each value of a column, on average, if its values are groups.
ORDERED = re.compile(r'(?i)(^|[^a-z])(date|day|week|month|quarter|year|time|timestamp|period)s?([^a-z]|$)')
PERIOD = re.compile('[12][0-9]{3}(-?[QWM]|[-/])[0-9]{1,2}')
COMPACT = re.compile('((?:19|20)[0-9]{2})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])')
STAMPED = re.compile('([12][0-9]{3})-([0-9]{2})-([0-9]{2})[_:|-].+')    # As ids of the rows of one day are written.
DAY_OR_MONTH_FIRST = re.compile(MOMENTS['date, day and month first'])
FLOAT = re.compile(r'^([+-]?[0-9]+)\.0$')     # As pandas writes whole numbers where others are missing.
ABSENT = frozenset(MISSING)
STEPS = ('year', 'month', 'day', 'hour', 'minute')

# What is hidden: how in words, the rows of each half, the group of each row that is resampled as a whole (None: each row is one), and whether it is the latest.
Hidden = collections.namedtuple('Hidden', 'scheme search select groups is_time')


def hidden_rows(rows, tests, identifier, targets, labelled, size, chance):
    """By time where the test is later by some column, else whole groups where it has others by some column, else at random.

    @param size rows of each half, roughly
    @raise Missing if the scheme is clear and there are too few moments or groups for it"""
    later, groups, unused = [], [], []
    for name in tests.names:
        if name not in rows.places or name in targets:
            continue
        here, there = ([None if value in ABSENT else FLOAT.sub(r'\1', value) if value.endswith('.0') else value for value in table.column(name)]
                       for table in (rows, tests))
        moments = moments_of(name, (set(here) | set(there)) - {None})
        if not moments and unseen_of(here, there) < UNSEEN:
            continue
        here_by_time, there_by_time = ([moments.get(each) for each in column] for column in (here, there))
        how = later_by(here_by_time, there_by_time, rows, tests) if moments else None
        kind, labels, unseen = coarsest(name, here, there, here_by_time, there_by_time)
        count = count_of(labels)
        if how and count_of(here) > 1:
            later.append((count_of(here), name, how, here_by_time))
        elif unseen >= UNSEEN or how:
            why = 'no two different ones' if count_of(here) <= 1 else \
                'nearly each row has its own' if count * SHARED > len(rows) else \
                'they are measured, and trend' if is_trend(here, there) else None
            if not why:
                groups.append((count, kind, labels, unseen))
            elif name != identifier:
                unused.append('%s has mostly values that %s lacks, but %s there' % (quoted(name), quoted(rows.path), why))
    if later:
        return by_time(*max(later, key=lambda one: one[0])[1:], labelled, size)
    if groups:
        _, kind, labels, unseen = min(groups, key=lambda one: one[0])
        why = '%s has values that %s lacks in %s of its rows' % (quoted(tests.path), quoted(rows.path), share(round(unseen * len(tests)), len(tests)))
        return by_groups(kind, why, labels, labelled, size, chance)
    single, copies = without_copies(rows, tests, [name for name in tests.names if name in rows.places and name not in [identifier] + targets],
                                    labelled, 2 * size)
    search, select = at_random(rows, single, targets[0], size, chance)
    scheme = 'rows at random: ' + ('; '.join(unused[:3]) or 'no column of %s has mostly values that %s lacks' % (quoted(tests.path), quoted(rows.path)))
    return Hidden(scheme + copies, search, select, None, False)


def count_of(values):
    return len(set(values) - {None})


def moments_of(name, values):
    """The values of a column of moments as numbers from the year to the second; of another column none."""
    if values and max(map(len, values)) <= LONGEST:
        if all(map(DATE.fullmatch, values)) or all(map(PERIOD.fullmatch, values)):
            return {value: tuple(moment(value)) for value in values}
        for form in (COMPACT, STAMPED):
            if all(map(form.fullmatch, values)):
                return {value: tuple(map(int, form.fullmatch(value).groups())) for value in values}
        if all(map(DAY_OR_MONTH_FIRST.fullmatch, values)):
            return year_first({value: moment(value) for value in values})
        if ORDERED.search(name) and all(map(is_real, values)):
            return {value: (float(value),) for value in values}
    return {}


def year_first(numbers):
    """Whether the day or the month stands first, the values tell: no month is beyond 12, and what never changes is the day. Else a slash tells."""
    first, second = ({each[place] for each in numbers.values()} for place in (0, 1))
    if max(first) > 12 and max(second) > 12:
        return {}
    is_day_first = max(first) > 12 or max(second) <= 12 and (
        len(first) == 1 < len(second) or not len(second) == 1 < len(first) and not any('/' in value for value in numbers))
    moments = {}
    for value, (one, other, year, *clock) in numbers.items():
        if value.endswith(('AM', 'PM')):
            clock[0] = clock[0] % 12 + 12 * value.endswith('PM')
        day, month = (one, other) if is_day_first else (other, one)
        moments[value] = (year if year > 99 else year + 1900 if year > 68 else year + 2000, month, day, *clock)
    return moments


def later_by(here, there, rows, tests):
    """In words how much later the test is; None if it is not."""
    past, coming = [sorted(each for each in column if each) for column in (here, there)]
    if not past or not coming or len(past) < LATER * len(here):
        return None
    if coming[0] > past[-1] and len(coming) == len(there):
        return 'it is later in all rows of %s than in any of %s' % (quoted(tests.path), quoted(rows.path))
    after = sum(each > past[math.ceil(LATER * len(past)) - 1] for each in coming)
    return 'it is later in %s of the rows of %s than in %s of those of %s' % (
        share(after, len(there)), quoted(tests.path), share(LATER, 1), quoted(rows.path)) if after >= LATER * len(there) else None


def coarsest(name, here, there, *moments):
    """Of moments the longest steps (years, months, days ...) of which the test has mostly others; else the values.

    @return what one is called, the one of each training row, and the share of the test rows with others"""
    whole = (quoted(name), here, unseen_of(here, there))
    most = max((len(each) for column in moments for each in column if each), default=0) if whole[2] >= UNSEEN else 0
    for depth in range(1, most):
        steps = [[each and each[:depth] for each in column] for column in moments]
        if unseen_of(*steps) >= UNSEEN:
            return '%s of %s' % (STEPS[depth - 1], quoted(name)), steps[0], unseen_of(*steps)
    return whole


def unseen_of(here, there):
    seen = set(here) | {None}
    return sum(each not in seen for each in there) / max(1, len(there))


def is_trend(here, there):
    """Whether they are numbers, not all of them whole, and those of the test are mostly beyond all others: as sums and prices that grow with time."""
    here, there = ([each for each in column if each] for column in (here, there))
    if not all(map(is_real, here + there)) or all(each.isdigit() for each in here):
        return False
    return beyond(here, there) >= UNSEEN * len(there)


def beyond(here, there):
    """How many of the numbers of the test are less or more than all of training."""
    low, high = min(map(float, here)), max(map(float, here))
    return sum(not low <= float(value) <= high for value in there)


def by_time(name, how, moments, labelled, size):
    """The latest moments for select, those before them for search; each half in blocks, since neighbours in time have their errors in common."""
    members = collections.defaultdict(list)
    for row in labelled:
        if moments[row]:
            members[moments[row]].append(row)
    coming, halves = sorted(members), []
    for _ in range(2):
        half, count = [], 0
        while coming and (count < LEAST or count + len(members[coming[-1]]) / 2 <= size):
            half.append(members[coming.pop()])
            count += len(half[-1])
        halves.append(half[::-1])
    select, search = ([row for each in half for row in each] for half in halves)
    hidden = len(search) + len(select)
    if hidden > MOST_HIDDEN * len(labelled) or len(search) < LEAST:
        raise Missing('the last rows by %s would have to be hidden, since %s; its last %s have %s of the rows, and at most %s can be hidden' % (
            quoted(name), how, counted(sum(map(len, halves)), 'value'), share(hidden, len(labelled)), share(MOST_HIDDEN, 1)))
    groups = {}
    for part, half in enumerate(halves):
        pieces = half if len(half) >= FEWEST else [[row] for each in half for row in each]
        count = min(2 * FEWEST, max(FEWEST, len(half)))
        groups.update((row, (part, i * count // len(pieces))) for i, piece in enumerate(pieces) for row in piece)
    few = min(map(len, halves))
    said = '; blocks cut through its values, of which one half has %d, so the errors leave out how much these differ' % few if few < FEWEST else ''
    return Hidden('the last rows by %s: %s; search is the earlier half, select the later, in %d and %d blocks of time%s' % (
        quoted(name), how, *(len({groups[row] for row in half}) for half in (search, select)), said), search, select, groups, True)


def by_groups(kind, why, labels, labelled, size, chance):
    members = collections.defaultdict(list)
    for row in labelled:
        if labels[row] is not None:
            members[labels[row]].append(row)
    small = [group for group in sorted(members) if len(members[group]) <= LARGE * size]
    chance.shuffle(small)
    halves = ([], [])
    for group in small:
        wanting = [half for half in halves if sum(map(len, half)) < size or effective(half) < FEWEST]
        if not wanting:
            break
        if sum(map(len, halves[0] + halves[1] + [members[group]])) <= MOST_HIDDEN * len(labelled):
            min(wanting, key=lambda half: sum(map(len, half))).append(members[group])
    search, select = ([row for group in half for row in group] for half in halves)
    if min(map(len, halves)) < FEWEST or min(len(search), len(select)) < LEAST:
        sizes = sorted(map(len, members.values()))
        raise Missing(
            'whole groups of one %s would have to be hidden, since %s: at least %d in each half, none with more than %s of it, '
            'and at most %s of the rows in all; there are %s of %s to %s' % (
                kind, why, FEWEST, share(LARGE, 1), share(MOST_HIDDEN, 1), counted(len(sizes), 'group'), grouped(sizes[0]), counted(sizes[-1], 'row')))
    large = len(members) - len(small)
    said = '; %s with more than %s of a half %s for training' % (
        counted(large, 'group'), share(LARGE, 1), 'stays' if large == 1 else 'stay') if large else ''
    return Hidden('whole groups of one %s: %s; %d and %d groups (%.1f and %.1f effective, by their squared shares)%s' % (
        kind, why, *map(len, halves), *map(effective, halves), said), search, select, {row: labels[row] for row in search + select}, False)


def effective(half):
    """How many groups of one size would make as sure a score: 1 / the sum of the squared shares of the rows."""
    return sum(map(len, half)) ** 2 / max(1, sum(len(group) ** 2 for group in half))


def without_copies(rows, tests, names, labelled, least):
    """Rows that differ in their ids alone must not be hidden and shown at once, unless the test has copies of training rows as well.

    @return the rows that may be hidden, and what is worth saying"""
    keys, theirs = ([hash(tuple([table.at(row, name).strip() for name in names])) for row in each]
                    for table, each in ((rows, labelled), (tests, range(len(tests)))))
    counts = collections.Counter(keys)
    single = [row for row, key in zip(labelled, keys) if counts[key] == 1]
    copied, shown = len(labelled) - len(single), sum(key in counts for key in theirs)
    if copied and len(single) >= least and shown * len(labelled) * 2 <= copied * len(tests):
        return single, '; %s that occur more than once stay for training' % counted(copied, 'row')
    return labelled, ''


def at_random(rows, labelled, target, size, chance):
    """With the same share of each class, or of each tenth of the numbers, in both halves."""
    values = {row: rows.plain(row, target) for row in labelled}
    shuffled = chance.sample(labelled, len(labelled))
    if len(set(values.values())) <= 20 or not all(map(is_real, values.values())):
        ordered = sorted(shuffled, key=lambda row: values[row])
    else:
        ordered = sorted(shuffled, key=lambda row: float(values[row]))
    bounds = [round(i * len(ordered) / (2 * size)) for i in range(2 * size + 1)]
    hidden = [ordered[chance.randrange(*cell)] for cell in zip(bounds, bounds[1:])]
    return hidden[0::2], hidden[1::2]
