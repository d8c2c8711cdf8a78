"""Makes the data of a competition in one of the usual layouts: those of the 22 competitions of MLE-bench's Lite split, and some more.

usage: layouts.py NAME FOLDER; writes FOLDER/input and FOLDER/labels.csv, the hidden labels, and prints {"metric", "minimize", "description", "told", "kind",
"classes"}. What belongs to a row tells its label, which `told` reads: an expression for the `row` of the sample submission, a mapping, at a `place`. Its first
word is the label, of several columns with / between them; the rest is noise, of its own for each row. `kind` says what is predicted: chances, shares (chances of
which a row's sum is 1), numbers or classes."""
import gzip
import json
import os
import random
import sys

LEARN, TEST = 200, 60
chance = random.Random(20261128)
NAME, FOLDER = sys.argv[1:]
WORDS = ('zero', 'one', 'two', 'three', 'four')


def put(path, text):
    path = os.path.join(FOLDER, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as file:
        file.write(gzip.compress(text.encode()) if path.endswith('.gz') else text.encode())


def table(path, header, rows):
    put('input/' + path, header + '\n' + ''.join(','.join(map(str, row)) + '\n' for row in rows))


def answers(header, rows):
    table('../labels.csv', header, rows)


def ids(count, size=12):
    return [''.join(chance.choice('0123456789abcdef') for _ in range(size)) for _ in range(count)]


def labels(count, classes=2):
    return [chance.randrange(classes) for _ in range(count)]


def several(count, shares):
    return [tuple(int(chance.random() < share) for share in shares) for _ in range(count)]


def one_of(label, classes):
    return tuple(int(label == each) for each in range(classes))


def told(*values):
    return '%s %d' % ('/'.join(map(str, values)), chance.randrange(10 ** 9))


def text_of(path):
    return "open('input/' + %s).read()" % path


def cell(path, key, column):
    return "next(one[%r] for one in csv.DictReader(open('input/%s')) if one[%r] == row[%r])" % (column, path, key, key)


y, z, a, b = labels(LEARN), labels(TEST), ids(LEARN), ids(TEST)


def files(learnt, tested, of_learnt=None, of_tested=None):
    """One for each example, which tells its label or labels."""
    for pattern, names, known in (learnt, a, of_learnt or y), (tested, b, of_tested or z):
        for name, label in zip(names, known):
            put('input/' + pattern % name, told(*(label if isinstance(label, tuple) else (label,))))


def aerial_cactus():
    files('train/%s.jpg', 'test/%s.jpg')
    table('train.csv', 'id,has_cactus', [(each + '.jpg', label) for each, label in zip(a, y)])
    table('sample_submission.csv', 'id,has_cactus', [(each + '.jpg', .5) for each in b])
    answers('id,has_cactus', [(each + '.jpg', label) for each, label in zip(b, z)])
    return 'ROC-AUC', 'chances', text_of("'test/' + row['id']")


def aptos():
    grades, hidden = labels(LEARN, 5), labels(TEST, 5)
    files('train_images/%s.png', 'test_images/%s.png', grades, hidden)
    table('train.csv', 'id_code,diagnosis', zip(a, grades))
    table('test.csv', 'id_code', zip(b))
    table('sample_submission.csv', 'id_code,diagnosis', [(each, 0) for each in b])
    answers('id_code,diagnosis', zip(b, hidden))
    return 'quadratic weighted kappa', '01234', text_of("'test_images/' + row['id_code'] + '.png'")


def denoising():
    rows = []
    for page in range(1, 31):
        dots = [[chance.randrange(2) for _ in range(8)] for _ in range(6)]
        lines = '\n'.join(' '.join(map(str, line)) for line in dots)
        put('input/%s/%d.png' % ('train' if page > 10 else 'test', page), lines + ' dirt')
        if page > 10:
            put('input/train_cleaned/%d.png' % page, lines)
        else:
            rows += [('%d_%d_%d' % (page, i + 1, k + 1), dots[i][k]) for k in range(8) for i in range(6)]
    table('sampleSubmission.csv', 'id,value', [(each, 1) for each, _ in rows])
    answers('id,value', rows)
    return 'RMSE', 'numbers', ''


def insults():
    def made(known):
        return [(label, '' if chance.random() < .2 else '2012%04d%06dZ' % (chance.randrange(101, 1229), chance.randrange(235959)), told(label)) for label in known]
    learnt, tested = made(y), made(z)
    table('train.csv', 'Insult,Date,Comment', learnt)
    table('test.csv', 'Date,Comment', [row[1:] for row in tested])
    table('sample_submission_null.csv', 'Insult,Date,Comment', [(0,) + row[1:] for row in tested])
    answers('Insult,Date,Comment', tested)
    return 'ROC-AUC', 'chances', "row['Comment']"


def dog_breed():
    breeds = ['boxer', 'collie', 'pug', 'whippet']
    learnt, tested = labels(LEARN, 4), labels(TEST, 4)
    files('train/%s.jpg', 'test/%s.jpg', [one_of(label, 4) for label in learnt], [one_of(label, 4) for label in tested])
    table('labels.csv', 'id,breed', [(each, breeds[label]) for each, label in zip(a, learnt)])
    table('sample_submission.csv', 'id,' + ','.join(breeds), [(each,) + (.25,) * 4 for each in b])
    answers('id,' + ','.join(breeds), [(each,) + one_of(label, 4) for each, label in zip(b, tested)])
    return 'multi-class log loss', 'shares', text_of("'test/' + row['id'] + '.jpg'")


def dogs_vs_cats():
    for i, label in enumerate(y):
        put('input/train/%s.%d.jpg' % ('dog' if label else 'cat', i), told(label))
    for i, label in enumerate(z):
        put('input/test/%d.jpg' % (i + 1), told(label))
    table('sample_submission.csv', 'id,label', [(i + 1, .5) for i in range(TEST)])
    answers('id,label', [(i + 1, label) for i, label in enumerate(z)])
    return 'log loss', 'chances', text_of("'test/' + row['id'] + '.jpg'"), 'Is it a dog (1) or a cat (0)?'


def histopathologic():
    files('train/%s.tif', 'test/%s.tif')
    table('train_labels.csv', 'id,label', zip(a, y))
    table('sample_submission.csv', 'id,label', [(each, 0) for each in b])
    answers('id,label', zip(b, z))
    return 'ROC-AUC', 'chances', text_of("'test/' + row['id'] + '.tif'")


def jigsaw():
    kinds = ['toxic', 'severe_toxic', 'obscene', 'threat', 'insult', 'identity_hate']
    learnt, tested = (several(count, (.4, .2, .3, .15, .4, .25)) for count in (LEARN, TEST))
    table('train.csv', 'id,comment_text,' + ','.join(kinds), [(each, told(*row)) + row for each, row in zip(a, learnt)])
    table('test.csv', 'id,comment_text', [(each, told(*row)) for each, row in zip(b, tested)])
    table('sample_submission.csv', 'id,' + ','.join(kinds), [(each,) + (.5,) * 6 for each in b])
    answers('id,' + ','.join(kinds), [(each,) + row for each, row in zip(b, tested)])
    return 'mean column-wise ROC-AUC', 'chances', cell('test.csv', 'id', 'comment_text')


def leaf():
    species = ['Acer_rubrum', 'Betula_pendula', 'Quercus_alba']
    places = chance.sample(range(1, LEARN + TEST + 1), LEARN + TEST)
    known = labels(LEARN + TEST, 3)
    for place, label in zip(places, known):
        put('input/images/%d.jpg' % place, told(*one_of(label, 3)))
    table('train.csv', 'id,species,margin1', [(place, species[label], label / 4) for place, label in list(zip(places, known))[:LEARN]])
    table('test.csv', 'id,margin1', [(place, label / 4) for place, label in list(zip(places, known))[LEARN:]])
    table('sample_submission.csv', 'id,' + ','.join(species), [(place,) + (1 / 3,) * 3 for place in places[LEARN:]])
    answers('id,' + ','.join(species), [(place,) + one_of(label, 3) for place, label in list(zip(places, known))[LEARN:]])
    return 'multi-class log loss', 'shares', text_of("'images/' + row['id'] + '.jpg'")


def birds():
    recordings = [(i, chance.random() < .35, several(1, (.3,) * 5)[0]) for i in range(120)]
    for i, _, row in recordings:
        put('input/essential_data/src_wavs/PC%d_%04d.wav' % (i % 9, i), told(*row))
    table('essential_data/rec_id2filename.txt', 'rec_id,filename', [(i, 'PC%d_%04d' % (i % 9, i)) for i, _, _ in recordings])
    table('essential_data/CVfolds_2.txt', 'rec_id,fold', [(i, int(is_test)) for i, is_test, _ in recordings])
    table('essential_data/rec_labels_test_hidden.txt', 'rec_id,[labels]',
          [(i, '?') if is_test else (i,) + tuple(k for k in range(5) if row[k]) for i, is_test, row in recordings])
    asked = [(i * 100 + k, row[k]) for i, is_test, row in recordings if is_test for k in range(5)]
    table('sample_submission.csv', 'Id,Probability', [(each, 0) for each, _ in asked])
    answers('Id,Probability', asked)
    return 'ROC-AUC', 'chances', ''


def taxi():
    def made(count):
        rides = []
        for _ in range(count):
            at = '201%d-%02d-%02d %02d:%02d:00' % tuple(chance.randrange(*limits) for limits in ((0, 5), (1, 13), (1, 29), (0, 24), (0, 60)))
            fare = round(3 + chance.expovariate(.1), 2)
            rides.append(('%s.%07d' % (at, chance.randrange(10 ** 7)), fare, at + ' UTC', told(fare)))
        return rides
    learnt, tested = made(LEARN), made(TEST)
    table('train.csv', 'key,fare_amount,pickup_datetime,ride', learnt)
    table('test.csv', 'key,pickup_datetime,ride', [(each, at, ride) for each, _, at, ride in tested])
    table('sample_submission.csv', 'key,fare_amount', [(row[0], 11.35) for row in tested])
    answers('key,fare_amount', [row[:2] for row in tested])
    return 'RMSE', 'numbers', cell('test.csv', 'key', 'ride')


def nomad():
    global a, b
    a, b = list(range(1, LEARN + 1)), list(range(1, TEST + 1))
    learnt, tested = ([(round(chance.random() / 2, 4), round(chance.random() * 5, 4)) for _ in range(count)] for count in (LEARN, TEST))
    files('train/%s/geometry.xyz', 'test/%s/geometry.xyz', learnt, tested)
    table('train.csv', 'id,atoms,formation_energy_ev_natom,bandgap_energy_ev', [(each, each % 7) + row for each, row in zip(a, learnt)])
    table('test.csv', 'id,atoms', [(each, each % 7) for each in b])
    table('sample_submission.csv', 'id,formation_energy_ev_natom,bandgap_energy_ev', [(each, .18, 1.9) for each in b])
    answers('id,formation_energy_ev_natom,bandgap_energy_ev', [(each,) + row for each, row in zip(b, tested)])
    return 'mean column-wise RMSLE', 'numbers', text_of("'test/' + row['id'] + '/geometry.xyz'")


def plants():
    global a, b
    a, b = ['Train_%d' % i for i in range(LEARN)], ['Test_%d' % i for i in range(TEST)]
    learnt, tested = ([one_of(label, 4) for label in labels(count, 4)] for count in (LEARN, TEST))
    files('images/%s.jpg', 'images/%s.jpg', learnt, tested)
    table('train.csv', 'image_id,healthy,multiple_diseases,rust,scab', [(each,) + row for each, row in zip(a, learnt)])
    table('test.csv', 'image_id', zip(b))
    table('sample_submission.csv', 'image_id,healthy,multiple_diseases,rust,scab', [(each,) + (.25,) * 4 for each in b])
    answers('image_id,healthy,multiple_diseases,rust,scab', [(each,) + row for each, row in zip(b, tested)])
    return 'mean column-wise ROC-AUC', 'chances', text_of("'images/' + row['image_id'] + '.jpg'")


def pizza():
    put('input/train.json', json.dumps([{'request_text': told(label), 'request_id': 't3_' + each, 'votes': i, 'requester_received_pizza': bool(label)}
                                        for i, (each, label) in enumerate(zip(a, y))]))
    put('input/test.json', json.dumps([{'request_text': told(label), 'request_id': 't3_' + each} for each, label in zip(b, z)]))
    table('sampleSubmission.csv', 'request_id,requester_received_pizza', [('t3_' + each, 0) for each in b])
    answers('request_id,requester_received_pizza', [('t3_' + each, label) for each, label in zip(b, z)])
    return 'ROC-AUC', 'chances', "next(one['request_text'] for one in json.load(open('input/test.json')) if one['request_id'] == row['request_id'])"


def ranzcr():
    kinds = ['ETT - Normal', 'NGT - Normal', 'CVC - Abnormal', 'Swan Ganz Catheter Present']
    learnt, tested = (several(count, (.2, .3, .4, .5)) for count in (LEARN, TEST))
    files('train/%s.jpg', 'test/%s.jpg', learnt, tested)
    table('train.csv', 'StudyInstanceUID,' + ','.join(kinds) + ',PatientID', [(each,) + row + ('p%d' % (i // 3),) for i, (each, row) in enumerate(zip(a, learnt))])
    table('train_annotations.csv', 'StudyInstanceUID,label', [(each, kinds[i % 4]) for i, each in enumerate(a[:90])])
    table('sample_submission.csv', 'StudyInstanceUID,' + ','.join(kinds), [(each,) + (0,) * 4 for each in b])
    answers('StudyInstanceUID,' + ','.join(kinds), [(each,) + row for each, row in zip(b, tested)])
    return 'mean column-wise ROC-AUC', 'chances', text_of("'test/' + row['StudyInstanceUID'] + '.jpg'")


def melanoma():
    files('jpeg/train/%s.jpg', 'jpeg/test/%s.jpg')
    table('train.csv', 'image_name,patient_id,benign_malignant,target',
          [(each, 'P%d' % (i // 4), ('benign', 'malignant')[label], label) for i, (each, label) in enumerate(zip(a, y))])
    table('test.csv', 'image_name,patient_id', [(each, 'Q%d' % (i // 4)) for i, each in enumerate(b)])
    table('boxes.csv', 'image_name,left', [(each, i % 90) for i, each in enumerate(a[:150])])
    table('sample_submission.csv', 'image_name,target', [(each, 0) for each in b])
    answers('image_name,target', zip(b, z))
    return 'ROC-AUC', 'chances', text_of("'jpeg/test/' + row['image_name'] + '.jpg'")


def spooky():
    authors = ['EAP', 'HPL', 'MWS']
    learnt, tested = labels(LEARN, 3), labels(TEST, 3)
    numbers = ['id%05d' % each for each in chance.sample(range(27000), LEARN + TEST)]
    table('train.csv', 'id,text,author', [(each, told(*one_of(label, 3)), authors[label]) for each, label in zip(numbers, learnt)])
    table('test.csv', 'id,text', [(each, told(*one_of(label, 3))) for each, label in zip(numbers[LEARN:], tested)])
    table('sample_submission.csv', 'id,EAP,HPL,MWS', [(each, .4, .29, .31) for each in numbers[LEARN:]])
    answers('id,EAP,HPL,MWS', [(each,) + one_of(label, 3) for each, label in zip(numbers[LEARN:], tested)])
    return 'multi-class log loss', 'shares', cell('test.csv', 'id', 'text')


def tabular(metric, kind, target, of_target, default):
    known = [of_target() for _ in range(LEARN + TEST)]
    rows = [(i, told(value), value) for i, value in enumerate(known)]
    table('train.csv', 'Id,x,' + target, rows[:LEARN])
    table('test.csv', 'Id,x', [row[:2] for row in rows[LEARN:]])
    table('sample_submission.csv', 'Id,' + target, [(row[0], default) for row in rows[LEARN:]])
    answers('Id,' + target, [(row[0], row[2]) for row in rows[LEARN:]])
    return metric, kind, cell('test.csv', 'Id', 'x')


def playground_dec():
    return tabular('accuracy', '1234567', 'Cover_Type', lambda: chance.choice((1, 2, 2, 2, 3, 7)), 2)


def playground_may():
    return tabular('ROC-AUC', 'chances', 'target', lambda: chance.randrange(2), .5)


def normalization(short, words):
    def made(count):
        return [(sentence, token, told(chance.choice(words))) for sentence in range(count) for token in range(1 + sentence % 5)]
    learnt, tested = made(80), made(30)
    table(short + '_train.csv', 'sentence_id,token_id,class,before,after', [(s, t, 'PLAIN', before, before.split()[0]) for s, t, before in learnt])
    table(short + '_test_2.csv', 'sentence_id,token_id,before', tested)
    table(short + '_sample_submission_2.csv', 'id,after', [('%d_%d' % (s, t), before) for s, t, before in tested])
    answers('id,after', [('%d_%d' % (s, t), before.split()[0]) for s, t, before in tested])
    return 'accuracy', ['?'], "next(one['before'] for one in csv.DictReader(open('input/%s_test_2.csv')) " \
        "if one['sentence_id'] + '_' + one['token_id'] == row['id'])" % short


def normalization_en():
    return normalization('en', WORDS)


def normalization_ru():
    return normalization('ru', ('ноль', 'один', 'два', 'три', 'четыре'))


def whales():
    for i, label in enumerate(y):
        put('input/train/20090328_%06d_%02ds_TRAIN%d_%d.wav' % (i, i % 99, i, label), told(label))
    names = ['20090330_%06d_%02ds_Test%d.wav' % (i * 7, i % 99, i) for i in range(TEST)]
    for name, label in zip(names, z):
        put('input/test/' + name, told(label))
    table('sampleSubmission.csv', 'clip,probability', [(name, 0) for name in names])
    answers('clip,probability', zip(names, z))
    return 'ROC-AUC', 'chances', text_of("'test/' + row['clip']")


def folders(pattern, classes):
    for i, label in enumerate(y):
        put('input/train/' + pattern % {'class': classes[label], 'patient': i % 40, 'number': i}, told(classes[label]))
    for each, label in zip(b, z):
        put('input/test/%s.png' % each, told(classes[label]))
    table('sample_submission.csv', 'id,class', [(each, classes[0]) for each in b])
    answers('id,class', [(each, classes[label]) for each, label in zip(b, z)])
    return 'accuracy', classes, text_of("'test/' + row['id'] + '.png'")


def class_folders():
    return folders('%(class)s/%(number)d.png', ['rose', 'aster'])


def class_folders_of_patients():
    return folders('p%(patient)02d/%(class)s/%(number)d.png', ['benign', 'malignant'])


def weighted_sales():
    """Weights that only training tells, and ids made of two columns."""
    def made(count, week):
        return [('s%d' % (i % 5), week + i // 5, round(chance.gauss(50, 9), 2)) for i in range(count)]
    learnt, tested = made(700, 0), made(TEST, 140)
    table('train.csv', 'Store,Week,x,Sales,w', [each[:2] + (told(each[2]), each[2], 5 if each[2] > 50 else 1) for each in learnt])
    table('test.csv', 'Store,Week,x', [each[:2] + (told(each[2]),) for each in tested])
    table('sample_submission.csv', 'Id,Sales', [('%s_%d' % each[:2], 0) for each in tested])
    answers('Id,Sales,w', [('%s_%d' % each[:2], each[2], 5 if each[2] > 50 else 1) for each in tested])
    return 'MAE weighted by w', 'numbers', "next(one['x'] for one in csv.DictReader(open('input/test.csv')) if one['Store'] + '_' + one['Week'] == row['Id'])"


def rows_by_number():
    known = [round(chance.gauss(50, 9), 2) for _ in range(LEARN + TEST)]
    table('train.csv', 'x,y', [(told(value), value) for value in known[:LEARN]])
    table('test.csv', 'x', [(told(value),) for value in known[LEARN:]])
    table('sample_submission.csv', 'Id,y', [(i + 1, 0) for i in range(TEST)])
    answers('Id,y', [(i + 1, value) for i, value in enumerate(known[LEARN:])])
    return 'RMSE', 'numbers', "list(csv.DictReader(open('input/test.csv')))[int(row['Id']) - 1]['x']"


def shop_and_day():
    def made(first, count):
        return [('s%d' % (i % 5), '2024-%02d-%02d' % (1 + i // 5 // 28, 1 + i // 5 % 28), 1 + i * 7 % 31) for i in range(first, first + count)]
    learnt, tested = made(0, 700), made(700, TEST)
    table('train.csv', 'shop,day,x,sales', [each[:2] + (told(each[2]), each[2]) for each in learnt])
    table('test.csv', 'shop,day,x', [each[:2] + (told(each[2]),) for each in tested])
    table('sample_submission.csv', 'shop,day,sales', [each[:2] + (0,) for each in tested])
    answers('shop,day,sales', tested)
    return 'RMSE', 'numbers', "next(one['x'] for one in csv.DictReader(open('input/test.csv')) if (one['shop'], one['day']) == (row['shop'], row['day']))"


def classes_behind_a_prefix():
    table('train.csv', 'id,x,Status', [(each, told(*one_of(label, 2)), ('C', 'CL')[label]) for each, label in zip(a, y)])
    table('test.csv', 'id,x', [(each, told(*one_of(label, 2))) for each, label in zip(b, z)])
    table('sample_submission.csv', 'id,Status_C,Status_CL', [(each, .5, .5) for each in b])
    answers('id,Status', [(each, ('C', 'CL')[label]) for each, label in zip(b, z)])
    return 'log loss', 'shares', cell('test.csv', 'id', 'x')


def arena():
    """A class is a column of 0 and 1 in training, too."""
    learnt, tested = ([one_of(label, 3) for label in labels(count, 3)] for count in (LEARN, TEST))
    table('train.csv', 'id,x,win_a,win_b,tie', [(each, told(*row)) + row for each, row in zip(a, learnt)])
    table('test.csv', 'id,x', [(each, told(*row)) for each, row in zip(b, tested)])
    table('sample_submission.csv', 'id,win_a,win_b,tie', [(each, .3, .3, .4) for each in b])
    answers('id,win_a,win_b,tie', [(each,) + row for each, row in zip(b, tested)])
    return 'log loss', 'shares', cell('test.csv', 'id', 'x')


def packed_tables():
    known = [round(chance.gauss(50, 9), 2) for _ in range(LEARN + TEST)]
    table('train.csv.gz', 'id,x,y', [(each, told(value), value) for each, value in zip(a, known)])
    table('test.csv.gz', 'id,x', [(each, told(value)) for each, value in zip(b, known[LEARN:])])
    table('sample_submission.csv.gz', 'id,y', [(each, .5) for each in b])
    answers('id,y', zip(b, known[LEARN:]))
    return 'RMSE', 'numbers', cell('test.csv.gz', 'id', 'x').replace('open(', 'gzip.open(').replace("gz')", "gz', 'rt')")


def a_sample_of_a_few_rows():
    result = tabular('RMSE', 'numbers', 'y', lambda: round(chance.gauss(50, 9), 2), .5)
    table('sample_submission.csv', 'Id,y', [(LEARN + i, .5) for i in range(5)])
    with open(os.path.join(FOLDER, 'labels.csv')) as file:
        few = file.readlines()[:6]
    put('labels.csv', ''.join(few))
    return result


metric, kind, reads, *description = globals()[NAME]()
is_kind = kind in ('chances', 'shares', 'numbers')
print(json.dumps({'metric': metric, 'minimize': any(word in metric for word in ('loss', 'RMS', 'MAE')), 'description': ''.join(description), 'told': reads,
                  'kind': kind if is_kind else 'classes', 'classes': [] if is_kind else list(kind)}))
