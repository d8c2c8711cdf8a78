"""The hold-out, 4 of 9: files that scripts do not see, since they tell the target of training rows, or since they cannot be read whole."""
import bz2
import collections
import gzip
import io
import itertools
import json
import math
import os
import re
import struct
import tarfile
import time
import zipfile

SMALL = 8 << 20              # Bytes of a file that is looked through for MANY_ROWS training rows; a larger one for FEW_ROWS.
DOCUMENT = 32 << 20          # Bytes of a JSON document.
LINE = 1 << 18               # Characters of a line.
BESIDE = 0.1                 # Of the training rows that stand in one line, or between marks, at least, where a table is looked for.
NOTE = 16 << 10              # Bytes of a file that may be one row's.
STRANGE = re.compile('[\0-\x08\x0e-\x1a\x1c-\x1f]')
OPAQUE = ('pkl', 'pickle', 'joblib')
DOCUMENTS = ('json', 'geojson', 'ipynb')
BY_LINE = ('csv', 'tsv', 'tab', 'jsonl', 'ndjson')
NESTED = ('xml', 'html', 'htm', 'yaml', 'yml')
MARKED = re.compile(r'<[^<>]*>')
# Images, sounds and films by their first bytes: they hold no tables.
MEDIA = [(kinds.split(), at, begin) for kinds, at, begin in (
    ('png', 0, b'\x89PNG'), ('jpg jpeg', 0, b'\xff\xd8\xff'), ('gif', 0, b'GIF8'), ('bmp', 0, b'BM'), ('tif tiff', 0, b'II*\0'), ('tif tiff', 0, b'MM\0*'),
    ('webp', 8, b'WEBP'), ('wav', 8, b'WAVE'), ('avi', 8, b'AVI '), ('flac', 0, b'fLaC'), ('ogg oga opus', 0, b'OggS'), ('mp3', 0, b'ID3'),
    ('mp3', 0, b'\xff\xfb'), ('mp3', 0, b'\xff\xf3'), ('mp4 m4a mov', 4, b'ftyp'), ('dcm', 128, b'DICM'))]


def left_out(card, used, rows, labelled, targets, shown):
    """Goes through all files but the tables that are replaced.

    @param shown columns of the training table that the test has, too, the ids first
    @return the paths of files that tell the target, and of those that could not be read whole"""
    global END
    END = max(END, time.monotonic() + SECONDS / 7)
    many, few = (Sought(rows, labelled, targets, shown, most) for most in (MANY_ROWS, FEW_ROWS))
    found, others = card.found
    if others['listing that was cut'] or others['folder that cannot be read']:
        raise Missing('not all files of the data could be listed')
    tells, unread = set(), set()
    files = [(size, path) for path, size in found if path not in used and not is_alias(card.root, path)]
    try:
        look_through(map(name_line, (path for _, path in files)), many)
    except Told:
        raise Missing('the names of files tell ' + listed(targets, 4))
    for group in group_files([(path, size) for size, path in files if size <= NOTE]):
        try:
            look_through((stem(path) + '\t' + ' '.join(note(card.root, path).split()) for path in group.files), many)
        except Told:
            tells.update(group.files)
    for size, path in sorted(files):
        whole_path = os.path.join(card.root, path)
        try:
            if path not in tells:
                look_into(path, whole_path, many if size <= SMALL else few)
        except Told:
            tells.add(path)
        except Exception:  # Whatever a reader raises: what is not known is not shown.
            unread.add(path)
    return sorted(tells), sorted(unread)


def is_alias(root, path):
    """A link within the data: what it leads to is looked at where it lies."""
    return os.path.islink(os.path.join(root, path)) and os.path.realpath(os.path.join(root, path)).startswith(os.path.realpath(root) + os.sep)


def name_line(path):
    return '\t'.join(re.split('[/_. -]', path) + [stem(path)])


