"""The data card, 7 of 11: folders that are classes."""

PARTS = (
    ('train', re.compile(r'(^|[^a-z])train(ing)?([^a-z]|$)', re.IGNORECASE)),
    ('test', re.compile(r'(^|[^a-z])test(ing)?([^a-z]|$)', re.IGNORECASE)),
    ('validation', re.compile(r'^(val|valid|validation|dev)([^a-z]|$)', re.IGNORECASE)),
    ('predicted', re.compile(r'(^|[^a-z])pred(ict(ed)?)?([^a-z]|$)', re.IGNORECASE)),
)
NO_CLASS = re.compile(r'(images?|imgs?|pictures|photos|masks?|labels?|annotations?|bboxes|audios?|sounds?|wavs?|clips?|data|files?|all)([^a-z].*)?', re.IGNORECASE)


class ClassFolders:
    """Folders that are the classes of the images or sounds in them, as train/cat/1.jpg or cat/1.jpg, and what is to be predicted, as test/1.jpg.

    folder   in which they lie; empty for the topmost
    counts   of the files of each class
    groups   the folders around them, if the same classes stand in several, as train/patient7/cat/1.jpg
    test     folder of what is to be predicted; None if there is none
    asked    how many files are
    answered whether the answers can be seen: the folder, or another one for testing, has folders of the same names
    """

    def __init__(self, folder, inside, depth, test, asked, others):
        self.folder, self.depth, self.test, self.asked = folder, depth, test, len(asked)
        self.counts = collections.Counter(parts[depth] for parts in inside)
        self.groups = sorted({'/'.join(parts[:depth]) for parts in inside} - {''})
        self.answered = any(paths and all(set(parts[:-1]) & set(self.counts) for parts in paths) for paths in (asked, others))

    def each(self, files):
        """The path, the class and the group of each file in them."""
        begin = self.folder + '/' if self.folder else ''
        for path in files:
            parts = path[len(begin):].split('/') if path.startswith(begin) else []
            if len(parts) > self.depth + 1 and parts[self.depth] in self.counts:
                yield path, parts[self.depth], '/'.join(parts[:self.depth])


def through(paths, base):
    """The same below folders that hold nothing but one folder.

    @return the rest of each path, and the folder that they lie in"""
    while paths and all(len(parts) > 1 and parts[0] == paths[0][0] for parts in paths):
        base, paths = base + [paths[0][0]], [parts[1:] for parts in paths]
    return paths, base


def class_folders(files):
    """None if the folders are no classes."""
    paths, base = through([path.split('/') for path in files if kind_of_file(path).lower() in IMAGES + SOUNDS + ('mp3', 'ogg')], [])
    parts_of = collections.defaultdict(set)
    for name in {parts[0] for parts in paths if len(parts) > 1}:
        parts_of[next((part for part, pattern in PARTS if pattern.search(name)), 'other')].add(name)
    if len(parts_of['train']) > 1 or len(parts_of['test']) > 1 or len(parts_of['predicted']) > 1 or parts_of['train'] and parts_of['other']:
        return None
    learned = parts_of['train'] or parts_of['other']
    inside, folder = through([parts for parts in paths if parts[0] in parts_of['train']], base) if parts_of['train'] else \
        ([parts for parts in paths if len(parts) == 1 or parts[0] in learned], base)
    depth = class_depth(inside)
    if depth is None or any(len(parts) < depth + 2 for parts in inside) or any(NO_CLASS.fullmatch(parts[depth]) for parts in inside):
        return None
    asked, others = (next(iter(parts_of[part]), None) for part in (('predicted', 'test') if parts_of['predicted'] else ('test', 'predicted')))
    below = [[parts[1:] for parts in paths if len(parts) > 1 and parts[0] == one] for one in (asked, others)]
    return ClassFolders('/'.join(folder), inside, depth, '/'.join(base + [asked]) if asked else None, *below)


def class_depth(inside):
    """Which of the folders is the class: the one next to the files if its names repeat within several others, else the first; None if neither is."""
    depth = min((len(parts) for parts in inside), default=0) - 2
    if depth >= 1:
        around = collections.defaultdict(set)
        for parts in inside:
            around[parts[depth]].add(parts[0])
        if len(around) > 1 and 2 * sum(len(each) > 1 for each in around.values()) > len(around):
            return depth
    return 0 if len({parts[0] for parts in inside if len(parts) > 1}) > 1 else None
