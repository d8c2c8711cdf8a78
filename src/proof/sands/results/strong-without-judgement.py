"""A blend of solutions, which were selected by their predictions. Each runs as it was written."""
HOW, SCORE, LEFT_OUT = "mean", 1.7154733560197062, "Left out of the blend: "
DELIMITER, DECIMAL, KEYS = ",", ".", 1  # Of submissions: how many leading columns name a row; 0: its place does.
MEMBERS = [  # How much each counts, the seconds that it took, its step, and its program.
    (24, 22.0, "phase2/leg0/path0-attempt2", r'''import os
import numpy as np
import pandas as pd
from scipy.linalg import cho_factor, cho_solve

tr, te, pa, sub = (pd.read_csv(f'./input/{f}.csv') for f in ('train', 'test', 'partial', 'sample_submission'))
if os.environ.get('MLE_STAR_ROWS'):
    m = int(os.environ['MLE_STAR_ROWS'])
    if len(tr) > m:
        tr = tr.sample(m, random_state=0).reset_index(drop=True)
te = te.set_index('id').loc[sub.id].reset_index()
n = len(tr)
NAMES = ['bitumen', 'fines', 'chlorides']
al = pd.concat([tr, pa, te], ignore_index=True)
# units of the metric: a difference of 1 is one unit, more than 4 count as 4
Y = np.column_stack([al.bitumen / 1.5, al.fines / 7, np.log10(1 + al.chlorides) / 0.1])

xy = al[['east', 'north']].to_numpy(np.float32)
z = al.elevation.to_numpy(np.float32)
hole = al.hole.to_numpy()
g = al.groupby('hole').elevation  # top and base of the sampled column need no target
top = g.transform('max').to_numpy(np.float32)
base = g.transform('min').to_numpy(np.float32)

rel = (z - base) / (top - base + 3)

# kriging: part of the variance, metres across, metres up, metres of |top| + |base| (0: none; with it the penalties below, too)
KRIG = [(0.4, 150, 7, 60), (0.3, 600, 12, 60), (0.2, 3000, 30, 0)]
# kernels of each target, whose curves are averaged: scales of rel, of near bitumen and fines, of the hole's number (0: none),
# how much longer a correlation reaches to the north than to the east, nugget
KERNELS = [[(0.4, 0, 0, 1.0, 0.35), (0.8, 6, 0, 1.0, 0.35)],
           [(0.5, 0, 0, 1.0, 0.6), (0.8, 6, 0, 1.0, 0.6)],
           [(0.0, 0, 0, 1.7, 0.3), (0.8, 0, 100, 1.7, 0.3)]]


def near_means(s):
    """Bitumen and fines of the samples s of other holes about each sample, in units."""
    d = np.hypot(xy[:, :1] - xy[s, 0], xy[:, 1:] - xy[s, 1])
    W = np.exp(-d / 150 - 0.5 * ((z[:, None] - z[s]) / 3) ** 2)
    W[hole[:, None] == hole[s]] = 0
    W += np.float32(1e-12)
    return (W @ Y[s, :2].astype(np.float32)) / W.sum(axis=1, keepdims=True)


def gap(v, i, j, scale):
    return np.abs(v[i][:, None] - v[j]) / np.float32(scale)


def kernel(i, j, near, rs, nb, num, north):
    d = np.hypot((xy[i, :1] - xy[j, 0]) * np.float32(north ** 0.5), (xy[i, 1:] - xy[j, 1]) / np.float32(north ** 0.5))
    dz = np.abs(z[i][:, None] - z[j])
    pen = np.abs(top[i][:, None] - top[j]) + np.abs(base[i][:, None] - base[j])
    pen /= np.float32(KRIG[0][3])
    if rs:
        pen += gap(rel, i, j, rs)
    if nb:
        pen += gap(near[:, 0], i, j, nb) + gap(near[:, 1], i, j, nb)
    if num:
        pen += gap(hole.astype(np.float32), i, j, num)
    K = np.zeros(d.shape, np.float32)
    for p, h, v, tb in KRIG:
        u = dz * np.float32(1.7 / v)
        e = d / np.float32(h) + u
        if tb:
            e += pen
        K += np.float32(p) * (1 + u) * np.exp(-e)
    return K


def least(E, c):
    """The candidate with the least expected loss; those of the same mode that are nearly as good are averaged."""
    near = np.exp(-(E - E.min(axis=1, keepdims=True)) / 0.01)
    near[np.abs(c[None, :] - c[E.argmin(axis=1)][:, None]) > 1.5] = 0
    return (near * c).sum(axis=1) / near.sum(axis=1)


def predict(q, learn):
    """Rows q of al from the rows learn of train and all of partial: by each kernel, and by the mean of their curves."""
    P = np.zeros((3, len(q), 3))
    rows = np.r_[learn, np.arange(n, n + len(pa))]
    near = near_means(rows)
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        v = Y[s, t]
        c = np.linspace(*np.quantile(v, [0.002, 0.998]), 121)
        R = np.minimum(np.abs(v[:, None] - c), 4).astype(np.float32)
        m = R.mean(axis=0)
        mean = 0
        for i, (*what, nugget) in enumerate(KERNELS[t]):
            K = kernel(s, s, near, *what)
            K[np.diag_indices(len(s))] += np.float32(nugget)
            E = m + kernel(q, s, near, *what) @ cho_solve(
                cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False), R - m, check_finite=False)
            P[i, :, t] = least(E.astype(float), c)
            mean = mean + E
        P[2, :, t] = least(mean.astype(float) / len(KERNELS[t]), c)
    return P


# held out: folds of whole holes
holes = np.random.default_rng(5).permutation(np.unique(hole[:n]))
fold = pd.Series(np.arange(len(holes)) % 5, index=holes)[hole[:n]].to_numpy()
oof = np.zeros((3, n, 3))
for k in range(5):
    oof[:, fold == k] = predict(np.flatnonzero(fold == k), np.flatnonzero(fold != k))
errs = np.minimum(np.abs(oof - Y[:n]), 4)
err = errs[2]

P = predict(np.arange(n + len(pa), len(al)), np.arange(n))[2]
out = pd.DataFrame({'id': sub.id, 'bitumen': np.maximum(P[:, 0] * 1.5, 0), 'fines': np.clip(P[:, 1] * 7, 0, 100),
                    'chlorides': np.maximum(10 ** (P[:, 2] * 0.1) - 1, 0)})
os.makedirs('./final', exist_ok=True)
out[list(sub.columns)].to_csv('./final/submission.csv', index=False)

score = err.mean()
print('Summary: minimum of kriged curves of min(|v-c|,4), 121 values c; kernel .4(150 m,7 m)+.3(600,12)+.2(3000,30), short terms * top,base '
      '60 m * rel .4-.8 (half of them * near bitumen, fines 6); chlorides 1.7 x longer to N, half * hole number 100; nugget .3-.6; mean of 2.')
for name, e in zip(('first kernel', 'second kernel', 'mean of both curves'), errs):
    print(f'{name}: {e.mean():.4f}; ' + ', '.join(f'{a} {b:.3f}' for a, b in zip(NAMES, e.mean(axis=0))))
print('share at the cap of 4: ' + ', '.join(f'{a} {b:.2f}' for a, b in zip(NAMES, (err == 4).mean(axis=0))))
print('by fold: ' + ' '.join(f'{err[fold == k].mean():.3f}' for k in range(5)))
print('mean error with sign (predicted - true): ' + ' '.join(f'{x:.2f}' for x in (oof[2] - Y[:n]).mean(axis=0)))
dn = np.array([np.hypot(*(xy[:n][~(hole[:n] == h)] - xy[:n][hole[:n] == h][0]).T).min() for h in hole[:n]])
for a, b in ((0, 120), (120, 200), (200, 350), (350, 9999)):
    w = (dn >= a) & (dn < b)
    print(f'nearest train hole {a}-{b} m: n {w.sum()}, ' + ' '.join(f'{x:.3f}' for x in err[w].mean(axis=0)))
for a, b in ((0, 200), (200, 220), (220, 240), (240, 300)):
    w = (z[:n] >= a) & (z[:n] < b)
    print(f'elevation {a}-{b}: n {w.sum()}, ' + ' '.join(f'{x:.3f}' for x in err[w].mean(axis=0)))
for t in range(3):
    qs = pd.qcut(Y[:n, t], 4, labels=False)
    print(f'{NAMES[t]} by quarter of the truth: ' + ' '.join(f'{err[qs == i, t].mean():.2f}' for i in range(4)))
print(f'Final Validation Performance: {score}')
'''),
    (10, 34.0, "phase2/leg0/path0-attempt3", r'''import os
import numpy as np
import pandas as pd
from scipy.linalg import cho_factor, cho_solve
from scipy.ndimage import gaussian_filter1d

tr, te, pa, sub = (pd.read_csv(f'./input/{f}.csv') for f in ('train', 'test', 'partial', 'sample_submission'))
if os.environ.get('MLE_STAR_ROWS'):
    m = int(os.environ['MLE_STAR_ROWS'])
    if len(tr) > m:
        tr = tr.sample(m, random_state=0).reset_index(drop=True)
te = te.set_index('id').loc[sub.id].reset_index()
n = len(tr)
NAMES = ['bitumen', 'fines', 'chlorides']
al = pd.concat([tr, pa, te], ignore_index=True)
# units of the metric: a difference of 1 is one unit, more than 4 count as 4
Y = np.column_stack([al.bitumen / 1.5, al.fines / 7, np.log10(1 + al.chlorides) / 0.1])

xy = al[['east', 'north']].to_numpy(np.float32)
z = al.elevation.to_numpy(np.float32)
hole = al.hole.to_numpy()
g = al.groupby('hole').elevation  # top and base of the sampled column need no target
top = g.transform('max').to_numpy(np.float32)
base = g.transform('min').to_numpy(np.float32)

rel = (z - base) / (top - base + 3)

# kriging: part of the variance, metres across, metres up, metres of |top| + |base| (0: none; with it the penalties below, too)
KRIG = [(0.4, 150, 7, 60), (0.3, 600, 12, 60), (0.2, 3000, 30, 0)]
# kernels of each target, whose curves are averaged: scales of rel, of near bitumen and fines, of the hole's number (0: none),
# how much longer a correlation reaches to the north than to the east, part of a term of rel alone over 1500 m, nugget
KERNELS = [[(0.4, 0, 0, 1.0, 0, 0.35), (0.8, 6, 0, 1.0, 0, 0.35)],
           [(0.5, 0, 0, 1.0, 0, 0.6), (0.8, 6, 0, 1.0, 0, 0.6)],
           [(0.8, 0, 0, 1.7, 0, 0.3), (0.8, 0, 100, 1.7, 0, 0.3), (0.8, 0, 0, 1.7, 0.3, 0.3)]]
SMOOTH = [0, 0, 2.5]  # sd of a normal curve, in units, which the curves are smoothed with over the candidates


def near_means(s):
    """Bitumen and fines of the samples s of other holes about each sample, in units."""
    d = np.hypot(xy[:, :1] - xy[s, 0], xy[:, 1:] - xy[s, 1])
    W = np.exp(-d / 150 - 0.5 * ((z[:, None] - z[s]) / 3) ** 2)
    W[hole[:, None] == hole[s]] = 0
    W += np.float32(1e-12)
    return (W @ Y[s, :2].astype(np.float32)) / W.sum(axis=1, keepdims=True)


def gap(v, i, j, scale):
    return np.abs(v[i][:, None] - v[j]) / np.float32(scale)


def kernel(i, j, near, rs, nb, num, north, wide):
    d = np.hypot((xy[i, :1] - xy[j, 0]) * np.float32(north ** 0.5), (xy[i, 1:] - xy[j, 1]) / np.float32(north ** 0.5))
    dz = np.abs(z[i][:, None] - z[j])
    pen = np.abs(top[i][:, None] - top[j]) + np.abs(base[i][:, None] - base[j])
    pen /= np.float32(KRIG[0][3])
    if rs:
        pen += gap(rel, i, j, rs)
    if nb:
        pen += gap(near[:, 0], i, j, nb) + gap(near[:, 1], i, j, nb)
    if num:
        pen += gap(hole.astype(np.float32), i, j, num)
    K = np.zeros(d.shape, np.float32)
    for p, h, v, tb in KRIG:
        u = dz * np.float32(1.7 / v)
        e = d / np.float32(h) + u
        if tb:
            e += pen
        K += np.float32(p) * (1 + u) * np.exp(-e)
    if wide:
        K += np.float32(wide) * np.exp(-gap(rel, i, j, 0.3) - d / np.float32(1500))
    return K


def least(E, c):
    """The candidate with the least expected loss; those of the same mode that are nearly as good are averaged."""
    near = np.exp(-(E - E.min(axis=1, keepdims=True)) / 0.01)
    near[np.abs(c[None, :] - c[E.argmin(axis=1)][:, None]) > 1.5] = 0
    return (near * c).sum(axis=1) / near.sum(axis=1)


def predict(q, learn):
    """Rows q of al from the rows learn of train and all of partial: by each kernel, and by the mean of their curves."""
    P = np.zeros((3, len(q), 3))
    rows = np.r_[learn, np.arange(n, n + len(pa))]
    near = near_means(rows)
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        v = Y[s, t]
        c = np.linspace(v.min() - 3, v.max() + 3, 161)
        R = np.minimum(np.abs(v[:, None] - c), 4).astype(np.float32)
        m = R.mean(axis=0)
        mean = 0
        for i, (*what, nugget) in enumerate(KERNELS[t]):
            K = kernel(s, s, near, *what)
            K[np.diag_indices(len(s))] += np.float32(nugget)
            E = m + kernel(q, s, near, *what) @ cho_solve(
                cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False), R - m, check_finite=False)
            E = E.astype(float)
            if SMOOTH[t]:
                E = gaussian_filter1d(E, SMOOTH[t] / (c[1] - c[0]), axis=1, mode='nearest')
            P[min(i, 1), :, t] = least(E, c)
            mean = mean + E
        P[2, :, t] = least(mean / len(KERNELS[t]), c)
    return P


# held out: folds of whole holes
holes = np.random.default_rng(5).permutation(np.unique(hole[:n]))
fold = pd.Series(np.arange(len(holes)) % 5, index=holes)[hole[:n]].to_numpy()
oof = np.zeros((3, n, 3))
for k in range(5):
    oof[:, fold == k] = predict(np.flatnonzero(fold == k), np.flatnonzero(fold != k))
errs = np.minimum(np.abs(oof - Y[:n]), 4)
err = errs[2]

P = predict(np.arange(n + len(pa), len(al)), np.arange(n))[2]
out = pd.DataFrame({'id': sub.id, 'bitumen': np.maximum(P[:, 0] * 1.5, 0), 'fines': np.clip(P[:, 1] * 7, 0, 100),
                    'chlorides': np.maximum(10 ** (P[:, 2] * 0.1) - 1, 0)})
os.makedirs('./final', exist_ok=True)
out[list(sub.columns)].to_csv('./final/submission.csv', index=False)

score = err.mean()
print('Summary: minimum of kriged curves of min(|v-c|,4), 161 values c; kernel .4(150 m,7 m)+.3(600,12)+.2(3000,30), short terms * top,base '
      '60 * rel .4-.8 (half * near bitumen, fines 6); chlorides: mean of 3, 1.7 x longer to N, curve smoothed over c by 2.5 units; nugget .3-.6.')
for name, e in zip(('first kernel', 'second kernel', 'mean of both curves'), errs):
    print(f'{name}: {e.mean():.4f}; ' + ', '.join(f'{a} {b:.3f}' for a, b in zip(NAMES, e.mean(axis=0))))
print('share at the cap of 4: ' + ', '.join(f'{a} {b:.2f}' for a, b in zip(NAMES, (err == 4).mean(axis=0))))
print('by fold: ' + ' '.join(f'{err[fold == k].mean():.3f}' for k in range(5)))
print('mean error with sign (predicted - true): ' + ' '.join(f'{x:.2f}' for x in (oof[2] - Y[:n]).mean(axis=0)))
dn = np.array([np.hypot(*(xy[:n][~(hole[:n] == h)] - xy[:n][hole[:n] == h][0]).T).min() for h in hole[:n]])
for a, b in ((0, 120), (120, 200), (200, 350), (350, 9999)):
    w = (dn >= a) & (dn < b)
    print(f'nearest train hole {a}-{b} m: n {w.sum()}, ' + ' '.join(f'{x:.3f}' for x in err[w].mean(axis=0)))
for a, b in ((0, 200), (200, 220), (220, 240), (240, 300)):
    w = (z[:n] >= a) & (z[:n] < b)
    print(f'elevation {a}-{b}: n {w.sum()}, ' + ' '.join(f'{x:.3f}' for x in err[w].mean(axis=0)))
for t in range(3):
    qs = pd.qcut(Y[:n, t], 4, labels=False)
    print(f'{NAMES[t]} by quarter of the truth: ' + ' '.join(f'{err[qs == i, t].mean():.2f}' for i in range(4)))
print(f'Final Validation Performance: {score}')
'''),
    (45, 74.0, "phase2/leg0/path0-attempt5", r'''import os
import numpy as np
import pandas as pd
from scipy.linalg import cho_factor, cho_solve
from scipy.ndimage import gaussian_filter1d

tr, te, pa, sub = (pd.read_csv(f'./input/{f}.csv') for f in ('train', 'test', 'partial', 'sample_submission'))
if os.environ.get('MLE_STAR_ROWS'):
    m = int(os.environ['MLE_STAR_ROWS'])
    if len(tr) > m:
        tr = tr.sample(m, random_state=0).reset_index(drop=True)
te = te.set_index('id').loc[sub.id].reset_index()
n = len(tr)
NAMES = ['bitumen', 'fines', 'chlorides']
al = pd.concat([tr, pa, te], ignore_index=True)
# units of the metric: a difference of 1 is one unit, more than 4 count as 4
Y = np.column_stack([al.bitumen / 1.5, al.fines / 7, np.log10(1 + al.chlorides) / 0.1])

xy = al[['east', 'north']].to_numpy(np.float32)
z = al.elevation.to_numpy(np.float32)
hole = al.hole.to_numpy()
g = al.groupby('hole').elevation  # top and base of the sampled column need no target
top = g.transform('max').to_numpy(np.float32)
base = g.transform('min').to_numpy(np.float32)

rel = (z - base) / (top - base + 3)

# kriging: part of the variance, metres across, metres up, metres of |top| + |base| (0: none; with it the penalties below, too)
KRIG = [(0.4, 150, 7, 60), (0.3, 600, 12, 60), (0.2, 3000, 30, 0)]
# kernels of each target, whose curves are averaged: scales of rel, of near bitumen and fines, of the hole's number (0: none),
# how much longer a correlation reaches to the north than to the east, part of a term of rel alone over 1500 m,
# whether fines of partial are mapped to the quantiles of train, nugget
KERNELS = [[(0.4, 0, 0, 1.0, 0, False, 0.35), (0.8, 6, 0, 1.0, 0, False, 0.35)],
           [(0.8, 6, 0, 1.0, 0, False, 0.6), (0.8, 6, 0, 1.0, 0, True, 0.6), (0.5, 0, 0, 1.0, 0, True, 0.6)],
           [(0.8, 0, 0, 1.7, 0, False, 0.3), (0.8, 0, 0, 2.5, 0, False, 0.3)]]
SMOOTH = [0, 0, 2.5]  # sd of a normal curve, in units, which the curves are smoothed with over the candidates


def mapped(rows):
    """Y, the fines of partial (higher there, while bitumen is not) being moved to the quantiles of the learnt rows of train."""
    V = Y.copy()
    a, b = rows[rows < n], rows[rows >= n]
    V[b, 1] = np.quantile(V[a, 1], (np.argsort(np.argsort(V[b, 1])) + 0.5) / len(b))
    return V


def near_means(s, V):
    """Bitumen and fines of the samples s of other holes about each sample, in units."""
    d = np.hypot(xy[:, :1] - xy[s, 0], xy[:, 1:] - xy[s, 1])
    W = np.exp(-d / 150 - 0.5 * ((z[:, None] - z[s]) / 3) ** 2)
    W[hole[:, None] == hole[s]] = 0
    W += np.float32(1e-12)
    return (W @ V[s, :2].astype(np.float32)) / W.sum(axis=1, keepdims=True)


def gap(v, i, j, scale):
    return np.abs(v[i][:, None] - v[j]) / np.float32(scale)


def kernel(i, j, near, rs, nb, num, north, wide):
    d = np.hypot((xy[i, :1] - xy[j, 0]) * np.float32(north ** 0.5), (xy[i, 1:] - xy[j, 1]) / np.float32(north ** 0.5))
    dz = np.abs(z[i][:, None] - z[j])
    pen = np.abs(top[i][:, None] - top[j]) + np.abs(base[i][:, None] - base[j])
    pen /= np.float32(KRIG[0][3])
    if rs:
        pen += gap(rel, i, j, rs)
    if nb:
        pen += gap(near[:, 0], i, j, nb) + gap(near[:, 1], i, j, nb)
    if num:
        pen += gap(hole.astype(np.float32), i, j, num)
    K = np.zeros(d.shape, np.float32)
    for p, h, v, tb in KRIG:
        u = dz * np.float32(1.7 / v)
        e = d / np.float32(h) + u
        if tb:
            e += pen
        K += np.float32(p) * (1 + u) * np.exp(-e)
    if wide:
        K += np.float32(wide) * np.exp(-gap(rel, i, j, 0.3) - d / np.float32(1500))
    return K


def least(E, c):
    """The candidate with the least expected loss; those of the same mode that are nearly as good are averaged."""
    near = np.exp(-(E - E.min(axis=1, keepdims=True)) / 0.01)
    near[np.abs(c[None, :] - c[E.argmin(axis=1)][:, None]) > 1.5] = 0
    return (near * c).sum(axis=1) / near.sum(axis=1)


def predict(q, learn):
    """Rows q of al from the rows learn of train and all of partial: by each kernel, and by the mean of their curves."""
    P = np.zeros((3, len(q), 3))
    rows = np.r_[learn, np.arange(n, n + len(pa))]
    values = [Y, mapped(rows)]
    nears = [near_means(rows, V) for V in values]
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        c = np.linspace(Y[s, t].min() - 3, Y[s, t].max() + 3, 161)
        mean = 0
        for i, (*what, moved, nugget) in enumerate(KERNELS[t]):
            near = nears[int(moved)]
            R = np.minimum(np.abs(values[int(moved)][s, t][:, None] - c), 4).astype(np.float32)
            m = R.mean(axis=0)
            K = kernel(s, s, near, *what)
            K[np.diag_indices(len(s))] += np.float32(nugget)
            E = m + kernel(q, s, near, *what) @ cho_solve(
                cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False), R - m, check_finite=False)
            E = E.astype(float)
            if SMOOTH[t]:
                E = gaussian_filter1d(E, SMOOTH[t] / (c[1] - c[0]), axis=1, mode='nearest')
            P[min(i, 1), :, t] = least(E, c)
            mean = mean + E
        P[2, :, t] = least(mean / len(KERNELS[t]), c)
    return P


# held out: folds of whole holes
holes = np.random.default_rng(5).permutation(np.unique(hole[:n]))
fold = pd.Series(np.arange(len(holes)) % 5, index=holes)[hole[:n]].to_numpy()
oof = np.zeros((3, n, 3))
for k in range(5):
    oof[:, fold == k] = predict(np.flatnonzero(fold == k), np.flatnonzero(fold != k))
errs = np.minimum(np.abs(oof - Y[:n]), 4)
err = errs[2]

P = predict(np.arange(n + len(pa), len(al)), np.arange(n))[2]
out = pd.DataFrame({'id': sub.id, 'bitumen': np.maximum(P[:, 0] * 1.5, 0), 'fines': np.clip(P[:, 1] * 7, 0, 100),
                    'chlorides': np.maximum(10 ** (P[:, 2] * 0.1) - 1, 0)})
os.makedirs('./final', exist_ok=True)
out[list(sub.columns)].to_csv('./final/submission.csv', index=False)

score = err.mean()
print('Summary: minimum of kriged curves of min(|v-c|,4); kernel .4(150 m,7 m)+.3(600,12)+.2(3000,30), short terms * top,base 60 * rel .4-.8 '
      '(some * near bitumen, fines 6); fines: in 2 of 3 curves partial mapped to quantiles of train; chlorides 1.7, 2.5 x longer to N, smoothed 2.5.')
for name, e in zip(('first kernel', 'last kernel', 'mean of the curves'), errs):
    print(f'{name}: {e.mean():.4f}; ' + ', '.join(f'{a} {b:.3f}' for a, b in zip(NAMES, e.mean(axis=0))))
print('share at the cap of 4: ' + ', '.join(f'{a} {b:.2f}' for a, b in zip(NAMES, (err == 4).mean(axis=0))))
print('by fold: ' + ' '.join(f'{err[fold == k].mean():.3f}' for k in range(5)))
print('mean error with sign (predicted - true): ' + ' '.join(f'{x:.2f}' for x in (oof[2] - Y[:n]).mean(axis=0)))
dn = np.array([np.hypot(*(xy[:n][~(hole[:n] == h)] - xy[:n][hole[:n] == h][0]).T).min() for h in hole[:n]])
for a, b in ((0, 120), (120, 200), (200, 350), (350, 9999)):
    w = (dn >= a) & (dn < b)
    print(f'nearest train hole {a}-{b} m: n {w.sum()}, ' + ' '.join(f'{x:.3f}' for x in err[w].mean(axis=0)))
for a, b in ((0, 200), (200, 220), (220, 240), (240, 300)):
    w = (z[:n] >= a) & (z[:n] < b)
    print(f'elevation {a}-{b}: n {w.sum()}, ' + ' '.join(f'{x:.3f}' for x in err[w].mean(axis=0)))
for t in range(3):
    qs = pd.qcut(Y[:n, t], 4, labels=False)
    print(f'{NAMES[t]} by quarter of the truth: ' + ' '.join(f'{err[qs == i, t].mean():.2f}' for i in range(4)))
print(f'Final Validation Performance: {score}')
'''),
    (10, 31.0, "phase2/leg0/path1-attempt2", r'''import os
import numpy as np
import pandas as pd
from lightgbm import LGBMRegressor

tr, te, pa, sub = (pd.read_csv(f'./input/{f}.csv') for f in ('train', 'test', 'partial', 'sample_submission'))
if os.environ.get('MLE_STAR_ROWS'):
    m = int(os.environ['MLE_STAR_ROWS'])
    if len(tr) > m:
        tr = tr.sample(m, random_state=0).reset_index(drop=True)
te = te.set_index('id').loc[sub.id].reset_index()
n = len(tr)
NAMES = ['bitumen', 'fines', 'chlorides']
al = pd.concat([tr, pa, te], ignore_index=True)
# units of the metric: a difference of 1 is one unit, more than 4 count as 4
Y = np.column_stack([al.bitumen / 1.5, al.fines / 7, np.log10(1 + al.chlorides) / 0.1])

xy = al[['east', 'north']].to_numpy(float)
z = al.elevation.to_numpy(float)
hole = al.hole.to_numpy()
fac = al.facies.fillna(0).to_numpy(float)
g = al.groupby('hole').elevation  # top and base of the sampled column need no target
top = g.transform('max').to_numpy(float)
base = g.transform('min').to_numpy(float)
up = z - base
rel = up / (top - base + 3)

# kernels whose normalized weights are averaged: (L metres across, sd metres up, metres of top and of base)
KERNELS = [[(100, 3.0, 12, 12), (150, 3.0, 8, 8), (150, 4.5, 12, 8)],
           [(150, 3.0, 16, 16), (220, 3.0, 16, 16), (220, 4.5, 16, 16)],
           [(100, 3.0, 1e9, 1e9), (220, 3.0, 1e9, 1e9), (220, 4.5, 1e9, 1e9)]]
NEAREST = 30   # neighbours (samples) of which pairs are made
SHARP = 4      # weight of a pair: exp(-SHARP * predicted capped difference)


def weights(q, s, t):
    """Mean of the normalized weights of the samples s, of other holes, for the samples q."""
    d = np.hypot(xy[q, :1] - xy[s, 0], xy[q, 1:] - xy[s, 1])
    dz2 = (z[q][:, None] - z[s]) ** 2
    dt = np.abs(top[q][:, None] - top[s])
    db = np.abs(base[q][:, None] - base[s])
    own = hole[q][:, None] == hole[s]
    W = np.zeros(d.shape)
    for L, sd, tt, bb in KERNELS[t]:
        w = d * (-1 / L) - dz2 * (0.5 / sd ** 2) - dt * (1 / tt) - db * (1 / bb)
        w[own] = -1e9
        w = np.exp(w - w.max(axis=1, keepdims=True))
        W += w / w.sum(axis=1, keepdims=True)
    return W / len(KERNELS[t]), own


def least_capped_loss(W, v, cap=4):
    """The value with the least expected capped loss; the few that are nearly as good are averaged."""
    c = np.linspace(v.min(), v.max(), 161)
    E = W.astype('f4') @ np.minimum(np.abs(v[:, None] - c), cap).astype('f4')
    E = E.astype(float)
    near = np.exp(-(E - E.min(axis=1, keepdims=True)) / 0.01)
    near[np.abs(c[None, :] - c[E.argmin(axis=1)][:, None]) > 1.5] = 0  # of the same mode only
    return (near * c).sum(axis=1) / near.sum(axis=1)


PAIR = ['distance', 'dz', '|dz|', 'top diff', 'base diff', '|d east|', '|d north|', 'facies', 'facies of other', 'elevation',
        'up diff', 'rel', 'value of other', 'near - value of other', 'near', 'log kernel weight',
        'east', 'north', 'east diff', 'north diff', 'diagonal 1', 'diagonal 2']


def pairs(q, s, t, W, own, p):
    """Pairs of each of q with the NEAREST of s by kernel weight, never of its own hole; p is the kernel estimate at q."""
    k = min(NEAREST, len(s) // 2)
    j = np.argpartition(-np.where(own, -1, W), k, axis=1)[:, :k]
    r = np.repeat(np.arange(len(q)), k)
    a, b = q[r], s[j.ravel()]
    dx = np.abs(xy[a] - xy[b])
    X = np.column_stack([np.hypot(dx[:, 0], dx[:, 1]), z[a] - z[b], np.abs(z[a] - z[b]), top[a] - top[b], base[a] - base[b], dx,
                         fac[a], fac[b], z[a], up[b] - up[a], rel[a], Y[b, t], p[r] - Y[b, t], p[r],
                         np.log(W[r, j.ravel()] + 1e-9), xy[a], xy[a] - xy[b],
                         xy[a, 0] + xy[a, 1] / 2, xy[a, 0] - xy[a, 1] / 2])
    return a, b, j, X


gain = np.zeros((3, len(PAIR)))

# ---- L1 boosting on plain columns and near means of other holes
PLAIN = ['east', 'north', 'elevation', 'facies', 'top', 'base', 'up', 'depth', 'rel', 'diagonal 1', 'diagonal 2', 'rows of hole']
plain = np.column_stack([xy, z, fac, top, base, up, top - z, rel, xy[:, 0] + xy[:, 1] / 2, xy[:, 0] - xy[:, 1] / 2,
                         g.transform('size').to_numpy(float)])
NEAR = [(60, 3), (150, 3), (400, 5)]
FEATURES = PLAIN + [f'near({L},{sd}) {a}' for a in NAMES for L, sd in NEAR]
SEEDS = 4
HALF = 0.5     # part of L1 boosting in the mean
gain1 = np.zeros((3, len(FEATURES)))


def near_features(q, rows):
    """Plain columns of q and, for each target, weighted means of the samples rows of other holes."""
    X = [plain[q]]
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        d = np.hypot(xy[q, :1] - xy[s, 0], xy[q, 1:] - xy[s, 1])
        dz2 = (z[q][:, None] - z[s]) ** 2
        other = hole[q][:, None] != hole[s]
        for L, sd in NEAR:
            W = (np.exp(d * (-1 / L) - dz2 * (0.5 / sd ** 2)) + 1e-12) * other
            X.append((W @ Y[s, t] / W.sum(axis=1))[:, None])
    return np.hstack(X)


def predict(q, learn):
    """q and learn are rows of al; learn has the rows of train to learn from, partial is always added."""
    P = np.zeros((4, len(q), 3))  # kernel, learnt pairs and kernel, L1 boosting, mean of the last two
    rows = np.r_[learn, np.arange(n, n + len(pa))]
    Xl, Xq = near_features(rows, rows), near_features(q, rows)
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        v = Y[s, t]
        Ws, own = weights(s, s, t)  # of other holes only, as for q
        a, b, _, X = pairs(s, s, t, Ws, own, least_capped_loss(Ws, v))
        model = LGBMRegressor(n_estimators=60, learning_rate=0.12, num_leaves=24, min_child_samples=150, subsample=0.5,
                              subsample_freq=1, colsample_bytree=0.6, random_state=t, verbose=-1, n_jobs=-1)
        model.fit(X, np.minimum(np.abs(Y[a, t] - Y[b, t]), 4))
        gain[t] = model.booster_.feature_importance('gain')
        W, own = weights(q, s, t)
        P[0, :, t] = least_capped_loss(W, v)
        _, _, j, X = pairs(q, s, t, W, own, P[0, :, t])
        loss = model.predict(X).reshape(len(q), -1)
        w = np.exp(-SHARP * (loss - loss.min(axis=1, keepdims=True)))
        V = np.zeros(W.shape)
        np.put_along_axis(V, j, w / w.sum(axis=1, keepdims=True), 1)
        P[1, :, t] = least_capped_loss((V + W) / 2, v)
        ok = np.isfinite(Y[rows, t])
        for seed in range(SEEDS):
            model = LGBMRegressor(objective='regression_l1', n_estimators=220, learning_rate=0.045, num_leaves=15,
                                  min_child_samples=20, subsample=0.7, subsample_freq=1, colsample_bytree=0.5, reg_lambda=5,
                                  random_state=seed, verbose=-1, n_jobs=-1)
            P[2, :, t] += model.fit(Xl[ok], v).predict(Xq) / SEEDS
        gain1[t] = model.booster_.feature_importance('gain')
        P[3, :, t] = (1 - HALF) * P[1, :, t] + HALF * P[2, :, t]
    return P


# held out: one fifth of the holes
holes = np.random.default_rng(5).permutation(np.unique(hole[:n]))
fold = pd.Series(np.arange(len(holes)) % 5, index=holes)[hole[:n]].to_numpy()
h = np.flatnonzero(fold == 0)
held = predict(h, np.flatnonzero(fold != 0))
err = np.minimum(np.abs(held - Y[h]), 4)

P = predict(np.arange(n + len(pa), len(al)), np.arange(n))[3]
out = pd.DataFrame({'id': sub.id, 'bitumen': np.maximum(P[:, 0] * 1.5, 0), 'fines': np.clip(P[:, 1] * 7, 0, 100),
                    'chlorides': np.maximum(10 ** (P[:, 2] * 0.1) - 1, 0)})
os.makedirs('./final', exist_ok=True)
out[list(sub.columns)].to_csv('./final/submission.csv', index=False)

e = err[3]
print('Summary: mean of (a) least expected capped loss under mean of kernel weights and learnt pair weights exp(-4 x loss), LightGBM '
      'on 30 pairs a sample, 60 trees, with place, and (b) L1 LightGBM, 4 seeds, on plain columns and near(60|150|400) means of '
      'all targets; train+partial.')
print('held out: one fifth of the holes, rows', len(h))
for name, x in zip(('kernel', 'pairs+kernel', 'L1 boosting', 'mean of both'), err):
    print(f'{name}: {x.mean():.4f}, ' + ', '.join(f'{a} {b:.3f}' for a, b in zip(NAMES, x.mean(axis=0))))
hm = pd.Series((err[1] - e).mean(axis=1)).groupby(hole[h]).sum()
print(f'mean better than pairs by {hm.sum() / len(h):.4f} ± {np.sqrt((hm ** 2).sum()) / len(h):.4f}, '
      f'in {(hm > 0).sum()} of {len(hm)} holes')
print('share at the cap: ' + ', '.join(f'{a} {b:.2f}' for a, b in zip(NAMES, (e >= 4).mean(axis=0))))
for t in range(3):
    o = np.argsort(-gain[t])[:3]
    print(f'pairs {NAMES[t]}: ' + ', '.join(f'{PAIR[i]} {gain[t, i] / gain[t].sum():.2f}' for i in o))
    o = np.argsort(-gain1[t])[:3]
    print(f'L1 {NAMES[t]}: ' + ', '.join(f'{FEATURES[i]} {gain1[t, i] / gain1[t].sum():.2f}' for i in o))
dn = np.array([np.hypot(*(xy[:n][fold != 0] - xy[i]).T).min() for i in h])
for a, b in ((0, 120), (120, 200), (200, 350), (350, 9999)):
    w = (dn >= a) & (dn < b)
    print(f'nearest train hole {a}-{b} m: n {w.sum()}, ' + ' '.join(f'{x:.2f}' for x in e[w].mean(axis=0)))
for a, b in ((0, 200), (200, 220), (220, 240), (240, 300)):
    w = (z[h] >= a) & (z[h] < b)
    print(f'elevation {a}-{b}: n {w.sum()}, ' + ' '.join(f'{x:.2f}' for x in e[w].mean(axis=0)))
for i in np.argsort(-e.sum(axis=1))[:3]:
    print(f'worst: hole {hole[h[i]]} z {z[h[i]]:.0f} facies {fac[h[i]]:.0f}: true ' + ' '.join(f'{x:.1f}' for x in Y[h[i]])
          + ' got ' + ' '.join(f'{x:.1f}' for x in held[3, i]))
print(f'Final Validation Performance: {e.mean()}')
'''),
    (10, 37.0, "phase2/leg0/path1-attempt3", r'''import os
import numpy as np
import pandas as pd
from lightgbm import LGBMRegressor

tr, te, pa, sub = (pd.read_csv(f'./input/{f}.csv') for f in ('train', 'test', 'partial', 'sample_submission'))
if os.environ.get('MLE_STAR_ROWS'):
    m = int(os.environ['MLE_STAR_ROWS'])
    if len(tr) > m:
        tr = tr.sample(m, random_state=0).reset_index(drop=True)
te = te.set_index('id').loc[sub.id].reset_index()
n = len(tr)
NAMES = ['bitumen', 'fines', 'chlorides']
al = pd.concat([tr, pa, te], ignore_index=True)
# units of the metric: a difference of 1 is one unit, more than 4 count as 4
Y = np.column_stack([al.bitumen / 1.5, al.fines / 7, np.log10(1 + al.chlorides) / 0.1])

xy = al[['east', 'north']].to_numpy(float)
z = al.elevation.to_numpy(float)
hole = al.hole.to_numpy()
fac = al.facies.fillna(0).to_numpy(float)
g = al.groupby('hole').elevation  # top and base of the sampled column need no target
top = g.transform('max').to_numpy(float)
base = g.transform('min').to_numpy(float)
up = z - base
rel = up / (top - base + 3)

# kernels whose normalized weights are averaged: (L metres across, sd metres up, metres of top and of base)
KERNELS = [[(100, 3.0, 12, 12), (150, 3.0, 8, 8), (150, 4.5, 12, 8)],
           [(150, 3.0, 16, 16), (220, 3.0, 16, 16), (220, 4.5, 16, 16)],
           [(100, 3.0, 1e9, 1e9), (220, 3.0, 1e9, 1e9), (220, 4.5, 1e9, 1e9)]]
NEAREST = 30   # neighbours (samples) of which pairs are made
SHARP = 4      # weight of a pair: exp(-SHARP * predicted capped difference)


def weights(q, s, t):
    """Mean of the normalized weights of the samples s, of other holes, for the samples q."""
    d = np.hypot(xy[q, :1] - xy[s, 0], xy[q, 1:] - xy[s, 1])
    dz2 = (z[q][:, None] - z[s]) ** 2
    dt = np.abs(top[q][:, None] - top[s])
    db = np.abs(base[q][:, None] - base[s])
    own = hole[q][:, None] == hole[s]
    W = np.zeros(d.shape)
    for L, sd, tt, bb in KERNELS[t]:
        w = d * (-1 / L) - dz2 * (0.5 / sd ** 2) - dt * (1 / tt) - db * (1 / bb)
        w[own] = -1e9
        w = np.exp(w - w.max(axis=1, keepdims=True))
        W += w / w.sum(axis=1, keepdims=True)
    return W / len(KERNELS[t]), own


def least_capped_loss(W, v, cap=4):
    """The value with the least expected capped loss; the few that are nearly as good are averaged."""
    c = np.linspace(v.min(), v.max(), 161)
    E = W.astype('f4') @ np.minimum(np.abs(v[:, None] - c), cap).astype('f4')
    E = E.astype(float)
    near = np.exp(-(E - E.min(axis=1, keepdims=True)) / 0.01)
    near[np.abs(c[None, :] - c[E.argmin(axis=1)][:, None]) > 1.5] = 0  # of the same mode only
    return (near * c).sum(axis=1) / near.sum(axis=1)


PAIR = ['distance', 'dz', '|dz|', 'top diff', 'base diff', '|d east|', '|d north|', 'facies', 'facies of other', 'elevation',
        'up diff', 'rel', 'value of other', 'near - value of other', 'near', 'log kernel weight',
        'east', 'north', 'east diff', 'north diff', 'diagonal 1', 'diagonal 2']


def pairs(q, s, t, W, own, p):
    """Pairs of each of q with the NEAREST of s by kernel weight, never of its own hole; p is the kernel estimate at q."""
    k = min(NEAREST, len(s) // 2)
    j = np.argpartition(-np.where(own, -1, W), k, axis=1)[:, :k]
    r = np.repeat(np.arange(len(q)), k)
    a, b = q[r], s[j.ravel()]
    dx = np.abs(xy[a] - xy[b])
    X = np.column_stack([np.hypot(dx[:, 0], dx[:, 1]), z[a] - z[b], np.abs(z[a] - z[b]), top[a] - top[b], base[a] - base[b], dx,
                         fac[a], fac[b], z[a], up[b] - up[a], rel[a], Y[b, t], p[r] - Y[b, t], p[r],
                         np.log(W[r, j.ravel()] + 1e-9), xy[a], xy[a] - xy[b],
                         xy[a, 0] + xy[a, 1] / 2, xy[a, 0] - xy[a, 1] / 2])
    return a, b, j, X


gain = np.zeros((3, len(PAIR)))

# ---- L1 boosting on plain columns and near means of other holes
PLAIN = ['east', 'north', 'elevation', 'facies', 'top', 'base', 'up', 'depth', 'rel', 'diagonal 1', 'diagonal 2', 'rows of hole']
plain = np.column_stack([xy, z, fac, top, base, up, top - z, rel, xy[:, 0] + xy[:, 1] / 2, xy[:, 0] - xy[:, 1] / 2,
                         g.transform('size').to_numpy(float)])
NEAR = [(60, 3), (150, 3), (400, 5)]
FEATURES = PLAIN + [f'near({L},{sd}) {a}' for a in NAMES for L, sd in NEAR]
SEEDS = 3
LEAVES = 15
POWER = 3      # of the weights of samples that share leaves of the L1 boosting
gain1 = np.zeros((3, len(FEATURES)))


def near_features(q, rows):
    """Plain columns of q and, for each target, weighted means of the samples rows of other holes."""
    X = [plain[q]]
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        d = np.hypot(xy[q, :1] - xy[s, 0], xy[q, 1:] - xy[s, 1])
        dz2 = (z[q][:, None] - z[s]) ** 2
        other = hole[q][:, None] != hole[s]
        for L, sd in NEAR:
            W = (np.exp(d * (-1 / L) - dz2 * (0.5 / sd ** 2)) + 1e-12) * other
            X.append((W @ Y[s, t] / W.sum(axis=1))[:, None])
    return np.hstack(X)


def shared_leaves(model, Xs, Xq):
    """For each of Xq the weights of the learnt samples Xs: sum over trees of 1 / leaf size where both are in one leaf."""
    ls, lq = model.predict(Xs, pred_leaf=True), model.predict(Xq, pred_leaf=True)
    first = np.arange(ls.shape[1]) * LEAVES
    A = np.zeros((len(Xs), ls.shape[1] * LEAVES), 'f4')
    B = np.zeros((len(Xq), ls.shape[1] * LEAVES), 'f4')
    A[np.arange(len(Xs))[:, None], ls + first] = 1
    B[np.arange(len(Xq))[:, None], lq + first] = 1
    A /= np.maximum(A.sum(axis=0), 1)
    return B @ A.T


def predict(q, learn):
    """q and learn are rows of al; learn has the rows of train to learn from, partial is always added."""
    P = np.zeros((6, len(q), 3))  # kernel, pairs and kernel, L1 boosting, its leaves, leaves + pairs + kernel, mean of the last three
    rows = np.r_[learn, np.arange(n, n + len(pa))]
    Xl, Xq = near_features(rows, rows), near_features(q, rows)
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        v = Y[s, t]
        Ws, own = weights(s, s, t)  # of other holes only, as for q
        a, b, _, X = pairs(s, s, t, Ws, own, least_capped_loss(Ws, v))
        model = LGBMRegressor(n_estimators=60, learning_rate=0.12, num_leaves=24, min_child_samples=150, subsample=0.5,
                              subsample_freq=1, colsample_bytree=0.6, random_state=t, verbose=-1, n_jobs=-1)
        model.fit(X, np.minimum(np.abs(Y[a, t] - Y[b, t]), 4))
        gain[t] = model.booster_.feature_importance('gain')
        W, own = weights(q, s, t)
        P[0, :, t] = least_capped_loss(W, v)
        _, _, j, X = pairs(q, s, t, W, own, P[0, :, t])
        loss = model.predict(X).reshape(len(q), -1)
        w = np.exp(-SHARP * (loss - loss.min(axis=1, keepdims=True)))
        V = np.zeros(W.shape)
        np.put_along_axis(V, j, w / w.sum(axis=1, keepdims=True), 1)
        V = (V + W) / 2
        P[1, :, t] = least_capped_loss(V, v)
        ok = np.isfinite(Y[rows, t])
        S = np.zeros(W.shape)
        for seed in range(SEEDS):
            model = LGBMRegressor(objective='regression_l1', n_estimators=220, learning_rate=0.045, num_leaves=LEAVES,
                                  min_child_samples=20, subsample=0.7, subsample_freq=1, colsample_bytree=0.5, reg_lambda=5,
                                  random_state=seed, verbose=-1, n_jobs=-1)
            P[2, :, t] += model.fit(Xl[ok], v).predict(Xq) / SEEDS
            S += shared_leaves(model, Xl[ok], Xq)
        gain1[t] = model.booster_.feature_importance('gain')
        S = (S / S.max(axis=1, keepdims=True)) ** POWER
        S /= S.sum(axis=1, keepdims=True)
        P[3, :, t] = least_capped_loss(S, v)
        P[4, :, t] = least_capped_loss((S + V) / 2, v)
        P[5, :, t] = P[2:5, :, t].mean(axis=0)
    return P


# held out: one fifth of the holes
holes = np.random.default_rng(5).permutation(np.unique(hole[:n]))
fold = pd.Series(np.arange(len(holes)) % 5, index=holes)[hole[:n]].to_numpy()
h = np.flatnonzero(fold == 0)
held = predict(h, np.flatnonzero(fold != 0))
err = np.minimum(np.abs(held - Y[h]), 4)

P = predict(np.arange(n + len(pa), len(al)), np.arange(n))[5]
out = pd.DataFrame({'id': sub.id, 'bitumen': np.maximum(P[:, 0] * 1.5, 0), 'fines': np.clip(P[:, 1] * 7, 0, 100),
                    'chlorides': np.maximum(10 ** (P[:, 2] * 0.1) - 1, 0)})
os.makedirs('./final', exist_ok=True)
out[list(sub.columns)].to_csv('./final/submission.csv', index=False)

e = err[5]
print('Summary: mean of L1 LightGBM (3 seeds; plain columns, near(60|150|400) means of all targets) and least expected capped loss '
      'under (a) its shared-leaf weights^3, (b) these + kernel weights + learnt pair weights exp(-4 loss), LightGBM on 30 pairs; '
      'train+partial.')
print('held out: one fifth of the holes, rows', len(h))
for name, x in zip(('kernel', 'pairs+kernel', 'L1', 'leaves^3', 'leaves+pairs', 'mean'), err):
    print(f'{name}: {x.mean():.4f}, ' + ', '.join(f'{a} {b:.3f}' for a, b in zip(NAMES, x.mean(axis=0))))
hm = pd.Series((err[2] - e).mean(axis=1)).groupby(hole[h]).sum()
print(f'mean better than L1 by {hm.sum() / len(h):.4f} ± {np.sqrt((hm ** 2).sum()) / len(h):.4f}, '
      f'in {(hm > 0).sum()} of {len(hm)} holes')
print('share at the cap: ' + ', '.join(f'{a} {b:.2f}' for a, b in zip(NAMES, (e >= 4).mean(axis=0))))
for t in range(3):
    o = np.argsort(-gain1[t])[:3]
    print(f'L1 {NAMES[t]}: ' + ', '.join(f'{FEATURES[i]} {gain1[t, i] / gain1[t].sum():.2f}' for i in o))
dn = np.array([np.hypot(*(xy[:n][fold != 0] - xy[i]).T).min() for i in h])
for a, b in ((0, 120), (120, 200), (200, 350), (350, 9999)):
    w = (dn >= a) & (dn < b)
    print(f'nearest train hole {a}-{b} m: n {w.sum()}, ' + ' '.join(f'{x:.2f}' for x in e[w].mean(axis=0)))
for a, b in ((0, 200), (200, 220), (220, 240), (240, 300)):
    w = (z[h] >= a) & (z[h] < b)
    print(f'elevation {a}-{b}: n {w.sum()}, ' + ' '.join(f'{x:.2f}' for x in e[w].mean(axis=0)))
for i in np.argsort(-e.sum(axis=1))[:3]:
    print(f'worst: hole {hole[h[i]]} z {z[h[i]]:.0f} facies {fac[h[i]]:.0f}: true ' + ' '.join(f'{x:.1f}' for x in Y[h[i]])
          + ' got ' + ' '.join(f'{x:.1f}' for x in held[5, i]))
print(f'Final Validation Performance: {e.mean()}')
'''),
    (10, 51.0, "phase2/leg0/path1-attempt4", r'''import os
import numpy as np
import pandas as pd
from lightgbm import LGBMRegressor
from scipy.sparse import csr_matrix, diags
from sklearn.ensemble import ExtraTreesRegressor

tr, te, pa, sub = (pd.read_csv(f'./input/{f}.csv') for f in ('train', 'test', 'partial', 'sample_submission'))
if os.environ.get('MLE_STAR_ROWS'):
    m = int(os.environ['MLE_STAR_ROWS'])
    if len(tr) > m:
        tr = tr.sample(m, random_state=0).reset_index(drop=True)
te = te.set_index('id').loc[sub.id].reset_index()
n = len(tr)
NAMES = ['bitumen', 'fines', 'chlorides']
al = pd.concat([tr, pa, te], ignore_index=True)
# units of the metric: a difference of 1 is one unit, more than 4 count as 4
Y = np.column_stack([al.bitumen / 1.5, al.fines / 7, np.log10(1 + al.chlorides) / 0.1])

xy = al[['east', 'north']].to_numpy(float)
z = al.elevation.to_numpy(float)
hole = al.hole.to_numpy()
fac = al.facies.fillna(0).to_numpy(float)
g = al.groupby('hole').elevation  # top and base of the sampled column need no target
top = g.transform('max').to_numpy(float)
base = g.transform('min').to_numpy(float)
up = z - base
rel = up / (top - base + 3)

# kernels whose normalized weights are averaged: (L metres across, sd metres up, metres of top and of base)
KERNELS = [[(100, 3.0, 12, 12), (150, 3.0, 8, 8), (150, 4.5, 12, 8)],
           [(150, 3.0, 16, 16), (220, 3.0, 16, 16), (220, 4.5, 16, 16)],
           [(100, 3.0, 1e9, 1e9), (220, 3.0, 1e9, 1e9), (220, 4.5, 1e9, 1e9)]]
NEAREST = 30   # neighbours (samples) of which pairs are made
SHARP = 4      # weight of a pair: exp(-SHARP * predicted capped difference)
SMOOTH = [0, 0, 1.5]   # units over which the curve of the expected loss is smoothed (chlorides have many modes)


def weights(q, s, t):
    """Mean of the normalized weights of the samples s, of other holes, for the samples q."""
    d = np.hypot(xy[q, :1] - xy[s, 0], xy[q, 1:] - xy[s, 1])
    dz2 = (z[q][:, None] - z[s]) ** 2
    dt = np.abs(top[q][:, None] - top[s])
    db = np.abs(base[q][:, None] - base[s])
    own = hole[q][:, None] == hole[s]
    W = np.zeros(d.shape)
    for L, sd, tt, bb in KERNELS[t]:
        w = d * (-1 / L) - dz2 * (0.5 / sd ** 2) - dt * (1 / tt) - db * (1 / bb)
        w[own] = -1e9
        w = np.exp(w - w.max(axis=1, keepdims=True))
        W += w / w.sum(axis=1, keepdims=True)
    return W / len(KERNELS[t]), own


def least_capped_loss(W, v, cap=4, smooth=0):
    """The value with the least expected capped loss; the few that are nearly as good are averaged."""
    c = np.linspace(v.min(), v.max(), 161)
    E = W.astype('f4') @ np.minimum(np.abs(v[:, None] - c), cap).astype('f4')
    E = E.astype(float)
    if smooth:
        k = np.exp(-0.5 * ((c[:, None] - c) / smooth) ** 2)
        E = E @ (k / k.sum(axis=0))
    near = np.exp(-(E - E.min(axis=1, keepdims=True)) / 0.01)
    near[np.abs(c[None, :] - c[E.argmin(axis=1)][:, None]) > 1.5] = 0  # of the same mode only
    return (near * c).sum(axis=1) / near.sum(axis=1)


PAIR = ['distance', 'dz', '|dz|', 'top diff', 'base diff', '|d east|', '|d north|', 'facies', 'facies of other', 'elevation',
        'up diff', 'rel', 'value of other', 'near - value of other', 'near', 'log kernel weight',
        'east', 'north', 'east diff', 'north diff', 'diagonal 1', 'diagonal 2']


def pairs(q, s, t, W, own, p):
    """Pairs of each of q with the NEAREST of s by kernel weight, never of its own hole; p is the kernel estimate at q."""
    k = min(NEAREST, len(s) // 2)
    j = np.argpartition(-np.where(own, -1, W), k, axis=1)[:, :k]
    r = np.repeat(np.arange(len(q)), k)
    a, b = q[r], s[j.ravel()]
    dx = np.abs(xy[a] - xy[b])
    X = np.column_stack([np.hypot(dx[:, 0], dx[:, 1]), z[a] - z[b], np.abs(z[a] - z[b]), top[a] - top[b], base[a] - base[b], dx,
                         fac[a], fac[b], z[a], up[b] - up[a], rel[a], Y[b, t], p[r] - Y[b, t], p[r],
                         np.log(W[r, j.ravel()] + 1e-9), xy[a], xy[a] - xy[b],
                         xy[a, 0] + xy[a, 1] / 2, xy[a, 0] - xy[a, 1] / 2])
    return a, b, j, X


gain = np.zeros((3, len(PAIR)))

# ---- L1 boosting on plain columns and near means of other holes
PLAIN = ['east', 'north', 'elevation', 'facies', 'top', 'base', 'up', 'depth', 'rel', 'diagonal 1', 'diagonal 2', 'rows of hole']
plain = np.column_stack([xy, z, fac, top, base, up, top - z, rel, xy[:, 0] + xy[:, 1] / 2, xy[:, 0] - xy[:, 1] / 2,
                         g.transform('size').to_numpy(float)])
NEAR = [(60, 3), (150, 3), (400, 5)]
FEATURES = PLAIN + [f'near({L},{sd}) {a}' for a in NAMES for L, sd in NEAR]
SEEDS = 3
LEAVES = 15
POWER = 3      # of the weights of samples that share leaves of the L1 boosting
gain1 = np.zeros((3, len(FEATURES)))


def near_features(q, rows):
    """Plain columns of q and, for each target, weighted means of the samples rows of other holes."""
    X = [plain[q]]
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        d = np.hypot(xy[q, :1] - xy[s, 0], xy[q, 1:] - xy[s, 1])
        dz2 = (z[q][:, None] - z[s]) ** 2
        other = hole[q][:, None] != hole[s]
        for L, sd in NEAR:
            W = (np.exp(d * (-1 / L) - dz2 * (0.5 / sd ** 2)) + 1e-12) * other
            X.append((W @ Y[s, t] / W.sum(axis=1))[:, None])
    return np.hstack(X)


def shared_leaves(model, Xs, Xq):
    """For each of Xq the weights of the learnt samples Xs: sum over trees of 1 / leaf size where both are in one leaf."""
    ls, lq = model.predict(Xs, pred_leaf=True), model.predict(Xq, pred_leaf=True)
    first = np.arange(ls.shape[1]) * LEAVES
    A = np.zeros((len(Xs), ls.shape[1] * LEAVES), 'f4')
    B = np.zeros((len(Xq), ls.shape[1] * LEAVES), 'f4')
    A[np.arange(len(Xs))[:, None], ls + first] = 1
    B[np.arange(len(Xq))[:, None], lq + first] = 1
    A /= np.maximum(A.sum(axis=0), 1)
    return B @ A.T


def forest_weights(F, Xs, Xq):
    """The same for a forest of scikit-learn, normalized."""
    first = np.r_[0, np.cumsum([e.tree_.node_count for e in F.estimators_])]

    def onehot(X):
        leaf = F.apply(X) + first[:-1]
        r = np.repeat(np.arange(len(X)), leaf.shape[1])
        return csr_matrix((np.ones(leaf.size), (r, leaf.ravel())), shape=(len(X), first[-1]))

    A, B = onehot(Xs), onehot(Xq)
    size = np.maximum(np.asarray(A.sum(axis=0)).ravel(), 1)
    K = (B @ diags(1 / size) @ A.T).toarray()
    return K / K.sum(axis=1, keepdims=True)


def predict(q, learn):
    """q and learn are rows of al; learn has the rows of train to learn from, partial is always added."""
    # kernel, pairs and kernel, L1 boosting, its leaves, leaves of extra trees, all weights, mean of the last four
    P = np.zeros((7, len(q), 3))
    rows = np.r_[learn, np.arange(n, n + len(pa))]
    Xl, Xq = near_features(rows, rows), near_features(q, rows)
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        v = Y[s, t]
        Ws, own = weights(s, s, t)  # of other holes only, as for q
        a, b, _, X = pairs(s, s, t, Ws, own, least_capped_loss(Ws, v))
        model = LGBMRegressor(n_estimators=60, learning_rate=0.12, num_leaves=24, min_child_samples=150, subsample=0.5,
                              subsample_freq=1, colsample_bytree=0.6, random_state=t, verbose=-1, n_jobs=-1)
        model.fit(X, np.minimum(np.abs(Y[a, t] - Y[b, t]), 4))
        gain[t] = model.booster_.feature_importance('gain')
        W, own = weights(q, s, t)
        P[0, :, t] = least_capped_loss(W, v)
        _, _, j, X = pairs(q, s, t, W, own, P[0, :, t])
        loss = model.predict(X).reshape(len(q), -1)
        w = np.exp(-SHARP * (loss - loss.min(axis=1, keepdims=True)))
        V = np.zeros(W.shape)
        np.put_along_axis(V, j, w / w.sum(axis=1, keepdims=True), 1)
        V = (V + W) / 2
        P[1, :, t] = least_capped_loss(V, v)
        ok = np.isfinite(Y[rows, t])
        S = np.zeros(W.shape)
        for seed in range(SEEDS):
            model = LGBMRegressor(objective='regression_l1', n_estimators=220, learning_rate=0.045, num_leaves=LEAVES,
                                  min_child_samples=20, subsample=0.7, subsample_freq=1, colsample_bytree=0.5, reg_lambda=5,
                                  random_state=seed, verbose=-1, n_jobs=-1)
            P[2, :, t] += model.fit(Xl[ok], v).predict(Xq) / SEEDS
            S += shared_leaves(model, Xl[ok], Xq)
        gain1[t] = model.booster_.feature_importance('gain')
        S = (S / S.max(axis=1, keepdims=True)) ** POWER
        S /= S.sum(axis=1, keepdims=True)
        forest = ExtraTreesRegressor(n_estimators=300, min_samples_leaf=8, max_features=0.5, random_state=t, n_jobs=-1)
        R = forest_weights(forest.fit(Xl[ok], v), Xl[ok], Xq)
        P[3, :, t] = least_capped_loss(S, v, smooth=SMOOTH[t])
        P[4, :, t] = least_capped_loss(R, v, smooth=SMOOTH[t])
        P[5, :, t] = least_capped_loss((S + R + V) / 3, v, smooth=SMOOTH[t])
        P[6, :, t] = P[2:6, :, t].mean(axis=0)
    return P


# held out: one fifth of the holes
holes = np.random.default_rng(5).permutation(np.unique(hole[:n]))
fold = pd.Series(np.arange(len(holes)) % 5, index=holes)[hole[:n]].to_numpy()
h = np.flatnonzero(fold == 0)
held = predict(h, np.flatnonzero(fold != 0))
err = np.minimum(np.abs(held - Y[h]), 4)

P = predict(np.arange(n + len(pa), len(al)), np.arange(n))[6]
out = pd.DataFrame({'id': sub.id, 'bitumen': np.maximum(P[:, 0] * 1.5, 0), 'fines': np.clip(P[:, 1] * 7, 0, 100),
                    'chlorides': np.maximum(10 ** (P[:, 2] * 0.1) - 1, 0)})
os.makedirs('./final', exist_ok=True)
out[list(sub.columns)].to_csv('./final/submission.csv', index=False)

e = err[6]
print('Summary: mean of L1 LightGBM (plain columns, near(60|150|400) means of all targets) and least expected capped loss under its '
      'shared-leaf weights^3, under those of 300 extra trees (leaf 8, ^1), and under both + kernel + learnt pair weights; chlorides: '
      'curve smoothed by 1.5.')
print('held out: one fifth of the holes, rows', len(h))
for name, x in zip(('kernel', 'pairs+kernel', 'L1', 'leaves^3', 'extra trees', 'all weights', 'mean'), err):
    print(f'{name}: {x.mean():.4f}, ' + ', '.join(f'{a} {b:.3f}' for a, b in zip(NAMES, x.mean(axis=0))))
hm = pd.Series((err[2] - e).mean(axis=1)).groupby(hole[h]).sum()
print(f'mean better than L1 by {hm.sum() / len(h):.4f} ± {np.sqrt((hm ** 2).sum()) / len(h):.4f}, '
      f'in {(hm > 0).sum()} of {len(hm)} holes')
print('share at the cap: ' + ', '.join(f'{a} {b:.2f}' for a, b in zip(NAMES, (e >= 4).mean(axis=0))))
for t in range(3):
    o = np.argsort(-gain1[t])[:3]
    print(f'L1 {NAMES[t]}: ' + ', '.join(f'{FEATURES[i]} {gain1[t, i] / gain1[t].sum():.2f}' for i in o))
dn = np.array([np.hypot(*(xy[:n][fold != 0] - xy[i]).T).min() for i in h])
for a, b in ((0, 120), (120, 200), (200, 350), (350, 9999)):
    w = (dn >= a) & (dn < b)
    print(f'nearest train hole {a}-{b} m: n {w.sum()}, ' + ' '.join(f'{x:.2f}' for x in e[w].mean(axis=0)))
for a, b in ((0, 200), (200, 220), (220, 240), (240, 300)):
    w = (z[h] >= a) & (z[h] < b)
    print(f'elevation {a}-{b}: n {w.sum()}, ' + ' '.join(f'{x:.2f}' for x in e[w].mean(axis=0)))
for i in np.argsort(-e.sum(axis=1))[:3]:
    print(f'worst: hole {hole[h[i]]} z {z[h[i]]:.0f} facies {fac[h[i]]:.0f}: true ' + ' '.join(f'{x:.1f}' for x in Y[h[i]])
          + ' got ' + ' '.join(f'{x:.1f}' for x in held[6, i]))
print(f'Final Validation Performance: {e.mean()}')
'''),
    (31, 94.0, "phase2/leg0/path1-attempt5", r'''import os
import numpy as np
import pandas as pd
from lightgbm import LGBMRegressor
from scipy.sparse import csr_matrix, diags
from sklearn.ensemble import ExtraTreesRegressor

tr, te, pa, sub = (pd.read_csv(f'./input/{f}.csv') for f in ('train', 'test', 'partial', 'sample_submission'))
if os.environ.get('MLE_STAR_ROWS'):
    m = int(os.environ['MLE_STAR_ROWS'])
    if len(tr) > m:
        tr = tr.sample(m, random_state=0).reset_index(drop=True)
te = te.set_index('id').loc[sub.id].reset_index()
n = len(tr)
NAMES = ['bitumen', 'fines', 'chlorides']
al = pd.concat([tr, pa, te], ignore_index=True)
# units of the metric: a difference of 1 is one unit, more than 4 count as 4
Y = np.column_stack([al.bitumen / 1.5, al.fines / 7, np.log10(1 + al.chlorides) / 0.1])

xy = al[['east', 'north']].to_numpy(float)
z = al.elevation.to_numpy(float)
hole = al.hole.to_numpy()
fac = al.facies.fillna(0).to_numpy(float)
g = al.groupby('hole').elevation  # top and base of the sampled column need no target
top = g.transform('max').to_numpy(float)
base = g.transform('min').to_numpy(float)
up = z - base
rel = up / (top - base + 3)

# kernels whose normalized weights are averaged: (L metres across, sd metres up, metres of top and of base)
KERNELS = [[(100, 3.0, 12, 12), (150, 3.0, 8, 8), (150, 4.5, 12, 8)],
           [(150, 3.0, 16, 16), (220, 3.0, 16, 16), (220, 4.5, 16, 16)],
           [(100, 3.0, 1e9, 1e9), (220, 3.0, 1e9, 1e9), (220, 4.5, 1e9, 1e9)]]
NEAREST = 30   # neighbours (samples) of which pairs are made
SHARP = 4      # weight of a pair: exp(-SHARP * predicted capped difference)
SMOOTH = [0, 0, 1.5]   # units over which the curve of the expected loss is smoothed (chlorides have many modes)


def weights(q, s, t):
    """Mean of the normalized weights of the samples s, of other holes, for the samples q."""
    d = np.hypot(xy[q, :1] - xy[s, 0], xy[q, 1:] - xy[s, 1])
    dz2 = (z[q][:, None] - z[s]) ** 2
    dt = np.abs(top[q][:, None] - top[s])
    db = np.abs(base[q][:, None] - base[s])
    own = hole[q][:, None] == hole[s]
    W = np.zeros(d.shape)
    for L, sd, tt, bb in KERNELS[t]:
        w = d * (-1 / L) - dz2 * (0.5 / sd ** 2) - dt * (1 / tt) - db * (1 / bb)
        w[own] = -1e9
        w = np.exp(w - w.max(axis=1, keepdims=True))
        W += w / w.sum(axis=1, keepdims=True)
    return W / len(KERNELS[t]), own


def least_capped_loss(W, v, cap=4, smooth=0):
    """The value with the least expected capped loss; the few that are nearly as good are averaged."""
    c = np.linspace(v.min(), v.max(), 161)
    E = W.astype('f4') @ np.minimum(np.abs(v[:, None] - c), cap).astype('f4')
    E = E.astype(float)
    if smooth:
        k = np.exp(-0.5 * ((c[:, None] - c) / smooth) ** 2)
        E = E @ (k / k.sum(axis=0))
    near = np.exp(-(E - E.min(axis=1, keepdims=True)) / 0.01)
    near[np.abs(c[None, :] - c[E.argmin(axis=1)][:, None]) > 1.5] = 0  # of the same mode only
    return (near * c).sum(axis=1) / near.sum(axis=1)


PAIR = ['distance', 'dz', '|dz|', 'top diff', 'base diff', '|d east|', '|d north|', 'facies', 'facies of other', 'elevation',
        'up diff', 'rel', 'value of other', 'near - value of other', 'near', 'log kernel weight',
        'east', 'north', 'east diff', 'north diff', 'diagonal 1', 'diagonal 2']


def pairs(q, s, t, W, own, p):
    """Pairs of each of q with the NEAREST of s by kernel weight, never of its own hole; p is the kernel estimate at q."""
    k = min(NEAREST, len(s) // 2)
    j = np.argpartition(-np.where(own, -1, W), k, axis=1)[:, :k]
    r = np.repeat(np.arange(len(q)), k)
    a, b = q[r], s[j.ravel()]
    dx = np.abs(xy[a] - xy[b])
    X = np.column_stack([np.hypot(dx[:, 0], dx[:, 1]), z[a] - z[b], np.abs(z[a] - z[b]), top[a] - top[b], base[a] - base[b], dx,
                         fac[a], fac[b], z[a], up[b] - up[a], rel[a], Y[b, t], p[r] - Y[b, t], p[r],
                         np.log(W[r, j.ravel()] + 1e-9), xy[a], xy[a] - xy[b],
                         xy[a, 0] + xy[a, 1] / 2, xy[a, 0] - xy[a, 1] / 2])
    return a, b, j, X


gain = np.zeros((3, len(PAIR)))

# ---- L1 boosting on plain columns and near means of other holes
PLAIN = ['east', 'north', 'elevation', 'facies', 'top', 'base', 'up', 'depth', 'rel', 'diagonal 1', 'diagonal 2', 'rows of hole']
plain = np.column_stack([xy, z, fac, top, base, up, top - z, rel, xy[:, 0] + xy[:, 1] / 2, xy[:, 0] - xy[:, 1] / 2,
                         g.transform('size').to_numpy(float)])
NEAR = [(60, 3), (150, 3), (400, 5)]
FEATURES = PLAIN + [f'near({L},{sd}) {a}' for a in NAMES for L, sd in NEAR]
SEEDS = 3
LEAVES = 15
POWER = 3      # of the weights of samples that share leaves of the L1 boosting
gain1 = np.zeros((3, len(FEATURES)))


def near_features(q, rows):
    """Plain columns of q and, for each target, weighted means of the samples rows of other holes."""
    X = [plain[q]]
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        d = np.hypot(xy[q, :1] - xy[s, 0], xy[q, 1:] - xy[s, 1])
        dz2 = (z[q][:, None] - z[s]) ** 2
        other = hole[q][:, None] != hole[s]
        for L, sd in NEAR:
            W = (np.exp(d * (-1 / L) - dz2 * (0.5 / sd ** 2)) + 1e-12) * other
            X.append((W @ Y[s, t] / W.sum(axis=1))[:, None])
    return np.hstack(X)


def shared_leaves(model, Xs, Xq):
    """For each of Xq the weights of the learnt samples Xs: sum over trees of 1 / leaf size where both are in one leaf."""
    ls, lq = model.predict(Xs, pred_leaf=True), model.predict(Xq, pred_leaf=True)
    first = np.arange(ls.shape[1]) * LEAVES
    A = np.zeros((len(Xs), ls.shape[1] * LEAVES), 'f4')
    B = np.zeros((len(Xq), ls.shape[1] * LEAVES), 'f4')
    A[np.arange(len(Xs))[:, None], ls + first] = 1
    B[np.arange(len(Xq))[:, None], lq + first] = 1
    A /= np.maximum(A.sum(axis=0), 1)
    return B @ A.T


def forest_weights(F, Xs, Xq):
    """The same for a forest of scikit-learn, normalized."""
    first = np.r_[0, np.cumsum([e.tree_.node_count for e in F.estimators_])]

    def onehot(X):
        leaf = F.apply(X) + first[:-1]
        r = np.repeat(np.arange(len(X)), leaf.shape[1])
        return csr_matrix((np.ones(leaf.size), (r, leaf.ravel())), shape=(len(X), first[-1]))

    A, B = onehot(Xs), onehot(Xq)
    size = np.maximum(np.asarray(A.sum(axis=0)).ravel(), 1)
    K = (B @ diags(1 / size) @ A.T).toarray()
    return K / K.sum(axis=1, keepdims=True)


CAPPED = 0.3   # part of the capped boosting from kriging in the mean of chlorides


def krig(q, s, v, nugget=0.4, north=1.7):
    """Kriged value and variance at s, each hole left out, and at q; v are the values of s."""
    mean, sd = v.mean(), v.std()

    def kernel(a, b):
        dist = 1.3 * np.hypot(xy[a, :1] - xy[b, 0], (xy[a, 1:] - xy[b, 1]) / north)
        dz = np.abs(z[a][:, None] - z[b])
        short = np.exp(-(np.abs(top[a][:, None] - top[b]) + np.abs(base[a][:, None] - base[b])) / 60)
        K = 0
        for part, h, up_, f in ((0.4, 150, 7, short), (0.3, 600, 12, short), (0.2, 3000, 30, 1)):
            u = dz * (1.7 / up_)
            K = K + part * (1 + u) * np.exp(-dist / h - u) * f
        return K

    A = kernel(s, s)
    A[np.diag_indices(len(s))] += nugget
    inv = np.linalg.inv(A)
    y = (v - mean) / sd
    alpha = inv @ y
    ks, vs = np.zeros(len(s)), np.zeros(len(s))
    for i in pd.Series(np.arange(len(s))).groupby(hole[s]).indices.values():
        B = np.linalg.inv(inv[np.ix_(i, i)])
        ks[i] = y[i] - B @ alpha[i]
        vs[i] = np.diag(B) - nugget
    R = kernel(q, s)
    return ks * sd + mean, vs, R @ alpha * sd + mean, 0.9 - ((R @ inv) * R).sum(axis=1)


def capped(y, p):
    """Gradient of a smooth min(|p - y|, 4): samples that are lost anyway do not pull."""
    r = p - y
    return np.tanh(r / 0.7) / (1 + np.exp((np.abs(r) - 4) / 0.7)), np.ones_like(r)


def predict(q, learn):
    """q and learn are rows of al; learn has the rows of train to learn from, partial is always added."""
    # kernel, pairs and kernel, L1 boosting, its leaves, leaves of extra trees, all weights, capped from kriging, mean of the last five
    P = np.zeros((8, len(q), 3))
    rows = np.r_[learn, np.arange(n, n + len(pa))]
    Xl, Xq = near_features(rows, rows), near_features(q, rows)
    for t in range(3):
        s = rows[np.isfinite(Y[rows, t])]
        v = Y[s, t]
        Ws, own = weights(s, s, t)  # of other holes only, as for q
        a, b, _, X = pairs(s, s, t, Ws, own, least_capped_loss(Ws, v))
        model = LGBMRegressor(n_estimators=60, learning_rate=0.12, num_leaves=24, min_child_samples=150, subsample=0.5,
                              subsample_freq=1, colsample_bytree=0.6, random_state=t, verbose=-1, n_jobs=-1)
        model.fit(X, np.minimum(np.abs(Y[a, t] - Y[b, t]), 4))
        gain[t] = model.booster_.feature_importance('gain')
        W, own = weights(q, s, t)
        P[0, :, t] = least_capped_loss(W, v)
        _, _, j, X = pairs(q, s, t, W, own, P[0, :, t])
        loss = model.predict(X).reshape(len(q), -1)
        w = np.exp(-SHARP * (loss - loss.min(axis=1, keepdims=True)))
        V = np.zeros(W.shape)
        np.put_along_axis(V, j, w / w.sum(axis=1, keepdims=True), 1)
        V = (V + W) / 2
        P[1, :, t] = least_capped_loss(V, v)
        ok = np.isfinite(Y[rows, t])
        S = np.zeros(W.shape)
        for seed in range(SEEDS):
            model = LGBMRegressor(objective='regression_l1', n_estimators=220, learning_rate=0.045, num_leaves=LEAVES,
                                  min_child_samples=20, subsample=0.7, subsample_freq=1, colsample_bytree=0.5, reg_lambda=5,
                                  random_state=seed, verbose=-1, n_jobs=-1)
            P[2, :, t] += model.fit(Xl[ok], v).predict(Xq) / SEEDS
            S += shared_leaves(model, Xl[ok], Xq)
        gain1[t] = model.booster_.feature_importance('gain')
        S = (S / S.max(axis=1, keepdims=True)) ** POWER
        S /= S.sum(axis=1, keepdims=True)
        forest = ExtraTreesRegressor(n_estimators=300, min_samples_leaf=8, max_features=0.5, random_state=t, n_jobs=-1)
        R = forest_weights(forest.fit(Xl[ok], v), Xl[ok], Xq)
        P[3, :, t] = least_capped_loss(S, v, smooth=SMOOTH[t])
        P[4, :, t] = least_capped_loss(R, v, smooth=SMOOTH[t])
        P[5, :, t] = least_capped_loss((S + R + V) / 3, v, smooth=SMOOTH[t])
        P[6, :, t] = P[7, :, t] = P[2:6, :, t].mean(axis=0)
        if t == 2:
            ks, vs, kq, vq = krig(q, s, v)
            Xs, Xk = np.column_stack([Xl[ok], ks, vs]), np.column_stack([Xq, kq, vq])
            P[6, :, t] = kq
            for seed in range(SEEDS):
                model = LGBMRegressor(objective=capped, n_estimators=200, learning_rate=0.05, num_leaves=LEAVES,
                                      min_child_samples=20, subsample=0.7, subsample_freq=1, colsample_bytree=0.5, reg_lambda=5,
                                      random_state=seed + 50, verbose=-1, n_jobs=-1)
                P[6, :, t] += model.fit(Xs, v, init_score=ks).predict(Xk) / SEEDS
            P[7, :, t] = (1 - CAPPED) * P[7, :, t] + CAPPED * P[6, :, t]
    return P


# held out: one fifth of the holes
holes = np.random.default_rng(5).permutation(np.unique(hole[:n]))
fold = pd.Series(np.arange(len(holes)) % 5, index=holes)[hole[:n]].to_numpy()
h = np.flatnonzero(fold == 0)
held = predict(h, np.flatnonzero(fold != 0))
err = np.minimum(np.abs(held - Y[h]), 4)

P = predict(np.arange(n + len(pa), len(al)), np.arange(n))[7]
out = pd.DataFrame({'id': sub.id, 'bitumen': np.maximum(P[:, 0] * 1.5, 0), 'fines': np.clip(P[:, 1] * 7, 0, 100),
                    'chlorides': np.maximum(10 ** (P[:, 2] * 0.1) - 1, 0)})
os.makedirs('./final', exist_ok=True)
out[list(sub.columns)].to_csv('./final/submission.csv', index=False)

e = err[7]
print('Summary: mean of L1 LightGBM (plain, near(60|150|400) of all targets) and least expected capped loss under its shared-leaf '
      'weights^3, those of 300 extra trees, and both + kernel + learnt pair weights; chlorides: curve smoothed by 1.5, .3 capped '
      'boosting from kriging.')
print('held out: one fifth of the holes, rows', len(h))
for name, x in zip(('kernel', 'pairs+kernel', 'L1', 'leaves^3', 'extra trees', 'all weights', 'capped', 'mean'), err):
    print(f'{name}: {x.mean():.4f}, ' + ', '.join(f'{a} {b:.3f}' for a, b in zip(NAMES, x.mean(axis=0))))
hm = pd.Series((err[2] - e).mean(axis=1)).groupby(hole[h]).sum()
print(f'mean better than L1 by {hm.sum() / len(h):.4f} ± {np.sqrt((hm ** 2).sum()) / len(h):.4f}, '
      f'in {(hm > 0).sum()} of {len(hm)} holes')
print('share at the cap: ' + ', '.join(f'{a} {b:.2f}' for a, b in zip(NAMES, (e >= 4).mean(axis=0))))
for t in range(3):
    o = np.argsort(-gain1[t])[:3]
    print(f'L1 {NAMES[t]}: ' + ', '.join(f'{FEATURES[i]} {gain1[t, i] / gain1[t].sum():.2f}' for i in o))
dn = np.array([np.hypot(*(xy[:n][fold != 0] - xy[i]).T).min() for i in h])
for a, b in ((0, 120), (120, 200), (200, 350), (350, 9999)):
    w = (dn >= a) & (dn < b)
    print(f'nearest train hole {a}-{b} m: n {w.sum()}, ' + ' '.join(f'{x:.2f}' for x in e[w].mean(axis=0)))
for a, b in ((0, 200), (200, 220), (220, 240), (240, 300)):
    w = (z[h] >= a) & (z[h] < b)
    print(f'elevation {a}-{b}: n {w.sum()}, ' + ' '.join(f'{x:.2f}' for x in e[w].mean(axis=0)))
for i in np.argsort(-e.sum(axis=1))[:3]:
    print(f'worst: hole {hole[h[i]]} z {z[h[i]]:.0f} facies {fac[h[i]]:.0f}: true ' + ' '.join(f'{x:.1f}' for x in Y[h[i]])
          + ' got ' + ' '.join(f'{x:.1f}' for x in held[7, i]))
print(f'Final Validation Performance: {e.mean()}')
'''),
]

