"""The data card, 9 of 11: what tables have to do with each other, and the card itself."""

def table_paths(groups, known):
    """Those that are described: the ones with a role, then the largest; of many in one folder the first."""
    sizes = {}
    for group in groups:
        tables = [(path, size) for path, size in zip(group.files, group.sizes) if is_table(path)]
        sizes.update(tables[:1] if len(tables) > SIDE_BY_SIDE else tables)
        sizes.update((path, size) for path, size in tables if path in known)
    return sorted(sizes, key=lambda path: (path not in known, -sizes[path], path))[:TABLES]


class Card:
    """What was found so far: chapters of a heading, lines (text, remarkable, kind) and what one line is called."""

    def __init__(self, root):
        self.root, self.chapters, self.tables, self.is_done = root, [], {}, False
        self.files, self.groups, self.roles, self.unread, self.found, self.form = [], [], {}, {}, ([], collections.Counter()), Form()

    def chapter(self, heading, lines, noun):
        self.chapters.append((heading, lines, noun))

    def make(self, then):
        for look in (self.list_files, self.read_tables, self.compare_tables, self.look_into_files, self.find_form):
            self.looked(look)
        self.is_done = not is_time_over()
        self.looked(lambda: then(self))

    def looked(self, look):
        try:
            look()
        except Exception as e:
            self.chapter('Something could not be looked at: ' + reason(e), [], 'entry')

    def list_files(self):
        self.found = found, others = walk(self.root)
        self.files, self.groups = [path for path, _ in found], group_files(found)
        said = 'Files: %s, %s' % (counted(len(found), 'file'), sized(sum(size for _, size in found)))
        self.chapter('; '.join([said] + ['%s: %s' % (kind, grouped(count)) for kind, count in sorted(others.items())]), file_lines(self.groups), 'entry')

    def look_into_files(self):
        self.each('Images and sounds', [group for group in self.groups if group.kind.lower() in IMAGES + SOUNDS],
                  lambda group: image_line(self.root, group) if group.kind.lower() in IMAGES else sound_line(self.root, group),
                  lambda group: group.pattern())
        self.each('Texts', [group for group in self.groups if group.kind.lower() in ('txt', 'md')][:20],
                  lambda group: text_line(self.root, group), lambda group: group.files[0])
        self.each('Arrays', [path for path in self.files if path.lower().endswith('.npy')][:20],
                  lambda path: array_line(self.root, path), lambda path: path)
        self.each('Archives', [path for path in self.files if ARCHIVE.search(path) and path not in self.tables][:20],
                  lambda path: archive_line(self.root, path), lambda path: path)

    def find_form(self):
        find_whole_form(self)
        self.chapters.insert(1, ('Form', [(line, True, 'line') for line in sentences(self)], 'entry'))

    def each(self, heading, things, line, name):
        """A chapter with a line for each thing, and for a bad one why it could not be read."""
        lines = []
        for thing in things:
            try:
                lines.append(line(thing))
            except Exception as e:
                lines.append((quoted(name(thing), 120) + ' could not be read: ' + reason(e), True, 'file'))
        if lines:
            self.chapter(heading, lines, 'entry')

    def read_tables(self):
        self.roles = roles([path for path in self.files if is_table(path)])
        chosen = table_paths(self.groups, self.roles.values())
        for path in chosen:
            try:
                table = read_table(self.root, path, min(CELLS, 3 * CELLS // len(chosen)))
            except Exception as e:
                self.unread[path] = reason(e)
                self.chapter('Table %s could not be read: %s' % (quoted(path, 120), reason(e)), [], 'column')
                continue
            self.tables[path] = table
            self.chapter(heading(table), column_lines(table.columns), 'column')
        look_at_roles(self)
        if self.roles.get('train') in self.tables:
            with contextlib.suppress(Missing):
                look_at_targets(self, self.form)
            self.blur(self.form.targets)

    def blur(self, targets):
        """Tells no least and no most number of what is to be predicted, whatever table has it."""
        for table in self.tables.values():
            table.columns = [blurred(each) if each.name in targets else each for each in table.columns]
        told = {heading(table): table for table in self.tables.values()}
        self.chapters = [(title, column_lines(told[title].columns) if title in told else lines, noun) for title, lines, noun in self.chapters]

    def compare_tables(self):
        train, test, submission = tables_of(self)
        lines = list(of_columns(train, test)) if train and test else []
        others = [one for one in self.tables.values() if one not in (train, test, submission)]
        lines += list(of_identifiers(train, test, others)) + list(links(train, test, others))
        lines += shifts(train, test) if train and test else []
        names = {name for path in self.files for name in (path, os.path.basename(path), os.path.splitext(os.path.basename(path))[0])}
        for table in self.tables.values():
            lines += file_names(table, names)
        if lines:
            self.chapters.insert(1, ('Between the tables', [(line, True, 'line') for line in lines], 'entry'))

    def lines(self, most):
        """The card as text, with at most so many lines of a chapter: the first, and of the others the remarkable ones before the rest."""
        said = [] if self.is_done else ['Cut: after %.3g seconds this is what had been found.' % SECONDS]
        for title, lines, noun in list(self.chapters):
            said.append(title)
            ranked = sorted(range(len(lines)), key=lambda i: (i >= -(-most // 2), not lines[i][1], i))
            chosen = sorted(ranked[:most])
            said += ['- ' + lines[i][0] for i in chosen]
            rest = collections.Counter(lines[i][2] for i in ranked[most:])
            if rest:
                kinds = ', '.join('%s %s' % (grouped(count), kind) for kind, count in sorted(rest.items(), key=lambda one: (-one[1], one[0])))
                said.append('- and %s more %s' % (grouped(len(lines) - len(chosen)), 'columns: ' + kinds if noun == 'column' else 'like these'))
        return said

    def bounded(self):
        """As many lines of each chapter as the whole has room for."""
        least, most = 0, max([1] + [len(lines) for _, lines, _ in self.chapters])
        while least < most:
            middle = (least + most + 1) // 2
            if sum(len(line) + 1 for line in self.lines(middle)) <= CHARACTERS:
                least = middle
            else:
                most = middle - 1
        return self.lines(least)


def heading(table):
    said = 'Table %s: %s%s, %s' % (quoted(table.path, 120), table.roughly, counted(table.rows, 'row'), counted(len(table.names), 'column'))
    if table.sampled < table.rows:
        said += '; figures of %s of them' % grouped(table.sampled)
    return '; '.join([said] + table.notes)


def without(names, others):
    there = set(others)
    return [name for name in names if name not in there]


def of_columns(train, test):
    for one, other in ((test, train), (train, test)):
        lacks = without(other.names, one.names)
        if lacks:
            yield '%s lacks of the columns of %s: %s' % (quoted(one.path), quoted(other.path), listed(lacks))


def of_identifiers(train, test, others):
    """Whether rows of two tables are about the same things."""
    if train and test:
        for name in train.keys:
            if test.keys.get(name):
                both = len(set(train.keys[name]) & set(test.keys[name]))
                yield '%s %s of %s is also in %s' % (grouped(both) if both else 'no', quoted(name), quoted(test.path), quoted(train.path))
    for other in others:
        for name, values in other.keys.items():
            for table in (train, test):
                if table and table.keys.get(name):
                    there = set(values)
                    found = share(sum(value in there for value in table.keys[name]), len(table.keys[name]))
                    yield '%s has the %s of %s of the rows of %s' % (quoted(other.path), quoted(name), found, quoted(table.path))


def file_names(table, names):
    """Columns that name files."""
    for each in table.columns:
        values = list(each.counts)[:1000]
        if each.kind in ('identifier', 'category', 'text') and values and len(names) > 30:
            there = [value for value in values if value in names]
            if len(there) * 2 > len(values):
                yield '%s of %s names files: %s of those looked at, e.g. %s' % (
                    quoted(each.name), quoted(table.path), share(len(there), len(values)), quoted(there[0]))


def main(told, then=lambda card: None):
    """The looking is a thread's, so that a file that takes for ever does not take the rest of the card with it.

    @param told what is printed of the card, as JSON
    @param then what else is looked at when the card is made"""
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    except (ImportError, OSError, ValueError):
        pass  # Then what bounds the pieces that are read has to do.
    card = Card('./input')
    worker = threading.Thread(target=card.make, args=[then], daemon=True)
    worker.start()
    worker.join(SECONDS * 8 / 7)
    print(json.dumps(told(card)))
