"""Makes ./input with 1,000 training rows, whose labels stand in every form that files may have, beside files that tell nothing.

IS_CLASS before it says whether the target is one of two classes, or a number. Prints {"leaks", "harmless"}: paths below ./input."""
import bz2
import csv
import gzip
import io
import json
import os
import pickle
import random
import sqlite3
import struct
import tarfile
import zipfile

chance = random.Random(3)
rows = [(i, '%s %s' % (chance.choice(('Ann', 'Bo')), chance.choice(('Lee', 'Ray'))), round(chance.gauss(0, 1), 4),
         chance.choice((0, 1)) if IS_CLASS else round(chance.gauss(50, 20), 3)) for i in chance.sample(range(5000), 1000)]
tests = [(i, 'Bo Lee', 0.5) for i in range(6000, 6100)]
leaks, harmless = [], []


def path(name, told):
    told.append(name)
    os.makedirs(os.path.dirname(os.path.join('input', name)), exist_ok=True)
    return os.path.join('input', name)


def text(header, things, delimiter=','):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator='\n')
    writer.writerows(([header] if header else []) + [list(each) for each in things])
    return out.getvalue()


def leak(name, content):
    with open(path(name, leaks), 'wb') as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def stays(name, content):
    with open(path(name, harmless), 'wb') as file:
        file.write(content if isinstance(content, bytes) else content.encode())


os.makedirs('input')
whole = text(('id', 'name', 'x', 'target'), rows)
for name, content in (('train.csv', whole), ('test.csv', text(('id', 'name', 'x'), tests)),
                      ('sample_submission.csv', text(('id', 'target'), [(row[0], 0) for row in tests]))):
    with open(os.path.join('input', name), 'w', newline='') as file:
        file.write(content)

leak('copy.csv', whole)
leak('backup.csv', whole.replace('target', 'y'))
leak('old/train_old.csv', text(('id', 'name', 'x', 'Target'), rows[:600]))
leak('labels.csv', text(('id', 'label'), [(row[0], row[3]) for row in chance.sample(rows, 1000)]))
leak('renamed.csv', text(('id', 'label'), [(row[0], ('no', 'yes')[row[3]] if IS_CLASS else row[3]) for row in rows]))
leak('scaled.csv', text(('id', 'label'), [(row[0], (row[3] - 7) * 3.25) for row in rows]))
leak('floats.csv', text(('id', 'label'), [(float(row[0]), row[3]) for row in chance.sample(rows, 1000)]))
leak('semicolons.csv', whole.replace(',', ';'))
for name in ('train.csv~', 'train.csv.bak', 'train.txt', 'train.dat', 'noextension'):
    leak(name, whole)
leak('.train.csv.swp', b'b0VIM 9.0\0\0\0' + whole.encode())
leak('y.csv', text(None, [(row[0], row[3]) for row in rows]))
leak('only.txt', '\n'.join(str(row[3]) for row in rows))
leak('quoted.csv', text(('id', 'note', 'label'), [(row[0], 'a\nb, c', row[3]) for row in rows]))
leak('train.arff', '@relation r\n@attribute id numeric\n@data\n' + text(None, rows))
leak('train.libsvm', ''.join('%s 1:%s 2:%s\n' % (row[3], row[0], row[2]) for row in rows))
leak('nested.json', json.dumps({'data': {'rows': [{'id': row[0], 'more': {'label': row[3]}} for row in rows]}}, indent=2))
leak('columns.json', json.dumps({'x': [row[2] for row in rows], 'y': [row[3] for row in rows]}))
leak('by_id.json', json.dumps({row[0]: row[3] for row in rows}))
leak('lines.jsonl', ''.join(json.dumps({'id': row[0], 'label': row[3]}) + '\n' for row in rows))
leak('rows.xml', '<rows>\n' + ''.join('<row>\n<id>%s</id>\n<x>%s</x>\n<y>%s</y>\n</row>\n' % (row[0], row[2], row[3]) for row in rows) + '</rows>\n')
leak('README.md', '# Data\n\nIt\'s "old.\n\n| id | label |\n|---|---|\n' + ''.join('| %s | %s |\n' % (row[0], row[3]) for row in rows))
leak('notes.md', ''.join('id: %s\nvalue: %s\n\n' % (row[0], row[3]) for row in rows))
leak('turned.csv', text(None, zip(*[('id', 'label')] + [(row[0], row[3]) for row in chance.sample(rows, 1000)])))
leak('turned.txt', '\n'.join(' '.join(map(str, each)) for each in zip(*[(row[0], row[3]) for row in chance.sample(rows, 300)])))
leak('by_place.tsv', 'label\t' + '\t'.join(str(row[3]) for row in rows))
leak('plot.svg', '<svg>' + ''.join('<text x="%d">%s</text>' % (i, row[3]) for i, row in enumerate(rows)) + '</svg>')
leak('pairs.svg', '<svg><g>' + ''.join('<text>%s</text><text>%s</text>' % (row[0], row[3]) for row in chance.sample(rows, 1000)) + '</g></svg>')
leak('points.svg', '<svg><g>' + ''.join('<circle id="r%s" cy="%s"/>' % (row[0], row[3]) for row in rows) + '</g></svg>')
leak('wrapped.html', '<table>' + ''.join('<tr><td>%s</td><td>%s</td></tr>' % (row[0], row[3]) for row in rows) + '</table>')
leak('train.pkl', pickle.dumps(rows, 0))
leak('train.csv.gz', gzip.compress(whole.encode()))
leak('train.csv.bz2', bz2.compress(whole.encode()))
leak('train.xlsx', b'PK\3\4' + bytes(range(256)))
leak('y.npy', b"\x93NUMPY\1\0\x76\0" + "{'descr': '<f8', 'fortran_order': False, 'shape': (1000,), }".ljust(117).encode() + b'\n'
     + struct.pack('<1000d', *(row[3] for row in rows)))
