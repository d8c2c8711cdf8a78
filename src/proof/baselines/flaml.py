"""FLAML's search (pip install "flaml[automl]") over the table as it is, with its own folds: no joins and no features, but texts as 100 components of their TF-IDF.

    python flaml.py SECONDS METRIC

METRIC is FLAML's: roc_auc, log_loss, mae, or rmsle, which is rmse on logarithms. Several targets share the SECONDS. Reads input/, writes
final/submission.csv.
"""
import json
import os
import sys

# The script's own folder would hide the library of the same name.
sys.path = [folder for folder in sys.path if os.path.abspath(folder) != os.path.dirname(os.path.abspath(__file__))]

import numpy as np
import pandas as pd
from flaml import AutoML
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

SECONDS, METRIC = float(sys.argv[1]), sys.argv[2]
SAMPLE, TRAIN, TEST = (pd.read_csv(f"input/{name}.csv") for name in ("sample_submission", "train", "test"))
IDENTIFIER, COLUMNS = SAMPLE.columns[0], list(SAMPLE.columns[1:])
SHARED = [name for name in TEST.columns if name in TRAIN.columns and name != IDENTIFIER]
TARGETS = [name for name in TRAIN.columns if name not in TEST.columns]
X, NEW = TRAIN[SHARED].copy(), TEST[SHARED].copy()
for name in SHARED:
    if pd.api.types.is_numeric_dtype(X[name]):
        continue
    if TRAIN[name].astype(str).str.contains(" ").mean() > 0.9 and TRAIN[name].nunique() > len(TRAIN) / 2:
        terms = make_pipeline(TfidfVectorizer(sublinear_tf=True, min_df=2), TruncatedSVD(100, random_state=0))
        X, NEW = (pd.concat([table.drop(columns=name), pd.DataFrame(parts, index=table.index).add_prefix(name)], axis=1)
                  for table, parts in ((X, terms.fit_transform(TRAIN[name].fillna(""))), (NEW, terms.transform(TEST[name].fillna("")))))
    else:
        words = sorted(X[name].dropna().astype(str).unique())
        X[name], NEW[name] = (pd.Categorical(table[name].astype(object), categories=words) for table in (X, NEW))

classes, logs = METRIC in ("roc_auc", "log_loss"), METRIC == "rmsle"
answer = pd.DataFrame({IDENTIFIER: TEST[IDENTIFIER]})
best = []
for target in TARGETS:
    search = AutoML()
    search.fit(X, np.log1p(TRAIN[target]) if logs else TRAIN[target], task="classification" if classes else "regression",
               metric="rmse" if logs else METRIC, time_budget=SECONDS / len(TARGETS), seed=0, n_jobs=2, verbose=0)
    best.append(search.best_estimator)
    if classes:
        shares = pd.DataFrame(search.predict_proba(NEW), columns=[str(name) for name in search.classes_])
        for column in COLUMNS:
            answer[column] = shares[column if column in shares else "1"]
    else:
        predicted = search.predict(NEW)
        answer[target] = np.expm1(predicted).clip(min=0) if logs else predicted
os.makedirs("final", exist_ok=True)
answer.to_csv("final/submission.csv", index=False)
print(json.dumps({"rows": len(answer), "best": best, "seconds": SECONDS}))
