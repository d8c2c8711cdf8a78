"""The hold-out, 1 of 9: the ids of the rows that scripts predict."""
import collections
import itertools
import math
import os
import re

NUMBERED = re.compile('([^0-9]*)([0-9]{1,15})')
OF_TEST = -1                 # Less the number of a row of the test table: its key, where that of a row of the training table is its number.
COMPARED = 2000              # Ids of each kind that are compared,
APART = 0.1                  # and how far shares of theirs may differ besides what is chance.
BY_ID = 0.1                  # Of the ids of the test that another table or the names of files must have, to be joined by them.


def names_by_form(form, chosen, joined, chance):
    """The same for rows that their place names, whose ids no script sees; for those of which a group's id is a part; and for files whose names tell the
    label, or where they were made. No key of several columns is changed."""
    rows, tests, taken = form.rows, form.tests, form.tests.column(form.identifier)
    hidden = sorted(sum(chosen.folds, chosen.select))
    everything = hidden + [OF_TEST - row for row in range(len(taken))]
    if form.by_place:
        if not chosen.moments:
            chance.shuffle(everything)
        new = {row: str(len(taken) + 1 + number) for number, row in enumerate(hidden)}
        return {row: new[row] if row >= 0 else taken[OF_TEST - row] for row in everything}, ''
    if form.lasting:
        theirs = [rows.at(row, form.identifier) for row in hidden]
        if len(set(theirs)) < len(theirs) or set(theirs) & set(taken):
            raise Missing('hidden rows cannot keep their %s, which rows of %s have, too' % (listed(form.key, 4), quoted(tests.path)))
        if not chosen.moments:
            chance.shuffle(everything)
        return {row: rows.at(row, form.identifier) if row >= 0 else taken[OF_TEST - row] for row in everything}, ''
    if form.group and len(form.key) > 1:
        return names_with_groups(form, everything, chance)
    if form.named:
        # Rows of the training stand in the order of their files' names, which are those of their labels.
        chance.shuffle(everything)
        return renamed(everything, taken, [], len(hidden), chance), 'all files to be predicted have new names'
    return names_of(rows, tests, form.identifier, chosen, joined, chance)


def names_with_groups(form, everything, chance):
    """New ids for all groups, dealt among those of the test and the hidden ones; what else names a row within its group stays."""
    first = form.key[0]

    def at(row, name):
        return form.rows.at(row, name) if row >= 0 else form.tests.at(OF_TEST - row, name)
    groups = list(dict.fromkeys((row >= 0, at(row, first)) for row in everything))
    taken = [group for is_hidden, group in groups if not is_hidden]
    new = taken + (numbered if all(map(NUMBERED.fullmatch, taken)) else drawn)(taken, [], len(groups) - len(taken), chance)
    chance.shuffle(groups)
    if taken == sorted(taken, key=number_in(taken)):
        new.sort(key=number_in(new))
    called, place = dict(zip(groups, new)), {group: number for number, group in enumerate(groups)}
    order = sorted(everything, key=lambda row: (place[row >= 0, at(row, first)], row if row >= 0 else OF_TEST - row))
    return {row: form.joint.join([called[row >= 0, at(row, first)]] + [at(row, name) for name in form.key[1:]]) for row in order}, \
        'all rows to be predicted have new values of ' + quoted(first)


def names_of(rows, tests, identifier, chosen, joined, chance):
    """The ids under which scripts see the rows that they predict, the same in all folds: those that the rows have where nothing of them tells which
    rows are hidden, or where they mean something; else those of the test and new ones, dealt among all rows. By time hidden rows stand first, else
    all are in the order of their ids or in none.

    @param joined whether other files may be joined by them
    @return the ids by the number of a hidden row, or by OF_TEST less that of a row of the test, in their order; and what of them is worth saying
    @raise Missing if they mean something, as dates do, so that new ones would be wrong"""
    taken = tests.column(identifier)
    own = rows.column(identifier) if identifier in rows.places else []
    hidden, gone = sorted(sum(chosen.folds, chosen.select)), lacking(chosen, chosen.folds[-1])
    theirs = [own[row] for row in hidden] if own else []
    others = [each for row, each in enumerate(own) if row not in gone]
    order = hidden + [OF_TEST - row for row in range(len(taken))]
    if not chosen.moments:
        chance.shuffle(order)
    number = number_in(taken + theirs)
    is_moment = bool(moments_of(identifier, set(taken + own) - {''}))
    is_more = is_moment or any(1 < len(set(column)) < len(column) / 2 for column in columns_of(taken))
    is_free = own and len(set(theirs)) == len(theirs) and not set(taken) & set(theirs) and all(theirs)
    is_among = is_free and (
        is_moment or outside(taken, others) <= 0.5 or outside([own[row] for row in chosen.folds[-1] + chosen.select], others) > 0.5)
    if is_free and joined or is_among and (chosen.moments or is_more or not is_told_apart(theirs, taken, chance)):
        if not chosen.moments and taken == sorted(taken, key=number):
            order.sort(key=lambda row: number(own[row] if row >= 0 else taken[OF_TEST - row]))
        return {row: own[row] if row >= 0 else taken[OF_TEST - row] for row in order}, '' if is_among else \
            'hidden rows keep their %s, by which other files may be joined, though those of %s lie outside' % (quoted(identifier), quoted(tests.path))
    if is_more:
        raise Missing('hidden rows would need new values of %s, but those of %s tell more than which row it is' % (quoted(identifier), quoted(tests.path)))
    return renamed(order, taken, own, len(hidden), chance), 'all rows to be predicted have new values of ' + quoted(identifier)


