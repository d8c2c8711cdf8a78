"""The data card, 6 of 11: files and folders, images, sounds, archives."""

IMAGES = ('png', 'jpg', 'jpeg', 'gif', 'bmp', 'webp', 'tif', 'tiff')
SOUNDS = ('wav', 'flac')
ARCHIVE = re.compile(r'\.(zip|tar|tgz|tar\.gz|tar\.bz2|tbz)$', re.IGNORECASE)
SIDE_BY_SIDE = 8             # Folders with files of one kind that are told one by one.


def walk(root):
    """The regular files below a folder, sorted, as (path below it, size); and what else was found, by what it is."""
    found, others, folders = [], collections.Counter(), ['']
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                for entry in entries:
                    path = os.path.join(folder, entry.name)
                    kind, size = looked_at(entry)
                    if kind == 'folder':
                        folders.append(path)
                    elif kind == 'file':
                        found.append((path, size))
                    else:
                        others[kind] += 1
                    if len(found) >= FILES or is_time_over():
                        others['listing that was cut'] += 1
                        return sorted(found), others
        except OSError:
            others['folder that cannot be read'] += 1
    return sorted(found), others


def looked_at(entry):
    """What a script sees of it. A folder is not gone into by a link: it is seen where it lies, and links may lead in circles."""
    try:
        if entry.is_dir(follow_symlinks=False):
            return 'folder', 0
        if entry.is_dir():
            return 'link to a folder', 0
        state = entry.stat()
        return ('file', state.st_size) if stat.S_ISREG(state.st_mode) else ('pipe, socket or device', 0)
    except OSError:
        return 'link that leads nowhere' if entry.is_symlink() else 'file that cannot be read', 0


class Group:
    """Files of one kind in one folder, or in folders side by side.

    folder  with `*` in place of each name that differs
    """

    def __init__(self, folder, kind):
        self.folder, self.kind, self.files, self.sizes, self.below = folder, kind, [], [], collections.Counter()

    def pattern(self):
        return self.folder + ('/' if self.folder else '') + '*' + ('.' + self.kind if self.kind else '')


def kind_of_file(path):
    stem, dot, kind = os.path.basename(path).rpartition('.')
    return kind if dot and stem and len(kind) <= 12 else ''


def group_files(files):
    groups = {}
    for path, size in files:
        key = (os.path.dirname(path), kind_of_file(path))
        group = groups.setdefault(key, Group(*key))
        group.files.append(path)
        group.sizes.append(size)
    for _ in range(6):
        sides = collections.Counter((os.path.dirname(folder), kind) for folder, kind in groups if folder)
        many = {side for side, count in sides.items() if count > SIDE_BY_SIDE}
        if not many:
            break
        groups = gathered(groups, many)
    return [groups[key] for key in sorted(groups)]


def gathered(groups, many):
    """One group in place of many side by side."""
    fewer = {}
    for (folder, kind), group in groups.items():
        side = (os.path.dirname(folder), kind)
        if folder and side in many:
            key = (os.path.join(side[0], '*'), kind)
            all_of_them = fewer.setdefault(key, Group(*key))
            all_of_them.files += group.files
            all_of_them.sizes += group.sizes
            all_of_them.below[os.path.basename(folder)] += len(group.files)
        else:
            fewer[(folder, kind)] = group
    return fewer


def file_lines(groups):
    lines = []
    for group in groups:
        if len(group.files) <= 6:
            lines += [(quoted(path, 120) + ' ' + sized(size), False, 'file') for path, size in zip(group.files, group.sizes)]
            continue
        said = '%s: %s, %s, each %s' % (quoted(group.pattern(), 120), counted(len(group.files), 'file'), sized(sum(group.sizes)),
                                        span(group.sizes, sized))
        if group.below:
            each = sorted(group.below.values())
            said += '; %s with %s to %s files, e.g. %s' % (counted(len(group.below), 'folder'), grouped(each[0]), grouped(each[-1]),
                                                            listed(sorted(group.below)[:3]))
        else:
            said += ', e.g. ' + quoted(os.path.basename(group.files[0]))
        lines.append((said, True, 'group'))
    return lines


