"""The hold-out, 6 of 9: what values say of time."""
import re

ORDERED = re.compile(r'(?i)(^|[^a-z])(date|day|week|month|quarter|year|time|timestamp|period)s?([^a-z]|$)')
PERIOD = re.compile('[12][0-9]{3}(-?[QWM]|[-/])[0-9]{1,2}')
COMPACT = re.compile('((?:19|20)[0-9]{2})(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])(?:([01][0-9]|2[0-3])([0-5][0-9])([0-5][0-9])?Z?)?')
STAMPED = re.compile('([12][0-9]{3})-([0-9]{2})-([0-9]{2})[_:|-].+')    # As ids of the rows of one day are written.
DAY_OR_MONTH_FIRST = re.compile(MOMENTS['date, day and month first'])
MONTHS = ('jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec')
CLOCK = r'([ T,]+[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?( ?[AP]M)?)?'
MONTH = '(?P<month>%s)[a-z]*' % '|'.join(MONTHS)
WORDED = [re.compile('(?i)(%s)%s' % (form, CLOCK)) for form in (
    r'(?P<day>[0-9]{1,2})(st|nd|rd|th)?[-/ .]{1,2}' + MONTH + r'[-/ .,]{1,2}(?P<year>[0-9]{4}|[0-9]{2})',
    MONTH + r'[-/ .]{1,2}(?P<day>[0-9]{1,2})(st|nd|rd|th)?,?[-/ ]{1,2}(?P<year>[0-9]{4})',
    r'(?P<year>[0-9]{4})[-/ .]{1,2}' + MONTH + r'([-/ .]{1,2}(?P<day>[0-9]{1,2}))?',
    MONTH + r"[-/ .']{1,2}(?P<year>[0-9]{4}|[0-9]{2})")]
ZONE = re.compile('(.*[0-9]) [A-Z]{3,4}')                               # As CET behind a time. Of one table all are of one zone.
EPOCH = {10: 1, 13: 1000, 16: 10**6, 19: 10**9}                         # Digits of a time since 1970, and parts of a second that it counts.


def moments_of(name, values):
    """The values of a column of moments as numbers from the year to the second; of another column none."""
    if values and max(map(len, values)) <= LONGEST:
        if all(map(DATE.fullmatch, values)) or all(map(PERIOD.fullmatch, values)):
            return {value: tuple(moment(value)) for value in values}
        for form in (COMPACT, STAMPED):
            if all(map(form.fullmatch, values)):
                return {value: tuple(int(part or 0) for part in form.fullmatch(value).groups()) for value in values}
        if all(map(ZONE.fullmatch, values)):
            within = {value: ZONE.fullmatch(value).group(1) for value in values}
            found = moments_of(name, set(within.values()))
            return {value: found[each] for value, each in within.items()} if found else {}
        for form in WORDED:
            if all(map(form.fullmatch, values)):
                return {value: worded_moment(form.fullmatch(value)) for value in values}
        if all(map(DAY_OR_MONTH_FIRST.fullmatch, values)):
            return year_first({value: moment(value) for value in values})
        if ORDERED.search(name) and all(map(is_real, values)):
            return {value: (float(value),) for value in values}
        if not IDENTIFIER.search(name) and all(value.isdigit() and len(value) in EPOCH for value in values):
            return {value: (int(value) / EPOCH[len(value)],) for value in values}
    return {}


def counted_moments(name, here, there):
    """Whole numbers whose values the test has beyond nearly all of training's, as seconds since some day: time, unless they count the rows or groups of them.

    @param here of the training rows; None where there is none"""
    values = set(here) | set(there)
    known = [int(each) for each in here if each] if all(each is None or each.isdigit() and len(each) <= LONGEST for each in values) else []
    distinct = len(set(known))
    if not known or IDENTIFIER.search(name) or distinct * SHARED <= len(known) or max(known) - min(known) < SHARED * distinct:
        return {}
    return {value: (float(value),) for value in values if value}


def worded_moment(found):
    """A moment with the name of its month."""
    parts = found.groupdict()
    year = int(parts['year'])
    clock = [int(digits) for digits in re.findall('[0-9]+', found.group(found.re.groups - 2) or '')]
    if clock and (found.group(found.re.groups) or '').strip().upper() in ('AM', 'PM'):
        clock[0] = clock[0] % 12 + 12 * found.group().upper().endswith('PM')
    return (of_century(year), 1 + MONTHS.index(parts['month'].lower()), int(parts.get('day') or 1), *clock)


def of_century(year):
    return year if year > 99 else year + 1900 if year > 68 else year + 2000


def year_first(numbers):
    """Whether the day or the month stands first, the values tell: no month is beyond 12, and what never changes is the day. Else a slash tells."""
    first, second = ({each[place] for each in numbers.values()} for place in (0, 1))
    if max(first) > 12 and max(second) > 12:
        return {}
    is_day_first = max(first) > 12 or max(second) <= 12 and (
        len(first) == 1 < len(second) or not len(second) == 1 < len(first) and not any('/' in value for value in numbers))
    moments = {}
    for value, (one, other, year, *clock) in numbers.items():
        if value.endswith(('AM', 'PM')):
            clock[0] = clock[0] % 12 + 12 * value.endswith('PM')
        day, month = (one, other) if is_day_first else (other, one)
        moments[value] = (of_century(year), month, day, *clock)
    return moments
