#!/usr/bin/env python3
"""Grades a submission of the bird-strikes task: ROC-AUC on the hidden labels.

    python3 grade.py SUBMISSION.csv [LABELS.csv]

Prints one line. Exits with 1, and one line that says why, if the submission is malformed.
"""

import csv
import math
import sys
from pathlib import Path


class Malformed(Exception):
    pass


def read(path, what):
    try:
        with open(path, newline="", encoding="utf-8") as file:
            lines = list(csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Malformed(f"{what} cannot be read: {error}")
    if not lines or lines[0] != ["id", "damaged"]:
        raise Malformed(f"{what}: the header must be id,damaged")
    values = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            continue
        if len(line) != 2:
            raise Malformed(f"{what}, line {number}: 2 fields expected, {len(line)} found")
        if line[0] in values:
            raise Malformed(f"{what}, line {number}: id {line[0]} occurs twice")
        try:
            value = float(line[1])
        except ValueError:
            raise Malformed(f"{what}, line {number}: {line[1]!r} is no number")
        if not math.isfinite(value):
            raise Malformed(f"{what}, line {number}: {line[1]!r} is no finite number")
        values[line[0]] = value
    return values


def roc_auc(labels, scores):
    """The share of (positive, negative) pairs in the right order; a tie counts half."""
    pairs = sorted(zip(scores, labels))
    positives = sum(1 for label in labels if label == 1)
    negatives = len(labels) - positives
    if positives == 0 or negatives == 0:
        raise Malformed("the labels hold one class only")
    rank_sum, start = 0.0, 0
    while start < len(pairs):
        end = start
        while end < len(pairs) and pairs[end][0] == pairs[start][0]:
            end += 1
        middle_rank = (start + 1 + end) / 2
        rank_sum += middle_rank * sum(1 for _, label in pairs[start:end] if label == 1)
        start = end
    return (rank_sum - positives * (positives + 1) / 2) / (positives * negatives)


def grade(submission_path, labels_path):
    labels = read(labels_path, "labels")
    submission = read(submission_path, "submission")
    missing = [key for key in labels if key not in submission]
    if missing:
        raise Malformed(f"submission: {len(missing)} of {len(labels)} ids are missing, the first is {missing[0]}")
    unknown = [key for key in submission if key not in labels]
    if unknown:
        raise Malformed(f"submission: {len(unknown)} ids are not in the test set, the first is {unknown[0]}")
    return roc_auc([labels[key] for key in labels], [submission[key] for key in labels])


def main(arguments):
    if len(arguments) not in (1, 2):
        print("usage: python3 grade.py SUBMISSION.csv [LABELS.csv]")
        return 1
    default = Path(__file__).resolve().parent / "hidden" / "labels.csv"
    try:
        score = grade(arguments[0], arguments[1] if len(arguments) == 2 else default)
    except Malformed as problem:
        print(f"Malformed: {problem}")
        return 1
    print(f"ROC-AUC: {score:.6f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
