import os
import numpy as np, pandas as pd
from scipy.special import expit, logit
from sklearn.model_selection import KFold

train = pd.read_csv('./input/train.csv')
test = pd.read_csv('./input/test.csv')
rows = os.environ.get('MLE_STAR_ROWS')
if rows and len(train) > int(rows):
    train = train.sample(int(rows), random_state=7).reset_index(drop=True)
y = train['visits'].to_numpy(float)
n = len(train)
B = [c for c in test.columns if c != 'id']
KM, K_ALL = 10, 16
KS = np.arange(K_ALL)

# ---------------------------------------------------------------- features (no target)
al = pd.concat([train[B], test[B]], ignore_index=True).astype(float)
FAM = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure']
fam = al.groupby(FAM).ngroup()
row = al.groupby(B).ngroup()
cr = al['chronic_diseases']
chron = cr.round(3)
feat = al.copy()
IMP = [10.576, 9.967, 13.732, 11.843]
for v in IMP:
    feat[f'imp{v}'] = (chron == v).astype(float)
any_imp = chron.isin(IMP)
feat['real'] = np.where(any_imp, 0.0, cr)
feat['lreal'] = np.where(any_imp, 0.0, np.log1p(cr))
feat['real0'] = (cr == 0).astype(float)
for v in sorted(al['log_coinsurance'].round(2).unique()):
    feat[f'plan{v}'] = (al['log_coinsurance'].round(2) == v).astype(float)
feat['inc0'] = (al['log_incentive'] == 0).astype(float)
feat['max0'] = (al['log_maximum_expenditure'] == 0).astype(float)
feat['lim_est'] = ((al['limitation'] > 0) & (al['limitation'] < 1)).astype(float)
feat['lim_one'] = (al['limitation'] == 1).astype(float)
names = list(feat.columns)
D = feat.to_numpy(float)
D = (D - D.mean(0)) / np.maximum(D.std(0), 1e-9)
p = D.shape[1]
fv, rv = fam.values, row.values
cp = al.groupby(['chronic_diseases', 'log_coinsurance', 'individual_deductible']).ngroup().values
pr = al.groupby(['chronic_diseases', 'limitation', 'health_good', 'health_fair', 'health_poor']).ngroup().values
iv = al['log_incentive'].round(5).values
K_FAM, K_ROW, K_CP, K_PR, K_INC = ((v[:, None] == v[None, :n]).astype(float) for v in (fv, rv, cp, pr, iv))
spl = [np.maximum(0, al[c].values - np.quantile(al[c][al[c] > 0], t))
       for c in ('log_incentive', 'log_maximum_expenditure', 'chronic_diseases') for t in (.2, .4, .6, .8)]
SPL = np.array([(q - q.mean()) / q.std() for q in spl]).T
DESIGN = {'all': (D, np.ones(p)), 'spline': (np.c_[D, SPL], np.r_[np.ones(p), np.full(SPL.shape[1], 2.0)])}
BASES = [('all', 200.0, 500.0), ('all', 100.0, 2000.0), ('spline', 200.0, 500.0), ('spline', 100.0, 2000.0)]
zk = np.log1p(np.arange(KM))
zk = (zk - zk.mean()) / zk.std()


# ---------------------------------------------------------------- model
def ind(v):
    return (v[:, None] <= KS).astype(float)


def fix(F):
    return np.maximum.accumulate(np.clip(F, 0, 1), axis=1)


def stack(X):
    m, p = X.shape
    A = np.zeros((m * KM, KM + 2 * p))
    for k in range(KM):
        r = slice(k * m, (k + 1) * m)
        A[r, k] = 1
        A[r, KM:KM + p] = X
        A[r, KM + p:] = X * zk[k]
    return A


def fit_logit(X, v, pw, lu, lv):
    """all P(visits <= k) at once: intercept of each k, slope u + v * log(1 + k), ridge lu and lv"""
    A = stack(X)
    t = ind(v)[:, :KM].T.ravel()
    pen = np.r_[np.full(KM, 1e-3), lu * pw, lv * pw]
    w = np.zeros(A.shape[1])
    for _ in range(7):
        q = expit(A @ w)
        s = np.maximum(q * (1 - q), 1e-4)
        w = w + np.clip(np.linalg.solve((A * s[:, None]).T @ A + np.diag(pen), A.T @ (t - q) - pen * w), -3, 3)
    return w


def cdf_logit(w, X, tail):
    F = np.tile(tail, (len(X), 1))
    F[:, :KM] = expit(stack(X) @ w).reshape(KM, len(X)).T
    return fix(F)


