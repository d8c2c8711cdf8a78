"""Makes the data of a competition in one of the usual layouts, whose features tell the label, and says how a script predicts from them.

usage: layouts.py NAME FOLDER; prints {"metric", "minimize", "description", "predicts"}, where `predicts` is an expression for the values of one `row` of the
sample submission, a mapping, at a `place`."""
import gzip
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
        file.write(gzip.compress(text.encode()) if path.endswith('.gz') else text.encode())


def table(path, header, rows):
    put(path, header + '\n' + ''.join(','.join(map(str, row)) + '\n' for row in rows))


def ids(count, size=12):
    return [''.join(chance.choice('0123456789abcdef') for _ in range(size)) for _ in range(count)]


def labels(count, classes=2):
    return [chance.randrange(classes) for _ in range(count)]


def told(label):
    """What a file says: its label among noise."""
    return '%s %d' % (label, chance.randrange(10 ** 9))


def read(path):
    return "open('input/' + %s).read().split()[0]" % path


y, z, a, b = labels(LEARN), labels(TEST), ids(LEARN), ids(TEST)


def files(learnt, tested):
    for each, label in zip(a, y):
        put(learnt % each, told(label))
    for each, label in zip(b, z):
        put(tested % each, told(label))


def named_by_the_sample():
    files('train/%s.jpg', 'test/%s.jpg')
    table('train.csv', 'id,has', [(each + '.jpg', label) for each, label in zip(a, y)])
    table('sample_submission.csv', 'id,has', [(each + '.jpg', .5) for each in b])
    return 'ROC-AUC', '[%s]' % read("'test/' + row['id']")


def folders_of_other_names():
    files('train_images/%s.png', 'test_images/%s.png')
    table('train.csv', 'code,grade', zip(a, y))
    table('test.csv', 'code', zip(b))
    table('sample_submission.csv', 'code,grade', [(each, 0) for each in b])
    return 'quadratic weighted kappa', '[%s]' % read("'test_images/' + row['code'] + '.png'")


def classes_in_labels_csv():
    files('train/%s.jpg', 'test/%s.jpg')
    table('labels.csv', 'id,breed', [(each, 'ab'[label]) for each, label in zip(a, y)])
    table('sample_submission.csv', 'id,a,b', [(each, .5, .5) for each in b])
    return 'log loss', "[1 - float(%s), float(%s)]" % (2 * (read("'test/' + row['id'] + '.jpg'"),))


def one_folder():
    global a, b
    a, b = ['Train_%d' % i for i in range(LEARN)], ['Test_%d' % i for i in range(TEST)]
    files('images/%s.jpg', 'images/%s.jpg')
    table('train.csv', 'image_id,rust,healthy', [(each, label, 1 - label) for each, label in zip(a, y)])
    table('test.csv', 'image_id', zip(b))
    table('sample_submission.csv', 'image_id,rust,healthy', [(each, .5, .5) for each in b])
    return 'ROC-AUC', "[%s, 1 - float(%s)]" % (2 * (read("'images/' + row['image_id'] + '.jpg'"),))


def a_folder_each():
    global a, b
    a, b = list(range(1, LEARN + 1)), list(range(1, TEST + 1))
    files('train/%s/geometry.xyz', 'test/%s/geometry.xyz')
    table('train.csv', 'id,atoms,energy', [(each, each % 7, label) for each, label in zip(a, y)])
    table('test.csv', 'id,atoms', [(each, each % 7) for each in b])
    table('sample_submission.csv', 'id,energy', [(each, .5) for each in b])
    return 'RMSE', '[%s]' % read("'test/' + row['id'] + '/geometry.xyz'")


