"""Gradient boosting with scikit-learn's defaults on the columns that training and test data share: no features, no tuning, no validation."""
import json
import os

import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

SAMPLE = pd.read_csv("input/sample_submission.csv")
TRAIN, TEST = pd.read_csv("input/train.csv"), pd.read_csv("input/test.csv")
IDENTIFIER, COLUMNS = SAMPLE.columns[0], list(SAMPLE.columns[1:])
MOST_CLASSES = 20


def features(frame, known):
    """Numbers as they are, days as a number, words by their place among those of the training data."""
    made = pd.DataFrame(index=frame.index)
    for name, words in known.items():
        column = frame[name]
        if words is None:
            made[name] = column.astype(float)
        elif words == "day":
            made[name] = (pd.to_datetime(column) - pd.Timestamp("1970-01-01")).dt.days.astype(float)
        else:
            made[name] = column.map(words).astype(float)
    return made


def kind(name):
    column = TRAIN[name]
    if pd.api.types.is_numeric_dtype(column):
        return None
    if column.dropna().astype(str).str.fullmatch(r"\d{4}-\d\d-\d\d").all():
        return "day"
    return {word: place for place, word in enumerate(sorted(column.dropna().unique()))}


def fit(target):
    rows = TRAIN[target].notna()
    y = TRAIN.loc[rows, target]
    classes = y.nunique() <= MOST_CLASSES or not pd.api.types.is_numeric_dtype(y)
    model = (HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor)(random_state=0)
    return model.fit(X[rows], y), classes


SHARED = [name for name in TEST.columns if name in TRAIN.columns and name not in COLUMNS and (name != IDENTIFIER or len(TEST.columns) == 1)]
KNOWN = {name: kind(name) for name in SHARED}
X, NEW = features(TRAIN, KNOWN), features(TEST, KNOWN)

answer = pd.DataFrame({IDENTIFIER: TEST[IDENTIFIER]})
if set(COLUMNS) <= set(TRAIN.columns):
    for column in COLUMNS:
        model, classes = fit(column)
        # Fractions in the sample ask for probabilities.
        likely = classes and len(model.classes_) == 2 and (SAMPLE[column] % 1 != 0).any() if pd.api.types.is_numeric_dtype(SAMPLE[column]) else False
        answer[column] = model.predict_proba(NEW)[:, 1] if likely else model.predict(NEW)
else:
    target = [name for name in TRAIN.columns if set(TRAIN[name].dropna().astype(str).unique()) == set(COLUMNS)][0]
    model, _ = fit(target)
    shares = pd.DataFrame(model.predict_proba(NEW), columns=[str(name) for name in model.classes_])
    for column in COLUMNS:
        answer[column] = shares[column]
os.makedirs("final", exist_ok=True)
answer.to_csv("final/submission.csv", index=False)
print(json.dumps({"rows": len(answer), "features": len(KNOWN)}))