def shift(Fa, Fb, a, b, Kx):
    """effect g of equal keys on the logit, P(visits <= k) = expit(logit F_k + g), g ~ N(0, Kx): one Newton step"""
    G = np.c_[np.zeros(len(a)), Fa, np.ones(len(a))]
    j = np.minimum(y[a].astype(int), K_ALL) + 1
    r = np.arange(len(a))
    up, lo = G[r, j], G[r, j - 1]
    h = np.maximum(up * (1 - up) + lo * (1 - lo), 0.05)
    g = Kx[np.ix_(b, a)] @ np.linalg.solve(Kx[np.ix_(a, a)] + np.diag(1 / h), (1 - up - lo) / h)
    return expit(logit(Fb) + g[:, None])


def predict_cdf(a, b):
    """for each base: with the effect of the plan key, and with those of plan key, row, chronic value x plan"""
    tail = ind(y[a]).mean(0)
    out, ws = [], []
    for name, lu, lv in BASES:
        X, pw = DESIGN[name]
        w = fit_logit(X[a], y[a], pw, lu, lv)
        Fa, Fb = (np.clip(cdf_logit(w, X[q], tail), 1e-4, 1 - 1e-4) for q in (a, b))
        out.append([shift(Fa, Fb, a, b, Kx) for Kx in KSET])
        ws.append(w)
    return np.array(out), ws


def decide(F, t=0.5):
    return (np.c_[F, np.ones(len(F))] >= t).argmax(axis=1).astype(float)


# ---------------------------------------------------------------- validation
K1 = 0.1 * K_FAM + 0.1 * K_ROW + 0.05 * K_CP
KSET = [0.1 * K_FAM, K1, K1 + 0.1 * K_ROW + 0.05 * K_CP, K1 + 0.05 * K_INC, K1 + 0.05 * K_PR]
VARS = ['K1, 4 bases', 'fam .1 alone, 4 bases', 'K1+row .1+chrplan .05', 'K1+inc .05', 'K1+prof .05',
        'K1, all u200 v500', 'mean of 4 effects']
PICK = [lambda o: o[:, 1].mean(0), lambda o: o[:, 0].mean(0), lambda o: o[:, 2].mean(0), lambda o: o[:, 3].mean(0), lambda o: o[:, 4].mean(0),
        lambda o: o[0, 1], lambda o: o[:, 1:].mean((0, 1))]
USE = 6
R = 6
Fs = [[np.zeros((n, K_ALL)) for _ in range(R)] for _ in VARS]
for s in range(R):
    for a, b in KFold(n_splits=5, shuffle=True, random_state=100 + s).split(np.arange(n)):
        o = predict_cdf(a, b)[0]
        for i, f in enumerate(PICK):
            Fs[i][s][b] = f(o)
err = [np.mean([np.abs(decide(F) - y) for F in L], axis=0) for L in Fs]
crps = [np.mean([((F - ind(y)) ** 2).sum(1) for F in L], axis=0) for L in Fs]
print(f'{R}x5 folds: MAE, diff to the first; CRPS')
for v, e, c in zip(VARS, err, crps):
    d = e - err[0]
    print(f'{v:22s} {e.mean():.4f} {d.mean():+.4f}+-{d.std() / n ** .5:.4f}; {c.mean():.4f}')
for t in (0.46, 0.48, 0.52):
    e = np.mean([np.abs(decide(F, t) - y) for F in Fs[USE]], axis=0)
    d = e - err[USE]
    print(f'threshold {t}: {e.mean():.4f} {d.mean():+.4f}+-{d.std() / n ** .5:.4f} to 0.5')
pm = np.mean([decide(F) for F in Fs[USE]], axis=0)
for lo, hi in ((0, 0), (1, 2), (3, 5), (6, 10), (11, 99)):
    k = (y >= lo) & (y <= hi)
    print(f'visits {lo}-{hi}: n {k.sum()} MAE {err[USE][k].mean():.3f} mean pred {pm[k].mean():.2f}')

# ---------------------------------------------------------------- all rows
a, b = np.arange(n), np.arange(n, len(al))
out, ws = predict_cdf(a, b)
pred = decide(PICK[USE](out))
w = ws[0]
u = -w[KM:KM + p]
o = np.argsort(-np.abs(u))[:10]
print('slopes: ' + ' '.join(f'{names[i][:13]}:{u[i]:+.2f}' for i in o[:4]))
print('  ' + ' '.join(f'{names[i][:13]}:{u[i]:+.2f}' for i in o[4:8]))
print('test predictions:', dict(zip(*[q.tolist() for q in np.unique(pred, return_counts=True)])))
os.makedirs('./final', exist_ok=True)
pd.DataFrame({'id': test['id'], 'visits': pred}).to_csv('./final/submission.csv', index=False)
print(f'Final Validation Performance: {err[USE].mean()}')