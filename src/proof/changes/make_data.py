#!/usr/bin/env python3
"""Makes the data set of the changes task; the same output on every machine. Needs pandas and the file NEWS.gz of Debian's package
python3.11, 3.11.2-6.

    python3 make_data.py /usr/share/doc/python3.11/NEWS.gz

An entry of the list of changes stands below the title of its section, which is the class. Numbers of issues are cut off (they tell the
age), an entry that occurs twice is kept once, and the rest is shuffled.

   input/train.csv              id, text, section
   input/test.csv               id, text
   input/sample_submission.csv  id, a column for each section, all equal, for the test rows
   hidden/labels.csv            id, section for the test rows (never shown to the scripts)
"""

import gzip
import re
import sys
from pathlib import Path

import pandas as pd

SEED, TRAIN, TEST = 311, 4_000, 4_000
SECTIONS = {"Build": "build", "C API": "c_api", "Core and Builtins": "core", "Documentation": "documentation", "IDLE": "idle",
            "Library": "library", "macOS": "macos", "Security": "security", "Tests": "tests", "Tools/Demos": "tools", "Windows": "windows"}
LONGEST = 400


def entries(news):
    """Pairs of text and section."""
    for part in re.split(r"\n(?=[^\n]+\n-{3,}\n)", news):
        title, _, body = part.lstrip("\n").partition("\n")
        if title in SECTIONS:
            # Where the next version begins.
            body = re.split(r"\n[^\n]+\n={3,}\n", body.partition("\n")[2])[0]
            for entry in re.split(r"\n(?=- )", "\n" + body)[1:]:
                text = re.sub(r"\s+", " ", entry[2:]).strip()
                text = re.sub(r"^(?:(?:gh-issue|bpo|issue|gh)\W*\d+[\s,:.;]*(?:and )?)+", "", text, flags=re.IGNORECASE)
                text = re.sub(r"(?:bpo-|gh-|[Ii]ssue ?#?)\d+", "an issue", text)
                if text:
                    yield text[:LONGEST], SECTIONS[title]


def main(source):
    with gzip.open(source, "rt", encoding="utf-8") as file:
        rows = pd.DataFrame(entries(file.read()), columns=["text", "section"])
    rows = rows.drop_duplicates("text").sample(TRAIN + TEST, random_state=SEED)
    rows.insert(0, "id", range(1, len(rows) + 1))
    train, test = rows[:TRAIN], rows[TRAIN:]

    here = Path(__file__).resolve().parent
    for folder in ("input", "hidden"):
        (here / folder).mkdir(exist_ok=True)

    def write(table, name):
        table.to_csv(here / name, index=False, lineterminator="\n")
        print(f"{name}: {len(table)} rows")

    write(train, "input/train.csv")
    write(test[["id", "text"]], "input/test.csv")
    write(test[["id"]].assign(**dict.fromkeys(SECTIONS.values(), round(1 / len(SECTIONS), 4))), "input/sample_submission.csv")
    write(test[["id", "section"]], "hidden/labels.csv")
    print(rows["section"].value_counts().to_dict())


if __name__ == "__main__":
    main(sys.argv[1])
