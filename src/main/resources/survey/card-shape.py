"""The data card, 9 of 9: its printing for the program that makes a task of it, as figures in place of sentences."""

COLUMNS = 200                # Of one table that are told.
VALUES = 12                  # Of one column that are told.
NAME = 200                   # Characters of a name or a value.
LINE = 400                   # Characters of a doubt.


def shape(card):
    """A table that is there alone is the one for training, whatever its name."""
    test, submission = (card.tables.get(card.roles.get(role)) for role in ('test', 'submission'))
    others = [table for table in card.tables.values() if table not in (test, submission)]
    train = card.tables.get(card.roles.get('train')) or (others[0] if len(others) == 1 else None)
    targets = likely_targets(train, test, submission) if train else []
    classes = whose_classes_are_asked(train, submission) if train and not targets else []
    return {'complete': card.is_done, 'files': len(card.files), 'train': table_shape(train), 'test': table_shape(test),
            'submission': table_shape(submission), 'tables': [path[:NAME] for path in card.tables],
            'unread': [path[:NAME] for path in card.files if TABLE.search(path) and path not in card.tables][:VALUES],
            'targets': [name[:NAME] for name in targets[:COLUMNS]], 'of_classes': [each.name[:NAME] for each in classes[:COLUMNS]],
            'lacking': [name[:NAME] for name in without(train.names, test.names)[:COLUMNS]] if train and test else [],
            'classes': classes_shape(None if train else class_folders(card.files)),
            'doubts': [doubt[:LINE] for doubt in doubts(card, train, test, submission)],
            'images': counted_files(card, IMAGES), 'sounds': counted_files(card, SOUNDS + ('mp3', 'ogg'))}


def table_shape(table):
    return table and {'path': table.path[:NAME], 'rows': table.rows, 'width': len(table.names),
                      'columns': [column_shape(each) for each in table.columns[:COLUMNS]]}


def doubts(card, train, test, submission):
    """Where the tables contradict each other, or were not read as they were meant."""
    for table in card.tables.values():
        for doubt in table.doubts:
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
