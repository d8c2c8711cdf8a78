#!/usr/bin/env python3
"""Makes the data set of the visits task; the same output on every machine. Needs pandas and the wheel of statsmodels 0.15.0.

    python3 make_data.py path/to/statsmodels-0.15.0-….whl

The source has a row for each year of a person, without a name for the person, but the years of one stand below each other and share
their plan and their index of illness. Of each such series one row is kept, so that no person is in both train and test.

   input/train.csv              id, the columns, visits
   input/test.csv               id, the columns
   input/sample_submission.csv  id, visits = 2 for the test rows
   hidden/labels.csv            id, visits for the test rows (never shown to the scripts)
"""

import sys
import zipfile
from pathlib import Path

import pandas as pd

SEED, TRAIN, TEST = 1974, 1_000, 3_500
NAMES = {"lncoins": "log_coinsurance", "idp": "individual_deductible", "lpi": "log_incentive", "fmde": "log_maximum_expenditure",
         "physlm": "limitation", "disea": "chronic_diseases", "hlthg": "health_good", "hlthf": "health_fair", "hlthp": "health_poor",
         "mdvis": "visits"}


def main(source):
    with zipfile.ZipFile(source) as wheel, wheel.open("statsmodels/datasets/randhie/randhie.csv") as file:
        years = pd.read_csv(file)
    shared = years[["lncoins", "lpi", "fmde", "disea"]]
    series = (shared != shared.shift()).any(axis=1).cumsum()
    one = years.sample(frac=1, random_state=SEED).groupby(series).head(1)
    rows = one.sample(TRAIN + TEST, random_state=SEED).rename(columns=NAMES)[list(NAMES.values())].round(3)
    rows.insert(0, "id", range(1, len(rows) + 1))
    train, test = rows[:TRAIN], rows[TRAIN:]

    here = Path(__file__).resolve().parent
    for folder in ("input", "hidden"):
        (here / folder).mkdir(exist_ok=True)

    def write(table, name):
        table.to_csv(here / name, index=False, lineterminator="\n")
        print(f"{name}: {len(table)} rows")

    write(train, "input/train.csv")
    write(test.drop(columns="visits"), "input/test.csv")
    write(test[["id"]].assign(visits=2), "input/sample_submission.csv")
    write(test[["id", "visits"]], "hidden/labels.csv")


if __name__ == "__main__":
    main(sys.argv[1])
