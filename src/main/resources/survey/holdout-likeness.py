"""The hold-out, 7 of 9: how rows of the test differ from those of training, and which of training's are like them.

A sum of steps, one over the bins of each column, is boosted to tell rows of the test from those of training. What it says of a row, it learnt from others."""
import bisect
import collections
import datetime
import math
import random

COMPARABLE = 100             # Rows of each table: of fewer a difference is chance.
SAMPLED = 1000               # Rows of each table that are learnt from.
BINS = 16                    # Of a number.
COMMON = 20                  # Values of a column of words, the most common ones; the others are one.
TELLING = 32                 # Columns that are learnt from: those that tell most by themselves.
THIRDS = 3                   # What is said of a row is learnt from the other parts.
ROUNDS = 12
STEP = 0.3                   # Of a column in a round.
FIRM = 1                     # Doubt in each bin, as of four rows that may be of either table.
UNLIKE = 0.65                # Chance that a row of the test looks more like the test than one of training: above it the line says so, and rows at random have its mix.
CLIPPED = 0.99               # Of the rows: none counts more than the next one.
RARE = 0.05                  # Of the hidden rows: those of the test that are more extreme have no hidden row like them.
CALENDAR = 10**8             # Seconds since 1970, at least, of a time that is counted so.

# The log odds of being a row of the test, of each row of training and of the test; the chance that one of the test has higher ones than one of training, by
# all columns and by each, the most telling first; and the columns whose values lie beyond all of training's: no hidden row can be like those.
Likeness = collections.namedtuple('Likeness', 'rows tests apart columns beyond')


def likeness_of(form, columns, groups):
    """@param columns by name: values of training and of the test (None: there is none), and moments by value
    @param groups of the rows of both tables, or None: what is said of a row is not learnt from its group
    @return None if there are too few rows, or nothing to compare"""
    tables = form.rows, form.tests
    if min(map(len, tables)) < COMPARABLE:
        return None
    chance, bins, outer = random.Random(0), {}, []
    sample = [(side, row) for side, table in enumerate(tables) for row in chance.sample(range(len(table)), min(SAMPLED, len(table)))]
    chance.shuffle(sample)
    members = collections.defaultdict(list)
    for side, row in sample:
        members[side, groups[side][row] if groups else row].append((side, row))
    parts = [flat(list(members.values())[part::THIRDS]) for part in range(THIRDS)]
    for name, (here, there, moments) in columns.items():
        both = here, there
        if moments:
            bins.update((kind + quoted(name), [list(map(phase.get, column)) for column in both]) for kind, phase in phases(moments))
        elif all(value is None or is_real(value) for value in set(here) | set(there)):
            if any(there) and any(here) and beyond(*(list(filter(None, column)) for column in both)) >= UNSEEN * len(there):
                outer.append(name)
            else:
                bins[quoted(name)] = in_bins(both, sample)
        elif unseen_of(here, there) < UNSEEN:
            bins[quoted(name)] = in_words(both, sample)
    alone = {name: apart_of(odds_of([both], parts, 1), sample) for name, both in bins.items() if not is_time_over()}
    telling = sorted(alone, key=lambda name: -alone[name])
    if not telling or is_time_over():
        return None
    odds = odds_of([bins[name] for name in telling[:TELLING]], parts, ROUNDS)
    return Likeness(*odds, apart_of(odds, sample), [(name, alone[name]) for name in telling], outer)


def phases(moments):
    """Of moments what comes again, each by value: the time of the year, as two directions of a circle, the day of the week, and the hour."""
    dates = {value: as_date(each) for value, each in moments.items()}
    if dates and all(dates.values()):
        turns = {value: 2 * math.pi * each.timetuple().tm_yday / 366 for value, each in dates.items()}
        if len({each.month for each in dates.values()}) > 1:
            yield 'summer or winter by ', {value: round(4 * math.cos(each)) for value, each in turns.items()}
            yield 'spring or autumn by ', {value: round(4 * math.sin(each)) for value, each in turns.items()}
        if len({each.day for each in dates.values()}) > 12:
            yield 'the weekday by ', {value: each.weekday() for value, each in dates.items()}
        if len({each.hour for each in dates.values()}) > 1:
            yield 'the hour by ', {value: each.hour for value, each in dates.items()}


def as_date(parts):
    """None if they are no moment of a calendar."""
    try:
        if len(parts) == 1:
            return datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=parts[0]) if parts[0] >= CALENDAR else None
        whole = [int(each) for each in parts[:5]]
        return datetime.datetime(*(whole + [1] * (3 - len(whole))))
    except (ValueError, OverflowError):
        return None


