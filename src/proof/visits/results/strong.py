import os
import time
import numpy as np
import pandas as pd
from scipy.stats import nbinom
from sklearn.linear_model import LogisticRegression, PoissonRegressor
from sklearn.model_selection import KFold

T0 = time.time()
train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
rows = os.environ.get("MLE_STAR_ROWS")
if rows and len(train) > int(rows):
    train = train.sample(int(rows), random_state=0).reset_index(drop=True)
y = train["visits"].to_numpy(float)
n = len(train)
both = pd.concat([train.drop(columns="visits"), test], ignore_index=True)
cols = [c for c in both.columns if c != "id"]
KS = np.arange(0, 12)
LK = np.log1p(KS) - np.log1p(KS).mean()


def scaled(M):
    M = np.asarray(M, float)
    return (M - M.mean(0)) / np.maximum(M.std(0), 1e-9)


def values(column, top=None):
    """Indicators of the commonest values, or of those of at least 60 of 4500 rows."""
    v = both[column].round(4)
    share = v.value_counts(normalize=True)
    keep = share.index[:top] if top else share.index[share >= 60 / 4500]
    M = np.column_stack([(v == w).to_numpy(float) for w in keep])
    return M - M.mean(0)


# What the payment means depends on the plan.
idp = both["individual_deductible"].to_numpy() == 1
coi = (both["log_coinsurance"].to_numpy() > 0) & ~idp
free = ~idp & ~coi
linc = both["log_incentive"].to_numpy()
lmax = both["log_maximum_expenditure"].to_numpy()
paid = np.exp(linc)


def inside(group):
    g = group & (linc > 0)
    return np.where(g, (linc - linc[g].mean()) / linc[g].std(), 0.0)


def near(group, dollars):
    return group & (np.abs(paid - dollars) < 2)


PLAN = {
    "free plan": free, "no payment, not free": ~free & (linc < 0.1),
    "deductible 150": near(idp, 150), "deductible 300": near(idp, 300), "deductible 450": near(idp, 450),
    "deductible >460": idp & (paid > 460), "coins 1000": near(coi, 1000), "coins 750": near(coi, 750),
    "inc in free": inside(free), "inc in deductible": inside(idp), "inc in coins": inside(coi),
    "deductible, maxexp>0": idp & (lmax > 0), "free, paid": free & (linc > 0),
}
plan = np.column_stack([np.asarray(v, float) for v in PLAN.values()])
V = scaled(both[cols])
chr1 = values("chronic_diseases", 4)
chr4, inc4 = scaled(chr1), scaled(values("log_incentive", 4))
blind = np.column_stack([V, values("log_coinsurance"), values("log_incentive"),
                         values("log_maximum_expenditure"), chr1])

# name: columns, C, scale of the effects of families
MEMBERS = {
    "value flags x1 + families": (blind, 0.02, 0.7),
    "chr4 + inc4 scaled": (np.column_stack([V, chr4, inc4]), 0.03, 0.0),
    "chr4 + inc4 + families C.06": (np.column_stack([V, chr4, inc4]), 0.06, 0.8),
    "13 plan scaled + chr4": (np.column_stack([V, scaled(plan), chr4]), 0.02, 0.0),
    "13 plan raw + chr4 x1 + fam.": (np.column_stack([V, plan - plan.mean(0), chr1]), 0.05, 0.5),
}
EXTRA = {
    "9 columns": (V, 0.02, 0.0),
}
NB_SHARE = 0.5  # weight of the negative binomial where each odds model has 1
NB_X = np.column_stack([V, 0.7 * scaled(plan[:, [1, 4]]), 0.7 * chr4])
WEIGHT = np.where(KS <= 6, 1.0, 0.5)

keys = both[cols[:4]].round(5)
family = keys.groupby(cols[:4], sort=False).ngroup().to_numpy()
size = np.bincount(family)[family]
small = (size > 1) & (size <= 10)


def family_columns(a, b, scale):
    known = np.unique(family[a][small[a]])
    if scale == 0 or len(known) == 0:
        return np.zeros((len(a), 0)), np.zeros((len(b), 0))
    return tuple(scale * ((family[r][:, None] == known[None, :]) & small[r][:, None]).astype(float) for r in (a, b))


def odds(a, b, t, member, drift=0.5):
    """Logistic fit over all thresholds: slopes drift with log(1 + k), those of families do not."""
    X, C, scale = member
    FA, FB = family_columns(a, b, scale)

    def stack(M, F):
        out = []
        for i in range(len(KS)):
            d = np.zeros((len(M), len(KS)))
            d[:, i] = 10.0
            out.append(np.column_stack([M, drift * LK[i] * M, d, F]))
        return np.concatenate(out)
    z = np.concatenate([(t > k).astype(int) for k in KS])
    m = LogisticRegression(C=C, max_iter=1000).fit(stack(X[a], FA), z, sample_weight=np.repeat(WEIGHT, len(a)))
    p = 1 - m.predict_proba(stack(X[b], FB))[:, 1].reshape(len(KS), len(b)).T
    return np.maximum.accumulate(p, axis=1), m.coef_[0][:X.shape[1]]


