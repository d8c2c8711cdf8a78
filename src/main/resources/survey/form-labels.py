"""The form, 4 of 5: labels that stand in the names of files, or of the folders that they lie in."""
import collections
import os
import re

MOST_NAMED = 200             # Different values of a part of the names that may be classes.
LEAST_NAMED = 0.01           # Share of the files that each class must have.
NAME_PARTS = re.compile(r'[^0-9A-Za-z]+')
YES_OR_NO = ({'0', '1'}, {'true', 'false'}, {'yes', 'no'})


class Named:
    """Training files whose names tell the label.

    at      "folder name" or "file name"
    paths   of the files
    labels  of each
    groups  the folder around the class's folder for each, if these are many; else None
    """

    def __init__(self, at, paths, labels, groups=None):
        self.at, self.paths, self.labels, self.groups = at, paths, labels, groups


def named_labels(card, tested, wanted):
    """@param tested the place of the files that are to be predicted
    @param wanted the columns of the submission behind its key
    @return None if no names tell a label"""
    theirs = {path for paths in tested.files.values() for path in paths}
    kinds = {kind_of_file(path).lower() for path in theirs}
    others = [path for path in card.files if path not in theirs and kind_of_file(path).lower() in kinds]
    folders = class_folders(others)
    if folders:
        known = [(path, label, group) for path, label, group in folders.each(others)]
        groups = [group for _, _, group in known]
        return Named('folder name', [path for path, _, _ in known], [label for _, label, _ in known], groups if len(set(groups)) > 1 else None)
    learnt = [path for path in others if os.path.dirname(path) == swapped_back(tested.pattern, others)]
    found = label_pieces([stem_of(path) for path in learnt], [stem_of(path) for path in theirs], wanted)
    return Named('file name', learnt, found) if found else None


def swapped_back(pattern, others):
    """The folder of training's files by that of the test's; else the one that most of them lie in."""
    folder = os.path.dirname(pattern)
    counts = collections.Counter(map(os.path.dirname, others))
    named = [each for each in counts if swapped(each + '/' + KEY) == folder + '/' + KEY]
    return (named or [each for each, _ in counts.most_common(1)] or [''])[0]


def stem_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def label_pieces(names, theirs, wanted):
    """Of each name the piece that is its label, as "cat" of "cat.7" or "1" of "clip_0007_1": one that has few values, and others than the names of the
    test's files have there. None if no piece is that."""
    best = None
    for cut in (NAME_PARTS.split, lambda name: re.findall('[0-9]+|[A-Za-z]+', name)):
        pieces, others = list(map(cut, names)), list(map(cut, theirs))
        least = min(map(len, pieces), default=0)
        for place in list(range(least)) + list(range(-least, 0)):
            values = [each[place] for each in pieces]
            counts = collections.Counter(values)
            there = {each[place] for each in others if -len(each) <= place < len(each)}
            if 2 <= len(counts) <= MOST_NAMED and min(counts.values()) >= LEAST_NAMED * len(values) / len(counts) and not there & set(counts):
                worth = worth_of(set(counts), wanted)
                if worth and (best is None or worth > best[0]):
                    best = worth, values
    return best and best[1]


def worth_of(values, wanted):
    """How likely these are labels: 0 if they are none."""
    if len(wanted) > 1:
        return 3 * (values == set(wanted))
    if {value.lower() for value in values} in YES_OR_NO:
        return 2
    return int(all(value.isalpha() for value in values))


def as_asked(labels, sample_values, description):
    """Labels as a submission with one column has them: as they are, or as 1 and 0.

    @param description None if it is not known, so that words stay
    @raise Missing if they are words, numbers are asked for, and nothing says which word is 1"""
    values = sorted(set(labels))
    if description is None or not all(map(is_real, sample_values)) or all(map(is_real, values)):
        return labels, ''
    for yes in YES_OR_NO[1:]:
        if {value.lower() for value in values} == yes:
            return [str(int(value.lower() in ('true', 'yes'))) for value in labels], ''
    first = positive(values, description) if len(values) == 2 else None
    if first is None:
        raise Missing('the names of files tell %s, a number is asked for, and the description does not say in so many words which one is 1' % listed(values, 4))
    return [str(int(value == first)) for value in labels], '1 is %s, as the description says' % quoted(first)


def positive(values, description):
    """Which of two words is 1, by what a description says right beside it, as "dog (1)", "1 = dog" or "the probability that it is a dog"."""
    text = description.lower()
    for number, form in ((1, r'\b%s\w{0,2}\W{0,4}(?:is |as |= ?)?1\b(?!\.\w)'), (1, r'\b1\W{0,4}(?:is |for |means |= ?)?(?:an? |the )?%s'),
                         (0, r'\b%s\w{0,2}\W{0,4}(?:is |as |= ?)?0\b(?!\.\w)'), (0, r'\b0\W{0,4}(?:is |for |means |= ?)?(?:an? |the )?%s'),
                         (1, r'(?:probability|likelihood|chance)[^.]{0,60}\b%s')):
        said = [value for value in values if re.search(form % re.escape(value.lower()), text)]
        if len(said) == 1:
            return said[0] if number else next(value for value in values if value != said[0])
    return None