def patients():
    files('jpeg/train/%s.jpg', 'jpeg/test/%s.jpg')
    table('train.csv', 'image,patient,verdict,target', [(each, 'P%d' % (i // 4), 'yn'[label], label) for i, (each, label) in enumerate(zip(a, y))])
    table('test.csv', 'image,patient', [(each, 'Q%d' % (i // 4)) for i, each in enumerate(b)])
    table('boxes.csv', 'image,left', [(each, i % 90) for i, each in enumerate(a[:200])])
    table('sample_submission.csv', 'image,target', [(each, 0) for each in b])
    return 'ROC-AUC', '[%s]' % read("'jpeg/test/' + row['image'] + '.jpg'")


def names_tell_words():
    for i, label in enumerate(y):
        put('train/%s.%d.jpg' % ('dog' if label else 'cat', i), told(label))
    for i, label in enumerate(z):
        put('test/%d.jpg' % (i + 1), told(label))
    table('sample_submission.csv', 'id,label', [(i + 1, .5) for i in range(TEST)])
    return 'log loss', '[%s]' % read("'test/' + row['id'] + '.jpg'"), 'Is it a dog (1) or a cat (0)?'


def names_tell_numbers():
    for i, label in enumerate(y):
        put('train/2009_%06d_TRAIN%d_%d.wav' % (i, i, label), told(label))
    names = ['2009_%06d_Test%d.wav' % (i * 7, i) for i in range(TEST)]
    for name, label in zip(names, z):
        put('test/' + name, told(label))
    table('sampleSubmission.csv', 'clip,probability', [(name, 0) for name in names])
    return 'ROC-AUC', '[%s]' % read("'test/' + row['clip']")


def class_folders():
    for i, label in enumerate(y):
        put('train/%s/%d.png' % (('rose', 'aster')[label], i), told(('rose', 'aster')[label]))
    for each, label in zip(b, z):
        put('test/%s.png' % each, told(('rose', 'aster')[label]))
    table('sample_submission.csv', 'id,class', [(each, 'rose') for each in b])
    return 'accuracy', '[%s]' % read("'test/' + row['id'] + '.png'")


def class_folders_of_patients():
    for i, label in enumerate(y):
        put('train/p%02d/%s/%d.png' % (i % 40, ('benign', 'malignant')[label], i), told(('benign', 'malignant')[label]))
    for each, label in zip(b, z):
        put('test/%s.png' % each, told(('benign', 'malignant')[label]))
    table('sample_submission.csv', 'id,class', [(each, 'benign') for each in b])
    return 'accuracy', '[%s]' % read("'test/' + row['id'] + '.png'")


def records():
    put('train.json', json.dumps([{'text': told(label), 'id': each, 'votes': i, 'got': bool(label)} for i, (each, label) in enumerate(zip(a, y))]))
    put('test.json', json.dumps([{'text': told(label), 'id': each} for each, label in zip(b, z)]))
    table('sampleSubmission.csv', 'id,got', [(each, 0) for each in b])
    return 'ROC-AUC', "[next(one['text'].split()[0] for one in json.load(open('input/test.json')) if one['id'] == row['id'])]"


def rows_by_place():
    table('train.csv', 'Insult,Comment', [(label, told(label)) for label in y])
    rows = [told(label) for label in z]
    table('test.csv', 'Comment', zip(rows))
    table('sample_submission.csv', 'Insult,Comment', [(0, text) for text in rows])
    return 'ROC-AUC', "[row['Comment'].split()[0]]"


def rows_by_number():
    table('train.csv', 'x,y', zip(y, y))
    table('test.csv', 'x', zip(z))
    table('sample_submission.csv', 'Id,y', [(i + 1, 0) for i in range(TEST)])
    return 'RMSE', "[list(csv.DictReader(open('input/test.csv')))[int(row['Id']) - 1]['x']]"


def key_of_two_columns():
    def made(count):
        return [(sentence, token, chance.choice('uvw') + str(chance.randrange(99))) for sentence in range(count) for token in range(1 + sentence % 5)]
    learnt, tested = made(150), made(40)
    table('en_train.csv', 'sentence,token,before,after', [(s, t, word, word.upper()) for s, t, word in learnt])
    table('en_test.csv', 'sentence,token,before', tested)
    table('en_sample_submission.csv', 'id,after', [('%d_%d' % (s, t), word) for s, t, word in tested])
    return 'accuracy', "[next(one['before'] for one in csv.DictReader(open('input/en_test.csv')) " \
        "if one['sentence'] + '_' + one['token'] == row['id']).upper()]"


def key_of_shop_and_day():
    def made(first, count):
        return [('s%d' % (i % 5), '2024-%02d-%02d' % (1 + i // 5 // 28, 1 + i // 5 % 28), i * 7 % 31) for i in range(first, first + count)]
    table('train.csv', 'shop,day,x,sales', [each + (each[2] + 1,) for each in made(0, 700)])
    table('test.csv', 'shop,day,x', made(700, TEST))
    table('sample_submission.csv', 'shop,day,sales', [each[:2] + (0,) for each in made(700, TEST)])
    return 'RMSE', "[next(int(one['x']) + 1 for one in csv.DictReader(open('input/test.csv')) if (one['shop'], one['day']) == (row['shop'], row['day']))]"


def classes_behind_a_prefix():
    table('train.csv', 'id,x,Status', [(each, label, ('C', 'CL')[label]) for each, label in zip(a, y)])
    table('test.csv', 'id,x', zip(b, z))
    table('sample_submission.csv', 'id,Status_C,Status_CL', [(each, .5, .5) for each in b])
    return 'log loss', "[1 - float(x), float(x)][:2] if [x := next(one['x'] for one in csv.DictReader(open('input/test.csv')) if one['id'] == row['id'])] else 0"


def packed_tables():
    table('train.csv.gz', 'id,x,y', zip(a, y, y))
    table('test.csv.gz', 'id,x', zip(b, z))
    table('sample_submission.csv.gz', 'id,y', [(each, .5) for each in b])
    return 'RMSE', "[next(one['x'] for one in csv.DictReader(gzip.open('input/test.csv.gz', 'rt')) if one['id'] == row['id'])]"


def a_sample_of_a_few_rows():
    table('train.csv', 'id,x,y', zip(a, y, y))
    table('test.csv', 'id,x', zip(b, z))
    table('sample_submission.csv', 'id,y', [(each, .5) for each in b[:5]])
    return 'RMSE', "[next(one['x'] for one in csv.DictReader(open('input/test.csv')) if one['id'] == row['id'])]"


metric, predicts, *description = globals()[NAME]()
print(json.dumps({'metric': metric, 'minimize': metric in ('log loss', 'RMSE'), 'predicts': predicts, 'description': ''.join(description)}))
