import os
import time
import numpy as np
import pandas as pd
from scipy import sparse
from scipy.linalg import lapack
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.model_selection import GroupKFold

START = time.time()
print('Summary: mean risk of 3-4 extra-trees kinds per target (250 trees, leaf 5, chlorides 8; mean or Fourier '
      'dist splits) on place, 8 rotations, facies, hole, surfaces of 6 near holes, leave-hole-out GP4/GP8 means, sds, '
      'profile, nearest; leaf weights -> least capped loss')

tr = pd.read_csv('./input/train.csv')
te = pd.read_csv('./input/test.csv')
pa = pd.read_csv('./input/partial.csv')
sub = pd.read_csv('./input/sample_submission.csv')
TARGETS = ['bitumen', 'fines', 'chlorides']
UNIT = np.array([1.5, 7, .1])
GRID = [np.linspace(0, 17, 171), np.linspace(2, 80, 157), np.linspace(0, 3.6, 181)]
TREES = 250
LEAF = [5, 5, 8]

# ---- one table: training rows, then partial ones, then test rows; features without any target
every = pd.concat([tr, pa, te], ignore_index=True)
n, m, q = len(tr), len(pa), len(te)
N = n + m + q
TRAIN = np.arange(n)
PART = np.arange(n, n + m)
TEST = np.arange(n + m, N)
if os.environ.get('MLE_STAR_ROWS'):
    size = min(n, int(os.environ['MLE_STAR_ROWS']))
    TRAIN = np.sort(np.random.RandomState(0).choice(n, size, replace=False))

f = every[['east', 'north', 'elevation', 'hole']].astype(float).copy()
f['facies'] = every.facies.fillna(-1).astype(float)
g = f.groupby('hole')
f['top'] = g.elevation.transform('max')
f['bot'] = g.elevation.transform('min')
f['count'] = g.elevation.transform('size')
f['from_top'] = f.top - f.elevation
f['from_bot'] = f.elevation - f.bot
order = f.sort_values(['hole', 'elevation'])
go = order.groupby('hole')
f['gap_dn'] = go.elevation.diff()
f['gap_up'] = -go.elevation.diff(-1)
f['fac_dn'] = go.facies.shift(1)
f['fac_up'] = go.facies.shift(-1)
is60 = f.facies == 60
f['share60'] = is60.groupby(f.hole).transform('mean')
top60 = f.elevation.where(is60).groupby(f.hole).transform('max')
f['over60'] = f.elevation - top60
f['rot1'] = f.east + f.north
f['rot2'] = f.east - f.north

ht = pd.DataFrame({'east': f.east, 'north': f.north, 'top': f.top, 'bot': f.bot, 'top60': top60,
                   's60': f.share60}).groupby(f.hole).first()
place = ht[['east', 'north']].to_numpy()
hd = np.sqrt(((place[:, None] - place[None]) ** 2).sum(-1))
np.fill_diagonal(hd, np.inf)
near6 = np.argsort(hd, axis=1)[:, :6]


def around(c):
    """Mean over the 6 nearest other holes of all tables."""
    v = np.ma.masked_invalid(ht[c].to_numpy(float)[near6]).mean(1).filled(np.nan)
    return pd.Series(v, index=ht.index).reindex(f.hole).to_numpy()


f['top_a'] = f.top - around('top')
f['bot_a'] = f.bot - around('bot')
f['z_top'] = around('top') - f.elevation
f['z_bot'] = f.elevation - around('bot')
f['z_60'] = f.elevation - around('top60')
f['s60_a'] = around('s60')
PLAIN = f.fillna(-99).to_numpy()
ROT = np.c_[tuple(np.cos(a) * f.east.to_numpy() + np.sin(a) * f.north.to_numpy()
                  for a in np.pi * np.array([1, 2, 4, 5, 7, 8, 10, 11]) / 12)]
ORDER = order.index.to_numpy()

