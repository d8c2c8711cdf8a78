"""Compares variants of a solution in a study or a look, on the folds that all of them share: a line for each variant, as soon as it is known,
and none takes more than its share of the time. The prompt `coder-script` shows how it is used."""
import atexit
import csv
import math
import os
import random
import signal
import sys
import threading
import time
import traceback
import zlib
from statistics import fmean
from types import SimpleNamespace as Loss

BEGUN = time.monotonic()
SECONDS = float(os.environ.get('MLE_STAR_SECONDS', 600))
RESERVE = min(5, SECONDS / 10)  # For the last lines, and for code that hears late that it is stopped.
FOLDS = './input/study_folds.csv'


class Stopped(BaseException):
    """Ends a variant; no `except Exception` catches it."""


def left():
    """Seconds that variants may still take."""
    return SECONDS - RESERVE - (time.monotonic() - BEGUN)


def stop(number, frame):
    raise Stopped


def within(seconds, function):
    signal.signal(signal.SIGALRM, stop)
    try:
        try:
            # Once more each second: a bare `except` may have caught it.
            signal.setitimer(signal.ITIMER_REAL, seconds, 1)
            return function()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except Stopped:
        signal.setitimer(signal.ITIMER_REAL, 0)  # It may have come when the function had ended.
        raise


def fold_of_rows(rows, groups, order, seed, own):
    folds, keys = own, groups or range(rows)
    if own is not None and len(own) != rows:
        raise ValueError('folds has %d entries, not %d' % (len(own), rows))
    if own is None and os.path.exists(FOLDS):
        with open(FOLDS, newline='') as file:
            read = list(csv.DictReader(file))
        if len(read) != rows:
            raise ValueError('%s has %d rows, not %d: all rows of the training table are needed, in their order' % (FOLDS, len(read), rows))
        folds, keys = [int(row['fold']) for row in read], [row.get('group') or key for row, key in zip(read, keys)]
    if seed is not None:
        if order is not None:
            raise ValueError('folds that follow each other in time cannot be drawn anew: leave out seed or order')
        drawn = list(dict.fromkeys(key for row, key in enumerate(keys) if not folds or folds[row] >= 0))
        random.Random(seed).shuffle(drawn)
        other = {key: place % 5 for place, key in enumerate(drawn)}
        return [-1 if folds and folds[row] < 0 else other[key] for row, key in enumerate(keys)]
    if folds:
        return folds
    if order is None:
        return [zlib.crc32(str(key).encode()) % 5 for key in keys]
    folds, half = [-1] * rows, rows // 2
    for place, row in enumerate(sorted(range(rows), key=order.__getitem__)[half:]):
        folds[row] = 4 - place * 5 // (rows - half)
    return folds


