"""The hold-out, 8 of 9: how the test was taken, as far as one column tells."""
import math
import re
import statistics

UNSEEN = 0.9                 # Share of the test rows whose value of the column training lacks.
LATER = 0.95                 # Share of the test rows that come after the same share of the training rows.
SHARED = 1.5                 # Rows for each value of a column, on average, if its values are groups.
FEW_TESTS = 20               # Rows of a test table that are no more than examples: how it was taken they do not tell.
LIKE = 0.5                   # Share of the test rows that have their like among the last rows, at least, or
MORE = 0.2                   # blocks of other times are sought, of which so much more have to have it.
SEASON = 10                  # Days of the year by which blocks are nearer to the season of the test, or as near.
TREND = 0.2                  # Of the target's standard deviation, at least, by which its level changes.
FLOAT = re.compile(r'^([+-]?[0-9]+)\.0$')     # As pandas writes whole numbers where others are missing.
ABSENT = frozenset(MISSING)
STEPS = ('year', 'month', 'day', 'hour', 'minute')


def hidden_rows(form, stratum, labelled, size, wanted, chance):
    """By time where the test is later by some column, else whole groups where it has others by some column or the form has some, else at random.

    @param stratum column by whose values hidden rows at random are like the others
    @param size rows of each half, roughly
    @param wanted folds, at most: fewer if there are too few moments or groups; if 1, the search's half
    @raise Missing if the scheme is clear and there are too few moments or groups for it"""
    rows, tests, identifier, targets = form.rows, form.tests, form.identifier, form.targets
    later, groups, unused, compared = [], [], [], {}
    if len(tests) <= FEW_TESTS:
        unused.append('%s has %s only, which do not tell how it was taken' % (quoted(tests.path), counted(len(tests), 'row')))
    for name in tests.names if len(tests) > FEW_TESTS else ():
        if name not in rows.places or name in targets or form.named or form.by_place and name == identifier:
            continue
        plain = {value: None if value in ABSENT else FLOAT.sub(r'\1', value) if value.endswith('.0') else value
                 for value in set(rows.column(name)) | set(tests.column(name))}
        here, there = (list(map(plain.get, table.column(name))) for table in (rows, tests))
        moments, is_new = moments_of(name, set(plain.values()) - {None}), unseen_of(here, there) >= UNSEEN
        if is_new and not moments:
            moments = counted_moments(name, here, there)
        if moments or name != identifier:
            compared[name] = here, there, moments
        if not moments and not is_new:
            continue
        here_by_time, there_by_time = ([moments.get(each) for each in column] for column in (here, there))
        how = later_by(here_by_time, there_by_time, rows, tests) if moments else None
        kind, labels, unseen = coarsest(name, here, there, here_by_time, there_by_time)
        count = count_of(labels[0])
        if how and count_of(here) > 1:
            later.append((count_of(here), name, how, here_by_time))
        elif unseen >= UNSEEN or how:
            why = 'no two different ones' if count_of(here) <= 1 else \
                'nearly each row has its own' if count * SHARED > len(rows) else \
                'they are measured, and trend' if is_trend(here, there) else None
            if not why:
                groups.append((count, kind, labels, unseen))
                if not moments:
                    compared.pop(name, None)
            elif name != identifier:
                unused.append('%s has mostly values that %s lacks, but %s there' % (quoted(name), quoted(rows.path), why))
    if later:
        return alike_in_time(form, compared, *max(later, key=lambda one: one[0])[1:], labelled, size, wanted)
    if groups or form.group:
        if form.group:
            kind, both, why = quoted(form.group_name), (form.group, range(len(tests))), 'its rows belong together'
        if groups:
            _, kind, both, unseen = min(groups, key=lambda one: one[0])
            why = '%s has values that %s lacks in %s of its rows' % (
                quoted(tests.path), quoted(rows.path), share(round(unseen * len(tests)), len(tests)))
        return by_groups(kind, why + said_of(likeness_of(form, compared, both), form), both[0], labelled, size, wanted, chance)
    likeness = likeness_of(form, compared, None)
    differs = said_of(likeness, form)
    single, copies = without_copies(rows, tests, [name for name in tests.names if name in rows.places and name not in [identifier] + targets],
                                    labelled, 2 * size)
    if differs:
        single, worth = as_the_test(likeness, single, 4 * LEAST, chance)
        size = min(size, len(single) // 4)
        copies += differs + '; %s of their mix are hidden, where all of training are worth %s' % (counted(len(single), 'row'), grouped(round(worth)))
    folds, select = at_random(rows, single, stratum, size, wanted, chance)
    if tests.is_made:
        unused.append('there is no test table to compare with')
    why = '; '.join(unused[:3]) or 'no column of %s has mostly values that %s lacks' % (quoted(tests.path), quoted(rows.path))
    said = copies + fewer(folds, wanted, 'each needs %d rows' % FEWEST)
    return Hidden('rows at random%s: %s%s' % ('' if len(folds) == 1 else ' in %d folds' % len(folds), why, said), folds, select, None, None)


def alike_in_time(form, compared, name, how, moments, labelled, size, wanted):
    """The last rows, unless the test is of another season: then blocks of all the time that are more like it, if there are such."""
    last, likeness, tests = by_time(name, how, moments, labelled, size, wanted), likeness_of(form, compared, None), form.tests
    if not likeness:
        return last
    chosen, said = last, ''
    of_last = have_like(likeness, sum(last.folds, last.select))
    _, there, known = compared[name]
    days_apart = season_apart(moments, list(map(known.get, there)))

    def rank_of(block):
        return round(statistics.fmean(map(days_apart, block)) / SEASON), -statistics.fmean(weights_of(likeness, block))
    blocks = by_blocks(quoted(name), how, moments, labelled, wanted, rank_of) if of_last < LIKE else None
    of_blocks = have_like(likeness, sum(blocks.folds, blocks.select)) if blocks else 0
    if of_blocks >= of_last + MORE:
        chosen = blocks
        said = '; %s of the rows of %s have their like in them, and %s in the last rows' % (share(of_blocks, 1), quoted(tests.path), share(of_last, 1))
    said += ''.join('; %s lies beyond all of training: what it is worth there no score tells' % quoted(each) for each in likeness.beyond[:3])
    return chosen._replace(scheme=chosen.scheme + said_of(likeness, form) + said + trend(form.rows, form.targets[0], moments, labelled))


def trend(rows, target, moments, labelled):
    """In words how the target's level changes with time, which may go on where no hidden row is; nothing if it hardly does."""
    values = [rows.plain(row, target) for row in sorted((row for row in labelled if moments[row]), key=moments.__getitem__)]
    fifth = len(values) // 5
    if not fifth or not all(map(is_real, values)):
        return ''
    numbers = list(map(float, values))
    first, last = statistics.fmean(numbers[:fifth]), statistics.fmean(numbers[-fifth:])
    if abs(last - first) < TREND * statistics.pstdev(numbers):
        return ''
    return '; the mean of %s is %.4g in the first fifth of the time and %.4g in the last: whether that goes on no hidden row tells, so think about it' % (
        quoted(target), first, last)


def count_of(values):
    return len(set(values) - {None})


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

    @return what one is called, the one of each row of training and of the test, and the share of the test rows with others"""
    whole = (quoted(name), (here, there), unseen_of(here, there))
    most = max((len(each) for column in moments for each in column if each), default=0) if whole[2] >= UNSEEN else 0
    for depth in range(1, most):
        steps = [[each and each[:depth] for each in column] for column in moments]
        if unseen_of(*steps) >= UNSEEN:
            return '%s of %s' % (STEPS[depth - 1], quoted(name)), steps, unseen_of(*steps)
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