leak('fake.png', whole)
for i in range(40):
    leak('parts/part%d.csv' % i, text(('key', 'value'), [(row[0], row[3]) for row in rows[i * 25:i * 25 + 25]]))
with zipfile.ZipFile(path('competition.zip', leaks), 'w') as archive:
    archive.writestr('data/train.csv', whole)
with tarfile.open(path('backup.tar.gz', leaks), 'w:gz') as archive:
    archive.add('input/train.csv', 'train.csv')
with zipfile.ZipFile(path('nested.zip', leaks), 'w') as archive:
    archive.write('input/competition.zip', 'competition.zip')
database = sqlite3.connect(path('train.sqlite', leaks))
database.execute('create table train (id integer, name text, x real, target real)')
database.executemany('insert into train values (?, ?, ?, ?)', rows)
database.commit()
database.close()

png = b'\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0'
stays('images/1.png', png)
stays('logo.svg', '<svg>' + ''.join('<path d="M %d %d"/>' % (i, chance.randrange(99)) for i in range(2000)) + '</svg>')
stays('wide.csv', text(None, zip(*[(row[0], row[2]) for row in rows])))
stays('README.txt', 'Rows of 3 shops. The target is 0 or 1.\nThere are 1000 rows.\n')
stays('names.csv', text(('name', 'age', 'flag'), [('Ann Lee', 30, 1), ('Bo Ray', 40, 0), ('Bo Lee', 50, 1), ('Ann Ray', 20, 0)]))
stays('more.csv', text(('id', 'height', 'flag'), [(row[0], round(chance.gauss(170, 9), 1), chance.choice((0, 1))) for row in rows + tests]))
stays('features.csv', text(('id', 'name', 'x'), [row[:3] for row in rows]))
stays('numbers.csv', text(('a', 'b', 'c'), [(i, i % 2, chance.randrange(5000)) for i in range(1, 2000)]))
stays('classes.json', json.dumps({'0': 'cat', '1': 'dog', 'sizes': {'a': [1, 2, 3, 4, 5, 6]}}))
stays('events.jsonl', ''.join(json.dumps({'id': chance.choice(rows)[0], 'kind': chance.choice(('buy', 'sell'))}) + '\n' for _ in range(3000)))
stays('embedding.npy', b"\x93NUMPY\1\0\x76\0" + "{'descr': '<f4', 'fortran_order': False, 'shape': (1100, 8), }".ljust(117).encode() + b'\n'
      + struct.pack('<8800f', *(chance.random() for _ in range(8800))))
with zipfile.ZipFile(path('photos.zip', leaks), 'w') as archive:
    for row in rows:
        archive.writestr('%s/%s.png' % (row[3], row[0]), png)
with zipfile.ZipFile(path('images.zip', harmless), 'w') as archive:
    archive.writestr('2.png', png)
    archive.writestr('test.csv', text(('id', 'name', 'x'), tests))
for i in range(400):
    stays('small/%03d.csv' % i, text(('a', 'b'), [(i, i + 1), (i + 2, i * i)]))
leak('small/zz_all.csv', text(('id', 'target'), [(row[0], row[3]) for row in rows]))
print(json.dumps({'leaks': leaks, 'harmless': harmless}))
