#!/usr/bin/env python3
"""Makes the data set of the timbre task; the same output on every machine. Needs numpy, pandas, scipy and the file FluidR3_GM.sf2 of Debian's
package fluid-soundfont-gm, 3.1-5.3.

    python3 make_data.py /usr/share/sounds/sf2/FluidR3_GM.sf2

A sound font has recordings of single notes, and says which instrument plays them. Of each note two short excerpts are taken anywhere in it.
Notes are the groups: a seeded 40 % of them is the test, so that no note is in both.

   input/train/, input/test/    ID.wav: the excerpts
   input/train.csv              id, note, family
   input/test.csv               id, note
   input/sample_submission.csv  id, a column for each family, all equal, for the test rows
   hidden/labels.csv            id, family, groups (the note) for the test rows (never shown to the scripts)
"""

import shutil
import struct
import sys
import wave
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.signal import resample_poly

SEED, TEST_NOTES, EXCERPTS = 16, 0.4, 2
RATE, LONG, BEGIN = 8_000, 0.25, 2.0  # An excerpt is 0.25 s long and begins in the first two seconds of its note.
# Programs of General MIDI, bank 0; bank 128 are the drums.
FAMILIES = {"bass": range(32, 38), "bowed": (40, 41, 42, 43, 44, 48, 49, 110), "brass": range(56, 62), "guitar": range(24, 32),
            "keys": range(0, 8), "mallets": range(8, 15), "organ": range(16, 24), "pipe": range(72, 78),
            "plucked": (15, 45, 46, 104, 105, 106, 107), "reed": range(64, 72), "voice": (52, 53, 54)}
DRUMS, DRUM_BANK = "drums", 128
INSTRUMENT, SAMPLE, RIGHT = 41, 53, 2  # Generators of the format that point at an instrument or a sample, and the kind of a right channel.


def chunks(data, begin, end):
    while begin < end:
        name, size = struct.unpack_from("<4sI", data, begin)
        if name == b"LIST":
            yield from chunks(data, begin + 12, begin + 8 + size)
        else:
            yield name.decode(), data[begin + 8:begin + 8 + size]
        begin += 8 + size + size % 2


def table(parts, name, form, columns):
    return pd.DataFrame(struct.iter_unpack("<" + form, parts[name]), columns=columns.split())


def pointed(heads, bags, generators, kind):
    """By row of the heads, what its generators of a kind point at."""
    ends = bags["generator"].to_numpy()[heads["bag"].to_numpy()]
    of_kind = generators["what"] == kind
    return [generators["value"][begin:end][of_kind[begin:end]].tolist() for begin, end in zip(ends, ends[1:])]


def notes(parts):
    """The samples of the families, but for right channels, and for what more than one family plays."""
    presets = table(parts, "phdr", "20sHHHIII", "name program bank bag a b c")
    instruments = table(parts, "inst", "20sH", "name bag")
    samples = table(parts, "shdr", "20sIIIIIBbHH", "name begin end loop loop_end rate key correction link kind")
    bags = [table(parts, name, "HH", "generator modulator") for name in ("pbag", "ibag")]
    generators = [table(parts, name, "HH", "what value") for name in ("pgen", "igen")]
    of_preset, of_instrument = pointed(presets, bags[0], generators[0], INSTRUMENT), pointed(instruments, bags[1], generators[1], SAMPLE)
    family_of = {program: family for family, programs in FAMILIES.items() for program in programs}
    played = [(sample, DRUMS if bank == DRUM_BANK else family_of[program])
              for program, bank, played in zip(presets["program"], presets["bank"], of_preset)
              if bank == DRUM_BANK or bank == 0 and program in family_of
              for instrument in played for sample in of_instrument[instrument]]
    family = pd.DataFrame(played, columns=["sample", "family"]).drop_duplicates().drop_duplicates("sample", keep=False)
    found = samples.join(family.set_index("sample"), how="inner")
    return found[found["kind"] != RIGHT]


def sound(note, recorded):
    """The note at the rate of the excerpts; what is no drum is held by its loop, as a player would."""
    begin, end = note.begin, note.end
    if note.family != DRUMS and note.loop_end - note.loop > 8:
        loop = recorded[note.loop:note.loop_end]
        held = np.tile(loop, 1 + int((BEGIN + LONG) * note.rate) // len(loop))
        heard = np.concatenate([recorded[begin:note.loop_end], held])[:int((BEGIN + LONG) * note.rate)]
    else:
        heard = recorded[begin:end]
    share = Fraction(RATE, note.rate)
    return resample_poly(heard.astype(float), share.numerator, share.denominator)


def main(source):
    data = Path(source).read_bytes()
    parts = dict(chunks(data, 12, len(data)))
    recorded, chance, length = np.frombuffer(parts["smpl"], "<i2"), np.random.default_rng(SEED), int(RATE * LONG)
    excerpts = []
    for note in notes(parts).itertuples():
        heard = sound(note, recorded)
        last = min(len(heard) - length, int(RATE * BEGIN))
        for _ in range(EXCERPTS if last >= 0 else 0):
            begin = chance.integers(last + 1)
            excerpt = heard[begin:begin + length]
            if np.abs(excerpt).max() >= 50:  # Of 32768: else it is silence.
                excerpts.append((note.Index, note.family, np.round(128 + 126 * excerpt / np.abs(excerpt).max()).astype(np.uint8)))
    rows = pd.DataFrame(excerpts, columns=["note", "family", "sound"]).sample(frac=1, random_state=SEED)
    rows.insert(0, "id", range(1, len(rows) + 1))
    rows["note"] = rows["note"].map({note: number for number, note in enumerate(rows["note"].unique(), 1)})
    hidden = pd.Series(sorted(rows["note"].unique())).sample(frac=TEST_NOTES, random_state=SEED)
    train, test = rows[~rows["note"].isin(hidden)], rows[rows["note"].isin(hidden)]

    here = Path(__file__).resolve().parent
    shutil.rmtree(here / "input", ignore_errors=True)
    for folder in ("input/train", "input/test", "hidden"):
        (here / folder).mkdir(parents=True, exist_ok=True)
    for name, some in (("train", train), ("test", test)):
        for row in some.itertuples():
            with wave.open(str(here / f"input/{name}/{row.id}.wav"), "wb") as file:
                file.setnchannels(1)
                file.setsampwidth(1)
                file.setframerate(RATE)
                file.writeframes(row.sound.tobytes())

    def write(made, name):
        made.to_csv(here / name, index=False, lineterminator="\n")
        print(f"{name}: {len(made)} rows")

    families = sorted([*FAMILIES, DRUMS])
    write(train[["id", "note", "family"]], "input/train.csv")
    write(test[["id", "note"]], "input/test.csv")
    write(test[["id"]].assign(**dict.fromkeys(families, round(1 / len(families), 4))), "input/sample_submission.csv")
    write(test[["id", "family", "note"]].rename(columns={"note": "groups"}), "hidden/labels.csv")
    print(train["family"].value_counts().to_dict(), f"{train['note'].nunique()} and {test['note'].nunique()} notes")


if __name__ == "__main__":
    main(sys.argv[1])
