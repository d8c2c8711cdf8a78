"""The data card, 1 of 11: how much is looked at, what the first bytes of a file tell, and how names, values and numbers are said.

The eleven parts are one program with those of the form, in the order of SurveyScripts.java; the last one prints: card-lines,
form-task, or the hold-out. It looks at a task's data in ./input and prints one line: {"lines": [text, ...], "tables": paths by what they are for}. It needs
Python 3.9 and its standard library only (card-pandas tries pandas where it is there), reads nothing else, and the same data give the
same lines. Whoever puts the parts together says in a first line how many SECONDS it has; then it tells what it has found so far.
"""
import bisect
import bz2
import collections
import contextlib
import csv
import gzip
import io
import itertools
import json
import math
import os
import re
import stat
import struct
import tarfile
import threading
import time
import zipfile

CHARACTERS = 16000           # Of the whole card: some 4,000 tokens.
WHOLE = 32 << 20             # Bytes of a table that is read to its end. Of a larger one so many are read, spread over it.
CELLS = 1000000              # Cells of one table that are looked at, and three times as many of all.
TABLES = 12                  # Tables that are described.
ROWS = 1000000               # Rows of one table that are read; of a larger one so many, spread over it.
FILES = 500000               # Files that are listed.
HEADERS = 200                # Images or sounds of one folder whose headers are read.
MEMORY = 2 << 30             # Bytes; what would need more could not be read.
END = time.monotonic() + SECONDS

# Values that pandas.read_csv takes for missing.
MISSING = ('', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', '<NA>', 'N/A', 'NA', 'NULL', 'NaN',
           'None', 'n/a', 'nan', 'null')
WORDS = ('None', 'NA', 'N/A', 'n/a', 'NULL', 'null')    # Those of them that may be a class or a category.

# What a file is whose first bytes are these, whatever it is called.
OTHERS = ((b'\x1f\x8b', 'packed by gzip: call it .gz'), (b'BZh', 'packed by bzip2: call it .bz2'), (b'PAR1', 'Parquet: call it .parquet'),
          (b'\xd0\xcf\x11\xe0', 'a workbook of Excel: save it as CSV'), (b'%PDF', 'a PDF'), (b'SQLite format', 'a database of SQLite'),
          (b'version https://git-lfs', 'a pointer of git-lfs, not the data: git lfs pull'))


class Unreadable(Exception):
    """Says why a file could not be read."""


def quoted(text, most=48):
    """A name or a value as one word that cannot be taken for anything else: whatever does not print is escaped."""
    escapes = {'"': '\\"', '\\': '\\\\', '`': '\\x60'}
    shown = ''.join(escapes.get(c) or (c if c.isprintable() else ascii(c)[1:-1]) for c in text[:most])
    return '"' + shown + ('…' if len(text) > most else '') + '"'


def listed(names, most=12):
    return ', '.join(quoted(name) for name in names[:most]) + (' and %s more' % grouped(len(names) - most) if len(names) > most else '')


def grouped(number):
    return format(number, ',')


def counted(number, noun):
    return grouped(number) + ' ' + (noun if number == 1 else noun[:-1] + 'ies' if noun.endswith('ry') else noun + 's')


def sized(count):
    for unit, factor in (('GB', 10**9), ('MB', 10**6), ('kB', 10**3)):
        if count >= factor:
            return '%.3g %s' % (count / factor, unit) if count < 999.5 * factor else '%d %s' % (count // factor, unit)
    return counted(count, 'byte')


def share(part, whole):
    percent = 100 * part / whole
    if part and percent < 0.1:
        return '<0.1 %'
    return '>99.9 %' if part < whole and percent > 99.9 else '%.3g %%' % percent if percent >= 10 else '%.1f %%' % percent


def number(value):
    """Of a column: up to six digits, whole numbers in full."""
    return '%d' % value if isinstance(value, int) or abs(value) < 1e15 and value == int(value) else '%.6g' % value


def span(numbers, said=number):
    """Least, quartiles and most."""
    ordered = sorted(numbers)
    least, low, middle, high, most = (said(ordered[(len(ordered) - 1) * quarter // 4]) for quarter in range(5))
    return least if least == most else '%s to %s, quartiles %s, %s, %s' % (least, most, low, middle, high)


def spread(things, most):
    """As many of them, evenly from first to last."""
    return things if len(things) <= most else [things[(len(things) - 1) * i // (most - 1)] for i in range(most)]


def reason(failure):
    """Why a file could not be read, in our words or the interpreter's, without the path."""
    return quoted(getattr(failure, 'strerror', None) or str(failure) or type(failure).__name__, 120)[1:-1]


def is_time_over():
    return time.monotonic() > END


def check_kind(head):
    """@raise Unreadable if the file is plainly something else than its name says"""
    kind = next((kind for begin, kind in OTHERS if head.startswith(begin)), None)
    if head.startswith(b'PK\x03\x04'):
        kind = 'a workbook of Excel: save it as CSV' if b'[Content_Types].xml' in head or b'xl/' in head else 'a zip: call it .zip'
    if head.lstrip(b'\xef\xbb\xbf \r\n\t')[:14].lower().startswith((b'<!doctype html', b'<html')):
        kind = 'a web page, perhaps one to log in, not the data'
    if kind:
        raise Unreadable('it is ' + kind)


def before_unicode(text):
    """The encoding of a text that is not UTF-8, by the words that its bytes beyond ASCII make."""
    for encoding, letters in (('cp932', '[\u3040-\u30ff\u4e00-\u9fff]'), ('cp1251', '[\u0400-\u04ff]')):
        said = text.decode(encoding, 'replace')
        words = ''.join(re.findall(letters + '{2,}', said))
        if len(words) > 0.8 * len(re.sub('[\0-\x7f]', '', said)) and (encoding != 'cp932' or re.search('[\u3040-\u30ff]', words)):
            return encoding
    return 'cp1252'