import csv
import math
import os
import re
import subprocess
import sys
import time


def submission(number, program, seconds):
    folder = os.path.abspath("member%d" % number)
    os.makedirs(os.path.join(folder, "final"))
    os.symlink(os.path.realpath("input"), os.path.join(folder, "input"))
    with open(os.path.join(folder, "solution.py"), "w", encoding="utf-8") as file:
        file.write(program)
    with open(os.path.join(folder, "stderr"), "wb") as errors:
        ended = subprocess.run([sys.executable, "solution.py"], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors, timeout=seconds).returncode
    if ended != 0:
        with open(os.path.join(folder, "stderr"), encoding="utf-8", errors="replace") as file:
            raise ValueError(([line.strip() for line in file if line.strip()] or ["exit code %d" % ended])[-1][:200])
    with open(os.path.join(folder, "final", "submission.csv"), encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter=DELIMITER) if row]
    return rows[0], {tuple(row[:KEYS]) if KEYS else place: row for place, row in enumerate(rows[1:])}


def label(text):  # One form for 1, 1.0, True and, where fields may hold decimal commas, 1,0.
    plain = text.strip()
    if DELIMITER != "," and re.fullmatch("[-+]?[0-9]{1,30},[0-9]{1,30}", plain):
        plain = plain.replace(",", ".")
    plain = {"true": "1", "false": "0"}.get(plain.lower(), plain)
    try:
        number = float(plain) if re.fullmatch("[-+0-9.eE]{1,40}", plain) else math.nan
    except ValueError:
        number = math.nan
    return str(int(number)) if abs(number) < 1e15 and number == int(number) else plain


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, start = [0.0] * len(values), 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + end - 1) / 2 / max(1, len(values) - 1)
        start = end
    return ranks


