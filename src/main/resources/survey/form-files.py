"""The form, 3 of 5: where the files of examples lie, by the keys that stand in their names."""
import collections
import os
import re

MOSTLY = 0.5                 # Share of the keys that must have a file, for a place of files.
SOME = 0.1                   # The same for files that only training has.
MANY_FOLDERS = 8             # Places that differ in one folder; more of them are one place.
KEY = '{key}'
LEARNT = re.compile(r'(?i)train(ing)?')
TESTED = re.compile(r'(?i)test(ing)?')


class Place:
    """Where the files of examples lie: "train/{key}.jpg", or "train/{key}/" for folders; `*` is any folder.

    files  paths of each key"""

    def __init__(self, pattern):
        self.pattern, self.files = pattern, collections.defaultdict(list)


def names_in(base):
    """What of a file's name may be a key: the whole, and what stands before each point, the longest first."""
    yield base
    for at in range(len(base) - 1, 0, -1):
        if base[at] == '.':
            yield base[:at]


def key_places(path, keys, has_folders):
    """Each pattern of a path in which a key stands, and the key."""
    parts = path.split('/')
    for at, part in enumerate(parts[:-1]):
        if part in keys:
            yield '/'.join(parts[:at] + [KEY, '']), part
    for at in range(len(parts) - 1, -1 if has_folders else len(parts) - 2, -1):
        base, before = '/'.join(parts[at:]), '/'.join(parts[:at]) + ('/' if at else '')
        key = next((name for name in names_in(base) if name in keys), None)
        if key is not None:
            yield before + KEY + base[len(key):], key


def places_of(files, keys, share):
    """The places where so many of the keys have files, those with the most first.

    @param keys a set"""
    found, has_folders = {}, any('/' in key for key in keys)
    for path in files if keys else ():
        for pattern, key in key_places(path, keys, has_folders):
            found.setdefault(pattern, Place(pattern)).files[key].append(path)
    gathered_places = {}
    for pattern, place in found.items():
        shown = gathered_pattern(pattern, found)
        into = gathered_places.setdefault(shown, Place(shown))
        for key, paths in place.files.items():
            into.files[key] += paths
    return sorted((place for place in gathered_places.values() if len(place.files) >= max(1, share * len(keys))),
                  key=lambda place: (-len(place.files), place.pattern))


def gathered_pattern(pattern, patterns):
    """The same with `*` for a folder right before the key by which many places differ."""
    before, _, behind = pattern.partition(KEY)
    if '/' not in before or len(patterns) <= MANY_FOLDERS:
        return pattern
    outer = before.rstrip('/').rpartition('/')[0]
    shown = (outer + '/' if outer else '') + '*/' + KEY + behind
    return shown if sum(starred(other) == shown for other in patterns) > MANY_FOLDERS else pattern


def starred(pattern):
    before, _, behind = pattern.partition(KEY)
    outer = before.rstrip('/').rpartition('/')[0]
    return (outer + '/' if outer else '') + '*/' + KEY + behind if '/' in before else pattern


def swapped(pattern):
    """The pattern of the test's files that one of training's has by its name."""
    folder, _, behind = pattern.rpartition(KEY)

    def spelled(match):
        word = match.group()
        return 'TEST' if word.isupper() else 'Test' if word[0].isupper() else 'test'
    return LEARNT.sub(spelled, folder) + KEY + behind


def paired(learnt, tested):
    """Which places of training's files are which of the test's: [(place, place or None where the test has none)]."""
    pairs, known = [], {place.pattern: place for place in tested}
    for place in learnt:
        named = known.get(swapped(place.pattern)) if LEARNT.search(place.pattern) else None
        if named and named.pattern != place.pattern:
            pairs.append((place, named))
    taken = {id(one) for pair in pairs for one in pair} | {id(other) for pair in pairs for other in learnt + tested if other.pattern in (
        pair[0].pattern, pair[1].pattern)}
    rest = [place for place in tested if id(place) not in taken]
    for place in learnt:
        if id(place) not in taken:
            like = [other for other in rest if other.pattern == place.pattern] or [
                other for other in rest if other.pattern.rpartition(KEY)[2] == place.pattern.rpartition(KEY)[2] and is_of_test(other, place)]
            if like:
                rest.remove(like[0])
            pairs.append((place, like[0] if like else None))
    return pairs


def is_of_test(place, other):
    """Whether the place is one of the test's where the other is one of training's, by their names or since no name tells."""
    return bool(TESTED.search(place.pattern)) or not LEARNT.search(place.pattern) and place.pattern != other.pattern


def moved(path, key, to, new):
    """Where a file of a key stands as one of the test's under a new key."""
    before, _, behind = to.pattern.partition(KEY)
    if behind == '/':
        parts = path.split('/')
        behind = '/' + '/'.join(parts[parts.index(key) + 1:])
    if '*' in before:
        before = os.path.dirname(next(iter(to.files.values()))[0]) + '/'
    return before + new + behind
