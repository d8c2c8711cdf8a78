"""Makes a table of a task whose examples are sounds, so that boosting.py and flaml.py can take part: how strong each of 32 bands is, and how much it varies.

    python features.py

Reads input/, writes features/input/, in whose folder the two are then run.
"""
import os
import wave

import numpy as np
import pandas as pd

BANDS, WINDOW, LOWEST = 32, 256, 60


def bands(path):
    """Logarithms of the power of bands of equal width in pitch: the mean and the standard deviation over windows."""
    with wave.open(path) as file:
        rate = file.getframerate()
        sound = np.frombuffer(file.readframes(file.getnframes()), np.uint8).astype(float) - 128
    windows = np.lib.stride_tricks.sliding_window_view(sound, WINDOW)[::WINDOW // 2] * np.hanning(WINDOW)
    power = np.abs(np.fft.rfft(windows, 4 * WINDOW)) ** 2
    edges = np.geomspace(LOWEST, rate / 2, BANDS + 1) * 4 * WINDOW / rate
    strong = np.log(np.stack([power[:, int(low):max(int(high), int(low) + 1)].mean(axis=1) for low, high in zip(edges, edges[1:])]) + 1)
    return [*strong.mean(axis=1), *strong.std(axis=1)]


os.makedirs("features/input", exist_ok=True)
for part in ("train", "test"):
    table = pd.read_csv(f"input/{part}.csv")
    made = pd.DataFrame([bands(f"input/{part}/{name}.wav") for name in table["id"]]).add_prefix("band").round(4)
    pd.concat([table, made], axis=1).drop(columns="note").to_csv(f"features/input/{part}.csv", index=False)
pd.read_csv("input/sample_submission.csv").to_csv("features/input/sample_submission.csv", index=False)