def median(values):
    values, total, below = sorted(values), sum(weight for _, weight in values), 0
    for place, (value, weight) in enumerate(values):
        below += weight
        if 2 * below >= total:
            return value / 2 + values[place + 1][0] / 2 if 2 * below == total else value


def numbers(columns):
    weights, total = [weight for weight, _ in columns], sum(weight for weight, _ in columns)
    columns = [[float(label(value)) for value in values] for _, values in columns]
    if HOW == "rank_mean":
        columns = [ranks(values) for values in columns]
    if HOW == "log_mean":
        columns = [[math.log1p(value) for value in values] for values in columns]
    for row in zip(*columns):
        mean = sum(weight / total * value for weight, value in zip(weights, row))
        blended = median(list(zip(row, weights))) if HOW == "median" else math.expm1(mean) if HOW == "log_mean" else mean
        yield repr(blended).replace(".", DECIMAL)


def vote(columns):
    for row in zip(*(values for _, values in columns)):
        votes = {}
        for (weight, _), value in zip(columns, row):
            votes[label(value)] = votes.get(label(value), 0) + weight
        yield spelling[max(votes, key=votes.get)]


submissions, spelling = [], {}  # Of labels: as each was written first.
# Most of the time that is left: on all rows a member takes about a quarter longer. Those that are worth most for their time come first, where not all fit.
left, late = 0.7 * float(os.environ.get("MLE_STAR_SECONDS", "1e6")), set()
sooner = sorted(range(len(MEMBERS)), key=lambda number: -MEMBERS[number][0] / max(1, MEMBERS[number][1]))
end = time.monotonic() + left
for number in sooner:
    if 1.25 * MEMBERS[number][1] > left:
        late.add(number)
    else:
        left -= 1.25 * MEMBERS[number][1]
