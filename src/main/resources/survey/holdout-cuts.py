"""The hold-out, 5 of 9: which rows are hidden: by time, in whole groups, or at random; as folds, or as a part for the search; and select."""
import collections

PART = 0.1                   # Of the rows, for each of the two halves of what is hidden where there are no folds. With folds the one half is select.
LEAST = 100                  # Rows of each half: of fewer the noise would hide every gain.
MOST = 20000                 # Rows of each half.
MOST_HIDDEN = 0.3            # Of the rows: the rest has to be enough to learn from.
SMALLEST = 60                # Rows of a table with folds: of fewer scripts learn and scores tell next to nothing.
COPIES = 512 << 20           # Bytes of the tables of all folds; studies have one copy more.
HISTORY = 0.5                # Of the rows before select, that the earliest fold in time learns from.
FEWEST = 10                  # Groups, or blocks of time, of each half or fold: of fewer the error of a score says little.
BLOCKS = 15                  # Of all the time, from which those whose season is nearest to the test are hidden,
NEAREST = 6                  # so many of them: one is select.
LARGE = 0.2                  # Of a half or fold: the score of one with a larger group would be that group's. Such groups stay in training.

# What is hidden: how in words, the rows of each fold (of one that is the search's half) and of select, the group of each row that is resampled as a whole
# (None: each row is one), and the moment of each row of the table, if what is hidden is the latest (else None).
Hidden = collections.namedtuple('Hidden', 'scheme folds select groups moments')


def lacking(hidden, fold):
    """Rows that the training table of a fold lacks: the fold and select; with time all that is not before the fold."""
    if not hidden.moments:
        return set(fold + hidden.select)
    begin = min(hidden.moments[row] for row in fold)
    return {row for row, moment in enumerate(hidden.moments) if moment and moment >= begin}


def by_time(name, how, moments, labelled, size, count):
    """The latest moments for select, those before them for the search; each part in blocks, since neighbours in time have their errors in common."""
    members = collections.defaultdict(list)
    for row in labelled:
        if moments[row]:
            members[moments[row]].append(row)
    coming, least = sorted(members), min(LEAST, size)
    select = latest(coming, members, size, least)
    folds, history = later_and_later(coming, members, count) if count > 1 else ([], 0)
    if len(folds) < 2:
        folds = [latest(coming, members, size, least)]
    hidden = [select] if len(folds) > 1 else [select, folds[0]]
    if sum(rows_in(part) for part in hidden) > MOST_HIDDEN * len(labelled) or min(map(rows_in, hidden)) < least:
        raise Missing('the last rows by %s would have to be hidden, since %s; its last %s have %s of the rows, and at most %s can be hidden' % (
            quoted(name), how, counted(sum(map(len, hidden)), 'value'), share(sum(map(rows_in, hidden)), len(labelled)), share(MOST_HIDDEN, 1)))
    groups, blocks = in_pieces(folds + [select])
    said = 'search is the earlier half, select the later, in %d and %d blocks of time' % tuple(blocks) if len(folds) == 1 else \
        '%d folds, each learnt from what is before it: the first is the latest, the last is learnt from %s; select is later than all; in %s and %d blocks of time' % (
            len(folds), counted(history, 'row'), reach('%d', blocks[:-1]), blocks[-1])
    few = min(map(len, folds + [select]))
    if few < FEWEST:
        said += '; blocks cut through its values, of which one %s has %d, so the errors leave out how much these differ' % (
            'half' if len(folds) == 1 else 'part', few)
    return Hidden('the last rows by %s: %s; %s%s' % (quoted(name), how, said, fewer(folds, count, 'there are too few values before select')),
                  list(map(flat, folds)), flat(select), groups, moments)