Y = np.full((N, 3), np.nan)
Y[:n] = np.c_[tr.bitumen, tr.fines, np.log10(1 + tr.chlorides)]
Y[n:n + m, :2] = pa[['bitumen', 'fines']].to_numpy()
YT = Y.copy()            # what GP and trees with mean splits learn
YT[:, 1] = np.log(YT[:, 1])

XY = f[['east', 'north']].to_numpy()
Z = f.elevation.to_numpy()
HOLE = f.hole.to_numpy()
FAC = f.facies.to_numpy()
COORD = {'dz': Z, 'ft': f.from_top.to_numpy(), 'fb': f.from_bot.to_numpy(), 'ho': HOLE}

# ---- Gaussian processes: amplitude and lengths of each component, noise; by likelihood, targets standardised
COMP = [('dz2',), ('dh',), ('dh', 'dz'), ('dh', 'dz'), ('dh', 'ft'), ('dh', 'fb'), ('sf', 'dh', 'dz'), ('ho',)]
HYP4 = [[.811, 187.1, .233, 1687.5, .569, 261.1, 11.41, .371, 13.4, 2.765, .118],
        [.614, 167.1, .139, 1309.5, .579, 195.7, 15.37, .468, 11.1, 4.283, .238],
        [.771, 649.8, .254, 1829.3, .464, 433.7, 34.04, .455, 30.2, 7.812, .085]]
HYP8 = [[.742, 185.8, .12, 2222, .413, 230.3, 8.916, .343, 8.217, 2.521, .344, 546.5, 15.19, .226, 589.7, 16.35,
         .271, 730.2, 28.92, .032, 5.449, .098],
        [.539, 157.7, .116, 1626, .297, 241.4, 16.28, .403, 6.798, 3.579, .305, 564.5, 22.35, .288, 564, 18.77,
         .503, 147.6, 8.549, .14, 8.513, .193],
        [.792, 517.3, .251, 1548, .359, 180.7, 22.08, .406, 17.78, 6.559, .103, 706.5, 18.79, .163, 554.9, 22.9,
         .152, 524, 48.31, .087, 5.537, .07]]


def kernel(p, count, a, b):
    p = [np.float32(v) for v in p]
    D = {c: abs(v[a][:, None] - v[b][None]).astype(np.float32) for c, v in COORD.items()}
    D['dh'] = np.sqrt(((XY[a][:, None] - XY[b][None]) ** 2).sum(-1)).astype(np.float32)
    D['dz2'] = D['dz'] ** 2 / 2
    K = np.zeros((len(a), len(b)), np.float32)
    i = 0
    for comp in COMP[:count]:
        s = p[i] ** 2
        i += 1
        e = np.zeros_like(K)
        for c in comp:
            if c != 'sf':
                e -= D[c] / p[i]
                i += 1
        e = s * np.exp(e)
        if 'sf' in comp:
            e *= (FAC[a][:, None] == FAC[b][None]) & (FAC[a][:, None] > 0)
        K += e
    return K


def diagonal(p, count, a):
    v = np.zeros(len(a))
    i = 0
    for comp in COMP[:count]:
        v += p[i] ** 2 * ((FAC[a] > 0) if 'sf' in comp else 1)
        i += 1 + len([c for c in comp if c != 'sf'])
    return v


def learnt(j, rows):
    return np.r_[rows, PART] if j < 2 else rows


def gp_features(rows, HYP, count):
    """Means and sds of the three targets for all rows; those of rows learnt from without their own hole."""
    mean, sd = np.zeros((N, 3)), np.zeros((N, 3))
    for j in range(3):
        u = learnt(j, rows)
        rest = np.setdiff1d(np.arange(N), u)
        y = YT[u, j]
        mu, sc = y.mean(), y.std()
        y = (y - mu) / sc
        noise = np.float32(HYP[j][-1] ** 2)
        A = kernel(HYP[j], count, u, u)
        A[np.diag_indices(len(u))] += noise
        c, bad = lapack.spotrf(A, lower=1)
        assert bad == 0
        Ki, bad = lapack.spotri(c, lower=1)
        assert bad == 0
        Ki = np.tril(Ki)
        Ki = Ki + np.tril(Ki, -1).T
        alpha = Ki @ y.astype(np.float32)
        kr = kernel(HYP[j], count, rest, u)
        mean[rest, j] = kr @ alpha
        sd[rest, j] = np.sqrt(np.maximum(diagonal(HYP[j], count, rest) + noise - ((kr @ Ki) * kr).sum(1), 1e-4))
        for i in pd.Series(np.arange(len(u))).groupby(HOLE[u]).indices.values():
            B = np.linalg.inv(Ki[np.ix_(i, i)].astype(float))
            mean[u[i], j] = y[i] - B @ alpha[i]
            sd[u[i], j] = np.sqrt(np.maximum(np.diag(B), 1e-4))
        mean[:, j] = mean[:, j] * sc + mu
    return mean, sd


