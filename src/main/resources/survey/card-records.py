"""The data card, 5 of 11: tables of records: JSON, and Parquet where there is a library that reads it."""


def json_rows(source, table, cells):
    """Lines of objects, or one list of them."""
    texts = source.texts()
    first = next(texts)
    if table.form == 'json':
        if not source.whole:
            raise Unreadable('it is one JSON document of more than %s' % sized(WHOLE))
        content = first.read()
        try:
            document = json.loads(content)
        except RecursionError:
            raise Unreadable('it is nested too deep')
        except ValueError:
            document = None                     # Perhaps lines, whatever it is called.
            first = io.StringIO(content)
        if document is not None:
            return json_document(document, table, cells)
    objects, choice, wrong, position = [], None, 0, 0
    for line in itertools.chain(first, *texts):
        if not line.strip():
            continue
        position += 1
        if choice and not choice.takes_next():
            continue
        try:
            one = json.loads(line)
        except (ValueError, RecursionError):
            one = None
        if not isinstance(one, dict):
            wrong += 1
            continue
        if choice is None:
            table.names = list(one)
            choice = Choice(table, source, cells)
        objects.append(one)
        if is_time_over():
            raise Unreadable('the time was over')
    if not objects:
        raise Unreadable('it holds no line that is a JSON object')
    table.rows, table.roughly = (position, '') if source.whole else (source.lines, source.roughly)
    if wrong:
        table.notes.append('%s no JSON objects' % ('1 line is' if wrong == 1 else '%s lines are' % grouped(wrong)))
    return object_rows(objects, table, cells)


def json_document(document, table, cells):
    if isinstance(document, dict):
        lists = {name: value for name, value in document.items() if isinstance(value, list) and value and isinstance(value[0], dict)}
        if not lists:
            raise Unreadable('it is one JSON object with %s: %s' % (counted(len(document), 'entry'), listed(list(document), 6)))
        name, document = max(lists.items(), key=lambda one: len(one[1]))
        table.notes.append('the list under ' + quoted(name))
    objects = [one for one in document if isinstance(one, dict)] if isinstance(document, list) else []
    if not objects:
        raise Unreadable('it is JSON, but no list of objects')
    table.rows = len(document)
    table.names = list(objects[0])
    return object_rows(spread(objects, max(50, cells // max(1, len(table.names)))), table, cells)


def object_rows(objects, table, cells):
    names = dict.fromkeys(name for one in objects for name in one)
    table.names = list(names)[:20000]
    objects = spread(objects, max(50, cells // max(1, len(table.names))))
    return [[json_text(one.get(name)) for name in table.names] for one in objects]


def json_text(value):
    if isinstance(value, str):
        return value
    return '' if value is None else json.dumps(value, ensure_ascii=False)[:2000]


def parquet(path, table, cells):
    try:
        import pyarrow.parquet
    except ImportError:
        raise Unreadable('Parquet is read with pyarrow, which scripts do not have here')
    file = pyarrow.parquet.ParquetFile(path)
    table.rows, table.names = file.metadata.num_rows, file.schema_arrow.names
    most = max(50, cells // max(1, len(table.names)))
    rows = []
    for group in spread(range(file.metadata.num_row_groups), 8):
        part = next(file.iter_batches(batch_size=max(1, most // 8), row_groups=[group]), None)
        if part is not None and not is_time_over():
            columns = [[parquet_text(value) for value in part.column(i).to_pylist()] for i in range(part.num_columns)]
            rows += map(list, zip(*columns))
    return rows


def parquet_text(value):
    return '' if value is None else value[:2000] if isinstance(value, str) else repr(value)[:2000] if isinstance(value, bytes) else str(value)[:2000]
