"""A blend of solutions, which were selected by their predictions. Each runs as it was written."""
HOW, SCORE, LEFT_OUT = "median", 2.3444444444444446, "Left out of the blend: "
DELIMITER, DECIMAL, KEYS = ",", ".", 1  # Of submissions: how many leading columns name a row; 0: its place does.
MEMBERS = [  # How much each counts, the seconds that it took, its step, and its program.
    (1, 7.0, "phase1/candidate0", r'''import os
import numpy as np, pandas as pd
from lightgbm import LGBMClassifier
from sklearn.model_selection import KFold

COLS = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure', 'limitation',
        'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
TARGET = 'visits'
K = 12          # thresholds visits <= 0, 1, ..., 11
SEEDS = 8
PARAMS = dict(n_estimators=150, learning_rate=0.05, num_leaves=7, min_child_samples=100, subsample=0.7, subsample_freq=1,
              colsample_bytree=0.8, reg_lambda=20, verbose=-1)


def features(df):
    return df[COLS].to_numpy(float)


def stack(X):
    """Rows (x, k) for each threshold k."""
    return np.column_stack([np.repeat(X, K, axis=0), np.tile(np.arange(K), len(X))])


def stacked_models(train):
    X, y = features(train), train[TARGET].to_numpy(float)
    base = np.array([np.mean(y <= k) for k in range(K)]).clip(0.01, 0.99)
    logit = np.log(base / (1 - base))
    label = (np.repeat(y, K) <= np.tile(np.arange(K), len(y))).astype(int)
    models = [LGBMClassifier(**PARAMS, random_state=seed).fit(stack(X), label, init_score=np.tile(logit, len(y)))
              for seed in range(SEEDS)]
    return models, logit


def stacked_cdf(models, logit, test):
    S, start = stack(features(test)), np.tile(logit, len(test))
    C = np.mean([1 / (1 + np.exp(-(m.predict(S, raw_score=True) + start))) for m in models], axis=0)
    return np.maximum.accumulate(C.reshape(len(test), K), axis=1)


def median(C):
    """Smallest k with P(visits <= k) >= 0.5."""
    return (np.column_stack([C, np.ones(len(C))]) >= 0.5).argmax(axis=1).astype(float)


def predict(train, test):
    models, logit = stacked_models(train)
    return median(stacked_cdf(models, logit, test))


if __name__ == '__main__':
    train = pd.read_csv('./input/train.csv')
    test = pd.read_csv('./input/test.csv')
    sample = pd.read_csv('./input/sample_submission.csv')
    rows = int(os.environ.get('MLE_STAR_ROWS', len(train)))
    if rows < len(train):
        train = train.sample(rows, random_state=0).reset_index(drop=True)
    y = train[TARGET].to_numpy(float)

    oof = np.zeros(len(train))
    for learn, held in KFold(5, shuffle=True, random_state=7).split(train):
        oof[held] = predict(train.iloc[learn], train.iloc[held].drop(columns=TARGET))
    err = np.abs(y - oof)
    print(f'Final Validation Performance: {err.mean()}')
    print(f'MAE of the median of all: {np.abs(y - np.median(y)).mean():.4f}')

    models, logit = stacked_models(train)
    gain = np.mean([m.booster_.feature_importance('gain') for m in models], axis=0)
    print('strongest features, share of gain:')
    names = COLS + ['threshold k']
    for i in np.argsort(-gain)[:10]:
        print(f'  {names[i]}: {gain[i] / gain.sum():.3f}')
    print('predicted: rows, MAE, mean error (visits - predicted)')
    for k, r in pd.DataFrame({'p': oof, 'e': err, 'b': y - oof}).groupby('p'):
        print(f'  {k:.0f}: {len(r)}, {r.e.mean():.2f}, {r.b.mean():+.2f}')
    print(f'share of the error by rows with visits > 8: {err[y > 8].sum() / err.sum():.2f}')

    pred = pd.Series(median(stacked_cdf(models, logit, test)), index=test['id'])
    sub = sample[['id']].copy()
    sub[TARGET] = pred.reindex(sub['id']).to_numpy()
    assert sub[TARGET].notna().all()
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
'''),
    (1, 4.0, "phase1/candidate1", r'''import os
import numpy as np, pandas as pd
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

INPUT = './input'
PLAN = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure']
COLS = PLAN + ['limitation', 'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
K = 12              # one logit for each threshold: visits <= 0, 1, ..., 11
C_LOGIT = 0.05
RIDGE = 30.0        # linear fit of log1p(visits), whose residuals the keys average
KEY_SCALE = 4.0     # keys are small numbers: scaled so that the penalty lets them in
KEYS = {'person_residual': (COLS, 4.0), 'family_residual': (PLAN, 8.0)}   # columns, shrinkage


def features(al):
    """The standardised table lin, over training and test rows together."""
    cb = al['chronic_diseases'].clip(0, 30)
    f = al[COLS].astype(float).copy()
    for v in sorted(al['log_coinsurance'].unique()):
        f[f'coinsurance={v:.2f}'] = (al['log_coinsurance'] == v).astype(float)
    f['incentive=0'] = (al['log_incentive'] == 0).astype(float)
    f['max_expenditure=0'] = (al['log_maximum_expenditure'] == 0).astype(float)
    f['chronic_squared'] = cb ** 2 / 30
    f['chronic_above_10'] = (cb - 10).clip(lower=0)
    f['coinsurance*deductible'] = al['log_coinsurance'] * al['individual_deductible']
    f['health_ordinal'] = al['health_good'] + 2.0 * al['health_fair'] + 3.0 * al['health_poor']
    return pd.DataFrame(StandardScaler().fit_transform(f), columns=f.columns)


def key_mean(key, n, res, shrink):
    """Shrunk mean residual of the OTHER learnt rows (the first n) of the same key."""
    s = np.bincount(key[:n], weights=res, minlength=key.max() + 1)[key]
    m = np.bincount(key[:n], minlength=key.max() + 1)[key].astype(float)
    s[:n] -= res
    m[:n] -= 1
    return s / (m + shrink)


def distribution(train, test):
    """P(visits<=k) for the rows of test, and the coefficients of the logits."""
    n = len(train)
    y = train['visits'].to_numpy(float)
    al = pd.concat([train[COLS], test[COLS]], ignore_index=True)
    f = features(al)
    base = f.to_numpy()
    log_y = np.log1p(y)
    res = log_y - Ridge(alpha=RIDGE).fit(base[:n], log_y).predict(base[:n])
    for name, (cols, shrink) in KEYS.items():
        key = al.groupby(cols).ngroup().to_numpy()
        f[name] = KEY_SCALE * key_mean(key, n, res, shrink)
    M = f.to_numpy()
    models = [LogisticRegression(C=C_LOGIT, max_iter=300).fit(M[:n], y <= k) for k in range(K)]
    P = np.column_stack([m.predict_proba(M[n:])[:, 1] for m in models])
    coefs = pd.DataFrame([m.coef_[0] for m in models], columns=f.columns)
    return np.maximum.accumulate(P, axis=1), coefs * f.iloc[:n].std().to_numpy()


def median(P):
    """Smallest k with P(visits<=k) >= 0.5."""
    return (np.column_stack([P, np.ones(len(P))]) >= 0.5).argmax(1).astype(float)


def predict(train, test):
    return median(distribution(train, test)[0])


if __name__ == '__main__':
    train = pd.read_csv(f'{INPUT}/train.csv')
    test = pd.read_csv(f'{INPUT}/test.csv')
    sample = pd.read_csv(f'{INPUT}/sample_submission.csv')
    rows = os.environ.get('MLE_STAR_ROWS')
    if rows and int(rows) < len(train):
        train = train.sample(int(rows), random_state=0).reset_index(drop=True)
    y = train['visits'].to_numpy(float)

    held = np.zeros((3, len(train)))
    constant = np.zeros((3, len(train)))
    for s in range(3):
        for a, b in KFold(5, shuffle=True, random_state=s).split(y):
            others = pd.concat([train.iloc[b][COLS], test[COLS]], ignore_index=True)
            held[s, b] = predict(train.iloc[a], others)[:len(b)]
            constant[s, b] = np.median(y[a])
    err = np.abs(held - y).mean(0)
    gain = np.abs(constant - y).mean(0) - err
    score = err.mean()
    print(f'Final Validation Performance: {score}')
    print(f'held out: 3 x 5 folds of {len(y)} rows; error +- {err.std() / len(y) ** .5:.3f}')
    print(f'better than the median by {gain.mean():+.4f} +- {gain.std() / len(y) ** .5:.4f}')

    P, coefs = distribution(train, test)
    print('ten strongest: mean coefficient * sd over logits <=0..3')
    strength = coefs.iloc[:4].mean()
    top = strength.loc[strength.abs().sort_values(ascending=False).index[:10]]
    items = [f'{c} {v:+.2f}' for c, v in top.items()]
    for i in range(0, 10, 2):
        print('  ' + ', '.join(items[i:i + 2])[:66])
    print('MAE and mean prediction by true visits: n, MAE, prediction')
    p = held.mean(0)
    for lo, hi in [(0, 0), (1, 1), (2, 3), (4, 6), (7, 11), (12, 999)]:
        w = (y >= lo) & (y <= hi)
        print(f'  visits {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {p[w].mean():.2f}')
    print('by predicted visits: n, MAE, median of visits')
    for lo, hi in [(0, 0.99), (1, 1.99), (2, 2.99), (3, 999)]:
        w = (p >= lo) & (p <= hi)
        print(f'  predicted {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {np.median(y[w]):.1f}')

    pred = pd.Series(median(P), index=test['id'])
    sub = pd.DataFrame({'id': sample['id'], 'visits': pred.loc[sample['id']].to_numpy()})
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
'''),
    (1, 4.0, "phase2/leg0/path0-attempt0", r'''import os
import time
import numpy as np, pandas as pd
from sklearn.model_selection import KFold

INPUT = './input'
PLAN = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure']
COLS = PLAN + ['limitation', 'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
K = 8                 # thresholds visits <= 0, 1, ..., 7
RIDGE_COMMON = 300.0  # on the coefficients that all thresholds share
RIDGE_SLOPE = 300.0   # on those times the standardised log(1+k)
IMPUTED_CHRONIC = [10.576, 9.967, 11.843, 13.732]   # no multiples of a step: means put in for missing values
IMPUTED_LIMITATION = [0.144, 0.022, 0.027, 0.033]
SERIES = [4.3, 8.7, 13.0, 17.4, 21.7, 26.1, 30.4, 34.7, 39.1, 43.4]   # multiples of 4.34; the others are of 3.44
WEIGHTS = {}          # name of a feature: factor after standardising (1 if absent)


def features(al):
    """The standardised table over training and test rows together."""
    ch, lim = al['chronic_diseases'], al['limitation']
    cb = ch.clip(0, 30)
    f = al[COLS].astype(float).copy()
    for v in sorted(al['log_coinsurance'].unique()):
        f[f'coinsurance={v:.2f}'] = (al['log_coinsurance'] == v).astype(float)
    f['incentive=0'] = (al['log_incentive'] == 0).astype(float)
    f['max_expenditure=0'] = (al['log_maximum_expenditure'] == 0).astype(float)
    f['chronic_squared'] = cb ** 2 / 30
    f['chronic_above_10'] = (cb - 10).clip(lower=0)
    f['coinsurance*deductible'] = al['log_coinsurance'] * al['individual_deductible']
    f['health_ordinal'] = al['health_good'] + 2.0 * al['health_fair'] + 3.0 * al['health_poor']
    for v in IMPUTED_CHRONIC:
        f[f'chronic={v}'] = ((ch - v).abs() < 0.002).astype(float)
    series = (np.abs(ch.to_numpy()[:, None] - np.array(SERIES)[None]).min(axis=1) < 0.06).astype(float)
    f['series_4.34'] = series
    f['series_4.34*chronic'] = series * ch
    for v in IMPUTED_LIMITATION:
        f[f'limitation={v}'] = ((lim - v).abs() < 0.0005).astype(float)
    f = (f - f.mean()) / f.std().replace(0, 1)
    for name, w in WEIGHTS.items():
        f[name] *= w
    return f


def basis():
    t = np.log1p(np.arange(K))
    t = (t - t[2]) / t.std()
    return np.column_stack([np.ones(K), t])


def fit_logits(Z, y, rounds=8):
    """logit P(visits<=k) = A[k] + sum_q B[k,q] * Z @ beta[q], by Newton's method with a ridge on beta."""
    B, lam = basis(), np.array([RIDGE_COMMON, RIDGE_SLOPE])
    Q, d = B.shape[1], Z.shape[1]
    Y = (y[:, None] <= np.arange(K)).astype(float)
    base = Y.mean(axis=0).clip(0.01, 0.99)
    A, beta = np.log(base / (1 - base)), np.zeros((Q, d))
    for _ in range(rounds):
        P = 1 / (1 + np.exp(-(A + (Z @ beta.T) @ B.T)))
        w, g = P * (1 - P) + 1e-6, Y - P
        grad = np.concatenate([g.sum(axis=0), (B.T @ (g.T @ Z) - lam[:, None] * beta).ravel()])
        H = np.zeros((K + Q * d, K + Q * d))
        H[:K, :K] = np.diag(w.sum(axis=0))
        wz = w.T @ Z
        for q in range(Q):
            a = slice(K + q * d, K + (q + 1) * d)
            H[:K, a] = B[:, q][:, None] * wz
            for r in range(Q):
                b = slice(K + r * d, K + (r + 1) * d)
                H[a, b] = (Z * (w @ (B[:, q] * B[:, r]))[:, None]).T @ Z + (lam[q] * np.eye(d) if q == r else 0)
        H[K:, :K] = H[:K, K:].T
        step = np.linalg.solve(H, grad)
        A, beta = A + step[:K], beta + step[K:].reshape(Q, d)
    return A, beta


def distribution(train, test):
    """P(visits<=k) for the rows of test, and the coefficients that the thresholds share."""
    n = len(train)
    al = pd.concat([train[COLS], test[COLS]], ignore_index=True)
    f = features(al)
    Z = f.to_numpy()
    A, beta = fit_logits(Z[:n], train['visits'].to_numpy(float))
    P = 1 / (1 + np.exp(-(A + (Z[n:] @ beta.T) @ basis().T)))
    return np.maximum.accumulate(P, axis=1), pd.Series(beta[0], index=f.columns)


def median(P):
    """Smallest k with P(visits<=k) >= 0.5."""
    return (np.column_stack([P, np.ones(len(P))]) >= 0.5).argmax(1).astype(float)


def predict(train, test):
    return median(distribution(train, test)[0])


if __name__ == '__main__':
    start = time.time()
    train = pd.read_csv(f'{INPUT}/train.csv')
    test = pd.read_csv(f'{INPUT}/test.csv')
    sample = pd.read_csv(f'{INPUT}/sample_submission.csv')
    rows = os.environ.get('MLE_STAR_ROWS')
    if rows and int(rows) < len(train):
        train = train.sample(int(rows), random_state=0).reset_index(drop=True)
    y = train['visits'].to_numpy(float)

    R = 4
    held, constant = np.zeros((R, len(y))), np.zeros((R, len(y)))
    folds = []
    for s in range(R):
        for a, b in KFold(5, shuffle=True, random_state=s).split(y):
            others = pd.concat([train.iloc[b][COLS], test[COLS]], ignore_index=True)
            held[s, b] = predict(train.iloc[a], others)[:len(b)]
            constant[s, b] = np.median(y[a])
            folds.append(np.abs(held[s, b] - y[b]).mean())
    err = np.abs(held - y).mean(axis=0)
    gain = np.abs(constant - y).mean(axis=0) - err
    P, coefs = distribution(train, test)

    print('Summary: median of P(visits<=k), k 0..7, from one ridge logit with shared coefficients (300) and a shared '
          'slope in log1p(k) (300); features: lin, onehots of imputed chronic_diseases and limitation values, '
          'flag of the 4.34 series and its product; no keys')
    print(f'held out, {R} x 5 folds of {len(y)} rows: {err.mean():.4f}, error {err.std() / len(y) ** .5:.3f}')
    print('folds of the first: ' + ', '.join(f'{v:.3f}' for v in folds[:5]))
    print(f'better than the median by {gain.mean():+.4f} +- {gain.std() / len(y) ** .5:.4f}; {time.time() - start:.1f} s')
    p = held.mean(axis=0)
    print('by true visits: n, MAE, mean prediction')
    for lo, hi in [(0, 0), (1, 1), (2, 3), (4, 6), (7, 11), (12, 999)]:
        w = (y >= lo) & (y <= hi)
        print(f'  visits {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {p[w].mean():.2f}')
    print('by predicted visits: n, MAE, median of visits')
    for lo, hi in [(0, 0.99), (1, 1.99), (2, 2.99), (3, 999)]:
        w = (p >= lo) & (p <= hi)
        print(f'  predicted {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {np.median(y[w]):.1f}')
    print('largest errors: visits, prediction, chronic, limitation, coins.')
    for i in np.argsort(-err)[:3]:
        r = train.iloc[i]
        print(f'  {y[i]:.0f}, {p[i]:.1f}, {r.chronic_diseases}, {r.limitation}, {r.log_coinsurance:.2f}')
    print('ten strongest shared coefficients (of standardised features)')
    top = coefs.loc[coefs.abs().sort_values(ascending=False).index[:10]]
    items = [f'{c} {v:+.2f}' for c, v in top.items()]
    for i in range(0, 10, 3):
        print('  ' + ', '.join(items[i:i + 3])[:68])

    pred = pd.Series(median(P), index=test['id'])
    sub = pd.DataFrame({'id': sample['id'], 'visits': pred.loc[sample['id']].to_numpy()})
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
    print(f'Final Validation Performance: {err.mean()}')
'''),
    (1, 6.0, "phase2/leg0/path0-attempt2", r'''import os
import time
import numpy as np, pandas as pd
from lightgbm import LGBMClassifier
from sklearn.model_selection import KFold

INPUT = './input'
PLAN = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure']
COLS = PLAN + ['limitation', 'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
K = 8                 # thresholds visits <= 0, 1, ..., 7
RIDGE_COMMON = 300.0  # on the coefficients that all thresholds share
RIDGE_SLOPE = 300.0   # on those times the standardised log(1+k)
IMPUTED_CHRONIC = [10.576, 9.967, 11.843, 13.732]   # no multiples of a step: means put in for missing values
IMPUTED_LIMITATION = [0.144, 0.022, 0.027, 0.033]
SERIES = [4.3, 8.7, 13.0, 17.4, 21.7, 26.1, 30.4, 34.7, 39.1, 43.4]   # multiples of 4.34; the others are of 3.44
WEIGHTS = {}          # name of a feature: factor after standardising (1 if absent)
# signs of coefficients of P(visits<=k) that the field knows: costs lower visits, illness raises them
SIGNS = {'log_coinsurance': 1, 'individual_deductible': 1, 'limitation': -1, 'chronic_diseases': -1, 'health_good': -1,
         'health_fair': -1, 'health_poor': -1, 'health_ordinal': -1}
TREES = dict(n_estimators=60, learning_rate=0.05, num_leaves=4, min_child_samples=100, subsample=0.7, subsample_freq=1,
             colsample_bytree=0.8, reg_lambda=20, verbose=-1)
SEEDS = 3
TREE_SHARE = 0.5      # of the boosted cdf in the mean


def features(al):
    """The standardised table over training and test rows together."""
    ch, lim = al['chronic_diseases'], al['limitation']
    cb = ch.clip(0, 30)
    f = al[COLS].astype(float).copy()
    for v in sorted(al['log_coinsurance'].unique()):
        f[f'coinsurance={v:.2f}'] = (al['log_coinsurance'] == v).astype(float)
    f['incentive=0'] = (al['log_incentive'] == 0).astype(float)
    f['max_expenditure=0'] = (al['log_maximum_expenditure'] == 0).astype(float)
    f['chronic_squared'] = cb ** 2 / 30
    f['chronic_above_10'] = (cb - 10).clip(lower=0)
    f['coinsurance*deductible'] = al['log_coinsurance'] * al['individual_deductible']
    f['health_ordinal'] = al['health_good'] + 2.0 * al['health_fair'] + 3.0 * al['health_poor']
    for v in IMPUTED_CHRONIC:
        f[f'chronic={v}'] = ((ch - v).abs() < 0.002).astype(float)
    series = (np.abs(ch.to_numpy()[:, None] - np.array(SERIES)[None]).min(axis=1) < 0.06).astype(float)
    f['series_4.34'] = series
    f['series_4.34*chronic'] = series * ch
    for v in IMPUTED_LIMITATION:
        f[f'limitation={v}'] = ((lim - v).abs() < 0.0005).astype(float)
    f = (f - f.mean()) / f.std().replace(0, 1)
    for name, w in WEIGHTS.items():
        f[name] *= w
    return f


def basis():
    t = np.log1p(np.arange(K))
    t = (t - t[2]) / t.std()
    return np.column_stack([np.ones(K), t])


def fit_logits(Z, y, rounds=8):
    """logit P(visits<=k) = A[k] + sum_q B[k,q] * Z @ beta[q], by Newton's method with a ridge on beta."""
    B, lam = basis(), np.array([RIDGE_COMMON, RIDGE_SLOPE])
    Q, d = B.shape[1], Z.shape[1]
    Y = (y[:, None] <= np.arange(K)).astype(float)
    base = Y.mean(axis=0).clip(0.01, 0.99)
    A, beta = np.log(base / (1 - base)), np.zeros((Q, d))
    for _ in range(rounds):
        P = 1 / (1 + np.exp(-(A + (Z @ beta.T) @ B.T)))
        w, g = P * (1 - P) + 1e-6, Y - P
        grad = np.concatenate([g.sum(axis=0), (B.T @ (g.T @ Z) - lam[:, None] * beta).ravel()])
        H = np.zeros((K + Q * d, K + Q * d))
        H[:K, :K] = np.diag(w.sum(axis=0))
        wz = w.T @ Z
        for q in range(Q):
            a = slice(K + q * d, K + (q + 1) * d)
            H[:K, a] = B[:, q][:, None] * wz
            for r in range(Q):
                b = slice(K + r * d, K + (r + 1) * d)
                H[a, b] = (Z * (w @ (B[:, q] * B[:, r]))[:, None]).T @ Z + (lam[q] * np.eye(d) if q == r else 0)
        H[K:, :K] = H[:K, K:].T
        step = np.linalg.solve(H, grad)
        A, beta = A + step[:K], beta + step[K:].reshape(Q, d)
    return A, beta


def sigmoid(e):
    return 1 / (1 + np.exp(-e))


def signed_scores(f, n, y):
    """Scores (logits) of all rows, learnt from the first n, without features whose coefficient has the wrong sign."""
    use = list(f.columns)
    for _ in range(4):
        A, beta = fit_logits(f[use].to_numpy()[:n], y)
        wrong = [c for c, b in zip(use, beta[0]) if b * SIGNS.get(c, 0) < 0]
        if not wrong:
            break
        use = [c for c in use if c not in wrong]
    A, beta = fit_logits(f[use].to_numpy()[:n], y)
    return A + (f[use].to_numpy() @ beta.T) @ basis().T, pd.Series(beta[0], index=use)


def stack(X):
    """Rows (x, k) for each threshold k."""
    return np.column_stack([np.repeat(X, K, axis=0), np.tile(np.arange(K), len(X))])


def boosted_cdf(al, n, y, score):
    """Small trees on (x, k) that start from the scores of the logit: P(visits<=k) of the rows from n on."""
    X = al[COLS].to_numpy(float)
    label = (y[:, None] <= np.arange(K)).astype(int).ravel()
    S, T, out = stack(X[:n]), stack(X[n:]), 0
    for seed in range(SEEDS):
        m = LGBMClassifier(**TREES, random_state=seed).fit(S, label, init_score=score[:n].ravel())
        out = out + sigmoid(m.predict(T, raw_score=True).reshape(-1, K) + score[n:]) / SEEDS
    return out


def parts(train, test):
    """P(visits<=k) of the logit and of the trees for the rows of test, and the shared coefficients."""
    n, y = len(train), train['visits'].to_numpy(float)
    al = pd.concat([train[COLS], test[COLS]], ignore_index=True)
    score, coefs = signed_scores(features(al), n, y)
    return (np.maximum.accumulate(sigmoid(score[n:]), axis=1),
            np.maximum.accumulate(boosted_cdf(al, n, y, score), axis=1), coefs)


def distribution(train, test):
    """P(visits<=k) for the rows of test, and the coefficients that the thresholds share."""
    logit, trees, coefs = parts(train, test)
    return (1 - TREE_SHARE) * logit + TREE_SHARE * trees, coefs


def median(P):
    """Smallest k with P(visits<=k) >= 0.5."""
    return (np.column_stack([P, np.ones(len(P))]) >= 0.5).argmax(1).astype(float)


def predict(train, test):
    return median(distribution(train, test)[0])


if __name__ == '__main__':
    start = time.time()
    train = pd.read_csv(f'{INPUT}/train.csv')
    test = pd.read_csv(f'{INPUT}/test.csv')
    sample = pd.read_csv(f'{INPUT}/sample_submission.csv')
    rows = os.environ.get('MLE_STAR_ROWS')
    if rows and int(rows) < len(train):
        train = train.sample(int(rows), random_state=0).reset_index(drop=True)
    y = train['visits'].to_numpy(float)

    R = 4
    held, constant = np.zeros((R, len(y))), np.zeros((R, len(y)))
    single = np.zeros((2, R, len(y)))
    folds = []
    for s in range(R):
        for a, b in KFold(5, shuffle=True, random_state=s).split(y):
            others = pd.concat([train.iloc[b][COLS], test[COLS]], ignore_index=True)
            lg, bt, _ = parts(train.iloc[a], others)
            single[0, s, b], single[1, s, b] = median(lg)[:len(b)], median(bt)[:len(b)]
            held[s, b] = median((1 - TREE_SHARE) * lg + TREE_SHARE * bt)[:len(b)]
            constant[s, b] = np.median(y[a])
            folds.append(np.abs(held[s, b] - y[b]).mean())
    err = np.abs(held - y).mean(axis=0)
    gain = np.abs(constant - y).mean(axis=0) - err
    P, coefs = distribution(train, test)

    print('Summary: median of the mean cdf (k 0..7) of a ridge logit (shared coefficients 300, slope in log1p(k) 300, '
          'wrong signs dropped; lin, onehots of imputed chronic and limitation values, 4.34 series) and of 60 trees '
          'of 4 leaves on (9 columns, k) from its scores, 3 seeds')
    alone = np.abs(single - y).mean(axis=(1, 2))
    print(f'alone: logit {alone[0]:.4f}, trees from its scores {alone[1]:.4f}')
    print(f'held out, {R} x 5 folds of {len(y)} rows: {err.mean():.4f}, error {err.std() / len(y) ** .5:.3f}')
    print('folds of the first: ' + ', '.join(f'{v:.3f}' for v in folds[:5]))
    print(f'better than the median by {gain.mean():+.4f} +- {gain.std() / len(y) ** .5:.4f}; {time.time() - start:.1f} s')
    p = held.mean(axis=0)
    print('by true visits: n, MAE, mean prediction')
    for lo, hi in [(0, 0), (1, 1), (2, 3), (4, 6), (7, 11), (12, 999)]:
        w = (y >= lo) & (y <= hi)
        print(f'  visits {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {p[w].mean():.2f}')
    print('by predicted visits: n, MAE, median of visits')
    for lo, hi in [(0, 0.99), (1, 1.99), (2, 2.99), (3, 999)]:
        w = (p >= lo) & (p <= hi)
        print(f'  predicted {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {np.median(y[w]):.1f}')
    print('largest errors: visits, prediction, chronic, limitation, coins.')
    for i in np.argsort(-err)[:3]:
        r = train.iloc[i]
        print(f'  {y[i]:.0f}, {p[i]:.1f}, {r.chronic_diseases}, {r.limitation}, {r.log_coinsurance:.2f}')
    print('ten strongest shared coefficients (of standardised features)')
    top = coefs.loc[coefs.abs().sort_values(ascending=False).index[:10]]
    items = [f'{c} {v:+.2f}' for c, v in top.items()]
    for i in range(0, 9, 3):
        print('  ' + ', '.join(items[i:i + 3])[:68])

    pred = pd.Series(median(P), index=test['id'])
    sub = pd.DataFrame({'id': sample['id'], 'visits': pred.loc[sample['id']].to_numpy()})
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
    print(f'Final Validation Performance: {err.mean()}')
'''),
    (1, 9.0, "phase2/leg0/path0-attempt3", r'''import os
import time
import numpy as np, pandas as pd
from lightgbm import LGBMClassifier
from sklearn.model_selection import KFold

INPUT = './input'
PLAN = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure']
COLS = PLAN + ['limitation', 'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
K = 8                 # thresholds visits <= 0, 1, ..., 7
RIDGE_COMMON = 300.0  # on the coefficients that all thresholds share
RIDGE_SLOPE = 300.0   # on those times the standardised log(1+k)
IMPUTED_CHRONIC = [10.576, 9.967, 11.843, 13.732]   # no multiples of a step: means put in for missing values
IMPUTED_LIMITATION = [0.144, 0.022, 0.027, 0.033]
SERIES = [4.3, 8.7, 13.0, 17.4, 21.7, 26.1, 30.4, 34.7, 39.1, 43.4]   # multiples of 4.34; the others are of 3.44
WEIGHTS = {}          # name of a feature: factor after standardising (1 if absent)
# signs of coefficients of P(visits<=k) that the field knows: costs lower visits, illness raises them
SIGNS = {'log_coinsurance': 1, 'individual_deductible': 1, 'limitation': -1, 'chronic_diseases': -1, 'health_good': -1,
         'health_fair': -1, 'health_poor': -1, 'health_ordinal': -1}
TREES = dict(n_estimators=80, learning_rate=0.05, num_leaves=4, min_child_samples=100, subsample=0.7, subsample_freq=1,
             colsample_bytree=0.4, reg_lambda=20, monotone_constraints=[1, 1, 0, 0, -1, -1, 0, 0, -1, 0], verbose=-1)
SEEDS = 5
TREE_SHARE = 0.5      # of the boosted cdf in the mean


def features(al):
    """The standardised table over training and test rows together."""
    ch, lim = al['chronic_diseases'], al['limitation']
    cb = ch.clip(0, 30)
    f = al[COLS].astype(float).copy()
    for v in sorted(al['log_coinsurance'].unique()):
        f[f'coinsurance={v:.2f}'] = (al['log_coinsurance'] == v).astype(float)
    f['incentive=0'] = (al['log_incentive'] == 0).astype(float)
    f['max_expenditure=0'] = (al['log_maximum_expenditure'] == 0).astype(float)
    f['chronic_squared'] = cb ** 2 / 30
    f['chronic_above_10'] = (cb - 10).clip(lower=0)
    f['coinsurance*deductible'] = al['log_coinsurance'] * al['individual_deductible']
    f['health_ordinal'] = al['health_good'] + 2.0 * al['health_fair'] + 3.0 * al['health_poor']
    f = f.drop(columns=['health_good', 'health_fair'])
    rate = (np.exp(al['log_coinsurance']) - 1).clip(lower=1) / 100
    mde = (al['log_maximum_expenditure'] + np.log(rate)).where(al['log_maximum_expenditure'] > 0, 0)
    f['mde'] = mde      # log of the most that the family pays
    f['mde_cap'] = (mde > np.log(990)).astype(float)
    for v in IMPUTED_CHRONIC:
        f[f'chronic={v}'] = ((ch - v).abs() < 0.002).astype(float)
    series = (np.abs(ch.to_numpy()[:, None] - np.array(SERIES)[None]).min(axis=1) < 0.06).astype(float)
    f['series_4.34'] = series
    f['series_4.34*chronic'] = series * ch
    for v in IMPUTED_LIMITATION:
        f[f'limitation={v}'] = ((lim - v).abs() < 0.0005).astype(float)
    f = (f - f.mean()) / f.std().replace(0, 1)
    for name, w in WEIGHTS.items():
        f[name] *= w
    return f


def basis():
    t = np.log1p(np.arange(K))
    t = (t - t[2]) / t.std()
    return np.column_stack([np.ones(K), t])


def fit_logits(Z, y, rounds=8):
    """logit P(visits<=k) = A[k] + sum_q B[k,q] * Z @ beta[q], by Newton's method with a ridge on beta."""
    B, lam = basis(), np.array([RIDGE_COMMON, RIDGE_SLOPE])
    Q, d = B.shape[1], Z.shape[1]
    Y = (y[:, None] <= np.arange(K)).astype(float)
    base = Y.mean(axis=0).clip(0.01, 0.99)
    A, beta = np.log(base / (1 - base)), np.zeros((Q, d))
    for _ in range(rounds):
        P = 1 / (1 + np.exp(-(A + (Z @ beta.T) @ B.T)))
        w, g = P * (1 - P) + 1e-6, Y - P
        grad = np.concatenate([g.sum(axis=0), (B.T @ (g.T @ Z) - lam[:, None] * beta).ravel()])
        H = np.zeros((K + Q * d, K + Q * d))
        H[:K, :K] = np.diag(w.sum(axis=0))
        wz = w.T @ Z
        for q in range(Q):
            a = slice(K + q * d, K + (q + 1) * d)
            H[:K, a] = B[:, q][:, None] * wz
            for r in range(Q):
                b = slice(K + r * d, K + (r + 1) * d)
                H[a, b] = (Z * (w @ (B[:, q] * B[:, r]))[:, None]).T @ Z + (lam[q] * np.eye(d) if q == r else 0)
        H[K:, :K] = H[:K, K:].T
        step = np.linalg.solve(H, grad)
        A, beta = A + step[:K], beta + step[K:].reshape(Q, d)
    return A, beta


def sigmoid(e):
    return 1 / (1 + np.exp(-e))


def signed_scores(f, n, y):
    """Scores (logits) of all rows, learnt from the first n, without features whose coefficient has the wrong sign."""
    use = list(f.columns)
    for _ in range(4):
        A, beta = fit_logits(f[use].to_numpy()[:n], y)
        wrong = [c for c, b in zip(use, beta[0]) if b * SIGNS.get(c, 0) < 0]
        if not wrong:
            break
        use = [c for c in use if c not in wrong]
    A, beta = fit_logits(f[use].to_numpy()[:n], y)
    return A + (f[use].to_numpy() @ beta.T) @ basis().T, pd.Series(beta[0], index=use)


def stack(X):
    """Rows (x, k) for each threshold k."""
    return np.column_stack([np.repeat(X, K, axis=0), np.tile(np.arange(K), len(X))])


def boosted_cdf(al, n, y, score):
    """Small trees on (x, k) that start from the scores of the logit: P(visits<=k) of the rows from n on."""
    X = al[COLS].to_numpy(float)
    label = (y[:, None] <= np.arange(K)).astype(int).ravel()
    S, T, out = stack(X[:n]), stack(X[n:]), 0
    for seed in range(SEEDS):
        m = LGBMClassifier(**TREES, random_state=seed).fit(S, label, init_score=score[:n].ravel())
        out = out + sigmoid(m.predict(T, raw_score=True).reshape(-1, K) + score[n:]) / SEEDS
    return out


def parts(train, test):
    """P(visits<=k) of the logit and of the trees for the rows of test, and the shared coefficients."""
    n, y = len(train), train['visits'].to_numpy(float)
    al = pd.concat([train[COLS], test[COLS]], ignore_index=True)
    score, coefs = signed_scores(features(al), n, y)
    return (np.maximum.accumulate(sigmoid(score[n:]), axis=1),
            np.maximum.accumulate(boosted_cdf(al, n, y, score), axis=1), coefs)


def distribution(train, test):
    """P(visits<=k) for the rows of test, and the coefficients that the thresholds share."""
    logit, trees, coefs = parts(train, test)
    return (1 - TREE_SHARE) * logit + TREE_SHARE * trees, coefs


def median(P):
    """Smallest k with P(visits<=k) >= 0.5."""
    return (np.column_stack([P, np.ones(len(P))]) >= 0.5).argmax(1).astype(float)


def predict(train, test):
    return median(distribution(train, test)[0])


if __name__ == '__main__':
    start = time.time()
    train = pd.read_csv(f'{INPUT}/train.csv')
    test = pd.read_csv(f'{INPUT}/test.csv')
    sample = pd.read_csv(f'{INPUT}/sample_submission.csv')
    rows = os.environ.get('MLE_STAR_ROWS')
    if rows and int(rows) < len(train):
        train = train.sample(int(rows), random_state=0).reset_index(drop=True)
    y = train['visits'].to_numpy(float)

    R = 4
    held, constant = np.zeros((R, len(y))), np.zeros((R, len(y)))
    single = np.zeros((2, R, len(y)))
    folds = []
    for s in range(R):
        for a, b in KFold(5, shuffle=True, random_state=s).split(y):
            others = pd.concat([train.iloc[b][COLS], test[COLS]], ignore_index=True)
            lg, bt, _ = parts(train.iloc[a], others)
            single[0, s, b], single[1, s, b] = median(lg)[:len(b)], median(bt)[:len(b)]
            held[s, b] = median((1 - TREE_SHARE) * lg + TREE_SHARE * bt)[:len(b)]
            constant[s, b] = np.median(y[a])
            folds.append(np.abs(held[s, b] - y[b]).mean())
    err = np.abs(held - y).mean(axis=0)
    gain = np.abs(constant - y).mean(axis=0) - err
    P, coefs = distribution(train, test)

    print('Summary: median of the mean cdf (k 0..7) of a ridge logit (shared coefficients 300, slope in log1p(k) 300, '
          'wrong signs dropped; lin, imputed chronic and limitation values, 4.34 series, family cap) and of 80 '
          'monotone trees of 4 leaves, colsample .4, from its scores, 5 seeds')
    alone = np.abs(single - y).mean(axis=(1, 2))
    print(f'alone: logit {alone[0]:.4f}, trees from its scores {alone[1]:.4f}')
    print(f'held out, {R} x 5 folds of {len(y)} rows: {err.mean():.4f}, error {err.std() / len(y) ** .5:.3f}')
    print('folds of the first: ' + ', '.join(f'{v:.3f}' for v in folds[:5]))
    print(f'better than the median by {gain.mean():+.4f} +- {gain.std() / len(y) ** .5:.4f}; {time.time() - start:.1f} s')
    p = held.mean(axis=0)
    print('by true visits: n, MAE, mean prediction')
    for lo, hi in [(0, 0), (1, 1), (2, 3), (4, 6), (7, 11), (12, 999)]:
        w = (y >= lo) & (y <= hi)
        print(f'  visits {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {p[w].mean():.2f}')
    print('by predicted visits: n, MAE, median of visits')
    for lo, hi in [(0, 0.99), (1, 1.99), (2, 2.99), (3, 999)]:
        w = (p >= lo) & (p <= hi)
        print(f'  predicted {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {np.median(y[w]):.1f}')
    print('largest errors: visits, prediction, chronic, limitation, coins.')
    for i in np.argsort(-err)[:3]:
        r = train.iloc[i]
        print(f'  {y[i]:.0f}, {p[i]:.1f}, {r.chronic_diseases}, {r.limitation}, {r.log_coinsurance:.2f}')
    print('ten strongest shared coefficients (of standardised features)')
    top = coefs.loc[coefs.abs().sort_values(ascending=False).index[:10]]
    items = [f'{c} {v:+.2f}' for c, v in top.items()]
    for i in range(0, 9, 3):
        print('  ' + ', '.join(items[i:i + 3])[:68])

    pred = pd.Series(median(P), index=test['id'])
    sub = pd.DataFrame({'id': sample['id'], 'visits': pred.loc[sample['id']].to_numpy()})
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
    print(f'Final Validation Performance: {err.mean()}')
'''),
    (1, 10.0, "phase2/leg0/path1-attempt2", r'''import os
import time
import numpy as np, pandas as pd
from lightgbm import LGBMClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

COLS = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure', 'limitation',
        'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
TARGET = 'visits'
K = 12          # thresholds visits <= 0, 1, ..., 11 that the boosting learns
K_LOGIT = 8     # thresholds of the logit
K_USED = 6      # thresholds 0..5 decide: the median is at most 6
SEEDS = 6       # for each of SETTINGS
RIDGE = 300.0
WEIGHT = 0.6    # of the boosting in the mean cdf
PARAMS = dict(learning_rate=0.05, min_child_samples=100, subsample=0.7, subsample_freq=1, reg_lambda=20, verbose=-1)
SETTINGS = [dict(num_leaves=4, n_estimators=220, colsample_bytree=0.3),
            dict(num_leaves=3, n_estimators=250, colsample_bytree=0.5)]


def features(df):
    return df[COLS].to_numpy(float)


def stack(X):
    """Rows (x, k) for each threshold k."""
    return np.column_stack([np.repeat(X, K, axis=0), np.tile(np.arange(K), len(X))])


def stacked_models(train):
    X, y = features(train), train[TARGET].to_numpy(float)
    base = np.array([np.mean(y <= k) for k in range(K)]).clip(0.01, 0.99)
    logit = np.log(base / (1 - base))
    label = (np.repeat(y, K) <= np.tile(np.arange(K), len(y))).astype(int)
    S = stack(X)
    models = [LGBMClassifier(**PARAMS, **s, random_state=seed).fit(S, label, init_score=np.tile(logit, len(y)))
              for s in SETTINGS for seed in range(SEEDS)]
    return models, logit


def stacked_cdf(models, logit, test):
    S, start = stack(features(test)), np.tile(logit, len(test))
    C = np.mean([1 / (1 + np.exp(-(m.predict(S, raw_score=True) + start))) for m in models], axis=0)
    return np.maximum.accumulate(C.reshape(len(test), K), axis=1)


def linear_features(al):
    """Standardised columns of the logit, over training and test rows together."""
    co, inc, mx, c, l = (al[k].to_numpy(float) for k in ('log_coinsurance', 'log_incentive', 'log_maximum_expenditure',
                                                         'chronic_diseases', 'limitation'))
    cb = np.clip(c, 0, 30)
    imputed = abs(10 * c - np.round(10 * c)) > 1e-3
    often = [v for v in np.unique(c[imputed]) if (c == v).mean() >= 0.013]
    series_434 = (c > 0) & ~imputed & (abs(c / 3.445 - np.round(c / 3.445)) > 0.03)
    X = np.column_stack([features(al)] + [co == v for v in np.unique(co)]
                        + [inc == 0, mx == 0, cb ** 2 / 30, np.maximum(cb - 10, 0), co * al['individual_deductible'].to_numpy(float)]
                        + [c == v for v in often] + [(l > 0) & (l < 1), series_434, series_434 * c])
    return StandardScaler().fit_transform(X.astype(float))


def logit_design(X):
    """Rows (x, k): shared coefficients, a shared slope in log1p(k), an intercept for each k (as good as free)."""
    R, k = np.repeat(X, K_LOGIT, axis=0), np.tile(np.arange(K_LOGIT), len(X))
    return np.column_stack([R, R * (np.log1p(k)[:, None] - 1), 30 * (k[:, None] == np.arange(K_LOGIT))])


def logit_cdf(train, test):
    X = linear_features(pd.concat([train[COLS], test[COLS]], ignore_index=True))
    n, y = len(train), train[TARGET].to_numpy(float)
    label = (np.repeat(y, K_LOGIT) <= np.tile(np.arange(K_LOGIT), n)).astype(int)
    m = LogisticRegression(C=1 / RIDGE, max_iter=500, fit_intercept=False).fit(logit_design(X[:n]), label)
    P = m.predict_proba(logit_design(X[n:]))[:, 1].reshape(len(test), K_LOGIT)
    return np.maximum.accumulate(P, axis=1)


def median(C):
    """Smallest k with P(visits <= k) >= 0.5, at most K_USED."""
    C = C[:, :K_USED]
    return (np.column_stack([C, np.ones(len(C))]) >= 0.5).argmax(axis=1).astype(float)


def mean_cdf(boosted, linear):
    return WEIGHT * boosted[:, :K_USED] + (1 - WEIGHT) * linear[:, :K_USED]


def predict(train, test):
    return median(mean_cdf(stacked_cdf(*stacked_models(train), test), logit_cdf(train, test)))


if __name__ == '__main__':
    train = pd.read_csv('./input/train.csv')
    test = pd.read_csv('./input/test.csv')
    sample = pd.read_csv('./input/sample_submission.csv')
    rows = int(os.environ.get('MLE_STAR_ROWS', len(train)))
    if rows < len(train):
        train = train.sample(rows, random_state=0).reset_index(drop=True)
    y = train[TARGET].to_numpy(float)

    B, L = np.zeros((len(y), K)), np.zeros((len(y), K_LOGIT))
    seconds, folds = [0.0, 0.0], []
    for learn, held in KFold(5, shuffle=True, random_state=7).split(train):
        t = time.time()
        B[held] = stacked_cdf(*stacked_models(train.iloc[learn]), train.iloc[held])
        seconds[0] += time.time() - t
        t = time.time()
        others = pd.concat([train.iloc[held][COLS], test[COLS]], ignore_index=True)
        L[held] = logit_cdf(train.iloc[learn], others)[:len(held)]
        seconds[1] += time.time() - t
        folds.append(held)
    oof = median(mean_cdf(B, L))
    err = np.abs(y - oof)
    print('Summary: median (at most 6) of 0.6 cdf of LGBM stacked on rows (x, k), k 0..11 (plain columns; 4 leaves, 220 trees, '
          'colsample .3 and 3 leaves, 250, .5; 6 seeds each) + 0.4 cdf of a ridge (300) logit, k 0..7, shared coefficients '
          'and slope in log1p(k), lin + imputed values')

    def rps(C):
        return 100 * ((C[:, :K_USED] - (y[:, None] <= np.arange(K_USED))) ** 2).sum(axis=1).mean()
    print('MAE, RPS x100 (k 0..5) held out, seconds of 5 folds:')
    print(f'  mean cdf {err.mean():.4f} {rps(mean_cdf(B, L)):.2f}; constant {np.abs(y - np.median(y)).mean():.4f}')
    print(f'  boosting {np.abs(y - median(B)).mean():.4f} {rps(B):.2f} {seconds[0]:.0f} s')
    print(f'  logit {np.abs(y - median(L)).mean():.4f} {rps(L):.2f} {seconds[1]:.0f} s')
    print('  folds: ' + ' '.join(f'{err[h].mean():.3f}' for h in folds))
    print('predicted: rows, MAE, mean error (visits - predicted)')
    for k, r in pd.DataFrame({'p': oof, 'e': err, 'b': y - oof}).groupby('p'):
        print(f'  {k:.0f}: {len(r)}, {r.e.mean():.2f}, {r.b.mean():+.2f}')
    print(f'share of the error by rows with visits > 8: {err[y > 8].sum() / err.sum():.2f}')
    print('largest errors: visits, predicted, coins., limit., chronic')
    for i in np.argsort(-err)[:3]:
        r = train.iloc[i]
        print(f'  {y[i]:.0f}, {oof[i]:.0f}, {r.log_coinsurance:.2f}, {r.limitation:.2f}, {r.chronic_diseases:.1f}')
    models, logit = stacked_models(train)
    gain = np.mean([m.booster_.feature_importance('gain') for m in models], axis=0)
    names = COLS + ['threshold k']
    items = [f'{names[i]} {gain[i] / gain.sum():.2f}' for i in np.argsort(-gain)[:10]]
    print('boosting, share of gain:')
    for i in range(0, 10, 2):
        print('  ' + ', '.join(items[i:i + 2]))

    pred = pd.Series(median(mean_cdf(stacked_cdf(models, logit, test), logit_cdf(train, test))), index=test['id'])
    sub = sample[['id']].copy()
    sub[TARGET] = pred.reindex(sub['id']).to_numpy()
    assert sub[TARGET].notna().all()
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
    print(f'Final Validation Performance: {err.mean()}')
'''),
    (1, 10.0, "phase2/leg0/path1-attempt3", r'''import os
import time
import numpy as np, pandas as pd
from lightgbm import LGBMClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

COLS = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure', 'limitation',
        'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
TARGET = 'visits'
K = 12          # thresholds visits <= 0, 1, ..., 11 that the boosting learns
K_LOGIT = 8     # thresholds of the logit
K_USED = 6      # thresholds 0..5 are kept of the mean cdf
MOST = 5        # the median is at most 5
SEEDS = 6       # for each of SETTINGS
RIDGE = 300.0
WEIGHT = 0.5    # of the boosting in the mean cdf
WEIGHT_GP = 0.4  # of the Gaussian process in the rest of it
NOISE, W_PERSON, W_FAMILY, W_HEALTH = 0.8, 0.2, 0.1, 0.1
PARAMS = dict(learning_rate=0.05, min_child_samples=100, subsample=0.9, subsample_freq=1, reg_lambda=5, verbose=-1)
SETTINGS = [dict(num_leaves=4, n_estimators=220, colsample_bytree=0.3),
            dict(num_leaves=3, n_estimators=250, colsample_bytree=0.5)]


def features(df):
    return df[COLS].to_numpy(float)


def stack(X):
    """Rows (x, k) for each threshold k."""
    return np.column_stack([np.repeat(X, K, axis=0), np.tile(np.arange(K), len(X))])


def stacked_models(train):
    X, y = features(train), train[TARGET].to_numpy(float)
    base = np.array([np.mean(y <= k) for k in range(K)]).clip(0.01, 0.99)
    logit = np.log(base / (1 - base))
    label = (np.repeat(y, K) <= np.tile(np.arange(K), len(y))).astype(int)
    S = stack(X)
    models = [LGBMClassifier(**PARAMS, **s, random_state=seed).fit(S, label, init_score=np.tile(logit, len(y)))
              for s in SETTINGS for seed in range(SEEDS)]
    return models, logit


def stacked_cdf(models, logit, test):
    S, start = stack(features(test)), np.tile(logit, len(test))
    C = np.mean([1 / (1 + np.exp(-(m.predict(S, raw_score=True) + start))) for m in models], axis=0)
    return np.maximum.accumulate(C.reshape(len(test), K), axis=1)


def linear_features(al):
    """Standardised columns of the logit, over training and test rows together."""
    co, inc, mx, c, l = (al[k].to_numpy(float) for k in ('log_coinsurance', 'log_incentive', 'log_maximum_expenditure',
                                                         'chronic_diseases', 'limitation'))
    cb = np.clip(c, 0, 30)
    imputed = abs(10 * c - np.round(10 * c)) > 1e-3
    often = [v for v in np.unique(c[imputed]) if (c == v).mean() >= 0.013]
    series_434 = (c > 0) & ~imputed & (abs(c / 3.445 - np.round(c / 3.445)) > 0.03)
    X = np.column_stack([features(al)] + [co == v for v in np.unique(co)]
                        + [inc == 0, mx == 0, cb ** 2 / 30, np.maximum(cb - 10, 0), co * al['individual_deductible'].to_numpy(float)]
                        + [c == v for v in often] + [(l > 0) & (l < 1), series_434, series_434 * c])
    return StandardScaler().fit_transform(X.astype(float))


def logit_design(X):
    """Rows (x, k): shared coefficients, a shared slope in log1p(k), an intercept for each k (as good as free)."""
    R, k = np.repeat(X, K_LOGIT, axis=0), np.tile(np.arange(K_LOGIT), len(X))
    return np.column_stack([R, R * (np.log1p(k)[:, None] - 1), 30 * (k[:, None] == np.arange(K_LOGIT))])


def logit_cdf(train, test):
    X = linear_features(pd.concat([train[COLS], test[COLS]], ignore_index=True))
    n, y = len(train), train[TARGET].to_numpy(float)
    label = (np.repeat(y, K_LOGIT) <= np.tile(np.arange(K_LOGIT), n)).astype(int)
    m = LogisticRegression(C=1 / RIDGE, max_iter=500, fit_intercept=False).fit(logit_design(X[:n]), label)
    P = m.predict_proba(logit_design(X[n:]))[:, 1].reshape(len(test), K_LOGIT)
    return np.maximum.accumulate(P, axis=1)


def kernel(X, a, b, keys, paid):
    """RBF (length 1.5 for each of 9 standardised columns) + linear + same person, family, health."""
    A, B = X[a, :len(COLS)], X[b, :len(COLS)]
    d2 = (A ** 2).sum(axis=1)[:, None] + (B ** 2).sum(axis=1) - 2 * A @ B.T
    person, family, health = (k[a][:, None] == k[b] for k in keys)
    return (0.15 * np.exp(-d2 / (2 * len(COLS) * 1.5 ** 2)) + 0.01 * X[a] @ X[b].T + W_PERSON * person
            + W_FAMILY * (family & paid[a][:, None] & paid[b]) + W_HEALTH * health)


def gp_cdf(train, test):
    """GP on log1p(visits); logits of visits<=k on its leave-one-out mean of the learnt rows."""
    al = pd.concat([train[COLS], test[COLS]], ignore_index=True)
    X, y, n = linear_features(al), train[TARGET].to_numpy(float), len(train)
    keys = [al.groupby(c).ngroup().to_numpy() for c in (COLS, COLS[:4], COLS[4:])]
    paid = (al['log_incentive'] > 0).to_numpy()
    a, b = np.arange(n), np.arange(n, len(al))
    t = np.log1p(y)
    t = (t - t.mean()) / t.std()
    inverse = np.linalg.inv(kernel(X, a, a, keys, paid) + NOISE * np.eye(n))
    alpha = inverse @ t
    loo = t - alpha / np.diag(inverse)
    z = kernel(X, b, a, keys, paid) @ alpha
    P = np.column_stack([LogisticRegression(C=10).fit(np.column_stack([loo, loo ** 2]), y <= k)
                         .predict_proba(np.column_stack([z, z ** 2]))[:, 1] for k in range(K_LOGIT)])
    return np.maximum.accumulate(P, axis=1)


def smooth_cdf(train, test):
    return (1 - WEIGHT_GP) * logit_cdf(train, test) + WEIGHT_GP * gp_cdf(train, test)


def median(C):
    """Smallest k with P(visits <= k) >= 0.5, at most MOST."""
    C = C[:, :MOST]
    return (np.column_stack([C, np.ones(len(C))]) >= 0.5).argmax(axis=1).astype(float)


def mean_cdf(boosted, linear):
    return WEIGHT * boosted[:, :K_USED] + (1 - WEIGHT) * linear[:, :K_USED]


def predict(train, test):
    return median(mean_cdf(stacked_cdf(*stacked_models(train), test), smooth_cdf(train, test)))


if __name__ == '__main__':
    train = pd.read_csv('./input/train.csv')
    test = pd.read_csv('./input/test.csv')
    sample = pd.read_csv('./input/sample_submission.csv')
    rows = int(os.environ.get('MLE_STAR_ROWS', len(train)))
    if rows < len(train):
        train = train.sample(rows, random_state=0).reset_index(drop=True)
    y = train[TARGET].to_numpy(float)

    B, L = np.zeros((len(y), K)), np.zeros((len(y), K_LOGIT))
    seconds, folds = [0.0, 0.0], []
    for learn, held in KFold(5, shuffle=True, random_state=7).split(train):
        t = time.time()
        B[held] = stacked_cdf(*stacked_models(train.iloc[learn]), train.iloc[held])
        seconds[0] += time.time() - t
        t = time.time()
        others = pd.concat([train.iloc[held][COLS], test[COLS]], ignore_index=True)
        L[held] = smooth_cdf(train.iloc[learn], others)[:len(held)]
        seconds[1] += time.time() - t
        folds.append(held)
    oof = median(mean_cdf(B, L))
    err = np.abs(y - oof)
    print('Summary: median (<= 5) of .5 cdf of LGBM stacked on rows (x, k), k 0..11 (plain; 4 leaves, 220 trees, colsample .3; '
          '3, 250, .5; lambda 5; 12 seeds) + .3 of a ridge (300) logit, shared coefficients and slope in log1p(k), lin + '
          'imputed + .2 of a GP, kernels of equal person, family, health')

    def rps(C):
        return 100 * ((C[:, :K_USED] - (y[:, None] <= np.arange(K_USED))) ** 2).sum(axis=1).mean()
    print('MAE, RPS x100 (k 0..5) held out, seconds of 5 folds:')
    print(f'  mean cdf {err.mean():.4f} {rps(mean_cdf(B, L)):.2f}; constant {np.abs(y - np.median(y)).mean():.4f}')
    print(f'  boosting {np.abs(y - median(B)).mean():.4f} {rps(B):.2f} {seconds[0]:.0f} s')
    print(f'  .6 logit + .4 GP {np.abs(y - median(L)).mean():.4f} {rps(L):.2f} {seconds[1]:.0f} s')
    print('  folds: ' + ' '.join(f'{err[h].mean():.3f}' for h in folds))
    print('predicted: rows, MAE, mean error (visits - predicted)')
    for k, r in pd.DataFrame({'p': oof, 'e': err, 'b': y - oof}).groupby('p'):
        print(f'  {k:.0f}: {len(r)}, {r.e.mean():.2f}, {r.b.mean():+.2f}')
    print(f'share of the error by rows with visits > 8: {err[y > 8].sum() / err.sum():.2f}')
    print('largest errors: visits, predicted, coins., limit., chronic')
    for i in np.argsort(-err)[:3]:
        r = train.iloc[i]
        print(f'  {y[i]:.0f}, {oof[i]:.0f}, {r.log_coinsurance:.2f}, {r.limitation:.2f}, {r.chronic_diseases:.1f}')
    models, logit = stacked_models(train)
    gain = np.mean([m.booster_.feature_importance('gain') for m in models], axis=0)
    names = COLS + ['threshold k']
    items = [f'{names[i]} {gain[i] / gain.sum():.2f}' for i in np.argsort(-gain)[:10]]
    print('boosting, share of gain:')
    for i in range(0, 10, 2):
        print('  ' + ', '.join(items[i:i + 2]))

    pred = pd.Series(median(mean_cdf(stacked_cdf(models, logit, test), smooth_cdf(train, test))), index=test['id'])
    sub = sample[['id']].copy()
    sub[TARGET] = pred.reindex(sub['id']).to_numpy()
    assert sub[TARGET].notna().all()
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
    print(f'Final Validation Performance: {err.mean()}')
'''),
    (1, 26.0, "phase2/leg0/path1-attempt5", r'''import os
import time
import numpy as np, pandas as pd
from lightgbm import LGBMClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.preprocessing import StandardScaler

COLS = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure', 'limitation',
        'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
TARGET = 'visits'
K = 12          # thresholds visits <= 0, 1, ..., 11 that the boosting learns
K_LOGIT = 8     # thresholds of the logit
K_USED = 6      # thresholds 0..5 are kept of the mean cdf
MOST = 5        # the median is at most 5
SEEDS = 20      # for each of SETTINGS
RIDGE = 300.0
WEIGHT = 0.6    # of the boosting in the mean cdf
PARAMS = dict(learning_rate=0.05, min_child_samples=100, subsample=0.7, subsample_freq=1, reg_lambda=20, verbose=-1)
SETTINGS = [dict(num_leaves=4, n_estimators=220, colsample_bytree=0.3),
            dict(num_leaves=3, n_estimators=250, colsample_bytree=0.5)]


def features(df):
    return df[COLS].to_numpy(float)


def stack(X):
    """Rows (x, k) for each threshold k."""
    return np.column_stack([np.repeat(X, K, axis=0), np.tile(np.arange(K), len(X))])


def stacked_models(train):
    X, y = features(train), train[TARGET].to_numpy(float)
    base = np.array([np.mean(y <= k) for k in range(K)]).clip(0.01, 0.99)
    logit = np.log(base / (1 - base))
    label = (np.repeat(y, K) <= np.tile(np.arange(K), len(y))).astype(int)
    S = stack(X)
    models = [LGBMClassifier(**PARAMS, **s, random_state=seed).fit(S, label, init_score=np.tile(logit, len(y)))
              for s in SETTINGS for seed in range(SEEDS)]
    return models, logit


def stacked_cdf(models, logit, test):
    S, start = stack(features(test)), np.tile(logit, len(test))
    C = np.mean([1 / (1 + np.exp(-(m.predict(S, raw_score=True) + start))) for m in models], axis=0)
    return np.maximum.accumulate(C.reshape(len(test), K), axis=1)


def linear_features(al):
    """Standardised columns of the logit, over training and test rows together."""
    co, inc, mx, c, l = (al[k].to_numpy(float) for k in ('log_coinsurance', 'log_incentive', 'log_maximum_expenditure',
                                                         'chronic_diseases', 'limitation'))
    cb = np.clip(c, 0, 30)
    imputed = abs(10 * c - np.round(10 * c)) > 1e-3
    often = [v for v in np.unique(c[imputed]) if (c == v).mean() >= 0.013]
    series_434 = (c > 0) & ~imputed & (abs(c / 3.445 - np.round(c / 3.445)) > 0.03)
    X = np.column_stack([features(al)] + [co == v for v in np.unique(co)]
                        + [inc == 0, mx == 0, cb ** 2 / 30, np.maximum(cb - 10, 0), co * al['individual_deductible'].to_numpy(float)]
                        + [c == v for v in often] + [(l > 0) & (l < 1), series_434, series_434 * c])
    return StandardScaler().fit_transform(X.astype(float))


def logit_design(X):
    """Rows (x, k): shared coefficients, a shared slope in log1p(k), an intercept for each k (as good as free)."""
    R, k = np.repeat(X, K_LOGIT, axis=0), np.tile(np.arange(K_LOGIT), len(X))
    return np.column_stack([R, R * (np.log1p(k)[:, None] - 1), 30 * (k[:, None] == np.arange(K_LOGIT))])


def logit_cdf(train, test):
    X = linear_features(pd.concat([train[COLS], test[COLS]], ignore_index=True))
    n, y = len(train), train[TARGET].to_numpy(float)
    label = (np.repeat(y, K_LOGIT) <= np.tile(np.arange(K_LOGIT), n)).astype(int)
    m = LogisticRegression(C=1 / RIDGE, max_iter=500, fit_intercept=False).fit(logit_design(X[:n]), label)
    P = m.predict_proba(logit_design(X[n:]))[:, 1].reshape(len(test), K_LOGIT)
    return np.maximum.accumulate(P, axis=1)


def median(C):
    """Smallest k with P(visits <= k) >= 0.5, at most MOST."""
    C = C[:, :MOST]
    return (np.column_stack([C, np.ones(len(C))]) >= 0.5).argmax(axis=1).astype(float)


def mean_cdf(boosted, linear):
    return WEIGHT * boosted[:, :K_USED] + (1 - WEIGHT) * linear[:, :K_USED]


def predict(train, test):
    return median(mean_cdf(stacked_cdf(*stacked_models(train), test), logit_cdf(train, test)))


if __name__ == '__main__':
    train = pd.read_csv('./input/train.csv')
    test = pd.read_csv('./input/test.csv')
    sample = pd.read_csv('./input/sample_submission.csv')
    rows = int(os.environ.get('MLE_STAR_ROWS', len(train)))
    if rows < len(train):
        train = train.sample(rows, random_state=0).reset_index(drop=True)
    y = train[TARGET].to_numpy(float)

    B, L = np.zeros((len(y), K)), np.zeros((len(y), K_LOGIT))
    seconds, folds = [0.0, 0.0], []
    for learn, held in KFold(5, shuffle=True, random_state=7).split(train):
        t = time.time()
        B[held] = stacked_cdf(*stacked_models(train.iloc[learn]), train.iloc[held])
        seconds[0] += time.time() - t
        t = time.time()
        others = pd.concat([train.iloc[held][COLS], test[COLS]], ignore_index=True)
        L[held] = logit_cdf(train.iloc[learn], others)[:len(held)]
        seconds[1] += time.time() - t
        folds.append(held)
    oof = median(mean_cdf(B, L))
    err = np.abs(y - oof)
    print('Summary: median (at most 5) of 0.6 cdf of LGBM stacked on rows (x, k), k 0..11 (plain columns; 4 leaves, 220 trees, '
          'colsample .3 and 3 leaves, 250, .5; 20 seeds each) + 0.4 cdf of a ridge (300) logit, k 0..7, shared coefficients '
          'and slope in log1p(k), lin + imputed values')

    def rps(C):
        return 100 * ((C[:, :K_USED] - (y[:, None] <= np.arange(K_USED))) ** 2).sum(axis=1).mean()
    print('MAE, RPS x100 (k 0..5) held out, seconds of 5 folds:')
    print(f'  mean cdf {err.mean():.4f} {rps(mean_cdf(B, L)):.2f}; constant {np.abs(y - np.median(y)).mean():.4f}')
    print(f'  boosting {np.abs(y - median(B)).mean():.4f} {rps(B):.2f} {seconds[0]:.0f} s')
    print(f'  logit {np.abs(y - median(L)).mean():.4f} {rps(L):.2f} {seconds[1]:.0f} s')
    print('  folds: ' + ' '.join(f'{err[h].mean():.3f}' for h in folds))
    print('predicted: rows, MAE, mean error (visits - predicted)')
    for k, r in pd.DataFrame({'p': oof, 'e': err, 'b': y - oof}).groupby('p'):
        print(f'  {k:.0f}: {len(r)}, {r.e.mean():.2f}, {r.b.mean():+.2f}')
    print(f'share of the error by rows with visits > 8: {err[y > 8].sum() / err.sum():.2f}')
    print('largest errors: visits, predicted, coins., limit., chronic')
    for i in np.argsort(-err)[:3]:
        r = train.iloc[i]
        print(f'  {y[i]:.0f}, {oof[i]:.0f}, {r.log_coinsurance:.2f}, {r.limitation:.2f}, {r.chronic_diseases:.1f}')
    models, logit = stacked_models(train)
    gain = np.mean([m.booster_.feature_importance('gain') for m in models], axis=0)
    names = COLS + ['threshold k']
    items = [f'{names[i]} {gain[i] / gain.sum():.2f}' for i in np.argsort(-gain)[:10]]
    print('boosting, share of gain:')
    for i in range(0, 10, 2):
        print('  ' + ', '.join(items[i:i + 2]))

    pred = pd.Series(median(mean_cdf(stacked_cdf(models, logit, test), logit_cdf(train, test))), index=test['id'])
    sub = sample[['id']].copy()
    sub[TARGET] = pred.reindex(sub['id']).to_numpy()
    assert sub[TARGET].notna().all()
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
    print(f'Final Validation Performance: {err.mean()}')
'''),
    (1, 29.0, "phase2/leg0/path1-attempt6", r'''import os
import time
import numpy as np, pandas as pd
from lightgbm import LGBMClassifier
from sklearn.model_selection import KFold

INPUT = './input'
PLAN = ['log_coinsurance', 'individual_deductible', 'log_incentive', 'log_maximum_expenditure']
COLS = PLAN + ['limitation', 'chronic_diseases', 'health_good', 'health_fair', 'health_poor']
K = 8                 # thresholds visits <= 0, 1, ..., 7
RIDGE_COMMON = 300.0  # on the coefficients that all thresholds share
RIDGE_SLOPE = 300.0   # on those times the standardised log(1+k)
IMPUTED_CHRONIC = [10.576, 9.967, 11.843, 13.732]   # no multiples of a step: means put in for missing values
IMPUTED_LIMITATION = [0.144, 0.022, 0.027, 0.033]
SERIES = [4.3, 8.7, 13.0, 17.4, 21.7, 26.1, 30.4, 34.7, 39.1, 43.4]   # multiples of 4.34; the others are of 3.44
WEIGHTS = {}          # name of a feature: factor after standardising (1 if absent)
# signs of coefficients of P(visits<=k) that the field knows: costs lower visits, illness raises them
SIGNS = {'log_coinsurance': 1, 'individual_deductible': 1, 'limitation': -1, 'chronic_diseases': -1, 'health_good': -1,
         'health_fair': -1, 'health_poor': -1, 'health_ordinal': -1}
TREES = dict(n_estimators=80, learning_rate=0.05, num_leaves=4, min_child_samples=100, subsample=0.7, subsample_freq=1,
             colsample_bytree=0.4, reg_lambda=20, monotone_constraints=[1, 1, 0, 0, -1, -1, 0, 0, -1, 0], verbose=-1)
SEEDS = 5
SHARES = [0.25, 0.25, 0.5]   # in the mean cdf: logit, trees from its scores, free trees
MOST = 6              # the median is at most that
# free trees: from base rates, unconstrained, learnt on more thresholds
K_FREE, FREE_SEEDS = 12, 6
FREE = dict(learning_rate=0.05, min_child_samples=100, subsample=0.7, subsample_freq=1, reg_lambda=20, verbose=-1)
FREE_SETTINGS = [dict(num_leaves=4, n_estimators=220, colsample_bytree=0.3),
                 dict(num_leaves=3, n_estimators=250, colsample_bytree=0.5)]


def features(al):
    """The standardised table over training and test rows together."""
    ch, lim = al['chronic_diseases'], al['limitation']
    cb = ch.clip(0, 30)
    f = al[COLS].astype(float).copy()
    for v in sorted(al['log_coinsurance'].unique()):
        f[f'coinsurance={v:.2f}'] = (al['log_coinsurance'] == v).astype(float)
    f['incentive=0'] = (al['log_incentive'] == 0).astype(float)
    f['max_expenditure=0'] = (al['log_maximum_expenditure'] == 0).astype(float)
    f['chronic_squared'] = cb ** 2 / 30
    f['chronic_above_10'] = (cb - 10).clip(lower=0)
    f['coinsurance*deductible'] = al['log_coinsurance'] * al['individual_deductible']
    f['health_ordinal'] = al['health_good'] + 2.0 * al['health_fair'] + 3.0 * al['health_poor']
    f = f.drop(columns=['health_good', 'health_fair'])
    rate = (np.exp(al['log_coinsurance']) - 1).clip(lower=1) / 100
    mde = (al['log_maximum_expenditure'] + np.log(rate)).where(al['log_maximum_expenditure'] > 0, 0)
    f['mde'] = mde      # log of the most that the family pays
    f['mde_cap'] = (mde > np.log(990)).astype(float)
    for v in IMPUTED_CHRONIC:
        f[f'chronic={v}'] = ((ch - v).abs() < 0.002).astype(float)
    series = (np.abs(ch.to_numpy()[:, None] - np.array(SERIES)[None]).min(axis=1) < 0.06).astype(float)
    f['series_4.34'] = series
    f['series_4.34*chronic'] = series * ch
    for v in IMPUTED_LIMITATION:
        f[f'limitation={v}'] = ((lim - v).abs() < 0.0005).astype(float)
    f = (f - f.mean()) / f.std().replace(0, 1)
    for name, w in WEIGHTS.items():
        f[name] *= w
    return f


def basis():
    t = np.log1p(np.arange(K))
    t = (t - t[2]) / t.std()
    return np.column_stack([np.ones(K), t])


def fit_logits(Z, y, rounds=8):
    """logit P(visits<=k) = A[k] + sum_q B[k,q] * Z @ beta[q], by Newton's method with a ridge on beta."""
    B, lam = basis(), np.array([RIDGE_COMMON, RIDGE_SLOPE])
    Q, d = B.shape[1], Z.shape[1]
    Y = (y[:, None] <= np.arange(K)).astype(float)
    base = Y.mean(axis=0).clip(0.01, 0.99)
    A, beta = np.log(base / (1 - base)), np.zeros((Q, d))
    for _ in range(rounds):
        P = 1 / (1 + np.exp(-(A + (Z @ beta.T) @ B.T)))
        w, g = P * (1 - P) + 1e-6, Y - P
        grad = np.concatenate([g.sum(axis=0), (B.T @ (g.T @ Z) - lam[:, None] * beta).ravel()])
        H = np.zeros((K + Q * d, K + Q * d))
        H[:K, :K] = np.diag(w.sum(axis=0))
        wz = w.T @ Z
        for q in range(Q):
            a = slice(K + q * d, K + (q + 1) * d)
            H[:K, a] = B[:, q][:, None] * wz
            for r in range(Q):
                b = slice(K + r * d, K + (r + 1) * d)
                H[a, b] = (Z * (w @ (B[:, q] * B[:, r]))[:, None]).T @ Z + (lam[q] * np.eye(d) if q == r else 0)
        H[K:, :K] = H[:K, K:].T
        step = np.linalg.solve(H, grad)
        A, beta = A + step[:K], beta + step[K:].reshape(Q, d)
    return A, beta


def sigmoid(e):
    return 1 / (1 + np.exp(-e))


def signed_scores(f, n, y):
    """Scores (logits) of all rows, learnt from the first n, without features whose coefficient has the wrong sign."""
    use = list(f.columns)
    for _ in range(4):
        A, beta = fit_logits(f[use].to_numpy()[:n], y)
        wrong = [c for c, b in zip(use, beta[0]) if b * SIGNS.get(c, 0) < 0]
        if not wrong:
            break
        use = [c for c in use if c not in wrong]
    A, beta = fit_logits(f[use].to_numpy()[:n], y)
    return A + (f[use].to_numpy() @ beta.T) @ basis().T, pd.Series(beta[0], index=use)


def stack(X):
    """Rows (x, k) for each threshold k."""
    return np.column_stack([np.repeat(X, K, axis=0), np.tile(np.arange(K), len(X))])


def boosted_cdf(al, n, y, score):
    """Small trees on (x, k) that start from the scores of the logit: P(visits<=k) of the rows from n on."""
    X = al[COLS].to_numpy(float)
    label = (y[:, None] <= np.arange(K)).astype(int).ravel()
    S, T, out = stack(X[:n]), stack(X[n:]), 0
    for seed in range(SEEDS):
        m = LGBMClassifier(**TREES, random_state=seed).fit(S, label, init_score=score[:n].ravel())
        out = out + sigmoid(m.predict(T, raw_score=True).reshape(-1, K) + score[n:]) / SEEDS
    return out


def free_cdf(al, n, y):
    """Small trees on (x, k) that start from the base rates: P(visits<=k), k < K, of the rows from n on."""
    X, k = al[COLS].to_numpy(float), np.arange(K_FREE)
    base = (y[:, None] <= k).mean(axis=0).clip(0.01, 0.99)
    logit = np.log(base / (1 - base))
    label = (y[:, None] <= k).astype(int).ravel()
    S = np.column_stack([np.repeat(X[:n], K_FREE, axis=0), np.tile(k, n)])
    T = np.column_stack([np.repeat(X[n:], K_FREE, axis=0), np.tile(k, len(X) - n)])
    models = [LGBMClassifier(**FREE, **s, random_state=seed).fit(S, label, init_score=np.tile(logit, n))
              for s in FREE_SETTINGS for seed in range(FREE_SEEDS)]
    P = np.mean([sigmoid(m.predict(T, raw_score=True).reshape(-1, K_FREE) + logit) for m in models], axis=0)
    return np.maximum.accumulate(P, axis=1)[:, :K]


def parts(train, test):
    """P(visits<=k) of the logit, its trees and the free trees for the rows of test, and the shared coefficients."""
    n, y = len(train), train['visits'].to_numpy(float)
    al = pd.concat([train[COLS], test[COLS]], ignore_index=True)
    score, coefs = signed_scores(features(al), n, y)
    return (np.maximum.accumulate(sigmoid(score[n:]), axis=1),
            np.maximum.accumulate(boosted_cdf(al, n, y, score), axis=1), free_cdf(al, n, y), coefs)


def mean_cdf(cdfs):
    return sum(w * P for w, P in zip(SHARES, cdfs))


def distribution(train, test):
    """P(visits<=k) for the rows of test, and the coefficients that the thresholds share."""
    *cdfs, coefs = parts(train, test)
    return mean_cdf(cdfs), coefs


def median(P):
    """Smallest k with P(visits<=k) >= 0.5, at most MOST."""
    P = P[:, :MOST]
    return (np.column_stack([P, np.ones(len(P))]) >= 0.5).argmax(1).astype(float)


def predict(train, test):
    return median(distribution(train, test)[0])


if __name__ == '__main__':
    start = time.time()
    train = pd.read_csv(f'{INPUT}/train.csv')
    test = pd.read_csv(f'{INPUT}/test.csv')
    sample = pd.read_csv(f'{INPUT}/sample_submission.csv')
    rows = os.environ.get('MLE_STAR_ROWS')
    if rows and int(rows) < len(train):
        train = train.sample(int(rows), random_state=0).reset_index(drop=True)
    y = train['visits'].to_numpy(float)

    R = 2
    held, constant = np.zeros((R, len(y))), np.zeros((R, len(y)))
    single = np.zeros((3, R, len(y)))
    folds = []
    for s in range(R):
        for a, b in KFold(5, shuffle=True, random_state=s).split(y):
            others = pd.concat([train.iloc[b][COLS], test[COLS]], ignore_index=True)
            *cdfs, _ = parts(train.iloc[a], others)
            for i, P in enumerate(cdfs):
                single[i, s, b] = median(P)[:len(b)]
            held[s, b] = median(mean_cdf(cdfs))[:len(b)]
            constant[s, b] = np.median(y[a])
            folds.append(np.abs(held[s, b] - y[b]).mean())
    err = np.abs(held - y).mean(axis=0)
    gain = np.abs(constant - y).mean(axis=0) - err
    P, coefs = distribution(train, test)

    print('Summary: median (at most 6) of .25 cdf of a ridge logit (shared coefficients and slope in log1p(k), 300, signed; lin, '
          'imputed values, 4.34 series, cap), .25 of 80 monotone trees from its scores, .5 of free LGBM on (x, k), k 0..11 '
          '(4 leaves, 220, colsample .3; 3, 250, .5; 6 seeds)')
    alone = np.abs(single - y).mean(axis=(1, 2))
    print(f'alone: logit {alone[0]:.4f}, its trees {alone[1]:.4f}, free trees {alone[2]:.4f}')
    print(f'held out, {R} x 5 folds of {len(y)} rows: {err.mean():.4f}, error {err.std() / len(y) ** .5:.3f}')
    print('folds of the first: ' + ', '.join(f'{v:.3f}' for v in folds[:5]))
    print(f'better than the median by {gain.mean():+.4f} +- {gain.std() / len(y) ** .5:.4f}; {time.time() - start:.1f} s')
    p = held.mean(axis=0)
    print('by true visits: n, MAE, mean prediction')
    for lo, hi in [(0, 0), (1, 1), (2, 3), (4, 6), (7, 11), (12, 999)]:
        w = (y >= lo) & (y <= hi)
        print(f'  visits {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {p[w].mean():.2f}')
    print('by predicted visits: n, MAE, median of visits')
    for lo, hi in [(0, 0.99), (1, 1.99), (2, 2.99), (3, 999)]:
        w = (p >= lo) & (p <= hi)
        print(f'  predicted {lo}-{hi}: {w.sum()}, {err[w].mean():.2f}, {np.median(y[w]):.1f}')
    print('largest errors: visits, prediction, chronic, limitation, coins.')
    for i in np.argsort(-err)[:3]:
        r = train.iloc[i]
        print(f'  {y[i]:.0f}, {p[i]:.1f}, {r.chronic_diseases}, {r.limitation}, {r.log_coinsurance:.2f}')
    print('ten strongest shared coefficients (of standardised features)')
    top = coefs.loc[coefs.abs().sort_values(ascending=False).index[:10]]
    items = [f'{c} {v:+.2f}' for c, v in top.items()]
    for i in range(0, 9, 3):
        print('  ' + ', '.join(items[i:i + 3])[:68])

    pred = pd.Series(median(P), index=test['id'])
    sub = pd.DataFrame({'id': sample['id'], 'visits': pred.loc[sample['id']].to_numpy()})
    os.makedirs('./final', exist_ok=True)
    sub.to_csv('./final/submission.csv', index=False)
    print(f'Final Validation Performance: {err.mean()}')
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
