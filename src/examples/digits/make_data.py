#!/usr/bin/env python3
"""Makes the data set of the digits task; the same output on every machine. Needs scikit-learn, which ships the digits, and Pillow.

    ../../../.venv/bin/python make_data.py

The 1,797 images of 8 by 8 pixels with 17 shades (see NOTICE.md) are shuffled (seed 7), numbered, and put on sheets of 10 by 10, as a
scanner would deliver forms: grey PNG files of 80 by 80 pixels, a shade of the data set times 15.

   input/sheets/train-00.png ...  100 training images each, the last with fewer
   input/sheets/test-00.png ...   the same for the 600 test images
   input/train.csv                id, sheet, row, column, label
   input/test.csv                 id, sheet, row, column
   input/sample_submission.csv    id, a column for each digit = 0.1 for the test images
   hidden/labels.csv              id, label for the test images (never shown to the scripts)
"""

import csv
from pathlib import Path

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

TEST = 600
SIDE, GRID = 8, 10


def sheets(folder, kind, images):
    """Writes the sheets; returns where each image is."""
    places = []
    for first in range(0, len(images), GRID * GRID):
        name = f"{kind}-{first // (GRID * GRID):02d}.png"
        sheet = np.zeros((SIDE * GRID, SIDE * GRID), dtype=np.uint8)
        for number, image in enumerate(images[first:first + GRID * GRID]):
            row, column = divmod(number, GRID)
            sheet[row * SIDE:(row + 1) * SIDE, column * SIDE:(column + 1) * SIDE] = image * 15
            places.append({"sheet": name, "row": row, "column": column})
        folder.mkdir(parents=True, exist_ok=True)
        Image.fromarray(sheet).save(folder / name, optimize=True)
    return places


def write(path, columns, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{path.name}: {len(rows)} rows")


def main():
    digits = load_digits()
    order = np.random.default_rng(7).permutation(len(digits.target))
    images, labels = digits.images[order].astype(np.uint8), digits.target[order]
    cut = len(labels) - TEST
    here = Path(__file__).resolve().parent
    rows = [{"id": number, "label": int(label)} for number, label in enumerate(labels, start=1)]
    for kind, part in (("train", slice(0, cut)), ("test", slice(cut, None))):
        for row, place in zip(rows[part], sheets(here / "input/sheets", kind, images[part])):
            row.update(place)
    columns = ["id", "sheet", "row", "column"]
    write(here / "input/train.csv", [*columns, "label"], rows[:cut])
    write(here / "input/test.csv", columns, rows[cut:])
    digits_of = [str(digit) for digit in range(10)]
    write(here / "input/sample_submission.csv", ["id", *digits_of], [{"id": row["id"], **dict.fromkeys(digits_of, 0.1)} for row in rows[cut:]])
    write(here / "hidden/labels.csv", ["id", "label"], rows[cut:])


if __name__ == "__main__":
    main()