def profile(mean):
    """GP mean of the samples 1 and 2 above and below and of the whole hole."""
    d = pd.DataFrame(mean[ORDER])
    gr = d.groupby(HOLE[ORDER])
    cols = [gr.shift(s).fillna(d).to_numpy() for s in (1, 2, -1, -2)] + [gr.transform('mean').to_numpy()]
    out = np.zeros((N, 15))
    out[ORDER] = np.c_[tuple(cols)]
    return out


HOLES = pd.Series(np.arange(N)).groupby(HOLE).indices


def nearest(rows):
    """Values of the 3 nearest other holes at the elevation, and distances of the first and third."""
    out = np.zeros((N, 15))
    for j in range(3):
        u = learnt(j, rows)
        prof = {}
        for h, i in pd.Series(np.arange(len(u))).groupby(HOLE[u]).indices.items():
            i = u[i]
            i = i[np.argsort(Z[i])]
            prof[h] = (Z[i], Y[i, j])
        known = np.array(list(prof))
        where = np.array([XY[HOLES[h][0]] for h in known])
        for h, i in HOLES.items():
            d = np.sqrt(((where - XY[i[0]]) ** 2).sum(1))
            d[known == h] = np.inf
            b = np.argsort(d)[:3]
            for c in range(3):
                out[i, 5 * j + c] = np.interp(Z[i], *prof[known[b[c]]])
            out[i, 5 * j + 3] = d[b[0]]
            out[i, 5 * j + 4] = d[b[2]]
    return out


# ---- trees
def embed(j, y):
    v = y / UNIT[j]
    return np.c_[tuple(fn(w * v) for w in (.1, .2, .4, .7) for fn in (np.cos, np.sin))]


def weights(model, x, xt):
    a, b = model.apply(x), model.apply(xt)
    off = np.arange(TREES) * (max(a.max(), b.max()) + 1)
    size = int(off[1] * TREES)

    def hot(v):
        return sparse.csr_matrix((np.ones(v.size), (v + off).ravel(), np.arange(len(v) + 1) * TREES),
                                 shape=(len(v), size))
    A, B = hot(a), hot(b)
    count = np.maximum(np.asarray(A.sum(0)).ravel(), 1)
    return (B @ sparse.diags(1 / count) @ A.T) / TREES


def predict(rows, held):
    """Risk curves by target and kind of forest, GP mean, importances, seconds of GP and of each kind."""
    t0 = time.time()
    m4, s4 = gp_features(rows, HYP4, 4)
    m8, s8 = gp_features(rows, HYP8, 8)
    sec = {'GP': time.time() - t0}
    pr, ne = profile(m8), nearest(rows)
    kinds = {'GP4 mean splits': (np.c_[PLAIN, m4, s4], False, (0, 1)),
             'GP4+rot mean splits': (np.c_[PLAIN, m4, s4, ROT], False, (2,)),
             'GP8+rot mean splits': (np.c_[PLAIN, m8, s8, ROT], False, (0, 1, 2)),
             'GP4+8+rot dist splits': (np.c_[PLAIN, m4, s4, m8, ROT], True, (2,)),
             'GP4+8+prof dist splits': (np.c_[PLAIN, m4, s4, m8, pr], True, (0, 1)),
             'GP4+8+near dist splits': (np.c_[PLAIN, m4, s4, m8, ne], True, (0, 1))}
    risks = {}
    imp = 0
    for i, (name, (X, dist, targets)) in enumerate(kinds.items()):
        t0 = time.time()
        for j in targets:
            u = learnt(j, rows)
            model = ExtraTreesRegressor(n_estimators=TREES, min_samples_leaf=LEAF[j], max_features=.5, n_jobs=-1,
                                        random_state=10 * i + j)
            model.fit(X[u], embed(j, Y[u, j]) if dist else YT[u, j])
            L = np.minimum(abs(GRID[j][:, None] - Y[u, j][None]) / UNIT[j], 4)
            risks[name, j] = weights(model, X[u], X[held]) @ L.T
            if name == 'GP8+rot mean splits':
                imp = imp + model.feature_importances_ / 3
        sec[name] = time.time() - t0
    return risks, m8, imp, sec


