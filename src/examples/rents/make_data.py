#!/usr/bin/env python3
"""Makes the data set of the rents task. Standard library only, the same output on every machine.

    python3 make_data.py

No table with free text and a price ships with the libraries at hand, so this one is made up: 3,000 flats to let in a city that does not
exist. Rows, words and rents come from a seeded generator; nothing is about real people, streets or offers.

1. A flat has a district, a size, rooms, a floor, a year of construction and a distance to the next station.
2. What a broker would praise or hide (balcony, fitted kitchen, refurbished, noisy road, no lift ...) is only in the text: a title and a
   description of two to five sentences in varying words, among sentences that say nothing about the rent.
3. The rent is a product of all of them and of noise (a standard deviation of 6 %). An advert in fifty gives the size in the text alone.
4. Rows are shuffled and numbered; the last 900 are the test rows.
   input/train.csv              id, the columns, title, description, rent, deposit
   input/test.csv               id, the columns, title, description
   input/districts.csv          district, population density, share of green areas, minutes to the centre
   input/sample_submission.csv  id, rent = 900 for the test rows
   hidden/labels.csv            id, rent for the test rows (never shown to the scripts)

The deposit is agreed with the tenant: about three rents. It is a leak on purpose, and the test rows do not have it.
"""

import csv
import math
import random
from pathlib import Path

ROWS, TEST = 3000, 900

# District: rent per square metre, people per hectare, share of green areas, minutes to the centre.
DISTRICTS = {
    "Old Harbour": (15.6, 96, 0.11, 6), "Mill Quarter": (14.1, 128, 0.09, 9), "Castle Hill": (16.9, 61, 0.31, 11),
    "Northgate": (12.2, 140, 0.08, 14), "Riverside": (14.8, 84, 0.24, 12), "Tanners' Row": (12.9, 133, 0.06, 10),
    "Eastfield": (10.4, 72, 0.27, 24), "Westend": (13.5, 101, 0.17, 16), "Brickworks": (10.9, 118, 0.10, 21),
    "Linden Park": (13.8, 55, 0.38, 19), "Station Quarter": (11.8, 151, 0.04, 8), "Hollow Meadow": (9.8, 38, 0.52, 33),
}

# What the text may say, how often, the factor on the rent, and in which words.
SIGNS = [
    (0.40, 1.06, ["a sunny balcony", "a balcony to the south", "with balcony", "its own balcony over the courtyard"]),
    (0.12, 1.10, ["a roof terrace", "a large terrace", "a terrace of 20 square metres"]),
    (0.45, 1.05, ["a fitted kitchen", "a modern built-in kitchen", "kitchen with all appliances"]),
    (0.25, 1.08, ["completely refurbished", "renovated from floor to ceiling this year", "freshly modernised"]),
    (0.18, 0.92, ["on a busy road", "tram line in front of the house", "some noise from the main street"]),
    (0.15, 0.93, ["in need of some repair", "sold as seen, paint and brushes needed", "bathroom from the seventies"]),
    (0.30, 1.04, ["oak parquet", "wooden floors throughout", "real parquet in all rooms"]),
    (0.20, 1.05, ["underground parking", "a garage is included", "parking space in the yard"]),
    (0.14, 1.09, ["high stucco ceilings", "ceilings of 3.5 metres with stucco", "period details"]),
    (0.10, 0.95, ["heated by a stove", "night storage heaters", "no central heating"]),
]
NOTHING = [
    "Viewing on Saturdays by appointment.", "Shops and a pharmacy are around the corner.", "Pets by agreement.", "Please send a short note about yourself.",
    "The caretaker lives in the house.", "Cellar compartment included.", "Free from the first of next month.", "The neighbours are quiet and friendly.",
    "Schools and nurseries can be reached on foot.", "Rent to be paid in advance.", "The pictures show a similar flat.", "Bicycles can be kept in the yard.",
]
OPENINGS = ["We offer {}.", "The flat has {}.", "Of note: {}.", "You will like it: {}.", "Good to know: {}.", "{}."]
KINDS = ["Flat", "Apartment", "Home", "Rooms"]
PRAISE = ["Charming", "Bright", "Quiet", "Well-cut", "Friendly", "Lovely"]


def sentence(rng, words):
    text = rng.choice(OPENINGS).format(words)
    return text[0].upper() + text[1:]


def flat(rng):
    district = rng.choice(list(DISTRICTS))
    rate, _, _, minutes = DISTRICTS[district]
    size = round(min(210, max(18, rng.lognormvariate(4.15, 0.38))), 1)
    rooms = max(1, round(size / rng.uniform(22, 34)))
    floor = rng.randint(0, 6)
    lift = rng.random() < 0.45
    year = rng.choice([rng.randint(1890, 1918), rng.randint(1949, 1979), rng.randint(1980, 2005), rng.randint(2006, 2023)])
    station = round(rng.expovariate(1 / 450) + 60)
    factor = (size / 65) ** -0.12 * (1 - 0.03 * math.log1p(station / 400))
    factor *= 1 + 0.07 * (year >= 2006) + 0.03 * (year <= 1918) - 0.05 * (1949 <= year <= 1979)
    factor *= 0.95 if floor == 0 else 1 - (0 if lift else 0.018) * (floor - 1) + (0.012 if lift else 0) * (floor - 1)
    sentences = []
    if lift:
        sentences.append(sentence(rng, rng.choice(["a lift in the house", "lift to all floors"])))
    elif floor >= 3 and rng.random() < 0.7:
        sentences.append(sentence(rng, rng.choice(["no lift", "stairs only, good for your health"])))
    for chance, worth, words in SIGNS:
        if rng.random() < chance:
            factor *= worth
            sentences.append(sentence(rng, rng.choice(words)))
    sentences += rng.sample(NOTHING, rng.randint(1, 3))
    rng.shuffle(sentences)
    if rng.random() < 0.02:
        sentences.append(f"The living space is {size} square metres.")
        shown = ""
    else:
        shown = size
    rent = round(rate * size * factor * math.exp(rng.gauss(0, 0.06)))
    title = f"{rng.choice(PRAISE)} {rooms}-room {rng.choice(KINDS).lower()} in {district}"
    return {"district": district, "size_m2": shown, "rooms": rooms, "floor": floor, "built": year, "station_m": station,
            "title": title, "description": " ".join(sentences), "rent": rent, "deposit": round(rent * rng.choice([2, 3, 3, 3]) * rng.uniform(0.98, 1.02), -1)}


def write(path, columns, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"{path.name}: {len(rows)} rows")


def main():
    rng = random.Random(20)
    rows = [{"id": number, **flat(rng)} for number in range(1, ROWS + 1)]
    train, test = rows[:-TEST], rows[-TEST:]
    here = Path(__file__).resolve().parent
    columns = ["id", "district", "size_m2", "rooms", "floor", "built", "station_m", "title", "description"]
    write(here / "input/train.csv", [*columns, "deposit", "rent"], train)
    write(here / "input/test.csv", columns, test)
    write(here / "input/districts.csv", ["district", "people_per_hectare", "green_share", "minutes_to_centre"],
          [{"district": name, "people_per_hectare": facts[1], "green_share": facts[2], "minutes_to_centre": facts[3]}
           for name, facts in DISTRICTS.items()])
    write(here / "input/sample_submission.csv", ["id", "rent"], [{"id": row["id"], "rent": 900} for row in test])
    write(here / "hidden/labels.csv", ["id", "rent"], test)


if __name__ == "__main__":
    main()
