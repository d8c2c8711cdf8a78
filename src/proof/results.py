#!/usr/bin/env python3
"""Prints what each system reached on the hidden labels of each task, and over all of them, as tables; needs numpy and pandas.

    python3 src/proof/results.py
    python3 src/proof/results.py add TASK SYSTEM SUBMISSION '{"calls": 12, "scripts": 6, "tokens": 90000, "cost_usd": 0.4, "seconds": 900, "how": "…"}'

`add` keeps a submission as TASK/results/SYSTEM.csv, with four significant digits, and beside it SYSTEM.json: what the run took, its score and
standard error. Scores in the tables are made from the submissions alone. Errors are of 500 bootstrap draws, by the labels' column `groups` where there is
one, else by rows; those of the difference to `strong` are paired: both systems are scored on the same draws.
"""

import json
import runpy
import sys
from pathlib import Path

import numpy as np
import pandas as pd

HERE = Path(__file__).resolve().parent
TASKS = {"flights": "ROC-AUC", "radon": "RMSLE", "changes": "log loss", "visits": "MAE", "sands": "units off", "dust": "MAE", "timbre": "log loss"}
DRAWS, SEED, REFERENCE = 500, 0, "strong"
# Of all tasks or nearly so; other rows are runs of one task.
SYSTEMS = ("constant", "boosting", "flaml", "one-call", "plain-agent", "paper", "strong")


def roc_auc(truth, predicted):
    ranks, positive = pd.Series(predicted).rank().to_numpy(), truth == 1
    ones = positive.sum()
    return (ranks[positive].sum() - ones * (ones + 1) / 2) / (ones * (len(truth) - ones))


# Each takes the true values and the predictions, row by row.
METRICS = {
    "ROC-AUC": roc_auc,
    "RMSLE": lambda truth, predicted: np.sqrt(np.mean((np.log1p(np.where(predicted < 0, np.nan, predicted)) - np.log1p(truth)) ** 2)),
    "MAE": lambda truth, predicted: np.mean(np.abs(predicted - truth)),
    "log loss": lambda truth, predicted: -np.mean(np.log(predicted.clip(1e-15, 1))),
}


def metric(task):
    """One of these, or the task's own."""
    if TASKS[task] in METRICS:
        return METRICS[TASKS[task]]
    own = runpy.run_path(str(HERE / task / "metric.py"))["score"]
    identifier, *targets = pd.read_csv(HERE / task / "input/sample_submission.csv", nrows=0).columns
    return lambda truth, predicted: own(pd.DataFrame(truth, columns=targets), pd.DataFrame(predicted, columns=targets), identifier)


def scores(task, submission):
    """The score on all hidden rows, and on each draw."""
    labels = pd.read_csv(HERE / task / "hidden/labels.csv", index_col="id")
    predicted, truth = submission.set_index("id").loc[labels.index], labels.drop(columns="groups", errors="ignore").to_numpy().squeeze()
    if TASKS[task] == "log loss":
        shares = predicted.to_numpy() / predicted.to_numpy().sum(axis=1, keepdims=True)
        values = shares[np.arange(len(truth)), predicted.columns.get_indexer(truth)]
    else:
        values = predicted.to_numpy(float).squeeze()
    score, generator = metric(task), np.random.default_rng(SEED)
    groups = labels.get("groups", pd.Series(range(len(labels)))).to_numpy()
    members = [rows for _, rows in sorted(pd.Series(np.arange(len(groups))).groupby(groups).indices.items())]
    drawn = (np.concatenate([members[i] for i in generator.integers(len(members), size=len(members))]) for _ in range(DRAWS))
    return score(truth, values), np.array([score(truth[rows], values[rows]) for rows in drawn])


def add(task, system, submission, facts):
    folder = HERE / task / "results"
    folder.mkdir(exist_ok=True)
    kept = folder / f"{system}.csv"
    pd.read_csv(submission).to_csv(kept, index=False, float_format="%.4g", lineterminator="\n")
    score, draws = scores(task, pd.read_csv(kept))
    if not np.isfinite(score):
        kept.unlink()
        sys.exit(f"{submission} has no {TASKS[task]}: a prediction is impossible or missing")
    facts = {"system": system, **json.loads(facts), "hidden_score": round(float(score), 5), "standard_error": round(float(draws.std()), 5)}
    (folder / f"{system}.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    print(facts)


FACTS = {"calls": "calls", "scripts": "training scripts", "tokens": "tokens", "cost_usd": "USD", "seconds": "seconds in scripts"}


def facts(task, system):
    known = HERE / task / "results" / f"{system}.json"
    return json.loads(known.read_text(encoding="utf-8")) if known.exists() else {}


def difference(own, reference):
    """How much greater the score is than the reference's, and the paired error of that."""
    return own[0] - reference[0], (own[1] - reference[1]).std()


def cells(own, reference):
    score, draws = own
    gap = "" if own is reference else "{:+.4f} ± {:.4f}".format(*difference(own, reference))
    return [f"{score:.4f} ± {draws.std():.4f}", gap]


def is_greater_better(task):
    return TASKS[task] == "ROC-AUC"


def best_first(task, found, systems):
    return sorted(systems, key=lambda system: found[system][0], reverse=is_greater_better(task))


def standings(results):
    """Over all tasks: the mean rank of each system among those of this table, and on how many tasks the reference is ahead of it, or behind, by more than
    an error of their difference."""
    print(f"| over {len(results)} tasks | tasks | mean rank | {REFERENCE} is ahead by more than an error | level | behind |")
    print("|---" * 6 + "|")
    ranks = {system: [] for system in SYSTEMS}
    outcomes = {system: [0, 0, 0] for system in SYSTEMS}
    for task, found in results.items():
        own = [system for system in SYSTEMS if system in found]
        for rank, system in enumerate(best_first(task, found, own), 1):
            ranks[system].append(rank)
            greater, error = difference(found[REFERENCE], found[system])
            lead = greater if is_greater_better(task) else -greater
            outcomes[system][0 if lead > error else 2 if lead < -error else 1] += 1
    for system in sorted(SYSTEMS, key=lambda system: np.mean(ranks[system])):
        counts = [""] * 3 if system == REFERENCE else outcomes[system]
        print(f"| {system} | {len(ranks[system])} | {np.mean(ranks[system]):.1f} | " + " | ".join(map(str, counts)) + " |")
    print()


def tables():
    """Standings, then a table for each task, best first: the hidden score, its difference to the reference, and what the system took."""
    folders = {task: HERE / task / "results" for task in TASKS if (HERE / task / "results" / f"{REFERENCE}.csv").exists()}
    results = {task: {file.stem: scores(task, pd.read_csv(file)) for file in sorted(folder.glob("*.csv"))} for task, folder in folders.items()}
    standings(results)
    for task, found in results.items():
        print(f"| {task}, {TASKS[task]} | hidden score | against {REFERENCE} | " + " | ".join(FACTS.values()) + " |")
        print("|---" * (3 + len(FACTS)) + "|")
        for system in best_first(task, found, found):
            took = facts(task, system)
            known = [f"{took[fact]:,}" if fact in took else "" for fact in FACTS]
            print(f"| {system} | " + " | ".join(cells(found[system], found[REFERENCE]) + known) + " |")
        print()


if __name__ == "__main__":
    add(*sys.argv[2:]) if sys.argv[1:2] == ["add"] else tables()