def note(root, path):
    try:
        with open(os.path.join(root, path), 'rb') as file:
            return file.read(2000).decode('utf-8', 'replace')
    except OSError:
        return ''


def look_into(path, whole_path, sought):
    """@raise Told, or anything else if it cannot be read whole"""
    kind = kind_of_file(path).lower()
    if ARCHIVE.search(path) and kind == 'zip':
        with zipfile.ZipFile(whole_path) as archive:
            look_through(map(name_line, archive.namelist()), sought)
            for one in archive.infolist():
                if not one.is_dir():
                    look_into_file(one.filename, lambda: archive.open(one), sought)
    elif ARCHIVE.search(path):
        names = []
        with tarfile.open(whole_path) as archive:
            for one in archive:
                names.append(one.name)
                if one.isfile():
                    look_into_file(one.name, lambda: archive.extractfile(one), sought)
        look_through(map(name_line, names), sought)
    elif kind in ('gz', 'bz2'):
        look_into_file(path[:-1 - len(kind)], lambda: (gzip if kind == 'gz' else bz2).open(whole_path), sought)
    elif kind in ('parquet', 'pq'):
        look_through(parquet_lines(whole_path), sought)
    else:
        look_into_file(path, lambda: open(whole_path, 'rb'), sought)


def look_into_file(name, opened, sought):
    if is_time_over():
        raise Unreadable('the time was over')
    kind = kind_of_file(name).lower()
    with opened() as file:
        head = file.read(256)
    if any(kind in kinds and head[at:].startswith(begin) for kinds, at, begin in MEDIA):
        return
    if kind in OPAQUE or ARCHIVE.search(name) or head.startswith((b'\x1f\x8b', b'BZh', b'PK\3\4')):
        raise Unreadable('what is packed within it was not looked at')
    if head.startswith(b'\x93NUMPY'):
        look_into_array(opened, sought)
    elif kind in DOCUMENTS or head.lstrip()[:1] in (b'{', b'['):
        look_into_document(kind, opened, sought)
    else:
        look_into_text(kind, opened, sought)


def look_into_text(kind, opened, sought):
    """Line by line; where quotes reach over lines also by them; what has its rows below each other by a few lines at once; what has them beside each
    other by columns; and between marks as in XML."""
    state = {'odd': False, 'size': 0}
    look_through(lines_of(opened, state), sought)
    if state['odd']:
        look_through((text for text, _ in split(lines_of(opened, {}))), sought)
    if state['size'] > SMALL:
        return
    if kind in NESTED or kind not in BY_LINE:
        look_through(windows(lines_of(opened, {})), sought)
    look_through(turned(lines_of(opened, {}), BESIDE * len(sought.rows)), sought)
    whole = ''.join(lines_of(opened, {}))
    marks = MARKED.findall(whole)
    if len(marks) >= BESIDE * len(sought.rows):
        texts, names = list(filter(None, map(str.strip, MARKED.split(whole)))), collections.Counter(mark.split()[0] for mark in marks)
        of_one_name = (mark for mark in marks if mark.split()[0] == max(names, key=names.get))
        for lines in of_one_name, texts, windows(texts):
            look_through(lines, sought)


def turned(lines, width):
    """The columns of the lines with so many fields: each is a row of a table that lies on its side."""
    rows = (max((line.rstrip('\r\n').split(delimiter) for delimiter in [None] + list(DELIMITERS)), key=len) for line in lines)
    return map('\t'.join, itertools.zip_longest(*(row for row in rows if len(row) >= width), fillvalue=''))


def lines_of(opened, state):
    state.update(odd=False, size=0)
    with opened() as binary, io.TextIOWrapper(binary, 'utf-8-sig', 'replace') as file:
        for number, line in enumerate(iter(lambda: file.readline(LINE), '')):
            state['size'] += len(line)
            if state['size'] > LARGEST or len(line) == LINE:
                raise Unreadable('it is too large, or has lines that are too long')
            if '\0' in line or number < 1000 and STRANGE.search(line):
                raise Unreadable('it is no text')
            if number % 1000 == 999 and is_time_over():
                raise Unreadable('the time was over')
            state['odd'] = state['odd'] or line.count('"') % 2 == 1
            yield line


