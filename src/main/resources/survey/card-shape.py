"""The data card, 11 of 11: its printing for the program that makes a task of it, as figures in place of sentences."""

COLUMNS = 200                # Of one table that are told, besides those that are asked for.
VALUES = 12                  # Of one column that are told.
NAME = 200                   # Characters of a name or a value.
LINE = 400                   # Characters of a doubt.
DOUBTFUL = ('no header', 'a header and no row', 'encoding ', 'NUL ', 'columns of one name')
ANSWERS = re.compile(r'label|answer|solution|truth', re.IGNORECASE)
# Tables of kinds that are not read.
FOREIGN = re.compile(r'\.(xlsx?|ods|feather|arrow|orc|h5|hdf5?|sqlite3?|db|sav|dta|sas7bdat|rds|rdata|pkl|7z|rar|zst|xz)$', re.IGNORECASE)


def shape(card):
    """A table that is there alone is the one for training, whatever its name."""
    test, submission = (card.tables.get(card.roles.get(role)) for role in ('test', 'submission'))
    others = [table for table in card.tables.values() if table not in (test, submission)]
    train = card.tables.get(card.roles.get('train')) or (others[0] if len(others) == 1 else None)
    targets = likely_targets(train, test, submission) if train else []
    classes = whose_classes_are_asked(train, submission) if train and not targets else []
    asked = set(targets[:COLUMNS] + [each.name for each in classes])
    return {'complete': card.is_done, 'files': len(card.files), 'train': table_shape(train, asked), 'test': table_shape(test, asked),
            'submission': table_shape(submission, asked), 'tables': [path[:NAME] for path in card.tables],
            'unread': unread(card)[:VALUES],
            'targets': [name[:NAME] for name in targets[:COLUMNS]], 'of_classes': [each.name[:NAME] for each in classes[:COLUMNS]],
            'lacking': [name[:NAME] for name in without(train.names, test.names)[:COLUMNS]] if train and test else [],
            'classes': classes_shape(None if train else class_folders(card.files)),
            'doubts': [doubt[:LINE] for doubt in itertools.chain(doubts(card, train, test, submission), of_answers(card, train, test, submission),
                                                                 of_words(train, test, submission, targets + [each.name for each in classes]))],
            'images': counted_files(card, IMAGES), 'sounds': counted_files(card, SOUNDS + ('mp3', 'ogg'))}


def table_shape(table, asked):
    return table and {'path': table.path[:NAME], 'rows': table.rows, 'width': len(table.names),
                      'columns': [column_shape(each) for i, each in enumerate(table.columns) if i < COLUMNS or each.name in asked]}


def unread(card):
    """What may be a table and was not read, with the reason."""
    found = ['%s: %s' % (path, why) for path, why in card.unread.items()]
    return [one[:NAME] for one in found] + ['%s: not of a kind that is read here; save it as CSV' % path[-NAME:] for path in card.files if FOREIGN.search(path)]


def of_answers(card, train, test, submission):
    """Other tables that may hold what is to be predicted."""
    for other in card.tables.values():
        for name, values in other.keys.items() if test and other not in (train, test, submission) else ():
            asked = set(test.keys.get(name, ()))
            found = without(without(other.names, test.names), [name])
            if 2 * len(asked & set(values)) > len(asked) and (ANSWERS.search(stem(other.path)) or train and set(found) & set(without(train.names, test.names))):
                yield '%s has the %s of %s of %s, and %s: if these are the answers, scripts can read them; move it out of the folder' % (
                    other.path, name, share(len(asked & set(values)), len(asked)), test.path, listed(found, 4))


def of_words(train, test, submission, targets):
    """Values that people mean as a class or a category and pandas reads as missing."""
    for table in filter(None, (train, test, submission)):
        keys = set(table.names[:1]).union(table.names if table is submission else targets, table.keys)
        for each in table.columns:
            if each.words and each.name in keys:
                yield '%s: of %s, %s' % (table.path, each.name, misread(each.words, each.present + each.missing))
        others = [each for each in table.columns if each.words and each.name not in keys]
        if others and table is train:
            yield '%s: in %s, pandas reads words such as %s as missing (keep_default_na=False if they are categories)' % (
                table.path, listed([each.name for each in others], 4), listed(sorted({word for each in others for word in each.words}), 2))


def doubts(card, train, test, submission):
    """Where the tables contradict each other, or were not read as they were meant."""
    for table in card.tables.values():
        for doubt in table.doubts + [note for note in table.notes if note.startswith(DOUBTFUL)]:
            yield '%s: %s' % (table.path, doubt)
    if submission and test:
        name = submission.names[0]
        asked, there = set(submission.keys.get(name, ())), set(test.keys.get(name, ()))
        if not test.column(name):
            yield '%s has no column %s, by which %s names its rows' % (test.path, name, submission.path)
        elif asked and there and asked != there:
            for one, values, other, others in ((submission, asked, test, there), (test, there, submission, asked)):
                if values - others:
                    yield '%s of the %s different %s of %s are not in %s' % (
                        grouped(len(values - others)), grouped(len(values)), name, one.path, other.path)
        elif submission.rows != test.rows and not submission.roughly + test.roughly:
            yield '%s has %s, %s has %s' % (submission.path, counted(submission.rows, 'row'), test.path, counted(test.rows, 'row'))
    strange = without(submission.names[1:], train.names) if train and submission and not whose_classes_are_asked(train, submission) else []
    if strange:
        yield '%s asks for %s, and %s has no such column' % (submission.path, listed(strange, 4), train.path)


def classes_shape(classes):
    return classes and {'folder': classes.folder[:NAME], 'count': len(classes.counts), 'files': sum(classes.counts.values()),
                        'names': [name[:NAME] for name, _ in classes.counts.most_common(COLUMNS)],
                        'test': classes.test and classes.test[:NAME], 'asked': classes.asked, 'answered': classes.answered}


def column_shape(each):
    """@return with the values that occur most, and the mean number of characters of them all"""
    length = sum(len(value) * count for value, count in each.counts.items()) / each.present if each.present else 0
    return {'name': each.name[:NAME], 'kind': each.kind, 'distinct': len(each.counts), 'missing': each.missing, 'length': round(length, 1),
            'values': [value[:NAME] for value, _ in sorted(each.counts.items(), key=lambda one: (-one[1], one[0]))[:VALUES]]
            if len(each.counts) <= VALUES or each.kind == 'integer' else []}


def counted_files(card, kinds):
    return sum(len(group.files) for group in card.groups if group.kind.lower() in kinds)


main(shape)
