import csv, glob, gzip, json
path = next(path for path in glob.glob('input/*') if 'submission' in path.lower())
with (gzip.open(path, 'rt') if path.endswith('gz') else open(path)) as file:
    header, *rows = csv.reader(file)
with open('final/submission.csv', 'w') as out:
    writer = csv.writer(out)
    writer.writerow(header)
    for values in reversed(rows) if header[0] in ('id', 'Id') else rows:
        row = dict(zip(header, values))
        predicted = PREDICTS
        asked = COLUMNS
        writer.writerow([predicted[asked.index(name)] if name in asked else row[name] for name in header])
