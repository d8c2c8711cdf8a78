#!/usr/bin/env python3
"""Makes the data set of the radon task; the same output on every machine. Needs pandas and the source package of PyMC3 3.6.

    python3 make_data.py path/to/pymc3-3.6.tar.gz

Counties are the groups: a seeded 35 % of them is the test, so that no house of a test county is in train. What was made of the
measurement (its error, weights, flags) is dropped.

   input/train.csv              id, the columns, radon
   input/test.csv               id, the columns
   input/counties.csv           fips, state, longitude, latitude, uranium_ppm of the counties of both
   input/sample_submission.csv  id, radon = 2 for the test rows
   hidden/labels.csv            id, radon, groups (the county) for the test rows (never shown to the scripts)
"""

import sys
import tarfile
from pathlib import Path

import pandas as pd

SEED, TEST_COUNTIES = 36, 0.35
NAMES = {"state": "state", "typebldg": "building_type", "floor": "floor", "room": "room", "basement": "basement",
         "rep": "respondent", "stratum": "stratum", "wave": "wave", "starttm": "start_time", "stoptm": "stop_time", "startdt": "start_date",
         "stopdt": "stop_date"}


def fips(state, county):
    return state.str.strip().str.zfill(2) + county.str.strip().str.zfill(3)


def main(source):
    with tarfile.open(source) as package:
        read = [pd.read_csv(package.extractfile(f"pymc3-3.6/pymc3/examples/data/{name}"), skipinitialspace=True, dtype=str)
                for name in ("srrs2.dat", "cty.dat")]
    houses, counties = (table.apply(lambda column: column.str.strip()) for table in read)
    houses["fips"], counties["fips"] = fips(houses["stfips"], houses["cntyfips"]), fips(counties["stfips"], counties["ctfips"])
    houses["radon"] = houses["activity"].astype(float).clip(lower=0)
    counties = counties.drop_duplicates("fips")
    houses = houses[houses["fips"].isin(counties["fips"]) & (houses["dupflag"] == "0")]

    hidden = pd.Series(sorted(houses["fips"].unique())).sample(frac=TEST_COUNTIES, random_state=SEED)
    rows = houses.rename(columns=NAMES).sample(frac=1, random_state=SEED)
    rows.insert(0, "id", range(1, len(rows) + 1))
    train, test = rows[~rows["fips"].isin(hidden)], rows[rows["fips"].isin(hidden)]
    kept = ["id", "fips", *NAMES.values()]
    counties = counties[counties["fips"].isin(rows["fips"])].rename(
        columns={"st": "state", "lon": "longitude", "lat": "latitude", "Uppm": "uranium_ppm"})

    here = Path(__file__).resolve().parent
    for folder in ("input", "hidden"):
        (here / folder).mkdir(exist_ok=True)

    def write(table, name):
        table.to_csv(here / name, index=False, lineterminator="\n")
        print(f"{name}: {len(table)} rows")

    write(train[[*kept, "radon"]], "input/train.csv")
    write(test[kept], "input/test.csv")
    write(counties[["fips", "state", "longitude", "latitude", "uranium_ppm"]], "input/counties.csv")
    write(test[["id"]].assign(radon=2), "input/sample_submission.csv")
    write(test[["id", "radon", "fips"]].rename(columns={"fips": "groups"}), "hidden/labels.csv")


if __name__ == "__main__":
    main(sys.argv[1])
