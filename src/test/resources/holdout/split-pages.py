import os

SAMPLE = 'sampleSubmission.csv'


def read(data, path):
    with open(os.path.join(data, path)) as file:
        return file.read()


def examples(data):
    return sorted(name[:-4] for name in os.listdir(os.path.join(data, 'train')))


def hide(data, hidden):
    answers, moves = [], {}
    for page in hidden:
        clean = read(data, 'train_cleaned/%s.pgm' % page).split()[4:]
        answers += ['%s_%d,%s,%s\n' % (page, point, value, page) for point, value in enumerate(clean)]
        moves['train/%s.pgm' % page] = 'test/%s.pgm' % page
        moves['train_cleaned/%s.pgm' % page] = None
    asked = read(data, SAMPLE) + ''.join(row.split(',')[0] + ',1\n' for row in answers)
    return {'files': {SAMPLE: asked}, 'moves': moves, 'answers': 'id,value,example\n' + ''.join(answers)}