class Study:
    """rows    of the training table
    loss    makes of what a variant returns a figure, or several, for each row, nan where there is none, or for each fold (`by_fold`)
    scale   makes of the mean of these figures the score, such as math.sqrt of squared errors
    finer   a second loss, less of which is better, that tells variants apart where `loss` is coarse: its gain stands beside that of `loss`
    groups  of each row, where rows belong together: the error is over groups, and so are the shares
    order   the time of each row, where folds follow each other in time: fold 0 is the latest
    seed    draws other folds than those that all scripts share, five of them, of what these keep together; without these, of `groups`
    folds   the fold of each row, in place of those that all scripts share, as for a rehearsal on another table; -1: only learnt from
    splits  for each fold the numbers of the rows to learn from, and of those to predict"""

    def __init__(self, rows, loss=list, higher_is_better=False, scale=float, groups=None, order=None, seed=None, folds=None, finer=None):
        self.losses = [Loss(of=loss, sign=-1 if higher_is_better else 1, scale=scale, first=None)]
        if finer:
            self.losses.append(Loss(of=finer, sign=1, scale=float, first=None))
        self.groups, self.order, folds = [None if each is None else list(each) for each in (groups, order, folds)]
        self.drawing = lambda seed: fold_of_rows(rows, self.groups, self.order, seed, folds)
        self.fold = self.drawing(seed)
        self.splits = self.split(self.fold)
        self.leads, self.undone, self.preparing = [], [], None  # Seconds before the first variant.
        # The timer is for code that does not return in time: it goes off when the last variant should have been stopped.
        self.closing = threading.Timer(max(0, left() + RESERVE / 2), self.close)
        self.closing.daemon = True
        self.closing.start()
        atexit.register(self.close)

    def drawn(self, seed):
        """Splits of other folds of the same kind, five of them; another seed, other folds."""
        return self.split(self.drawing(seed))

    def split(self, folds):
        def of(each):
            learn = [row for row, fold in enumerate(folds) if (fold != each if self.order is None else fold > each or fold < 0)]
            return learn, [row for row, fold in enumerate(folds) if fold == each]
        return [pair for pair in map(of, sorted(set(folds) - {-1})) if pair[0]]

    def by_fold(self, score):
        """The score of each fold, of the numbers of its rows."""
        return [score(held) for _, held in self.splits]

    def variant(self, name, function, share=0.25):
        """Runs a function for at most this share of the time that is left, and prints how it compares with the first variant.
        @return what it returned; None if it failed or was stopped, or there was no time to begin"""
        begun, most = time.monotonic(), left() * share
        if self.preparing is None:
            self.preparing = begun - BEGUN
            say('score', 'better than first by', 'groups' if self.groups else 'folds', 's', 'variant')
        self.undone.append(name)
        if most < 0.1:
            return None
        try:
            result = within(most, function)
            columns = self.compared(name, result)
            self.undone.remove(name)
        except Stopped:
            result, columns = None, ('', 'stopped: too slow', '')
        except Exception as e:
            self.undone.remove(name)
            if self.losses[0].first is None:
                raise
            lines = ['line %d: ' % at.lineno for at in traceback.extract_tb(e.__traceback__) if at.filename.endswith(os.path.basename(sys.argv[0]))]
            result, columns, name = None, ('', 'failed', ''), '%s (%s%s: %s)' % (name, ''.join(lines[-1:]), type(e).__name__, e)
        say(*columns, '%.1f' % (time.monotonic() - begun), name)
        return result

    def compared(self, name, result):
        """The score, how much better than the first variant with the standard error of that, and in how many folds or groups."""
        found = [self.figures(loss.of(result)) for loss in self.losses]
        main = self.losses[0]
        score = '%.6g' % main.scale(fmean(found[0].values()))
        if main.first is None:
            for loss, values in zip(self.losses, found):
                loss.first = values
            return score, 'first', ''
        (gain, error, gains), *finer = leads = [self.gain(loss, values) for loss, values in zip(self.losses, found)]
        self.leads.append((name, leads))
        said = '%+.3g ± %.2g%s' % (gain, error, ' noise' if abs(gain) < error else '')
        by_part = sums((part, each) for (part, _), each in gains.items())
        if self.groups and len(by_part) > 1:
            best = max(by_part, key=by_part.get)
            said += ', %+.3g without %s' % (fmean(each for (part, _), each in gains.items() if part != best), best)
        for fine, error, _ in finer:
            said += ', finer %+.3g ± %.2g' % (fine, error)
        return score, said, '%d/%d' % (sum(each > 0 for each in by_part.values()), len(by_part))

    def figures(self, values):
        """Those that are known, of rows or of folds, by the group or fold and the number of each."""
        if len(values) not in (len(self.fold), len(self.splits)):
            raise ValueError('%d figures, but there are %d rows and %d folds' % (len(values), len(self.fold), len(self.splits)))
        by_row = len(values) == len(self.fold)
        known = {((self.groups or self.fold)[at] if by_row else at, at): figure(value)
                 for at, value in enumerate(values) if not by_row or self.fold[at] >= 0}
        return {at: value for at, value in known.items() if math.isfinite(value)}

    def gain(self, loss, values):
        """How much better it is than the first variant on what both know, the standard error of that, and the gain of each row or fold."""
        gains = {at: loss.sign * (loss.first[at] - values[at]) for at in values if at in loss.first}
        gain, scaled = fmean(gains.values()), loss.sign * (loss.scale(fmean(loss.first[at] for at in gains)) - loss.scale(fmean(values[at] for at in gains)))
        factor = scaled / gain if gain else 1
        apart = sums((at[0] if self.groups else at, each - gain) for at, each in gains.items()).values()
        error = abs(factor) * math.sqrt(sum(each * each for each in apart) * len(apart) / max(1, len(apart) - 1)) / len(gains)
        return scaled, error, {at: factor * each for at, each in gains.items()}

    def better(self, loss, errors):
        """The variants that lead by more than so many errors, best first."""
        ahead = [(gain, name) for name, leads in self.leads for gain, error, _ in [leads[loss]] if gain > errors * error]
        return ', '.join(name for _, name in sorted(ahead, reverse=True)[:5])

    def close(self):
        self.closing.cancel()
        atexit.unregister(self.close)
        if self.preparing is not None:
            if len(self.leads) > 1:
                luck = math.sqrt(2 * math.log(len(self.leads)))  # The universal threshold of Donoho and Johnstone (1994).
                shown = [self.better(at, luck) for at in range(len(self.losses))]
                print('of %d equal variants the best may lead by %.1f errors; shown to be better: %s' % (
                    len(self.leads), luck, '; by the finer loss: '.join(each or 'none' for each in shown) if any(shown) else 'none'))
            used, undone = time.monotonic() - BEGUN, ', '.join(self.undone) or 'nothing'
            print('%.0f of %.0f s used, %.0f before the first variant; left undone: %s' % (used, SECONDS, self.preparing, undone), flush=True)


def figure(value):
    """That of a row or fold; where it has several columns, such as one for each drawing of folds, their mean."""
    try:
        return float(value)
    except TypeError:
        return fmean(map(float, value))


def say(*columns):
    print('%-9s  %-24s  %-6s %6s  %s' % columns, flush=True)


def sums(pairs):
    found = {}
    for key, value in pairs:
        found[key] = found.get(key, 0) + value
    return found
