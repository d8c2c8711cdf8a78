#!/usr/bin/env python3
"""Makes the data set of the bird-strikes task. Standard library only, the same output on every machine.

    python3 make_data.py path/to/birdstrikes.csv

The argument is data/birdstrikes.csv of the npm package vega-datasets 3.2.1 (see NOTICE.md): 10,000 wildlife
strikes reported to the FAA. No row is dropped and none is deduplicated.

1. Columns get snake_case names. The label `damaged` is 0 where "Effect Amount of damage" is "None", else 1
   (the values there are None, Minor, Medium, Substantial, and the codes B and C, which 15 rows carry).
2. All rows are shuffled (seed 2024) and numbered 1 to 10000 in the new order: an id says nothing of the label.
3. The split is stratified: of the damaged and of the undamaged rows, 30 % each (rounded) become test rows.
4. Columns are dealt out:
   input/train.csv              id, the features, the three cost columns, damaged
   input/test.csv               id, the features
   input/wildlife.csv           id, wildlife_species, aircraft_model for train and test rows
   input/sample_submission.csv  id, damaged = 0.5 for the test rows
   hidden/labels.csv            id, damaged for the test rows (never shown to the scripts)
"""

import csv
import random
import sys
from pathlib import Path

SEED = 2024
TEST_SHARE = 0.3

FEATURES = {
    "airport_name": "Airport Name",
    "flight_date": "Flight Date",
    "airline_operator": "Aircraft Airline Operator",
    "origin_state": "Origin State",
    "phase_of_flight": "Phase of flight",
    "wildlife_size": "Wildlife Size",
    "time_of_day": "Time of day",
    "speed_knots": "Speed IAS in knots",
}
COSTS = {
    "cost_other": "Cost Other",
    "cost_repair": "Cost Repair",
    "cost_total": "Cost Total $",
}
HELPER = {
    "wildlife_species": "Wildlife Species",
    "aircraft_model": "Aircraft Make Model",
}
DAMAGE = "Effect Amount of damage"


def write(path, columns, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{path.name}: {len(rows)} rows")


def main(source):
    with open(source, newline="", encoding="utf-8") as file:
        raw = list(csv.DictReader(file))

    rows = []
    for record in raw:
        row = {name: record[old] for name, old in {**FEATURES, **COSTS, **HELPER}.items()}
        row["damaged"] = 0 if record[DAMAGE] == "None" else 1
        rows.append(row)

    rng = random.Random(SEED)
    rng.shuffle(rows)
    for number, row in enumerate(rows, start=1):
        row["id"] = number

    test_ids = set()
    for label in (0, 1):
        ids = [row["id"] for row in rows if row["damaged"] == label]
        test_ids.update(rng.sample(ids, round(len(ids) * TEST_SHARE)))
    train = [row for row in rows if row["id"] not in test_ids]
    test = [row for row in rows if row["id"] in test_ids]

    here = Path(__file__).resolve().parent
    write(here / "input" / "train.csv", ["id", *FEATURES, *COSTS, "damaged"], train)
    write(here / "input" / "test.csv", ["id", *FEATURES], test)
    write(here / "input" / "wildlife.csv", ["id", *HELPER], rows)
    write(here / "input" / "sample_submission.csv", ["id", "damaged"],
          [{"id": row["id"], "damaged": 0.5} for row in test])
    write(here / "hidden" / "labels.csv", ["id", "damaged"], test)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 make_data.py path/to/birdstrikes.csv")
    main(sys.argv[1])
