"""The data card, 7 of 11: folders that are classes."""

PARTS = (
    ('train', re.compile(r'(^|[^a-z])train(ing)?([^a-z]|$)', re.IGNORECASE)),
    ('test', re.compile(r'(^|[^a-z])test(ing)?([^a-z]|$)', re.IGNORECASE)),
    ('validation', re.compile(r'^(val|valid|validation|dev)([^a-z]|$)', re.IGNORECASE)),
)
NO_CLASS = re.compile(r'(images?|imgs?|pictures|photos|masks?|labels?|annotations?|bboxes|audios?|sounds?|wavs?|clips?|data|files?|all)([^a-z].*)?', re.IGNORECASE)


class ClassFolders:
    """Folders that are the classes of the images or sounds in them, as train/cat/1.jpg or cat/1.jpg, and what is to be predicted, as test/1.jpg.

    folder   in which they lie; empty for the topmost
    counts   of the files of each class
    test     folder of what is to be predicted; None if there is none
    asked    how many files are
    answered whether they lie in folders of the same names, so that whoever looks sees the answers
    """

    def __init__(self, folder, counts, test, asked):
        self.folder, self.counts, self.test = folder, counts, test
        self.asked, self.answered = len(asked), bool(asked) and all(len(parts) > 1 and parts[0] in counts for parts in asked)

    def lines(self):
        yield 'likely target: the name of the folder in %s: %d values: %s' % (
            quoted(self.folder or '.', 120), len(self.counts), shares(self.counts, sum(self.counts.values()), 20))
        if self.test is not None:
            yield 'to be predicted: %s in %s' % (counted(self.asked, 'file'), quoted(self.test, 120)) + \
                ', which lie in folders of their classes' * self.answered


def class_folders(files):
    """None if the folders are no classes."""
    paths = [path.split('/') for path in files if kind_of_file(path).lower() in IMAGES + SOUNDS + ('mp3', 'ogg')]
    base = []
    while paths and all(len(parts) > 1 and parts[0] == paths[0][0] for parts in paths):
        base.append(paths[0][0])
        paths = [parts[1:] for parts in paths]
    parts_of = collections.defaultdict(set)
    for name in {parts[0] for parts in paths if len(parts) > 1}:
        parts_of[next((part for part, pattern in PARTS if pattern.search(name)), 'other')].add(name)
    if len(parts_of['train']) > 1 or len(parts_of['test']) > 1 or parts_of['train'] and parts_of['other']:
        return None
    learned = parts_of['train'] or parts_of['other']
    inside = [parts[1:] for parts in paths if parts[0] in learned] if parts_of['train'] else \
        [parts for parts in paths if len(parts) == 1 or parts[0] in learned]
    names = {parts[0] for parts in inside}
    if len(names) < 2 or any(len(parts) < 2 for parts in inside) or any(NO_CLASS.fullmatch(name) for name in names):
        return None
    test = next(iter(parts_of['test']), None)
    return ClassFolders('/'.join(base + sorted(parts_of['train'])), collections.Counter(parts[0] for parts in inside),
                        '/'.join(base + [test]) if test else None, [parts[1:] for parts in paths if len(parts) > 1 and parts[0] == test])
