"""The form, printed: as lines for people, as JSON, and as what `mlestar new` makes a task of: a type, a modality, a usual metric, and what is doubtful."""

SHOWN = 20                   # Names in one sentence.
MANY_CLASSES = 20            # More different whole numbers are no classes;
MANY_NUMBERS = 100           # more different numbers are none for sure.
READ = 60                    # Characters of a text that is to be read, in the mean.
MIXED = 4                    # So many columns beside images, sounds or texts make a mixed task.
FEW_EXAMPLES = 10            # Fewer can neither be learned from nor held out.
VALUES = ('of two values', 'of a few values', 'of numbers', 'neither of classes nor of numbers')
USUAL_METRICS = (('accuracy', 'ROC-AUC'), ('accuracy', 'log loss'), ('RMSE', 'RMSE'), (None, None))
DOUBTFUL = ('no header', 'a header and no row', 'encoding ', 'NUL ', 'columns of one name')
TWICE = DOUBTFUL[-1]
ANSWERS = re.compile(r'label|answer|solution|truth', re.IGNORECASE)
# Tables of kinds that are not read.
FOREIGN = re.compile(r'\.(xlsx?|ods|feather|arrow|orc|h5|hdf5?|sqlite3?|db|sav|dta|sas7bdat|rds|rdata|pkl|7z|rar|zst|xz)$', re.IGNORECASE)


def task(card):
    form, (train, test, submission) = card.form, tables_of(card)
    targets = target_columns(card, form)
    images, sounds = counted_files(card, IMAGES), counted_files(card, SOUNDS + ('mp3', 'ogg'))
    worst = max((1 if form.wide else values_of(each, train.rows if train else len(form.rows)) for each in targets), default=3)
    features = [each for each in train.columns if each not in targets] if train else []
    texts = [each for each in features if each.kind == 'text' and length_of(each) >= READ]
    others = [each for each in features if each.kind != 'identifier' and length_of(each) < READ]
    main = ('image', counted(images, 'image')) if images and images >= sounds else ('audio', counted(sounds, 'sound')) if sounds else \
        ('text', 'column %s holds texts of %d characters on average' % (quoted(texts[0].name), length_of(texts[0]))) if texts else \
        ('tabular', 'tables, with no images, sounds or long texts')
    is_mixed = main[0] != 'tabular' and len(others) >= MIXED
    modality = ('mixed', '%s, and %d other columns' % (main[1], len(others))) if is_mixed else main
    kind = 'regression' if worst == 2 else 'tabular' if worst == 3 and (targets or modality[0] in ('tabular', 'mixed')) else \
        ('' if modality[0] in ('tabular', 'mixed') else modality[0] + '_') + 'classification'
    fractions = form.wide or submission and any(is_of_fractions(submission.column(each.name)) for each in targets)
    metric = USUAL_METRICS[worst][bool(fractions)]
    asked = 'row of ' + quoted((test or submission).path) if test or submission else '%s that is like those of %s' % (
        form.example, quoted(form.rows.path if form.rows else train.path)) if form.rows or train else form.example
    return {'data': data_text(card, train, test, submission), 'target': '%s: %s' % (names(form.targets), form.why_these) if targets else '',
            'type': kind, 'type_why': ('%s is ' % form.targets[0] if len(targets) == 1 else 'the targets are ') + VALUES[worst] if targets else
            'a guess by the files; the description says more',
            'modality': modality[0], 'modality_why': modality[1], 'metric': metric,
            'metric_why': 'the usual one for numbers' if worst == 2 else 'classes, and ' + (
                'the sample submission asks for a probability' if fractions else 'nothing says that probabilities are asked for'),
            'text': ['Predict %s for each %s.' % (listed(form.targets, SHOWN), asked), 'A file "submission.csv" with %s.' % submission_text(card, submission)],
            'wrong': wrong(card, train, without(train.names, test.names) if train and test else train.names if train else []),
            'words': ['%s holds words, such as %s' % (each.name, max(each.counts, key=each.counts.get)) for each in targets if is_of_words(each)],
            'numbers': ['%s holds %d different numbers' % (each.name, len(each.counts)) for each in targets if surely_numbers(each)],
            'doubts': list(itertools.chain(doubts(card, train, test), of_answers(card, train, test, submission),
                                           of_words(train, test, submission, form.targets)))}


def submission_text(card, submission):
    classes = None if submission else class_folders(card.files)
    if submission:
        return 'the header and the ids of %s, %s' % (quoted(submission.path), counted(submission.rows, 'row'))
    if classes:
        return 'the header id,label and a row for each file of %s: its path below that folder, with the ending, and the name of its class' % quoted(
            classes.test or '')
    return 'a header, and for each row of the test data its identifier and the prediction'