def negbin(a, b, t):
    """Poisson fits, weighted as the negative binomial asks for, with the largest visits cut at three heights."""
    out = []
    A, B = np.clip(NB_X[a], -5, 5), np.clip(NB_X[b], -5, 5)
    for cap in (12, 18, 25):
        u = np.minimum(t, cap)
        w = np.ones(len(u))
        for _ in range(3):
            m = PoissonRegressor(alpha=0.1, max_iter=500).fit(A, u, sample_weight=w)
            mu = m.predict(A)
            d = max(0.1, ((u - mu) ** 2 - mu).sum() / (mu ** 2).sum())
            w = 1 / (1 + d * mu)
        mu = m.predict(B)
        out.append(nbinom.cdf(KS[None, :], 1 / d, (1 / (1 + d * mu))[:, None]))
    return np.mean(out, 0)


def blend(cdfs, names, nb):
    return (sum(cdfs[m] for m in names) + nb * cdfs["negative binomial"]) / (len(names) + nb)


def median(cdf):
    return np.argmax(np.column_stack([cdf, np.ones(len(cdf))]) >= 0.5, axis=1).astype(float)


def log_loss(cdf, t):
    k = [0, 1, 2, 4, 7]
    p = np.clip(cdf[:, k], 0.005, 0.995)
    return -1000 * np.log(np.where(t[:, None] <= np.array(k)[None, :], p, 1 - p)).mean()


REPEATS, FOLDS = 4, 5
maes, losses = {}, {}
oof = np.zeros((REPEATS, n))
for r in range(REPEATS):
    if r > 1 and time.time() - T0 > 100:
        oof = oof[:r]
        break
    for a, b in KFold(FOLDS, shuffle=True, random_state=r).split(np.arange(n)):
        cdfs = {name: odds(a, b, y[a], m)[0] for name, m in {**EXTRA, **MEMBERS}.items()}
        cdfs["negative binomial"] = negbin(a, b, y[a])
        odds_all = list(MEMBERS)
        cdfs["mean of all (final)"] = blend(cdfs, odds_all, NB_SHARE)
        cdfs["mean without neg. binomial"] = blend(cdfs, odds_all, 0.0)
        cdfs["mean without 13 plan"] = blend(cdfs, [m for m in odds_all if "plan" not in m], NB_SHARE)
        oof[r, b] = median(cdfs["mean of all (final)"])
        for name, cdf in cdfs.items():
            maes.setdefault(name, []).append(np.abs(median(cdf) - y[b]).mean())
            losses.setdefault(name, []).append(log_loss(cdf, y[b]))
error = np.abs(oof - y[None, :]).mean(0)
score = error.mean()

first_m, first_l = np.array(maes["9 columns"]), np.array(losses["9 columns"])
print("MAE, diff to 1st, se, 1000 x diff of log loss, se")
for name in maes:
    d, e = np.array(maes[name]) - first_m, np.array(losses[name]) - first_l
    s = np.sqrt(FOLDS)
    print(f"{name:29s} {np.mean(maes[name]):.3f} {d.mean():+.4f} {d.std(ddof=1) / s:.4f} "
          f"{e.mean():+.1f} {e.std(ddof=1) / s:.1f}")

index, rest = np.arange(n), np.arange(n, len(both))
parts = {"negative binomial": negbin(index, rest, y)}
for name, member in MEMBERS.items():
    cdf, coef = odds(index, rest, y, member)
    parts[name] = cdf
    if name == "13 plan scaled + chr4":
        names = cols + list(PLAN) + [f"common chronic {i}" for i in range(4)]
        top = np.argsort(-np.abs(coef))[:10]
        print("strongest:")
        for j in range(0, 10, 2):
            print("  " + ", ".join(f"{names[i][:22]} {coef[i]:+.2f}" for i in top[j:j + 2]))
pred = median(blend(parts, list(MEMBERS), NB_SHARE))
bands = np.digitize(y, [1, 3, 6, 15])
print("error by visits 0, 1-2, 3-5, 6-14, 15+:",
      " ".join(f"{error[bands == i].mean():.2f}" for i in range(5) if (bands == i).any()))
print("error by plan free, deductible, coins:",
      " ".join(f"{error[g[:n]].mean():.2f}" for g in (free, idp, coi)))
print("predictions 0, 1, 2, 3, 4, 5+ of test:", np.bincount(np.minimum(pred, 5).astype(int), minlength=6))
print(f"seconds {time.time() - T0:.0f}")

os.makedirs("./final", exist_ok=True)
pd.DataFrame({"id": test["id"], "visits": pred}).to_csv("./final/submission.csv", index=False)
print(f"Final Validation Performance: {score}")