def in_bins(both, sample):
    """Numbers by so many bins of about as many rows."""
    numbers = [{value: float(value) for value in set(column) - {None}} for column in both]
    known = sorted(numbers[side][both[side][row]] for side, row in sample if both[side][row] is not None)
    edges = sorted({known[len(known) * i // BINS] for i in range(1, BINS)}) if known else []
    return [list(map({value: bisect.bisect_right(edges, number) for value, number in of_side.items()}.get, column))
            for of_side, column in zip(numbers, both)]


def in_words(both, sample):
    counts = collections.Counter(both[side][row] for side, row in sample)
    common = {value: value for value, _ in counts.most_common(COMMON)}
    return [[common.get(value, '') for value in column] for column in both]


def odds_of(columns, parts, rounds):
    """@return of all rows of both tables what was learnt from the other parts, or from each pair of them"""
    models = [boosted(columns, [each for other in parts if other is not part for each in other], rounds) for part in parts]
    mean = [{value: sum(model[i].get(value, 0) for model in models) / len(models) for model in models for value in model[i]} for i in range(len(columns))]
    odds = [[0.0] * len(columns[0][side]) for side in (0, 1)]
    for of_column, steps in zip(columns, mean):
        for side in (0, 1):
            odds[side] = [sum_ + steps.get(value, 0) for sum_, value in zip(odds[side], of_column[side])]
    for part, model in zip(parts, models):
        for side, row in part:
            odds[side][row] = sum(steps.get(of_column[side][row], 0) for of_column, steps in zip(columns, model))
    return odds


def boosted(columns, sample, rounds):
    """@return of each column what each of its bins adds to the log odds, where both tables count as much"""
    sums, steps = [0.0] * len(sample), [collections.defaultdict(float) for _ in columns]
    counts = collections.Counter(side for side, _ in sample)
    weights = [len(sample) / 2 / counts[side] for side, _ in sample]
    values = [[column[side][row] for side, row in sample] for column in columns]
    for _ in range(rounds):
        for of_column, step in zip(values, steps):
            slopes, bends = collections.Counter(), collections.Counter()
            for value, (side, _), weight, now in zip(of_column, sample, weights, sums):
                chance = 1 / (1 + math.exp(-now))
                slopes[value] += weight * (side - chance)
                bends[value] += weight * chance * (1 - chance)
            more = {value: STEP * slope / (bends[value] + FIRM) for value, slope in slopes.items()}
            for value, each in more.items():
                step[value] += each
            sums = [now + more[value] for value, now in zip(of_column, sums)]
    return steps


def apart_of(odds, sample):
    return apart(*([odds[side][row] for each, row in sample if each == side] for side in (0, 1)))


def apart(here, there):
    """Chance that one of there is greater than one of here, half of it where they are equal: the area under the ROC curve."""
    ordered = sorted(here)
    return sum(bisect.bisect_left(ordered, each) + bisect.bisect_right(ordered, each) for each in there) / (2 * len(ordered) * len(there))


def season_apart(moments, coming):
    """@return of a row of training how many days of the year it is apart from the nearest day of the test; 0 for what is no moment of a calendar"""
    here, there = ([each and as_date(each) for each in column] for column in (moments, coming))
    days = {each.timetuple().tm_yday for each in there if each}
    nearest = [min((min(abs(day - each), 366 - abs(day - each)) for each in days), default=0) for day in range(367)]
    return lambda row: nearest[here[row].timetuple().tm_yday] if here[row] else 0


def said_of(likeness, form):
    """In words how the test differs, which the form keeps; nothing if it does not much."""
    if not likeness or likeness.apart < UNLIKE:
        return ''
    most = [(name, each) for name, each in likeness.columns if each >= 0.6][:3]
    form.differs = 'rows of %s can be told from those of training in %d of 100 pairs%s' % (
        quoted(form.tests.path), round(100 * likeness.apart), ', most by ' + ', '.join('%s (%d)' % (name, round(100 * each)) for name, each in most) if most else '')
    return '; ' + form.differs


def have_like(likeness, hidden):
    """Share of the test's rows that hidden ones are like: no less like the test than these."""
    edge = sorted(likeness.rows[row] for row in hidden)[-max(1, int(RARE * len(hidden)))]
    return sum(each <= edge for each in likeness.tests) / len(likeness.tests)


def weights_of(likeness, rows):
    """How much more often the test has rows like these than training."""
    clip = sorted(likeness.rows)[int(CLIPPED * (len(likeness.rows) - 1))]
    return [math.exp(min(clip, likeness.rows[row])) for row in rows]


def as_the_test(likeness, rows, least, chance):
    """Draws as many rows as all are worth under weights, but at least so many, with the mix of the test as far as there are enough.

    @return those that are drawn, and how many all are worth"""
    weights = weights_of(likeness, rows)
    worth = sum(weights) ** 2 / sum(each * each for each in weights)
    low, high = 0.0, max(weights)
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if sum(min(1, each / middle) for each in weights) > max(worth, least) else (low, middle)
    return [row for row, each in zip(rows, weights) if chance.random() * high < each], worth
