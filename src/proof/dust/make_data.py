#!/usr/bin/env python3
"""Makes the data set of the dust task; the same output on every machine. Needs numpy, pandas, rdata and the file air.rda of Debian's package
r-cran-spacetime, 1.2-8+dfsg-1.

    python3 make_data.py /usr/lib/R/site-library/spacetime/data/air.rda

Winters are the test: of some stations the days of December to February are asked for, of which training has none. What other stations
measured is known of all days.

   input/train.csv              id, date, station, dust
   input/test.csv               id, date, station
   input/others.csv             date, a column for each of the other stations
   input/stations.csv           station, longitude, latitude of all stations
   input/sample_submission.csv  id, dust = 14 for the test rows
   hidden/labels.csv            id, dust, groups (the day) for the test rows (never shown to the scripts)
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import rdata

SEED, TRAIN, TEST, ASKED = 5, 4_000, 3_000, 14
FIRST, LAST, LEAST_DAYS = "2005-01-01", "2009-12-31", 1_400
WINTER = (12, 1, 2)


def pairs(element):
    """Names and values of a list as R stores it. The package's classes of space need no reading for numbers and coordinates."""
    while element is not None and element.info.type.name == "LIST":
        tag = element.tag if element.tag.value is not None else element.tag.referenced_object
        yield tag.value.value.decode(), element.value[0]
        element = element.value[1]


def read(source):
    """A column for each station, a row for each day; and where the stations are."""
    found = dict(pairs(rdata.parser.parse_file(source).object))
    air, points = (dict(pairs(found[name].attributes)) for name in ("air", "stations"))
    names = [name.value.decode() for name in air["dimnames"].value[0].value]
    days = pd.to_datetime(found["dates"].value, unit="D")
    measured = pd.DataFrame(found["air"].value.reshape(len(days), len(names)), index=days, columns=names)
    coordinates = points["coords"].value.reshape(2, len(names)).T
    return measured, pd.DataFrame(coordinates, index=names, columns=["longitude", "latitude"])


def main(source):
    measured, stations = read(source)
    measured = measured.loc[FIRST:LAST].round(2)
    kept = sorted(measured.columns[measured.count() >= LEAST_DAYS])
    asked = sorted(np.random.default_rng(SEED).permutation(kept)[:ASKED])
    rows = measured[asked].rename_axis("date").reset_index().melt("date", var_name="station", value_name="dust").dropna()
    winter = rows["date"].dt.month.isin(WINTER)
    rows = pd.concat([rows[~winter].sample(TRAIN, random_state=SEED), rows[winter].sample(TEST, random_state=SEED)])
    rows = rows.sample(frac=1, random_state=SEED)
    rows.insert(0, "id", range(1, len(rows) + 1))
    winter = rows["date"].dt.month.isin(WINTER)
    rows["date"] = rows["date"].dt.strftime("%Y-%m-%d")
    train, test = rows[~winter], rows[winter]
    others = measured[[name for name in kept if name not in asked]].rename_axis("date").reset_index()

    here = Path(__file__).resolve().parent
    for folder in ("input", "hidden"):
        (here / folder).mkdir(exist_ok=True)

    def write(table, name):
        table.to_csv(here / name, index=False, lineterminator="\n")
        print(f"{name}: {len(table)} rows")

    write(train, "input/train.csv")
    write(test.drop(columns="dust"), "input/test.csv")
    write(others.assign(date=others["date"].dt.strftime("%Y-%m-%d")), "input/others.csv")
    write(stations.loc[kept].rename_axis("station").reset_index().round(3), "input/stations.csv")
    write(test[["id"]].assign(dust=14), "input/sample_submission.csv")
    write(test[["id", "dust", "date"]].rename(columns={"date": "groups"}), "hidden/labels.csv")


if __name__ == "__main__":
    main(sys.argv[1])
