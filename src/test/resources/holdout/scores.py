"""Scores predictions in a few plain lines of Python, for comparison with what the program computes.

usage: scores.py < QUESTION, an object: the "metric", how many "keys" name a row (0: its place), the columns that are "asked" for, tables with the "truth",
"labels" whose last column says which part of the rows each id is of (null: all rows are of one), "predictions", tables by name, and of a "blend" which ones with
which weights it is made of.
It prints for each table of predictions its "search", on the folds that it has, and its "select".

usage: scores.py --scikit-learn compares the plain lines with scikit-learn, on made-up predictions."""
import csv
import json
import math
import random
import sys


def auc(truth, given):
    ones, zeros = ([p for y, p in zip(truth, given) if y == label] for label in (1, 0))
    return sum((p > q) + (p == q) / 2 for p in ones for q in zeros) / (len(ones) * len(zeros)) if ones and zeros else None


def log_loss(truth, given):
    """@param truth,given a list for each row, of one number or one for each class"""
    if len(given[0]) == 1:
        truth, given = ([[1 - row[0], row[0]] for row in rows] for rows in (truth, given))
    return -sum(math.log(row[known.index(1)] / sum(row)) for known, row in zip(truth, given)) / len(given)


def rmse(truth, given):
    return math.sqrt(sum((y - p) ** 2 for y, p in zip(truth, given)) / len(truth))


def rmsle(truth, given):
    return rmse(list(map(math.log1p, truth)), list(map(math.log1p, given)))


def kappa(truth, given):
    seen = sum((y - p) ** 2 for y, p in zip(truth, given)) / len(truth)
    return 1 - seen / (sum((y - p) ** 2 for y in truth for p in given) / len(truth) ** 2)


def weighted_mae(truth, given):
    """Sales of more than 50 count five times."""
    weights = [5 if y > 50 else 1 for y in truth]
    return sum(w * abs(y - p) for w, y, p in zip(weights, truth, given)) / sum(weights)


def accuracy(truth, given):
    return sum(y == p for y, p in zip(truth, given)) / len(truth)


def by_columns(score):
    """The mean over the columns on which it is defined."""
    def mean(truth, given):
        scores = [score(*each) for each in zip(zip(*truth), zip(*given))]
        scores = [each for each in scores if each is not None]
        return sum(scores) / len(scores)
    return mean


METRICS = {'ROC-AUC': by_columns(auc), 'mean column-wise ROC-AUC': by_columns(auc), 'log loss': log_loss, 'multi-class log loss': log_loss,
           'RMSE': by_columns(rmse), 'mean column-wise RMSLE': by_columns(rmsle), 'quadratic weighted kappa': by_columns(kappa),
           'accuracy': by_columns(accuracy), 'MAE weighted by w': by_columns(weighted_mae)}


def number(text):
    try:
        return float({'true': '1', 'false': '0'}.get(text.lower(), text))
    except ValueError:
        return text


def read(text, keys, asked):
    """The values of the columns that are asked for, by id; of a column of classes a 1 for its own."""
    header, *rows = csv.reader(text.splitlines())

    def values(row):
        if set(asked) <= set(header):
            return [number(row[header.index(name)]) for name in asked]
        return [float(name in (row[keys], '%s_%s' % (header[keys], row[keys]))) for name in asked]
    return {tuple(row[:keys]) or place: values(row) for place, row in enumerate(rows)}


def score(metric, truth, given, parts):
    """By rank the mean of the parts' scores, else the score on all of their rows."""
    parts = parts if 'AUC' in metric else [sum(parts, [])]
    return sum(METRICS[metric]([truth[each] for each in part], [given[each] for each in part]) for part in parts) / len(parts)


def ranks(values):
    return [sum((other < value) + (other == value) / 2 for other in values) for value in values]


def mean_of_ranks(members, rows):
    """Among those rows, by column."""
    means = [[0] * len(rows) for _ in next(iter(members[0][1].values()))]
    for weight, given in members:
        for mean, column in zip(means, zip(*[given[each] for each in rows])):
            mean[:] = [value + weight * rank for value, rank in zip(mean, ranks(column))]
    return dict(zip(rows, zip(*means)))


def answer(metric, keys, asked, truth, labels, predictions, blend):
    known, parts = {}, {}
    for text in truth:
        known.update(read(text, keys, asked))
    for row in list(csv.reader(labels.splitlines()))[1:] if labels else ():
        parts.setdefault(row[-1], []).append(tuple(row[:keys]))
    for name, text in predictions.items():
        given = read(text, keys, asked)
        folds = [part for of, part in parts.items() if of != 'select' and set(part) <= set(given)] if labels else [list(known)]
        if name in blend and 'AUC' in metric:
            members = [(weight, read(predictions[member], keys, asked)) for member, weight in blend[name].items()]
            given = {key: row for rows in (sum(folds, []), parts['select']) for key, row in mean_of_ranks(members, rows).items()}
        yield name, {'search': score(metric, known, given, folds), 'select': score(metric, known, given, [parts['select']]) if labels else None}


def compare():
    from sklearn import metrics
    chance = random.Random(7)
    size = 300
    ones = [float(chance.random() < .4) for _ in range(size)]
    chances = [min(.99, max(.01, round(chance.gauss(.3 + .4 * label, .3), 2))) for label in ones]
    hot = [[float(label == each) for each in range(3)] for label in (chance.randrange(3) for _ in range(size))]
    shares = [[.2 + label + chance.random() for label in row] for row in hot]
    shares = [[each / sum(row) for each in row] for row in shares]
    numbers = [chance.expovariate(.1) for _ in range(size)]
    guesses = [each * (1 + chance.random()) for each in numbers]
    grades = [chance.randrange(5) for _ in range(size)]
    given = [chance.choice((grade, chance.randrange(5))) for grade in grades]
    single = lambda values: [[each] for each in values]
    pairs = {
        'ROC-AUC': (single(ones), single(chances), metrics.roc_auc_score(ones, chances)),
        'mean column-wise ROC-AUC': (hot, shares, metrics.roc_auc_score(hot, shares, average='macro')),
        'log loss': (single(ones), single(chances), metrics.log_loss(ones, chances)),
        'multi-class log loss': (hot, shares, metrics.log_loss([row.index(1) for row in hot], shares)),
        'RMSE': (single(numbers), single(guesses), metrics.root_mean_squared_error(numbers, guesses)),
        'mean column-wise RMSLE': (list(zip(numbers, guesses)), list(zip(guesses, guesses[1:] + guesses[:1])), (
            metrics.root_mean_squared_log_error(numbers, guesses) + metrics.root_mean_squared_log_error(guesses, guesses[1:] + guesses[:1])) / 2),
        'quadratic weighted kappa': (single(grades), single(given), metrics.cohen_kappa_score(grades, given, weights='quadratic')),
        'accuracy': (single(grades), single(given), metrics.accuracy_score(grades, given)),
        'MAE weighted by w': (single(numbers), single(guesses), metrics.mean_absolute_error(
            numbers, guesses, sample_weight=[5 if each > 50 else 1 for each in numbers]))}
    for metric in METRICS:
        truth, predicted, theirs = pairs[metric]
        ours = METRICS[metric](truth, predicted)
        print('%-26s %.12f, scikit-learn %.12f' % (metric, ours, theirs))
        if abs(ours - theirs) > 1e-12:
            sys.exit('they differ')


if sys.argv[1:] == ['--scikit-learn']:
    compare()
else:
    print(json.dumps(dict(answer(**json.load(sys.stdin)))))