def windows(lines):
    last = collections.deque(maxlen=6)
    for line in lines:
        last.append(line.strip())
        if len(last) == last.maxlen:
            yield '\t'.join(last)
    while last:
        yield '\t'.join(last)
        last.popleft()


def look_into_document(kind, opened, sought):
    with opened() as file:
        text = file.read(DOCUMENT + 1)
    if len(text) > DOCUMENT and kind in DOCUMENTS:
        raise Unreadable('it is too large')
    try:
        document = json.loads(text) if len(text) <= DOCUMENT else None
    except ValueError:
        document = None
    if isinstance(document, (dict, list)):
        look_into_things(document, sought)
    else:
        look_into_text(kind, opened, sought)


def look_into_things(thing, sought):
    """A list or a mapping: each of its things is a line, whatever is within it; then those in turn."""
    inner = list(thing.values()) if isinstance(thing, dict) else thing
    if len(inner) >= 5:
        look_through(('\t'.join(itertools.islice(leaves(each), 400)) for each in (thing.items() if isinstance(thing, dict) else thing)), sought)
    for each in inner:
        if isinstance(each, (dict, list)):
            look_into_things(each, sought)
        elif isinstance(each, str) and '\n' in each:
            look_through(each.split('\n'), sought)


def leaves(thing):
    """Names and values of a thing, those further within it later."""
    within = [thing]
    while within:
        thing = within.pop(0)
        for each in itertools.chain.from_iterable(thing.items()) if isinstance(thing, dict) else thing if isinstance(thing, (list, tuple)) else [thing]:
            if isinstance(each, (dict, list, tuple)):
                within.append(each)
            else:
                yield json_text(each)


def look_into_array(opened, sought):
    """A NumPy array, whose rows are taken to be those of the training table if they are as many or more."""
    with opened() as file:
        head = file.read(10)
        length = struct.unpack('<H', head[8:10])[0] if head[6] == 1 else struct.unpack('<I', head[8:10] + file.read(2))[0]
        form = re.search(r"'descr': '([<>|])([fiub])([1248])', 'fortran_order': (\w+), 'shape': \(([0-9, ]*)\)", file.read(length).decode('latin-1'))
        shape = [int(each) for each in form.group(5).split(',') if each.strip()]
        width = math.prod(shape[1:])
        if not shape or shape[0] < len(sought.rows) or form.group(4) == 'True' and len(shape) > 1 or width > 100000:
            raise Unreadable('its rows cannot be told')
        letter = {'f2': 'e', 'f4': 'f', 'f8': 'd', 'b1': '?'}.get(form.group(2) + form.group(3)) or \
            {'1': 'b', '2': 'h', '4': 'i', '8': 'q'}[form.group(3)].translate({} if form.group(2) == 'i' else str.maketrans('bhiq', 'BHIQ'))
        row_form, begin = struct.Struct(form.group(1).replace('|', '<') + str(width) + letter), file.tell()
        found = {}
        for row in sorted(sought.sample):
            file.seek(begin + row * row_form.size)
            found[row] = '\t'.join('%r' % value for value in row_form.unpack(file.read(row_form.size)))
    look_at_columns(found, sought)


def parquet_lines(path):
    import pyarrow.parquet
    file = pyarrow.parquet.ParquetFile(path)
    if file.metadata.num_rows * file.metadata.num_columns > 20 * CELLS:
        raise Unreadable('it is too large')
    for part in file.iter_batches(batch_size=1000):
        if is_time_over():
            raise Unreadable('the time was over')
        for row in zip(*([parquet_text(value) for value in part.column(i).to_pylist()] for i in range(part.num_columns))):
            yield '\t'.join(row)
