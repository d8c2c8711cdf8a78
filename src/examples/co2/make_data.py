#!/usr/bin/env python3
"""Makes the data set of the co2 task; the same output on every machine. Needs statsmodels 0.15.0, which ships the measurements.

    python3 make_data.py

The weekly means of 1958 to 2001 (see NOTICE.md) in the order of time. The last 104 weeks that were measured are the test weeks.

   input/train.csv              week (its Saturday), co2 in parts per million; empty where nothing was measured
   input/test.csv               week
   input/sample_submission.csv  week, co2 = 360 for the test weeks
   hidden/labels.csv            week, co2 for the test weeks (never shown to the scripts)
"""

from pathlib import Path

from statsmodels.datasets import co2

TEST = 104


def main():
    weeks = co2.load_pandas().data.rename_axis("week")
    first = weeks["co2"].dropna().index[-TEST]
    here = Path(__file__).resolve().parent
    for folder in ("input", "hidden"):
        (here / folder).mkdir(exist_ok=True)
    test = weeks[weeks.index >= first].dropna()
    weeks[weeks.index < first].round(1).to_csv(here / "input/train.csv", lineterminator="\n")
    test[[]].to_csv(here / "input/test.csv", lineterminator="\n")
    test.assign(co2=360).to_csv(here / "input/sample_submission.csv", lineterminator="\n")
    test.round(1).to_csv(here / "hidden/labels.csv", lineterminator="\n")
    print(len(weeks), "weeks,", len(test), "of them to predict, from", first.date())


if __name__ == "__main__":
    main()
