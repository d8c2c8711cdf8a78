#!/usr/bin/env python3
"""Prints whether hidden rows rank models as the true test does, without a language model, as a table; needs numpy, pandas and scikit-learn.

    python3 src/proof/shift.py [TASK …]

The tasks are made, so that the labels of their tests are known, and each test differs from training in its way. The survey's own program hides rows, once
as it is, and once where it takes no table for long enough to compare the test with training. Ten models learn from what is left and predict what is hidden,
and then from all and predict the test. Each figure is the mean over some seeds; the error is the mean absolute one.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # Threads that wait would count as work.

import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor
from sklearn.linear_model import RidgeCV
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from errors import TABLES, survey

SEEDS = 3


def rooms(chance):
    """Season: bookings from July to April, of which those from May to August are asked for. History is the price of an earlier year."""
    days = np.sort(chance.integers(0, 427, 3000))  # From the first of July to the end of August of the next year.
    date = pd.Timestamp("2021-07-01") + pd.to_timedelta(days, unit="D")
    summer = np.exp(-((np.minimum(np.abs(date.dayofyear - 205), 365 - np.abs(date.dayofyear - 205)) / 55.0) ** 2))
    room, lead, guests = chance.integers(0, 4, len(days)), chance.exponential(30, len(days)).round(), chance.integers(1, 5, len(days))
    history = 45 * (1 + 1.4 * summer) * np.exp(chance.normal(0, 0.12, len(days)))
    weekend = np.isin(date.dayofweek, (4, 5))
    price = 48 * (1 + 1.5 * summer) * (1 + 0.12 * room) * (1 + (0.3 - 0.4 * summer) * weekend) * (1 + (0.35 * summer - 0.1) * np.tanh(lead / 40))
    price = price * (1 + 0.07 * (guests - 1) * summer) * np.exp(chance.normal(0, 0.1, len(days)))
    table = pd.DataFrame({"date": date.strftime("%Y-%m-%d"), "room": room, "lead": lead, "guests": guests, "weekend": weekend.astype(int),
                          "history": history.round(2), "price": price.round(2)})
    return table[days < 304], table[days >= 304]


def clinics(chance):
    """New groups with another mix: most of training's clinics are large and near, most of the test's small and far."""
    def made(first, count, far):
        rows = []
        for number in range(first, first + count):
            is_far = chance.random() < far
            distance = chance.gamma(9, 6) if is_far else chance.gamma(4, 3)
            beds = chance.lognormal(3.6 if is_far else 5.2, 0.5)
            own, size = chance.normal(0, 1.2), chance.integers(12, 30)
            age, stage, test = chance.normal(58 if is_far else 50, 14, size), chance.integers(1, 5, size), chance.normal(0, 1, size)
            remote = 1 / (1 + np.exp(-(distance - 32) / 6))
            stay = 6 + own + (1 - remote) * (1.2 * stage + 1.5 * np.sin(2 * test)) + remote * (0.08 * (age - 50) + 2.2 * test + 0.3 * stage)
            rows.append(pd.DataFrame({"clinic": f"c{number}", "age": age.round(1), "stage": stage, "test": test.round(3), "distance": round(distance, 1),
                                      "beds": round(beds), "stay": (stay + chance.normal(0, 1.3, size)).round(2)}))
        return pd.concat(rows)
    return made(0, 130, 0.2), made(130, 70, 0.8)


def sales(chance):
    """Growing level: two years of sales of shops, of which the next four months are asked for."""
    days = np.sort(chance.integers(0, 850, 3000))
    date = pd.Timestamp("2021-01-01") + pd.to_timedelta(days, unit="D")
    shop, offer, price = chance.integers(0, 5, len(days)), chance.integers(0, 2, len(days)), chance.normal(10, 2, len(days))
    level = 60 * np.exp(0.0011 * days)
    sold = level * (1 + 0.15 * shop) * (1 + 0.2 * np.cos(2 * np.pi * (date.dayofyear - 350) / 365)) * (1 + 0.25 * offer) * np.exp(-0.06 * (price - 10))
    sold = sold * (1 + 0.3 * np.isin(date.dayofweek, (5, 6))) * np.exp(chance.normal(0, 0.12, len(days)))
    table = pd.DataFrame({"date": date.strftime("%Y-%m-%d"), "shop": shop, "offer": offer, "price": price.round(2), "sold": sold.round(1)})
    return table[days < 730], table[days >= 730]


def parts(chance):
    """No time and no groups: a sorter chose which parts of a machine are measured, and the test has many of the kind that is rare in training."""
    def made(count, hot):
        heat = np.where(chance.random(count) < hot, chance.normal(75, 9, count), chance.normal(40, 9, count))
        load, age, steel = chance.gamma(4, 5, count), chance.uniform(0, 20, count), chance.integers(0, 3, count)
        soft = 1 / (1 + np.exp(-(heat - 60) / 4))
        wear = (1 - soft) * (2 + 0.05 * load + 1.5 * np.sin(age / 2) + 0.5 * steel) + soft * (0.3 * age + 0.12 * load + 0.02 * load * (steel == 1))
        return pd.DataFrame({"load": load.round(2), "age": age.round(2), "steel": steel, "heat": heat.round(1),
                             "wear": (wear + chance.normal(0, 0.7, count)).round(3)})
    return made(2000, 0.12), made(1000, 0.8)


TASKS = {"rooms": rooms, "clinics": clinics, "sales": sales, "parts": parts}


# Columns that scripts learn from, by task: those of the row, and those of where it is, the less general last.
PLAIN = {"rooms": "room lead guests weekend history", "clinics": "age stage test", "sales": "shop offer price", "parts": "load age steel"}
PLACE = {"clinics": ("distance", "beds"), "parts": ("heat",)}


def columns(table):
    """What a script may learn from: columns of the row; also those of its place, or its season; and also what is most particular, or its time."""
    task = next(task for task, names in PLAIN.items() if set(names.split()) <= set(table.columns))
    plain = table[PLAIN[task].split()].to_numpy(float)
    if task in PLACE:
        return [plain] + [table[[name]].to_numpy(float) for name in PLACE[task]]
    date = pd.to_datetime(table["date"])
    turn = 2 * np.pi * date.dt.dayofyear / 365
    return [plain, np.column_stack([np.cos(turn), np.sin(turn), date.dt.dayofweek]), (date - pd.Timestamp("2021-01-01")).dt.days.to_numpy()[:, None] / 365]


class Log:
    def __init__(self, model):
        self.model = model

    def fit(self, x, y):
        self.most = 2 * y.max()
        self.model.fit(x, np.log1p(np.maximum(y, 0)))
        return self

    def predict(self, x):
        return np.clip(np.expm1(self.model.predict(x)), 0, self.most)


def boosting(loss="squared_error"):
    return HistGradientBoostingRegressor(loss=loss, learning_rate=0.08, max_leaf_nodes=12, max_iter=60, random_state=0, early_stopping=False)


def trees():
    return ExtraTreesRegressor(40, min_samples_leaf=3, random_state=0, n_jobs=1)


def linear():
    return make_pipeline(StandardScaler(), RidgeCV(np.logspace(-2, 3, 6)))


def kernel():
    return make_pipeline(StandardScaler(), SVR(C=30, gamma=0.1))


MODELS = {
    "linear": (linear, 0), "linear, season": (linear, 1), "linear, time, logarithm": (lambda: Log(linear()), 2),
    "boosting": (boosting, 0), "boosting, season": (boosting, 1), "boosting, time, logarithm": (lambda: Log(boosting()), 2),
    "trees": (trees, 0), "trees, time": (trees, 2),
    "neighbours, season": (lambda: make_pipeline(StandardScaler(), KNeighborsRegressor(12, weights="distance")), 1), "kernel, season": (kernel, 1),
}


def predicted(train, test, target):
    """The predictions of each model."""
    known, asked = columns(train), columns(test)
    found = []
    for make, most in MODELS.values():
        x, z = (np.column_stack(each[:most + 1]) for each in (known, asked))
        found.append(make().fit(x, train[target].to_numpy(float)).predict(z))
    return np.array(found)


def cut(train, test, target, program, folder):
    """Hides rows, and gives what the program says of it."""
    (folder / "input").mkdir()
    train.to_csv(folder / "input/train.csv", index=False)
    test.drop(columns=target).to_csv(folder / "input/test.csv", index=False)
    test[["id", target]].assign(**{target: 0}).to_csv(folder / "input/sample_submission.csv", index=False)
    (folder / "survey.py").write_text(program, encoding="utf-8")
    said = json.loads(subprocess.run([sys.executable, "survey.py"], cwd=folder, check=True, capture_output=True, text=True).stdout)
    if "scheme" not in said:
        sys.exit(said["missing"])
    return said


def scores(train, test, target, program):
    """The mean absolute error of each model on the rows of all folds, and what the program says of these."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        said = cut(train, test, target, program, folder)
        labels = pd.read_csv(folder / "final/holdout/labels.csv", dtype={"part": str}).set_index("id")
        errors = []
        for fold in range(len(said["rows"])):
            known, asked = (pd.read_csv(folder / f"final/holdout/fold{fold}/{name}") for name in TABLES[:2])
            own = labels[labels["part"] == str(fold)]
            answer = predicted(known, asked.set_index("id").loc[own.index], target)
            errors.append(np.abs(answer - own[target].to_numpy()))
    return np.concatenate(errors, axis=1).mean(axis=1), said["scheme"]


