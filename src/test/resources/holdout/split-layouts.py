"""Makes data whose form no rule finds, and whose features tell the label, and says how a script predicts from them.

usage: split-layouts.py NAME FOLDER; prints {"metric", "minimize", "description", "predicts"}, where `predicts` is an expression for the values of one `row` of the
sample submission, a mapping, at a `place`."""
import json
import os
import random
import sys

LEARN, TEST = 300, 60
chance = random.Random(20261128)
NAME, FOLDER = sys.argv[1:]


def put(path, text):
    path = os.path.join(FOLDER, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(text.encode())


def table(path, header, rows):
    put(path, header + '\n' + ''.join(','.join(map(str, row)) + '\n' for row in rows))


def recordings():
    """Whose labels are lists in a text, a row for each of five species: see split-recordings.py."""
    heard = [sorted(chance.sample(range(5), chance.randrange(4))) for _ in range(LEARN + TEST)]
    tested = set(chance.sample(range(LEARN + TEST), TEST))
    for number, found in enumerate(heard):
        put('sounds/PC%d_%04d.wav' % (number % 9, number), ' '.join(map(str, found)) + ' . %d' % chance.randrange(10 ** 9))
    table('about/files.txt', 'rec_id,file', [(number, 'PC%d_%04d' % (number % 9, number)) for number in range(len(heard))])
    table('about/folds.txt', 'rec_id,fold', [(number, int(number in tested)) for number in range(len(heard))])
    table('about/labels.txt', 'rec_id,[labels]', [[number] + (['?'] if number in tested else found) for number, found in enumerate(heard)])
    table('sample_submission.csv', 'Id,Probability', [(number * 100 + species, 0) for number in sorted(tested) for species in range(5)])
    name = "next(line.split(',')[1].strip() for line in open('input/about/files.txt') if line.split(',')[0] == str(int(row['Id']) // 100))"
    return 'ROC-AUC', "[int(str(int(row['Id']) % 100) in open('input/sounds/' + " + name + " + '.wav').read().split('.')[0].split())]"


def stained_pages():
    """Whose labels are files, a row for each of four points: see split-pages.py."""
    for number in range(LEARN + TEST):
        page = [chance.randrange(100) for _ in range(4)]
        folder, name = ('train', 3 * number + 7) if number < LEARN else ('test', 3 * (number - LEARN + 1))
        put('%s/%d.pgm' % (folder, name), 'P2 2 2 200\n' + ' '.join(str(each + 100) for each in page))
        if number < LEARN:
            put('train_cleaned/%d.pgm' % name, 'P2 2 2 200\n' + ' '.join(map(str, page)))
    table('sampleSubmission.csv', 'id,value', [('%d_%d' % (3 * number, point), 1) for number in range(1, TEST + 1) for point in range(4)])
    return 'RMSE', "[int(open('input/test/' + row['id'].split('_')[0] + '.pgm').read().split()[4 + int(row['id'].split('_')[1])]) - 100]"


metric, predicts, *description = globals()[NAME]()
print(json.dumps({'metric': metric, 'minimize': metric in ('log loss', 'RMSE'), 'predicts': predicts, 'description': ''.join(description)}))