def by_blocks(name, why, moments, labelled, count, rank_of):
    """Of blocks of all the time the first by their rank: one for select, each other one for a fold, which learns from what is before and after.

    @return None if there are too few moments, or rows"""
    members = collections.defaultdict(list)
    for row in labelled:
        if moments[row]:
            members[moments[row]].append(row)
    blocks, seen, total = collections.defaultdict(list), 0, sum(map(len, members.values()))
    for each in sorted(members):
        blocks[int(BLOCKS * (seen + len(members[each]) / 2) / total)].append(members[each])
        seen += len(members[each])
    if len(blocks) < BLOCKS or min(map(rows_in, blocks.values())) < LEAST / 2:
        return None
    others = sorted(blocks.values(), key=lambda block: rank_of(flat(block)))[:NEAREST]
    select = others.pop(NEAREST // 2)
    folds = [sum(others[number::count], []) for number in range(min(count, len(others)))] if count > 1 else others[:1]
    said = '%s and select are the %d of %d blocks of time whose season is nearest to the test, each learnt from what is before and after it' % (
        counted(len(folds), 'fold'), 1 + (len(others) if count > 1 else 1), BLOCKS)
    return Hidden('blocks of time by %s: %s; %s%s' % (name, why, said, fewer(folds, count, 'so many blocks are hidden')),
                  list(map(flat, folds)), flat(select), in_pieces(folds + [select])[0], None)


def in_pieces(parts):
    """@param parts rows of each moment of each part
    @return the piece of time of each row, which is resampled whole, and how many pieces each part has"""
    groups, counts = {}, []
    for part, moments in enumerate(parts):
        cut = moments if len(moments) >= FEWEST else [[row] for rows in moments for row in rows]
        most = min(2 * FEWEST, max(FEWEST, len(moments)))
        groups.update((row, (part, i * most // len(cut))) for i, piece in enumerate(cut) for row in piece)
        counts.append(min(most, len(cut)))
    return groups, counts


def latest(coming, members, size, least):
    """Takes the last moments away.

    @return the rows of each"""
    taken, count = [], 0
    while coming and (count < least or count + len(members[coming[-1]]) / 2 <= size):
        taken.append(members[coming.pop()])
        count += len(taken[-1])
    return taken[::-1]


def later_and_later(coming, members, count):
    """@return the rows of each moment by fold, in folds of about as many rows, the latest first, and of how many rows the last one is learnt"""
    total, seen, history, folds = sum(len(members[each]) for each in coming), 0, 0, collections.defaultdict(list)
    for each in coming:
        if seen >= HISTORY * total:
            history = history or seen
            folds[int(count * (seen + len(members[each]) / 2 - history) / (total - history))].append(members[each])
        seen += len(members[each])
    return [folds[number] for number in sorted(folds, reverse=True)], history


def by_groups(kind, why, labels, labelled, size, count, chance):
    """Half for the search and half for select, of as many rows. With folds select alone is set aside, which may then have larger groups."""
    members = collections.defaultdict(list)
    for row in labelled:
        if labels[row] is not None:
            members[labels[row]].append(row)
    for largest in size, MOST_HIDDEN / 2 * len(labelled):
        small = [group for group in sorted(members) if len(members[group]) <= LARGE * largest]
        chance.shuffle(small)
        halves = halves_of(small, members, size, 1 if count > 1 else 2, MOST_HIDDEN * len(labelled))
        parts, large = (halves, len(members) - len(small)) if count == 1 else with_folds(halves[0], members, count, chance)
        if len(parts) > 1 and all(len(part) >= FEWEST and rows_in(part) >= min(LEAST, size) for part in parts[0 if count == 1 else -1:]):
            break
    else:
        sizes = sorted(map(len, members.values()))
        raise Missing(
            'whole groups of one %s would have to be hidden, since %s: at least %d in each %s, none with more than %s of it, '
            'and at most %s of the rows in %s; there are %s of %s to %s' % (
                kind, why, FEWEST, 'half' if count == 1 else 'of two folds and in select', share(LARGE, 1), share(MOST_HIDDEN, 1),
                'all' if count == 1 else 'select', counted(len(sizes), 'group'), grouped(sizes[0]), counted(sizes[-1], 'row')))
    *folds, select = parts
    said = '%d and %d groups (%.1f and %.1f effective, by their squared shares)' % (*map(len, parts), *map(effective, parts)) if count == 1 else \
        '%d folds of %s groups and select of %d (%s and %.1f effective, by their squared shares)' % (
            len(folds), reach('%d', map(len, folds)), len(select), reach('%.1f', map(effective, folds)), effective(select))
    if large:
        said += '; %s with more than %s of a %s %s for training' % (
            counted(large, 'group'), share(LARGE, 1), 'half' if count == 1 else 'fold', 'stays' if large == 1 else 'stay')
    folds, select = list(map(flat, folds)), flat(select)
    return Hidden('whole groups of one %s: %s; %s%s' % (kind, why, said, fewer(folds, count, 'each needs %d effective groups' % FEWEST)),
                  folds, select, {row: labels[row] for row in sum(folds, select)}, None)


def halves_of(small, members, size, count, most):
    """@return groups for each half, until it has rows and groups enough"""
    halves, rows, squares = [[] for _ in range(count)], [0] * count, [0] * count
    for group in small:
        wanting = [i for i in range(count) if rows[i] < size or rows[i] ** 2 < FEWEST * squares[i]]
        if not wanting:
            break
        if sum(rows) + len(members[group]) <= most:
            half = min(wanting, key=rows.__getitem__)
            halves[half].append(members[group])
            rows[half] += len(members[group])
            squares[half] += len(members[group]) ** 2
    return halves


def with_folds(select, members, count, chance):
    """Cuts all groups but those of select, the largest first into the fold with the fewest rows: as many folds as can have groups enough.

    @return the groups of each fold and of select, or of select alone, and how many groups are too large"""
    taken = {group[0] for group in select}
    rest = [members[label] for label in sorted(members) if members[label][0] not in taken]
    chance.shuffle(rest)
    rest.sort(key=len, reverse=True)
    for number in range(count, 1, -1):
        small = [group for group in rest if len(group) <= LARGE * rows_in(rest) / number]
        folds, sizes = [[] for _ in range(number)], [0] * number
        for group in small:
            least = sizes.index(min(sizes))
            folds[least].append(group)
            sizes[least] += len(group)
        if min(map(effective, folds)) >= FEWEST:
            return folds + [select], len(rest) - len(small)
    return [select], 0


def fewer(folds, asked, why):
    return '' if len(folds) == asked else '; not %d folds, since %s' % (asked, why)


def reach(form, numbers):
    return ' to '.join(dict.fromkeys(form % number for number in (lambda each: (each[0], each[-1]))(sorted(numbers))))


def rows_in(pieces):
    return sum(map(len, pieces))


def flat(pieces):
    return [row for piece in pieces for row in piece]


def effective(half):
    """How many groups of one size would make as sure a score: 1 / the sum of the squared shares of the rows."""
    return rows_in(half) ** 2 / max(1, sum(len(group) ** 2 for group in half))


def without_copies(rows, tests, names, labelled, least):
    """Rows that differ in their ids alone must not be hidden and shown at once, unless the test has copies of training rows as well.

    @return the rows that may be hidden, and what is worth saying"""
    keys, theirs = (list(map(hash, zip(*map(table.column, names)))) for table in (rows, tests))
    counts = collections.Counter(keys[row] for row in labelled) if names else {}
    single = [row for row in labelled if counts.get(keys[row]) == 1] if names else labelled
    copied, shown = len(labelled) - len(single), sum(key in counts for key in theirs)
    if copied and len(single) >= least and shown * len(labelled) * 2 <= copied * len(tests):
        return single, '; %s that occur more than once stay for training' % counted(copied, 'row')
    return labelled, ''


def at_random(rows, labelled, target, size, count, chance):
    """With the same share of each class, or of each tenth of the numbers, in both halves and in all folds."""
    values = {row: rows.plain(row, target) for row in labelled}
    shuffled = chance.sample(labelled, len(labelled))
    is_class = len(set(values.values())) <= 20 or not all(map(is_real, values.values()))
    ordered = sorted(shuffled, key=lambda row: values[row] if is_class else float(values[row]))
    bounds = [round(i * len(ordered) / (2 * size)) for i in range(2 * size + 1)]
    hidden = [ordered[chance.randrange(*cell)] for cell in zip(bounds, bounds[1:])]
    select = hidden[1::2]
    taken = set(select)
    rest = [row for row in ordered if row not in taken]
    count = min(count, len(rest) // FEWEST)
    if count < 2:
        return [hidden[0::2]], select
    folds = [[] for _ in range(count)]
    for begin in range(0, len(rest), count):
        for fold, row in zip(folds if is_class else chance.sample(folds, count), rest[begin:begin + count]):
            fold.append(row)
    return folds, select