def renamed(order, taken, own, count, chance):
    """The ids of the test and new ones, dealt among all rows: in the order of the test's ids, or in none."""
    new = taken + (numbered if all(map(NUMBERED.fullmatch, taken)) else drawn)(taken, own, count, chance)
    if taken == sorted(taken, key=number_in(taken)):
        new.sort(key=number_in(new))
    else:
        chance.shuffle(new)
    return dict(zip(order, new))


def number_in(ids):
    """What ids are sorted by: their numbers if all have one behind the same beginning, else their text."""
    found = list(map(NUMBERED.fullmatch, ids))
    is_number = all(found) and len({match.group(1) for match in found}) == 1
    return (lambda each: int(NUMBERED.fullmatch(each).group(2))) if is_number else str


def is_told_apart(ids, others, chance):
    """Whether the form of an id, what it begins or ends with, or its number tells of which ones it is, more than by chance."""
    one, other = (chance.sample(each, min(COMPARED, len(each))) for each in (ids, others))
    slack = APART + 2 * math.sqrt(1 / len(one) + 1 / len(other))
    traits = [len, lambda each: re.sub('[A-Z]', 'A', re.sub('[a-z]', 'a', re.sub('[0-9]', '0', each)))]
    traits += [lambda each, size=size: each[:size] for size in range(1, 9)] + [lambda each: each[-1:]]
    if all(map(NUMBERED.fullmatch, one + other)):
        traits += [lambda each, by=by: int(NUMBERED.fullmatch(each).group(2)) % by for by in range(2, 17)]
        numbers = sorted((int(NUMBERED.fullmatch(each).group(2)), step) for step, each in (
            [(1 / len(one), each) for each in one] + [(-1 / len(other), each) for each in other]))
        if max(map(abs, itertools.accumulate(step for _, step in numbers))) > slack:
            return True
    return any(abs(here[value] / len(one) - there[value] / len(other)) > slack for here, there in (
        (collections.Counter(map(trait, one)), collections.Counter(map(trait, other))) for trait in traits) for value in here | there)


def columns_of(ids):
    """The parts of ids between marks such as - and _, if all have as many; else the ids."""
    parts = [re.split('([^0-9A-Za-z]+)', each) for each in ids]
    return list(zip(*parts)) if len(set(map(len, parts))) == 1 else [ids]


def numbered(taken, own, count, _):
    """Those behind all others."""
    first = 1 + max(int(match.group(2)) for match in map(NUMBERED.fullmatch, itertools.chain(taken, own)) if match)
    matches = list(map(NUMBERED.fullmatch, taken))
    begin = collections.Counter(match.group(1) for match in matches).most_common(1)[0][0]
    width = min(len(match.group(2)) for match in matches)
    return [begin + str(first + i).zfill(width) for i in range(count)]


def drawn(taken, own, count, chance):
    """In the form of those of the test: what all have in common, and where they differ signs that some of them have at the same place, or of the same kind."""
    columns, known, new = columns_of(taken), set(taken + own), {}
    for signs in (signs_by_place, signs_by_kind):
        of_columns = [signs(column) if len(set(column)) > 1 else None for column in columns]
        for _ in range(20 * count):
            made = ''.join(column[0] if not of_column else ''.join(chance.choice(of_column(at, sign)) for at, sign in enumerate(chance.choice(column)))
                           for column, of_column in zip(columns, of_columns))
            if made not in known:
                new[made] = True
            if len(new) == count:
                return list(new)
    raise Missing('hidden rows would need new ids, and there are too few of the form of %s' % quoted(taken[0]))


def signs_by_place(column):
    """Of values of one length what may stand at a place; of others their words stay, and digits are any."""
    if len(set(map(len, column))) == 1:
        signs = [sorted(set(at)) for at in zip(*column)]
        return lambda at, sign: signs[at]
    if len({re.sub('[0-9]+', '0', value) for value in column}) == 1:
        return lambda at, sign: '0123456789' if sign.isdigit() else sign
    return signs_by_kind(column)


def signs_by_kind(column):
    signs = {kind: sorted(filter(kind, set(''.join(column)))) for kind in (str.isdigit, str.isupper, str.islower)}
    return lambda at, sign: next((each for kind, each in signs.items() if kind(sign)), sign)


def outside(ids, others):
    """Share of ids that are no number between the least and the most of the others. Of ids that are no numbers none is."""
    ranges = collections.defaultdict(list)
    for match in filter(None, map(NUMBERED.fullmatch, others)):
        ranges[match.group(1)].append(int(match.group(2)))
    ranges = {begin: (min(numbers), max(numbers)) for begin, numbers in ranges.items()}
    found = 0
    for match in filter(None, map(NUMBERED.fullmatch, ids)):
        low, high = ranges.get(match.group(1), (1, 0))
        found += not low <= int(match.group(2)) <= high
    return found / max(1, len(ids))


def joined_by(tests, identifier, tables, files):
    """Whether another table, or the names of files, have ids of the test."""
    ids = set(tests.column(identifier))
    names = [{stem(path) for path in files}] + [
        set(table.keys.get(each.name) or each.counts) for table in tables for each in table.columns]
    return any(len(ids & there) >= max(1, BY_ID * min(len(ids), len(there))) for there in names)