if 2 * sum(MEMBERS[number][0] for number in late) > sum(member[0] for member in MEMBERS):
    raise ValueError("there is no time to train most of the blend")
for number, (weight, _, step, program) in enumerate(MEMBERS):
    try:
        if number in late or time.monotonic() > end:
            raise ValueError("there was no time for it")
        header, rows = submission(number, program, end - time.monotonic())
        if submissions and (header, rows.keys()) != (submissions[0][1], submissions[0][2].keys()):
            raise ValueError("its rows or columns are others than those of the first")
        submissions.append((weight, header, rows))
    except (OSError, ValueError, IndexError, csv.Error, subprocess.TimeoutExpired) as error:
        print(LEFT_OUT + "%s: %s" % (step, error), flush=True)
if not submissions:
    raise ValueError("each member of the blend failed")
header, first = submissions[0][1:]
ids, begin = list(first), KEYS
if HOW == "vote":
    for _, _, rows in submissions:
        for column in range(begin, len(header)):
            for each in ids:
                spelling.setdefault(label(rows[each][column]), rows[each][column].strip())
blended = [[first[each][column] for each in ids] for column in range(begin)]
for column in range(begin, len(header)):
    values = [(weight, [rows[each][column] for each in ids]) for weight, _, rows in submissions]
    if not KEYS and all(each == values[0][1] for _, each in values):  # Where rows have no names some columns say what they are about.
        blended.append(values[0][1])
        continue
    blended.append(list(vote(values) if HOW == "vote" else numbers(values)))
os.makedirs("final", exist_ok=True)
with open("final/submission.csv", "w", encoding="utf-8", newline="") as file:
    csv.writer(file, delimiter=DELIMITER, lineterminator="\n").writerows([header] + list(zip(*blended)))
print("Final Validation Performance: %r" % SCORE)