def decide(risks, k):
    P = np.zeros((k, 3))
    for j in range(3):
        R = sum(r for (_, i), r in risks.items() if i == j)
        P[:, j] = GRID[j][R.argmin(1)]
    return P


NAMES = (list(f.columns) + ['gp_' + t for t in TARGETS] + ['gp_sd_' + t for t in TARGETS]
         + ['turn%d' % i for i in range(8)])

# ---- one fifth of the holes is held out
a, b = next(iter(GroupKFold(n_splits=5).split(TRAIN, groups=HOLE[TRAIN])))
fit_rows, held = TRAIN[a], TRAIN[b]
risks, gp_mean, imp, sec = predict(fit_rows, held)
P = decide(risks, len(held))
E = np.minimum(abs(P - Y[held]) / UNIT, 4)
score = E.mean()
se = pd.Series(E.mean(1)).groupby(HOLE[held]).mean()
print('held out %d rows, %d holes: %.4f +- %.4f' % (len(held), len(se), score, se.std() / len(se) ** .5))
print('bitumen %.3f fines %.3f chlorides %.3f' % tuple(E.mean(0)))
for name in dict.fromkeys(k for k, _ in risks):
    parts = ['%s %.3f' % (TARGETS[j][:3], np.minimum(abs(GRID[j][r.argmin(1)] - Y[held, j]) / UNIT[j], 4).mean())
             for (k, j), r in risks.items() if k == name]
    print('%s: %s, %.1f s' % (name, ' '.join(parts), sec[name]))
G = gp_mean[held].copy()
G[:, 1] = np.exp(G[:, 1])
print('GP8 mean alone: %.3f %.3f %.3f' % tuple(np.minimum(abs(G - Y[held]) / UNIT, 4).mean(0))
      + ', both GPs %.1f s' % sec['GP'])
for lo, hi in ((140, 195), (195, 210), (210, 225), (225, 240), (240, 280)):
    i = (Z[held] > lo) & (Z[held] <= hi)
    print('elevation %d-%d, %d rows: %.2f %.2f %.2f' % ((lo, hi, i.sum()) + tuple(E[i].mean(0))))
for i in np.argsort(-E.mean(1))[:3]:
    r = held[i]
    print('worst %d z %.0f: %.1f %.0f %.2f, is %.1f %.0f %.2f' % ((HOLE[r], Z[r]) + tuple(P[i]) + tuple(Y[r])))
best = [NAMES[i] for i in np.argsort(-imp)]
print('features: ' + ', '.join(best[:5]))
print('  ' + ', '.join(best[5:10]))

# ---- all rows
risks, _, _, _ = predict(TRAIN, TEST)
P = decide(risks, len(TEST))
out = pd.DataFrame({'id': te.id, 'bitumen': P[:, 0], 'fines': P[:, 1],
                    'chlorides': np.maximum(10 ** P[:, 2] - 1, 0)})
out = sub[['id']].merge(out, on='id', how='left', validate='one_to_one')
assert out.notna().all().all() and len(out) == len(sub)
os.makedirs('./final', exist_ok=True)
out.to_csv('./final/submission.csv', index=False)
print('all seconds %.0f' % (time.time() - START))
print(f'Final Validation Performance: {score}')