"""The data card, 8 of 11: columns whose values name rows of another table, and how the test table differs from the one for training."""

LINKED = 0.9                 # Of the values looked at that must be found, for a link.
LOOKED = 1000                # Different values of one column that are looked up.
COLUMNS_LINKED = 50          # Of one table that are looked at.
ALIKE = 12                   # Lines that tell of columns alike; of more it is said how many.


def key_groups(train, test, others):
    """Columns whose values are all different: (name, {table: its values}). What train and test both have is one."""
    for group in [[table for table in (train, test) if table]] + [[other] for other in others]:
        for name in dict.fromkeys(name for table in group for name in table.keys):
            values = {table: table.keys[name] for table in group if table.keys.get(name)}
            sets = {table: set(all_values) for table, all_values in values.items()}
            if all(len(sets[table]) == len(values[table]) >= 3 for table in values):
                yield name, sets


def may_name_rows(each, known):
    """Whole numbers are in many a range of others by chance."""
    if each.kind == 'integer':
        return bool(IDENTIFIER.search(each.name)) or len(each.counts) >= 20 and len(each.counts) >= LINKED * known
    return each.kind in ('category', 'text', 'digits') and len(each.counts) >= 3 or \
        each.kind == 'identifier' and not is_real(next(iter(each.counts)))


def links(train, test, others):
    """Between columns of different names; those of the same name are told as identifiers."""
    tables = [table for table in [train, test] + others if table]
    for name, sets in key_groups(train, test, others):
        for table in tables:
            if table in sets or is_time_over():
                continue
            for each in table.columns[:COLUMNS_LINKED]:
                if each.name != name and may_name_rows(each, sum(map(len, sets.values()))):
                    values = list(itertools.islice(each.counts, LOOKED))
                    found = [(other, sum(value in there for value in values)) for other, there in sets.items()]
                    if sum(any(value in there for there in sets.values()) for value in values) >= LINKED * len(values):
                        yield 'values of %s of %s are %s of %s' % (quoted(each.name), quoted(table.path), quoted(name), ' and '.join(
                            '%s (%s of them)' % (quoted(other.path), share(count, len(values))) for other, count in found if count))


def shifts(train, test):
    """What a model that learns from one table would meet in the other only."""
    found = []
    for there in test.columns:
        here = train.column(there.name)
        if here and here.present and there.present and 'identifier' not in (here.kind, there.kind):
            found += of_moments(here, there, train, test) or of_range(here, there, train, test) or of_categories(here, there, train, test)
    more = len(found) - ALIKE
    return found[:ALIKE] + (['%s more so differ between %s and %s' % (counted(more, 'column'), quoted(train.path), quoted(test.path))] if more > 0 else [])


def moment(text):
    return [int(digits) for digits in re.findall('[0-9]+', text)[:6]]


def all_of(pattern, *columns):
    return all(len(value) <= LONGEST and pattern.fullmatch(value) for each in columns for value in each.counts)


def of_moments(here, there, train, test):
    if not all_of(DATE, here, there):
        return []
    past, coming = [sorted(map(moment, each.counts)) for each in (here, there)]
    if coming[0] > past[-1]:
        said = 'is later in all rows of', 'than in any of'
    elif coming[-1] < past[0]:
        said = 'is earlier in all rows of', 'than in any of'
    else:
        within = sum(count for value, count in there.counts.items() if past[0] <= moment(value) <= past[-1])
        said = 'lies for %s of the rows of' % share(within, there.present), 'between the first and the last of'
    return [' '.join((quoted(there.name), said[0], quoted(test.path), said[1], quoted(train.path)))]


def of_range(here, there, train, test):
    if not all_of(REAL, here, there):
        return []
    one, other = [sorted(map(float, each.counts)) for each in (here, there)]
    if one[0] <= other[-1] and other[0] <= one[-1]:
        return []
    return ['%s is %s to %s in %s, and %s to %s in %s: the ranges do not overlap' % (
        quoted(there.name), number(one[0]), number(one[-1]), quoted(train.path), number(other[0]), number(other[-1]), quoted(test.path))]


def of_categories(here, there, train, test):
    if here.kind not in ('category', 'boolean', 'constant') or all_of(REAL, here):
        return []
    new = [value for value in there.counts if value not in here.counts]
    rows = share(sum(there.counts[value] for value in new), there.present)
    return ['%s of %s has values that %s lacks, in %s of its rows: %s' % (quoted(there.name), quoted(test.path), quoted(train.path), rows, listed(new, 5))
            ] if new else []
