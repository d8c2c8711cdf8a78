#!/usr/bin/env python3
"""Prints what hidden rows cost and bring on the tasks, by number of folds, without a language model, as a table; needs numpy, pandas and scikit-learn.

    python3 src/proof/errors.py [TASK …]

The survey's own program hides rows of each task. Two scripts that differ as two attempts of a search do (boosting with fewer or more leaves, of sounds on
the table of baselines/features.py; for texts logistic regressions) learn from what is left and predict what is hidden. The error of a gain is the standard
error of the difference of their scores, on resamples of the hidden rows that are the same for both, whole groups where there are groups. As a table decides
which of its rows are hidden, each figure is the mean (of errors the root mean square) over several orders of the rows.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # Threads that wait would count as work.

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from results import HERE, TASKS, metric

MAIN = HERE.parent / "main"
NOT_OF_IT = ("machine.py", "card-lines.py", "form-task.py", "split-views.py")
CUTS = {1: 10, 3: 3, 5: 3, 10: 3}  # By folds. Which tenth of the rows one fold hides makes much of a difference.
DRAWS, SECONDS = 200, 600
TABLES = ("train.csv", "test.csv", "sample_submission.csv")


def survey(folds):
    """The program that hides rows, as the Java source puts it together."""
    names = re.findall(r'"([a-z-]+\.py)"', (MAIN / "java/io/mlestar/core/survey/SurveyScripts.java").read_text(encoding="utf-8"))
    parts = [(MAIN / "resources/survey" / name).read_text(encoding="utf-8") for name in names if name not in NOT_OF_IT]
    return "\n\n".join([f"FOLDS = {folds}\nSECONDS = {SECONDS}\nDESCRIPTION = ''\nTARGETS = []", *parts])


def cut(task, order, folds, folder):
    """Hides rows of a task whose training rows are in another order, and gives what the program says of it."""
    shutil.copytree(HERE / task / "input", folder / "input")
    train = pd.read_csv(folder / "input/train.csv", dtype=str, keep_default_na=False)
    train.sample(frac=1, random_state=order).to_csv(folder / "input/train.csv", index=False, lineterminator="\n")
    (folder / "survey.py").write_text(survey(folds), encoding="utf-8")
    said = json.loads(subprocess.run([sys.executable, "survey.py"], cwd=folder, check=True, capture_output=True, text=True).stdout)
    if "scheme" not in said:
        sys.exit(f"{task}: {said['missing']}")
    return said


def numbers(train, test):
    """Numbers as they are, words by their place among all words."""
    made = []
    for name in test.columns[1:]:
        both = pd.concat([train[name], test[name]], ignore_index=True)
        made.append(both if pd.api.types.is_numeric_dtype(both) else pd.Series(both.astype("category").cat.codes, dtype=float))
    table = pd.concat(made, axis=1).to_numpy(float)
    return table[:len(train)], table[len(train):]


def predicted(task, variant, train, test, target):
    """Of each row of the test the prediction of a target; of classes the probability of each, by name."""
    settings = {"learning_rate": 0.06, "max_leaf_nodes": (8, 20)[variant], "random_state": 0, "early_stopping": False}
    if "text" in test:
        model = make_pipeline(TfidfVectorizer(sublinear_tf=True, min_df=2), LogisticRegression(C=(4, 8)[variant], max_iter=300))
        known, asked = train["text"], test["text"]
    else:
        model = HistGradientBoostingClassifier(**settings)
        known, asked = numbers(train, test)
    if TASKS[task] in ("log loss", "ROC-AUC"):
        model.fit(known, train[target])
        shares = pd.DataFrame(model.predict_proba(asked), columns=model.classes_)
        return shares if TASKS[task] == "log loss" else shares[1]
    if TASKS[task] != "RMSLE":
        return HistGradientBoostingRegressor(loss="absolute_error", **settings).fit(known, train[target]).predict(asked)
    return np.expm1(HistGradientBoostingRegressor(**settings).fit(known, np.log1p(train[target])).predict(asked)).clip(min=0)


def features(folder):
    """A table by id of the files in the data, without columns if there are none."""
    if not (folder / "input/train").is_dir():
        return pd.DataFrame()
    subprocess.run([sys.executable, HERE / "baselines/features.py"], cwd=folder, check=True)
    return pd.concat([pd.read_csv(folder / f"features/input/{name}").filter(regex="^(id|band.*)$") for name in TABLES[:2]]).set_index("id")


def found(task, order, folds):
    """@return scripts run for a score, processor seconds of them, rows scored, and the errors of a score and of a gain"""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        said = cut(task, order, folds, folder)
        labels = pd.read_csv(folder / "final/holdout/labels.csv", dtype={"part": str}).set_index("id")
        targets, rows = list(labels.columns.drop(["part", "group"])), labels[labels["part"] != "select"]
        values, seconds, of_files = [], 0, features(folder)
        for variant in (0, 1):
            parts = []
            for fold in range(len(said["rows"])):
                train, test = (pd.read_csv(folder / f"final/holdout/fold{fold}/{name}").join(of_files, on="id") for name in TABLES[:2])
                begin = time.process_time()
                answers = [predicted(task, variant, train, test, target) for target in targets]
                seconds += (time.process_time() - begin) / 2
                own = rows[rows["part"] == str(fold)]
                places = pd.Index(test.iloc[:, 0]).get_indexer(own.index)
                if isinstance(answers[0], pd.DataFrame):
                    [shares], [target] = answers, targets
                    answers = [shares.to_numpy()[np.arange(len(test)), shares.columns.get_indexer(own[target].reindex(test.iloc[:, 0]))]]
                parts.append(pd.DataFrame(np.column_stack(answers)[places], own.index))
            values.append(pd.concat(parts).loc[rows.index].to_numpy().squeeze())
    score, truth, generator = metric(task), rows[targets].to_numpy().squeeze(), np.random.default_rng(0)
    members = [places for _, places in sorted(pd.Series(range(len(rows))).groupby(rows["group"].to_numpy()).indices.items())]
    drawn = [np.concatenate([members[i] for i in generator.integers(len(members), size=len(members))]) for _ in range(DRAWS)]
    scores = np.array([[score(truth[each], value[each]) for each in drawn] for value in values])
    return len(said["rows"]), seconds, len(rows), scores[0].std(), (scores[1] - scores[0]).std()


def main(tasks):
    print("| task | `folds` | scripts run for a score | processor seconds | rows scored | error of a score | error of a gain | of that with 1 |")
    print("|---" * 8 + "|")
    for task in tasks:
        first = None
        for folds, orders in CUTS.items():
            cuts = np.array([found(task, order, folds) for order in range(orders)])
            scripts, seconds, rows = cuts[:, :3].mean(axis=0)
            score, gain = np.sqrt((cuts[:, 3:] ** 2).mean(axis=0))
            first = first or gain
            print(f"| {task}, {TASKS[task]} | {folds} | {scripts:.0f} | {seconds:.1f} | {rows:,.0f} | {score:.4f} | {gain:.4f} | {gain / first:.0%} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(TASKS))
