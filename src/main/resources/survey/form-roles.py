"""The form, 1 of 5: which table is for what, and which columns are to be predicted, by names and by what was looked at of each."""

USUAL = ('target', 'label', 'labels', 'class', 'category', 'y', 'outcome', 'response', 'score')
ROLES = (
    ('submission', SUBMISSION, ('sample_submission', 'samplesubmission', 'submission_format', 'submissionformat')),
    ('train', re.compile(r'(^|[^a-z])train(ing)?([^a-z]|$)', re.IGNORECASE), ('train', 'training')),
    ('test', re.compile(r'(^|[^a-z])test(ing)?([^a-z]|$)', re.IGNORECASE), ('test', 'testing')),
)


def stem(path):
    return os.path.basename(path).split('.')[0]


def roles(paths):
    """Which tables are for training, testing and the form of the submission, by their names."""
    found = {}
    for role, pattern, exact in ROLES:
        named = [path for path in paths if pattern.search(stem(path)) and path not in found.values()]
        if named:
            found[role] = min(named, key=lambda path: (
                stem(path).lower() not in exact, role == 'submission' and not EXAMPLE.search(stem(path)), len(stem(path)), path))
    return found


def asking(tables, train, test):
    """Tables with columns of training that the test lacks, behind one of the test. One of another name must have the very ids of the test,
    and one value for all: several may be the answers."""
    for table in tables:
        asked, first = without(table.names, test.names), table.names[0]
        if asked and first in test.names and not without(asked, train.names) and table not in (train, test):
            ids = set(table.keys.get(first, ()))
            is_same = ids and ids == set(test.keys.get(first, ())) and all(len(table.column(name).counts) <= 1 for name in asked)
            if is_same or SUBMISSION.search(stem(table.path)) and not is_of_other_rows(table, test):
                yield table


def is_of_other_rows(table, test):
    """Whether it has ids in the column that names the test's rows, and none of these, as submissions to another task have."""
    ids, there = (each.keys.get(table.names[0]) for each in (table, test))
    return bool(ids and there) and not set(ids) & set(there)


def labelled_tables(card):
    """Tables that have what the submission asks for, whatever they are called, and not for its own rows; without one any that is left."""
    sample = card.tables.get(card.roles.get('submission'))
    others = [path for path in card.tables if path not in card.roles.values()]
    if not sample:
        return others
    asked, key = sample.names[1:], sample.names[0]

    def is_labelled(table):
        has_all = asked and set(asked) <= set(table.names) or len(whose_classes_are_asked(table, sample)) == 1
        return has_all and key in table.names and not set(sample.keys.get(key, ())) & set(table.keys.get(key, ()))
    return [path for path in others if is_labelled(card.tables[path])]


def look_at_roles(card):
    """Which of the tables that were read is for what, by their content before their names."""
    train, test, named = tables_of(card)
    if named and test and is_of_other_rows(named, test):
        rest = [path for path in card.tables if path not in card.roles.values() and not is_of_other_rows(card.tables[path], test)]
        del card.roles['submission']
        card.roles.update({role: path for role, path in roles(rest).items() if role == 'submission'})
    found = [table.path for table in asking(card.tables.values(), train, test)] if train and test else []
    if len(found) == 1 or found and roles(found).get('submission'):
        card.roles['submission'] = roles(found).get('submission') or found[0]
    labelled = labelled_tables(card)
    if 'train' not in card.roles and len(labelled) == 1:
        card.roles['train'] = labelled[0]


def tables_of(card):
    return [card.tables.get(card.roles.get(role)) for role in ('train', 'test', 'submission')]


def look_at_targets(card, form):
    """The columns to be predicted, why these, and what the submission calls them.

    @raise Missing if it is not clear"""
    train, test, sample = tables_of(card)
    names, has = sample.names if sample else [], set(train.names)
    asked = without(names, test.names) if test else names[1:]
    wanted = [name for name in asked if name in has]
    if wanted and len(asked) > 1 and asked[0] == names[0] and len(sample.columns[0].counts) == sample.sampled:
        wanted = without(wanted, names[:1])
    lacks = without(train.names, test.names) if test else []
    both = [name for name in names[1:] if name in has and not lacks]
    classes = whose_classes_are_asked(train, sample) if sample else []
    usual = [name for name in lacks or train.names if name.lower() in USUAL]
    if without(TARGETS, train.names):
        raise Missing('%s has no column %s; it has %s' % (quoted(train.path), listed(without(TARGETS, train.names), 1), listed(train.names, 8)))
    if TARGETS:
        form.targets, form.why_these = TARGETS, 'as you say'
    elif wanted:
        form.targets, form.why_these = wanted, '%s has it' % sample.path + (', and %s lacks it' % test.path if test else '')
    elif len(classes) == 1:
        form.targets, form.why_these, form.wide, form.label_at = [classes[0].name], 'its values are the columns of ' + sample.path, True, 'class column'
        form.of_class = classes_behind(classes[0], names[1:])
    elif len(lacks) == 1 or both:
        form.targets, form.why_these = lacks or both, 'the only column that %s lacks' % test.path if lacks else 'asked for by ' + sample.path
    elif not sample and len(usual) == 1:
        form.targets, form.why_these = usual, 'its name says so; nothing else tells'
    form.asked = names[1:] if form.wide or not set(form.targets) <= set(names) else form.targets
    if sample and (not form.targets or not form.wide and len(form.asked) != len(form.targets)):
        strange = without(names[1:], train.names)
        lacks = ': it lacks ' + listed(strange, 4) if strange else ''
        raise Missing('it is not clear which columns of %s the submission asks for%s' % (quoted(train.path), lacks))


def whose_classes_are_asked(train, submission):
    """The columns of the training table whose values are columns of the submission: a probability for each class."""
    asked = submission.names[1:] if submission else ()
    return [each for each in train.columns if each.present and len(asked) > 1 and classes_behind(each, asked)]


def classes_behind(each, names):
    """The name that stands for each value of a column, if the names are values, or all of the values behind the same beginning, up to case and 1 or 1.0.
    Else nothing."""
    if set(names) <= set(each.counts):
        return {name: name for name in names}
    values = {re.sub(r'\.0$', '', value).lower(): value for value in each.counts} if len(each.counts) == len(names) else {}
    for value in values:
        begin = names[0][:len(names[0]) - len(value)]
        found = {values.get(name[len(begin):].lower()): name for name in names if name.startswith(begin)}
        if names[0].lower().endswith(value) and len(found) == len(names) and None not in found:
            return found
    return {}


def target_text(each):
    """A target with few values as the shares of its classes, whatever else it is."""
    return each.text if len(each.counts) > 20 or len(each.counts) < 2 else '%d values: %s' % (len(each.counts), shares(each.counts, each.present, 20))