def main(tasks):
    program = survey(5)
    programs = {"without likeness": program.replace("COMPARABLE = 100 ", "COMPARABLE = 10**9 "), "as it is": program}
    print("| task | hidden rows | scheme | rank correlation | worse than the best model by | score by hidden rows, of the true one |")
    print("|---" * 6 + "|")
    for task in tasks:
        found = {name: [] for name in programs}
        for seed in range(SEEDS):
            train, test = TASKS[task](np.random.default_rng(seed))
            target = train.columns[-1]
            train.insert(0, "id", np.arange(len(train)) + 1)
            test.insert(0, "id", np.arange(len(test)) + len(train) + 1)
            true = np.abs(predicted(train, test, target) - test[target].to_numpy()).mean(axis=1)
            for name, each in programs.items():
                score, scheme = scores(train, test, target, each)
                chosen = score.argmin()
                rank = np.corrcoef(score.argsort().argsort(), true.argsort().argsort())[0, 1]
                found[name].append((rank, true[chosen] / true.min() - 1, score[chosen] / true[chosen], scheme))
                print(seed, name, *found[name][-1], file=sys.stderr, flush=True)
        for name, each in found.items():
            rank, regret, level = np.array([one[:3] for one in each]).mean(axis=0)
            schemes = " / ".join(sorted({re.match("[a-z ]+?(?= by| of| in|:)", one[3]).group() for one in each}))
            print(f"| {task} | {name} | {schemes} | {rank:+.2f} | {regret:.1%} | {level:.2f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(TASKS))