def names(all_names):
    return ', '.join(all_names[:SHOWN]) + (' and %d more' % (len(all_names) - SHOWN) if len(all_names) > SHOWN else '')


def length_of(each):
    return sum(len(value) * count for value, count in each.counts.items()) / each.present if each.present else 0


def values_of(each, rows):
    """What the values of a target are: the place of a word in VALUES."""
    are_few, classes = 2 * len(each.counts) <= rows, 0 if len(each.counts) == 2 else 1
    if each.kind == 'boolean':
        return 0
    if each.kind in ('category', 'constant', 'digits') or each.kind == 'integer' and are_few and len(each.counts) <= MANY_CLASSES:
        return classes
    return 2 if each.kind in ('integer', 'real', 'number') else 1 if each.kind == 'text' and are_few and length_of(each) < READ else 3


def is_of_words(each):
    return each.kind in ('category', 'text') or each.kind == 'boolean' and '0' not in each.counts


def surely_numbers(each):
    return each.kind == 'real' and len(each.counts) > MANY_NUMBERS


def is_of_fractions(each):
    """Whether a sample submission has fractions where labels could stand."""
    return each is not None and (each.kind == 'real' or each.kind == 'constant' and any(re.fullmatch(r'[0-9]*\.0*[1-9][0-9]*', value) for value in each.counts))


def data_text(card, train, test, submission):
    form = card.form
    found = ['%s (%s, %s)' % (train.path, counted(train.rows, 'row'), counted(len(train.names), 'column'))] if train else \
        ['%s (%s with labels)' % (form.rows.path, counted(len(form.rows), 'file'))] if form.rows else [counted(len(card.files), 'file')]
    found += ['%s (%s)' % (test.path, counted(test.rows, 'row'))] if test else []
    return ', '.join(found + ([submission.path] if submission else [])) + ('' if card.is_done else '; there was no time to look at all of it')


def wrong(card, train, candidates):
    """Why no task can be made of the data, whether a description helps, and which columns may be to be predicted; None if one can."""
    form, classes = card.form, None if train else class_folders(card.files)
    unread = ['; %s: %s' % each for each in card.unread.items()] + [
        '; %s: not of a kind that is read here; save it as CSV' % path for path in card.files if FOREIGN.search(path)]
    tables = [path for path in card.tables if path != card.roles.get('submission')]
    why, is_final = None, False
    twice = [note for note in train.notes if note.startswith(TWICE)] if train else ()
    if train and not train.rows:
        why, is_final = '%s has a header and no row: there is nothing to learn from' % train.path, True
    elif TARGETS and form.targets != TARGETS:
        why, is_final = form.why if train else 'the data hold no table with a column %s' % listed(TARGETS, 1), True
    elif classes and classes.test is None:
        why = 'the folders in %s are classes (%s), but there is nothing to predict: put the files in question into a folder test, or say with --description' \
            ' what is asked' % (classes.folder or '.', names(sorted(classes.counts)))
    elif classes and classes.answered:
        why = 'the files in %s lie in folders of their classes, where scripts would see the answers: put them into one folder, and keep the answers' \
            ' elsewhere for mlestar grade --labels' % classes.test
    elif twice and not form.targets:
        why, is_final = '%s has %s; give each a name of its own' % (train.path, twice[0]), True
    elif train and not form.targets:
        why = 'which column is to be predicted cannot be told from the data; say --target ' + ' or '.join(candidates[:8])
    elif not form.targets:
        why = form.why if card.tables else 'the data hold no table that tells what is to be predicted (csv, tsv, json or parquet)'
        why = 'which table is the one for training cannot be told: %s; call it train, e.g. train.csv' % names(tables) if tables else why
        why += ''.join(unread[:1]) + '; or write the task file by hand, see docs/settings.md'
    return why and {'why': why, 'is_final': is_final, 'candidates': [] if is_final or form.targets else candidates}


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


def doubts(card, train, test):
    """What does not fit, and tables that were not read as they were meant."""
    form = card.form
    if train and train.rows < FEW_EXAMPLES:
        yield '%s has %s: too few to learn from' % (train.path, counted(train.rows, 'row'))
    for name in form.targets if test else ():
        if test.column(name):
            yield '%s holds the target %s, too: scripts would see the answers; take the column out of it' % (test.path, name)
    for table in card.tables.values():
        for doubt in table.doubts + [note for note in table.notes if note.startswith(DOUBTFUL)]:
            yield '%s: %s' % (table.path, doubt)
    if form.why or short_of(form):
        yield 'no rows can be hidden: ' + form.why if form.why else short_of(form)


def counted_files(card, kinds):
    return sum(len(group.files) for group in card.groups if group.kind.lower() in kinds)


main(lambda card: {'lines': list(sentences(card)), 'form': described(card.form), 'tables': card.roles, 'task': task(card)})
