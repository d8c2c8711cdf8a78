"""The split, 1 of 3: which examples a task's own split.py is asked to hide. Chosen where it is asked, and again where its answer is checked."""
import collections
import hashlib
import os
import random

SELECTED = 0.1               # Of the examples, for the final choice; and, where there are no folds, as many for the search.
PART_GROUPS = 10             # Groups of each part: of fewer the error of a score says little.
HEADS = 2000                 # Files of the data whose begin goes into the draws,
HEAD_BYTES = 1 << 16         # and how much of it.
GUESSING = 1000000           # Rounds of the hash that makes the seed: who guesses labels pays a second or so for each guess of all of them.

# Names of the examples of each fold, or of the one part for the search, and of select.
Chosen = collections.namedtuple('Chosen', 'folds select')


def views_of(chosen):
    """What each view hides, by its name. In one nothing is hidden, by which it is seen what else is changed."""
    views = {'none': [], **{'fold%d' % number: fold + chosen.select for number, fold in enumerate(chosen.folds)}}
    return {**views, 'study': chosen.select} if len(chosen.folds) > 1 else views


def chosen_of(groups, count, chance):
    """Whole groups at random: a part for the final choice, the others in as many folds as can have groups enough.

    @param groups of the examples, by their names
    @return None if there are too few"""
    members = collections.defaultdict(list)
    for name in sorted(groups):
        members[groups[name]].append(name)
    order = sorted(members)
    chance.shuffle(order)
    size = max(PART_GROUPS, int(SELECTED * len(groups)))
    select = taken(order, members, size)
    count = min(count, len(order) // PART_GROUPS)
    if count > 1:
        folds = [[] for _ in range(count)]
        for number, group in enumerate(order):
            folds[number % count] += members[group]
    else:
        folds = [taken(order, members, size)]
    return Chosen(folds, select) if len(order) >= PART_GROUPS or count > 1 else None


def taken(order, members, size):
    """Groups off the end of the order, until they are as many examples and groups as they should be."""
    part, number = [], 0
    while order and (len(part) < size or number < PART_GROUPS):
        part += members[order.pop()]
        number += 1
    return part


def draws_of(root):
    """The same for each fork and machine, and not to be found out without what begins the files of the data, labels included."""
    seen, files = hashlib.sha256(), sorted(os.path.join(folder, name) for folder, _, names in os.walk(root) for name in names)
    for number, path in enumerate(files):
        seen.update(os.path.relpath(path, root).encode('utf-8', 'surrogateescape'))
        if number < HEADS and os.path.isfile(path):
            with open(path, 'rb') as file:
                seen.update(file.read(HEAD_BYTES))
    return chance_from(seen)


def chance_from(seen):
    return random.Random(hashlib.pbkdf2_hmac('sha256', seen.digest(), b'hold-out', GUESSING))
