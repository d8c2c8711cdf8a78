"""The form, printed: as JSON, and as lines for people. Where it is not clear it is `why` not."""

said = [{'form': {'why': 'the time was over'}, 'lines': ['not clear: the time was over']}]


def look(card):
    try:
        found = described(form_of(card))
        said.append({'form': found, 'lines': list(sentences(found))})
    except Missing as why:
        said.append({'form': {'why': str(why)}, 'lines': ['not clear: %s' % why]})
    except Exception as e:
        said.append({'form': {'why': 'the program that looks for it failed: ' + reason(e)}, 'lines': ['not clear: the program failed: ' + reason(e)]})


def sentences(form):
    example, label, submission = form['example'], form['label'], form['submission']
    yield 'example: a %s%s, named by %s' % (example['is'], ' of %s' % quoted(example['table']) if example['table'] else '',
                                           listed(example['key'], 4) if example['key'] else 'its place')
    for files in example['files']:
        yield 'files: %s for training, %s' % (quoted(files['training'], 120), quoted(files['test'], 120) + ' for the test' if files['test'] else 'none for the test')
    yield 'test: %s' % (quoted(example['test_table']) if example['test_table'] else 'no table; %s names its examples' % quoted(submission['sample']))
    yield 'label: %s%s%s' % (listed(label['targets'], 8), {'columns': '', 'field': '', 'class column': ', whose values are columns of the submission'}.get(
        label['at'], ', which is the ' + label['at']), '; %s without' % counted(label['missing'], 'example') if label['missing'] else '')
    yield 'submission: as %s, %s: %s' % (quoted(submission['sample']), submission['asks'], listed(submission['columns'], 8))
    if form['groups']:
        yield 'groups: %s, whose examples belong together' % quoted(form['groups'])


main(lambda card: said[-1], look)
