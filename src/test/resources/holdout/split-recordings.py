import csv
import io
import os

FOLDS, LABELS, SAMPLE = 'about/folds.txt', 'about/labels.txt', 'sample_submission.csv'


def rows(data, path):
    with open(os.path.join(data, path), newline='') as file:
        return list(csv.reader(file))


def text(lines):
    out = io.StringIO()
    csv.writer(out, lineterminator='\n').writerows(lines)
    return out.getvalue()


def examples(data):
    return [rec for rec, fold in rows(data, FOLDS)[1:] if fold == '0']


def hide(data, hidden):
    heard = {row[0]: row[1:] for row in rows(data, LABELS)}
    folds = [[rec, '1' if rec in hidden else fold] for rec, fold in rows(data, FOLDS)]
    labels = [[row[0], '?'] if row[0] in hidden else row for row in rows(data, LABELS)]
    answers = [[str(int(rec) * 100 + species), str(int(str(species) in heard[rec])), rec] for rec in hidden for species in range(5)]
    header, *asked = rows(data, SAMPLE)
    asked = sorted(asked + [[row, '0'] for row, _, _ in answers], key=lambda row: int(row[0]))
    return {
        'files': {FOLDS: text(folds), LABELS: text(labels), SAMPLE: text([header] + asked)},
        'moves': {},
        'answers': text([header + ['example']] + answers),
    }
