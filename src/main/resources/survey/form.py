"""The form, 5 of 5: what one example is, what names it, where its files and its label stand, and how a submission asks for it.

Everything that is made of a task's data (data card, hidden rows, `mlestar new`, `mlestar data form`) is made from this one description. Its JSON:

    example     "is" (row, record, file, folder), the columns of its "key", "table" and "test_table", and "files": patterns of training's and of the test's
    label       "at" (columns, class column, field, file name, folder name), "table", "targets", and how many rows lack one
    submission  "sample", its "key", what it "asks" for (targets, or classes behind a "prefix"), and whether rows are named by their "place"
    groups      the column whose rows belong together, where the data alone cannot show it
    why         in words what does not fit, if something does not; then there is the label besides, if that is clear
"""
import itertools

JOINTS = ('_', '-', ' ', '/', ':', '.', ',', '')
GROUPED = re.compile(r'(?i)(^|[^a-z])(patient|subject|person|user|speaker|group|site|session|series|case|study|household|sequence)s?([^a-z]|$)|[a-z]I[dD]$')
BELONGING = 1.5              # Rows for each value of such a column, at least.
SEVERAL = ', '                 # Between the columns of a key that stand in the submission one by one.
PLACE = 'row'                # What the place of a row is called as its id.


class Form:
    """rows, tests, sample  the tables, whole: of which those for training and testing may be made of names of files
    identifier  column of the key, in both; if the key is made of several columns it is one more
    key         columns of the tables; none if a row's place names it
    joint       between the parts of a key
    lasting     whether these mean the same in both tables, as a shop and a week do, so that none can have other values
    targets     columns of the training table; wide: whether their classes are columns of the submission, behind the prefix
    places      pairs of places of files, (of training, of the test or None)
    group       a group for each row, which the data alone do not show; and what they are called
    named       of labels in names, else None
    differs     in words how the test differs from training, as far as rows to hide were sought and it does
    """

    def __init__(self):
        self.rows = self.tests = self.sample = self.named = self.group = None
        self.identifier, self.key, self.joint, self.targets, self.wide, self.prefix = None, [], '', [], False, ''
        self.places, self.label_at, self.group_name, self.said = [], 'columns', None, []
        self.asked, self.of_class, self.by_place, self.lasting, self.example, self.differs = [], {}, False, False, 'row', ''
        self.why, self.why_these, self.is_unruled = 'the time was over before all rows were looked at', '', False

    def is_kept(self):
        """Whether several columns of the submission name a row."""
        return len(self.key) > 1 and self.joint == SEVERAL

    def files(self):
        """Those of all examples."""
        return {path for pair in self.places for place in pair if place for paths in place.files.values() for path in paths}


def find_whole_form(card):
    """Finds all of it, from whole tables."""
    gc.disable()  # Nothing here refers to itself, and to look for such things among millions of values takes long.
    try:
        look_at_examples(card, card.form)
        card.form.why = None
    except Missing as why:
        card.form.why, card.form.is_unruled = str(why), True
    except MemoryError:
        card.form.why = 'the tables need more memory than %s' % sized(MEMORY)
    except Exception as e:
        card.form.why = 'the program that looks for it failed: ' + reason(e)


def look_at_examples(card, form):
    """@raise Missing if it is not clear"""
    if not card.roles.get('train') and not card.roles.get('submission'):
        look_at_folders(card, form)
    if card.roles.get('train') in card.tables:
        look_at_targets(card, form)
    form.sample = opened(card, card.roles.get('submission'), 'the form of the submission')
    test = card.roles.get('test')
    form.tests = opened(card, test, 'testing') if test else None
    if card.roles.get('train'):
        form.rows = opened(card, card.roles['train'], 'training')
        look_at_key(form)
        look_at_files(card, form)
        look_at_groups(form)
    else:
        look_at_names(card, form)


def opened(card, path, what):
    """A table with all of its rows.

    @raise Missing if it is none, or none that can be read whole"""
    if path in card.unread:
        raise Missing('%s could not be read: %s' % (quoted(path), card.unread[path]))
    table = card.tables.get(path)
    if not table:
        raise Missing('there is no table for ' + what)
    where = os.path.join(card.root, path)
    if os.path.getsize(where) > LARGEST:
        raise Missing('%s is larger than %s' % (quoted(path), sized(LARGEST)))
    if table.form == 'json':
        return Documents(card.root, table)
    if table.form not in ('csv', 'tsv', 'tab') or 'no header' in table.notes or table.skipped or table.reading or table.extra:
        raise Missing('%s is no table of plain text with a header' % quoted(path))
    if any('number of fields' in doubt or 'quote' in doubt for doubt in table.doubts):
        raise Missing('%s: %s' % (quoted(path), table.doubts[0]))
    return Records(card.root, table)


