#!/usr/bin/env python3
"""Makes the data set of the sands task; the same output on every machine. Needs pandas and the wheel of pygeostat 1.2.0.

    python3 make_data.py path/to/pygeostat-1.2.0-py3-none-any.whl

Drill holes are the groups: of those where chlorides were measured, a seeded 42 % is the test, so that no sample of a test hole is in train.
The holes where they were not measured are a table of their own. Samples without chlorides of holes that have others are dropped.

   input/train.csv              id, the columns, bitumen, fines, chlorides
   input/test.csv               id, the columns
   input/partial.csv            the columns, bitumen, fines of the holes without chlorides
   input/sample_submission.csv  id, bitumen = 8, fines = 25, chlorides = 30 for the test rows
   hidden/labels.csv            id, bitumen, fines, chlorides, groups (the hole) for the test rows (never shown to the scripts)
"""

import sys
import zipfile
from pathlib import Path

import pandas as pd

SEED, TEST_HOLES = 42, 0.42
MEMBER = "pygeostat/data/example_data/oilsands.dat"
COLUMNS = ["hole", "east", "north", "elevation", "bitumen", "fines", "chlorides", "facies"]
KEPT = ["hole", "east", "north", "elevation", "facies"]
MISSING = -9


def main(source):
    with zipfile.ZipFile(source) as wheel, wheel.open(MEMBER) as file:
        # The format's head: a title, the number of columns, and a line for each.
        samples = pd.read_csv(file, sep=r"\s+", header=None, names=COLUMNS, skiprows=2 + len(COLUMNS), na_values=[MISSING])
    samples["facies"] = samples["facies"].astype("Int64")
    whole = samples[samples["chlorides"].notna()]
    partial = samples[~samples["hole"].isin(whole["hole"])]
    hidden = pd.Series(sorted(whole["hole"].unique())).sample(frac=TEST_HOLES, random_state=SEED)
    rows = whole.sample(frac=1, random_state=SEED)
    rows.insert(0, "id", range(1, len(rows) + 1))
    train, test = rows[~rows["hole"].isin(hidden)], rows[rows["hole"].isin(hidden)]
    targets = ["bitumen", "fines", "chlorides"]

    here = Path(__file__).resolve().parent
    for folder in ("input", "hidden"):
        (here / folder).mkdir(exist_ok=True)

    def write(table, name):
        table.to_csv(here / name, index=False, lineterminator="\n")
        holes = f" of {table['hole'].nunique()} holes" if "hole" in table else ""
        print(f"{name}: {len(table)} rows{holes}")

    write(train[["id", *KEPT, *targets]], "input/train.csv")
    write(test[["id", *KEPT]], "input/test.csv")
    write(partial[[*KEPT, "bitumen", "fines"]], "input/partial.csv")
    write(test[["id"]].assign(bitumen=8, fines=25, chlorides=30), "input/sample_submission.csv")
    write(test[["id", *targets, "hole"]].rename(columns={"hole": "groups"}), "hidden/labels.csv")


if __name__ == "__main__":
    main(sys.argv[1])