def image(head, file):
    """Format, width, height and mode from the first bytes of a file."""
    if head[:8] == b'\x89PNG\r\n\x1a\n' and head[12:16] == b'IHDR':
        width, height, depth, colour = struct.unpack('>IIBB', head[16:26])
        return 'PNG', width, height, {0: 'grey', 2: 'RGB', 3: 'palette', 4: 'grey with alpha', 6: 'RGBA'}.get(colour, '?') + \
            (' %d bit' % depth if depth != 8 else '')
    if head[:6] in (b'GIF87a', b'GIF89a'):
        return ('GIF',) + struct.unpack('<HH', head[6:10]) + ('palette',)
    if head[:2] == b'BM':
        width, height, _, bits = struct.unpack('<iiHH', head[18:30])
        return 'BMP', width, abs(height), '%d bit' % bits
    if head[:4] == b'RIFF' and head[8:12] == b'WEBP':
        return webp(head)
    if head[:4] in (b'II*\0', b'MM\0*'):
        return tiff(head, file)
    if head[:2] == b'\xff\xd8':
        return jpeg(file)
    raise Unreadable('no image of a format that is known here')


def webp(head):
    if head[12:16] == b'VP8X':
        return 'WebP', 1 + int.from_bytes(head[24:27], 'little'), 1 + int.from_bytes(head[27:30], 'little'), 'RGBA' if head[20] & 16 else 'RGB'
    if head[12:16] == b'VP8L':
        bits = int.from_bytes(head[21:25], 'little')
        return 'WebP', 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF), 'RGBA' if bits >> 28 & 1 else 'RGB'
    width, height = struct.unpack('<HH', head[26:30])
    return 'WebP', width & 0x3FFF, height & 0x3FFF, 'RGB'


def tiff(head, file):
    order = '<' if head[:2] == b'II' else '>'
    file.seek(struct.unpack(order + 'I', head[4:8])[0])
    entries = file.read(2 + 12 * struct.unpack(order + 'H', file.read(2))[0])
    tags = {}
    for at in range(0, len(entries) - 11, 12):
        tag, kind, count = struct.unpack(order + 'HHI', entries[at:at + 8])
        tags[tag] = struct.unpack(order + ('H' if kind == 3 else 'I'), entries[at + 8:at + (10 if kind == 3 else 12)])[0]
    bits = tags.get(258, 8) if tags.get(277, 1) == 1 else 8
    return 'TIFF', tags[256], tags[257], {1: 'grey', 3: 'RGB', 4: 'RGBA'}.get(tags.get(277, 1), '%d channels' % tags.get(277, 1)) + \
        (' %d bit' % bits if bits != 8 else '')


def jpeg(file):
    file.seek(2)
    for _ in range(1000):
        marker = file.read(4)
        if len(marker) < 4 or marker[0] != 0xFF:
            break
        if marker[1] == 0xFF:
            file.seek(-3, 1)
            continue
        if 0xC0 <= marker[1] <= 0xCF and marker[1] not in (0xC4, 0xC8, 0xCC):
            _, height, width, channels = struct.unpack('>BHHB', file.read(6))
            return 'JPEG', width, height, {1: 'grey', 3: 'RGB', 4: 'CMYK'}.get(channels, '%d channels' % channels)
        file.seek(struct.unpack('>H', marker[2:])[0] - 2, 1)
    raise Unreadable('a JPEG without a size')


def sound(head, file):
    """Seconds, samples per second, channels."""
    if head[:4] == b'fLaC':
        bits = int.from_bytes(head[18:26], 'big')
        rate = bits >> 44
        return (bits & (1 << 36) - 1) / rate, rate, (bits >> 41 & 7) + 1
    if head[:4] != b'RIFF' or head[8:12] != b'WAVE':
        raise Unreadable('no sound of a format that is known here')
    file.seek(12)
    rate = None
    for _ in range(1000):
        chunk = file.read(8)
        if len(chunk) < 8:
            break
        name, length = chunk[:4], struct.unpack('<I', chunk[4:])[0]
        if name == b'fmt ':
            channels, rate, per_second = struct.unpack('<HII', file.read(12)[2:])
            file.seek(length - 12 + length % 2, 1)
        elif name == b'data' and rate:
            return length / per_second, rate, channels
        else:
            file.seek(length + length % 2, 1)
    raise Unreadable('a WAV without sound')