def look_at_key(form):
    """What names an example: leading columns of the submission that the test has, one that is made of several of its columns, or the place of its row."""
    sample, tests, rows = form.sample, form.tests, form.rows
    names = list(itertools.takewhile(lambda name: name not in form.asked, sample.names))
    keys = next((names[:count] for count in range(1, len(names) + 1) if are_different(sample, names[:count])), [])
    if not tests and keys:
        form.tests = tests = Listed(sample.path, {name: sample.column(name) for name in keys})
    elif not tests:
        raise Missing('the first column of %s does not name its rows, and there is no table for testing' % quoted(sample.path))
    if keys and not without(keys, form.tests.names):
        lacks = without(keys, rows.names) if len(keys) > 1 else []
        if lacks:
            raise Missing('%s has no %s' % (quoted(rows.path), listed(lacks, 4)))
        form.key, form.joint = keys, SEVERAL
    elif keys:
        form.key, form.joint = made_key(form, sample.column(keys[0]))
    if not form.key and len(sample) == len(tests) and all(sample.column(name) == tests.column(name) for name in names if name in tests.names) and (
            not keys or is_counted(sample.column(keys[0]))):
        form.by_place = True
    elif not form.key:
        raise Missing('%s has no column %s, and the rows of both are not the same' % (quoted(tests.path), quoted(sample.names[0])))
    if form.by_place:
        form.identifier = free_name(PLACE, form)
        tests.add(form.identifier, [str(row + 1) for row in range(len(tests))])
        sample.add(form.identifier, tests.column(form.identifier))
    elif len(form.key) == 1:
        form.identifier = form.key[0]
        asked, known = set(sample.column(form.identifier)), tests.column(form.identifier)
        if not asked <= set(known) or len(set(known)) < len(known):
            raise Missing('the ids of %s are not those of %s' % (quoted(sample.path), quoted(tests.path)))
    else:
        form.identifier = free_name('key' if without(form.key, sample.names) == [] else keys[0], form)
        for table in (rows, tests) + ((sample,) if not without(form.key, sample.names) else ()):
            table.add(form.identifier, list(map(form.joint.join, zip(*map(table.column, form.key)))))
        if form.identifier not in sample.places:
            sample.add(form.identifier, sample.column(keys[0]))
        form.lasting = form.is_kept() or are_lasting(form)


def are_lasting(form):
    """Whether the test has other rows of what the first part of the key names in training, and not rows that were counted anew."""
    here, there = (set(table.column(form.key[0])) for table in (form.rows, form.tests))
    return 2 * len(here & there) > len(there) and not set(form.rows.column(form.identifier)) & set(form.tests.column(form.identifier))


def free_name(name, form):
    """A name of a further column that no table has."""
    while any(name in table.names for table in (form.rows, form.tests, form.sample)):
        name += '_'
    return name


def are_different(table, names):
    return len(set(zip(*map(table.column, names)))) == len(table)


def is_counted(ids):
    return all(map(str.isdigit, ids)) and ids == [str(int(ids[0]) + i) for i in range(len(ids))]


def made_key(form, ids):
    """Columns of the test, whose values behind each other are the ids of the submission, as 12_3 of a sentence and a token."""
    wanted = set(ids)
    for count in (2, 3):
        for names in itertools.permutations([name for name in form.tests.names if name in form.rows.places][:8], count):
            for joint in JOINTS:
                made = map(joint.join, zip(*map(form.tests.column, names)))
                if next(made, None) in wanted and set(made) <= wanted:
                    return list(names), joint
    return [], ''


def look_at_files(card, form):
    """Where the files of examples lie, by their keys."""
    used = {table.path for table in (form.rows, form.tests, form.sample)}
    files = [path for path in card.files if path not in used]
    if not form.by_place and form.identifier in form.rows.places:
        learnt, tested = (places_of(files, set(table.column(form.identifier)) - {''}, least) for table, least in ((form.rows, SOME), (form.tests, MOSTLY)))
        form.places = paired([place for place in learnt if 2 * len(place.files) >= len(form.rows)] +
                             [place for place in learnt if 2 * len(place.files) < len(form.rows) and not is_known(place, tested)], tested)
    if form.tests.is_made and not any(to for _, to in form.places):
        raise Missing('there is no table for testing')
    if form.places and not [name for name in form.tests.names if name not in form.key]:
        form.example = 'folder' if all(place.pattern.endswith('/') for place, _ in form.places) else 'file'
    elif isinstance(form.rows, Documents):
        form.example, form.label_at = 'record', 'field'


def is_known(place, others):
    return any(other.pattern == place.pattern for other in others)


def look_at_groups(form):
    """Rows that belong together, where no test table shows that it has other ones: by a column with the name of a group, or of one part of the key."""
    rows = form.rows
    if len(form.key) > 1 and not form.lasting:
        form.group_name, form.group = form.key[0], rows.column(form.key[0])
    elif form.tests.is_made:
        for name in without(rows.names, form.key + form.targets):
            values = rows.column(name)
            if GROUPED.search(name) and BELONGING * len(set(values)) <= len(values) and len(set(values)) > 1:
                form.group_name, form.group = name, values
                return


