"""The hold-out, 7 of 8: how the test was taken, as far as one column tells."""
import math
import re

UNSEEN = 0.9                 # Share of the test rows whose value of the column training lacks.
LATER = 0.95                 # Share of the test rows that come after the same share of the training rows.
SHARED = 1.5                 # Rows for each value of a column, on average, if its values are groups.
FEW_TESTS = 20               # Rows of a test table that are no more than examples: how it was taken they do not tell.
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
    later, groups, unused = [], [], []
    if len(tests) <= FEW_TESTS:
        unused.append('%s has %s only, which do not tell how it was taken' % (quoted(tests.path), counted(len(tests), 'row')))
    for name in tests.names if len(tests) > FEW_TESTS else ():
        if name not in rows.places or name in targets or form.named or form.by_place and name == identifier:
            continue
        plain = {value: None if value in ABSENT else FLOAT.sub(r'\1', value) if value.endswith('.0') else value
                 for value in set(rows.column(name)) | set(tests.column(name))}
        here, there = (list(map(plain.get, table.column(name))) for table in (rows, tests))
        moments = moments_of(name, set(plain.values()) - {None})
        if not moments and unseen_of(here, there) < UNSEEN:
            continue
        moments = moments or counted_moments(name, here, there)
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
        return by_time(*max(later, key=lambda one: one[0])[1:], labelled, size, wanted)
    if groups:
        _, kind, labels, unseen = min(groups, key=lambda one: one[0])
        why = '%s has values that %s lacks in %s of its rows' % (quoted(tests.path), quoted(rows.path), share(round(unseen * len(tests)), len(tests)))
        return by_groups(kind, why, labels, labelled, size, wanted, chance)
    if form.group:
        return by_groups(quoted(form.group_name), 'its rows belong together', form.group, labelled, size, wanted, chance)
    single, copies = without_copies(rows, tests, [name for name in tests.names if name in rows.places and name not in [identifier] + targets],
                                    labelled, 2 * size)
    folds, select = at_random(rows, single, stratum, size, wanted, chance)
    if tests.is_made:
        unused.append('there is no test table to compare with')
    why = '; '.join(unused[:3]) or 'no column of %s has mostly values that %s lacks' % (quoted(tests.path), quoted(rows.path))
    said = copies + fewer(folds, wanted, 'each needs %d rows' % FEWEST)
    return Hidden('rows at random%s: %s%s' % ('' if len(folds) == 1 else ' in %d folds' % len(folds), why, said), folds, select, None, None)


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
