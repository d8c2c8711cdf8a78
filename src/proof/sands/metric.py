"""The score of the sands task: how many units the predictions are off, at most four for each number, by mean over samples and targets."""
import numpy as np

# About what two samples differ that lie next to each other in one hole; chlorides by the power of ten.
UNITS = {"bitumen": 1.5, "fines": 7.0, "chlorides": 0.1}
MOST = 4


def score(solution, submission, row_id_column_name):
    found = []
    for target, unit in UNITS.items():
        truth, predicted = (table[target].to_numpy(dtype=float) for table in (solution, submission))
        if target == "chlorides":
            truth, predicted = (np.log10(1 + numbers.clip(min=0)) for numbers in (truth, predicted))
        found.append(np.minimum(np.abs(predicted - truth) / unit, MOST))
    return float(np.mean(found))