def look_at_folders(card, form):
    """Where no table has labels or asks for them, folders may be the classes."""
    found = class_folders(card.files)
    if found:
        paths, labels, _ = zip(*found.each(card.files))
        form.rows, form.example, form.label_at, form.targets = Listed(found.folder or '.', {'file': paths, 'label': labels}), 'file', 'folder name', ['label']
        form.why_these = 'the name of the folder in %s: %s' % (found.folder or '.', ', '.join(sorted(found.counts)[:20]))


def look_at_names(card, form):
    """Where no table has labels, names of files or folders may."""
    sample = form.sample
    tested = places_of([path for path in card.files if path != sample.path], set(sample.column(sample.names[0])), MOSTLY)
    named = named_labels(card, tested[0], sample.names[1:]) if tested else None
    if not named:
        raise Missing('there is no table for training, and ' + ('the names of files tell no labels' if tested else
                                                              'no files are called as the ids of %s are' % quoted(sample.path)))
    form.identifier, form.key, form.asked, form.named, form.label_at = sample.names[0], sample.names[:1], sample.names[1:], named, named.at
    form.example, form.wide, labels, said = 'file', len(form.asked) > 1, named.labels, ''
    if form.wide and set(labels) != set(form.asked):
        raise Missing('the classes in the names of files are not those that the submission asks for')
    if not form.wide:
        labels, said = as_asked(labels, sample.column(form.asked[0]), DESCRIPTION)
    form.said += [said] if said else []
    target, form.why_these = 'class' if form.wide else form.asked[0], 'it is the %s in training' % named.at
    form.targets, form.of_class = [target], {label: label for label in labels} if form.wide else {}
    form.rows = Listed(swapped_back(tested[0].pattern, named.paths) or '.', {form.identifier: named.paths, target: labels})
    form.tests = Listed(os.path.dirname(tested[0].pattern) or '.', {form.identifier: sample.column(form.identifier)})
    learnt = Place(os.path.dirname(named.paths[0]) + '/' + KEY)
    learnt.files.update((path, [path]) for path in named.paths)
    form.places = [(learnt, tested[0])]
    if named.groups:
        form.group_name, form.group = 'folder', named.groups


def described(form):
    """The form as JSON."""
    if form.why:
        return {'why': form.why, 'label': {'at': form.label_at, 'targets': form.targets}}
    lacking = sum(any(not form.rows.at(row, target) for target in form.targets) for row in range(len(form.rows)))
    return {'example': {'is': form.example, 'key': form.key, 'table': None if form.named else form.rows.path,
                        'test_table': None if form.tests.is_made else form.tests.path,
                        'files': [{'training': place.pattern, 'test': to and to.pattern} for place, to in form.places]},
            'label': {'at': form.label_at, 'table': None if form.named else form.rows.path, 'targets': form.targets, 'missing': lacking},
            'submission': {'sample': form.sample.path, 'key': without(form.sample.names, form.asked) if not form.by_place else [],
                           'asks': 'classes' if form.wide else 'targets', 'columns': form.asked[:200], 'by_place': form.by_place},
            'groups': form.group_name}


def target_columns(card, form):
    """The columns to be predicted, as the data card has columns."""
    train = card.tables.get(card.roles.get('train'))
    if train:
        return [train.column(name) for name in form.targets]
    return [column(name, form.rows.column(name), False) for name in form.targets] if form.rows else []


def sentences(card):
    """The form for people and agents."""
    form = card.form
    if not form.why:
        of = '' if form.named else ' of ' + quoted(form.rows.path)
        yield 'example: a %s%s, named by %s' % (form.example, of, listed(form.key, 4) if form.key else 'its place')
        for place, to in form.places:
            yield 'files: %s for training, %s' % (quoted(place.pattern, 120), quoted(to.pattern, 120) + ' for the test' if to else 'none for the test')
        yield 'test: ' + ('no table; %s names its examples' % quoted(form.sample.path) if form.tests.is_made else quoted(form.tests.path))
    at = {'columns': '', 'field': '', 'class column': ', whose values are columns of the submission'}.get(form.label_at, ', which is the ' + form.label_at)
    for each in target_columns(card, form)[:8]:
        yield 'label: %s%s: %s' % (quoted(each.name), at, target_text(each))
    if form.why:
        yield 'not clear: ' + form.why
        return
    asks = 'classes' if form.wide else 'targets'
    yield 'submission: as %s (%s), %s: %s' % (quoted(form.sample.path), counted(len(form.sample), 'row'), asks, listed(form.asked, 8))
    if short_of(form):
        yield short_of(form)
    if form.group_name:
        yield 'groups: %s, whose examples belong together' % quoted(form.group_name)


def short_of(form):
    """In words that the sample submission has some of the rows only; empty if it has all."""
    if len(form.sample) >= len(form.tests):
        return ''
    return '%s has only %s of the %s of %s, and a submission needs all of them' % (
        quoted(form.sample.path), grouped(len(form.sample)), counted(len(form.tests), 'row'), quoted(form.tests.path))