def headers(root, group, reader):
    """What the headers of some files of a group say, and of how many not, with the first reason."""
    found, wrong, why = [], 0, ''
    looked = spread(group.files, HEADERS)
    for path in looked:
        if is_time_over():
            break
        try:
            with open(os.path.join(root, path), 'rb') as file:
                found.append(reader(file.read(64), file))
        except (OSError, Unreadable, struct.error, ValueError, KeyError, IndexError, ZeroDivisionError, OverflowError) as e:
            wrong, why = wrong + 1, why or (reason(e) if isinstance(e, (OSError, Unreadable)) else 'its header is damaged')
    return found, '; %d could not be read: %s' % (wrong, why) if wrong else '', len(looked)


def most_common(things, total):
    ordered = sorted(collections.Counter(things).items(), key=lambda one: (-one[1], one[0]))
    return ', '.join(each if count == total else '%s %s' % (each, share(count, total)) for each, count in ordered[:4]) + \
        (', …' if len(ordered) > 4 else '')


def image_line(root, group):
    found, wrong, looked = headers(root, group, image)
    said = '%s: %s' % (quoted(group.pattern(), 120), counted(len(group.files), 'image'))
    said += ', %d looked at' % looked if looked < len(group.files) else ''
    if found:
        sizes = collections.Counter('%d x %d' % one[1:3] for one in found)
        said += '; %s; pixels (width x height) ' % most_common([one[0] + ' ' + one[3] for one in found], len(found))
        said += most_common(sizes.elements(), len(found)) if len(sizes) <= 4 else 'of %d sizes, width %s, height %s' % (
            len(sizes), span([one[1] for one in found]), span([one[2] for one in found]))
    return said + wrong, True, 'group'


def sound_line(root, group):
    found, wrong, looked = headers(root, group, sound)
    said = '%s: %s' % (quoted(group.pattern(), 120), counted(len(group.files), 'sound'))
    said += ', %d looked at' % looked if looked < len(group.files) else ''
    if found:
        said += '; seconds %s; %s' % (span([one[0] for one in found], lambda seconds: '%.3g' % seconds),
                                      most_common(['%d Hz, %s' % (one[1], counted(one[2], 'channel')) for one in found], len(found)))
    return said + wrong, True, 'group'


def text_line(root, group):
    """Their lengths are told with the files; here is how one begins."""
    with open(os.path.join(root, group.files[0]), 'rb') as file:
        begin = file.read(400).decode('utf-8', 'replace')
    return '%s begins %s' % (quoted(group.files[0], 120), quoted(' '.join(begin.split()), 160)), False, 'text'


def archive_line(root, path):
    with open(os.path.join(root, path), 'rb') as file:
        if path.lower().endswith('.zip'):
            with zipfile.ZipFile(file) as archive:
                members = [(one.filename, one.file_size) for one in archive.infolist() if not one.is_dir()]
            cut = ''
        else:
            members, cut = tar_members(path, file)
    kinds = collections.Counter(kind_of_file(name) for name, _ in members)
    said = ', '.join('%s %s' % (grouped(count), quoted(kind)) for kind, count in kinds.most_common(4))
    return '%s holds %s%s, %s unpacked (%s), e.g. %s' % (quoted(path, 120), cut, counted(len(members), 'file'), sized(sum(size for _, size in members)), said,
                                                         listed(sorted(name for name, _ in members)[:3])), True, 'archive'


def tar_members(path, file):
    """Of a packed one only what its first bytes hold."""
    cut = ''
    if not path.lower().endswith('.tar'):
        packed = (bz2 if path.lower().endswith(('bz2', 'tbz')) else gzip).open(file)
        file = io.BytesIO(packed.read(WHOLE))
        cut = 'at least ' if len(file.getbuffer()) == WHOLE else ''
    members = []
    try:
        with tarfile.open(fileobj=file, mode='r:') as archive:
            for one in archive:
                if one.isfile():
                    members.append((one.name, one.size))
                if len(members) >= FILES or is_time_over():
                    return members, 'at least '
    except tarfile.ReadError:
        if not cut:
            raise
    return members, cut


def array_line(root, path):
    """The form of a NumPy array, which stands before it."""
    with open(os.path.join(root, path), 'rb') as file:
        head = file.read(2000)
    form = re.match(rb"\x93NUMPY.{2,6}\{'descr': ('[^']{1,20}'|\[.{1,400}\]), 'fortran_order': \w+, 'shape': (\([0-9, ]*\))", head, re.DOTALL)
    if not form:
        raise Unreadable('no NumPy array')
    return '%s: array of shape %s, type %s' % (quoted(path, 120), form.group(2).decode(), quoted(form.group(1).decode('latin-1').strip("'"))), False, 'array'
