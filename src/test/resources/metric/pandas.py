"""As much of pandas as the tests' metrics use."""
import csv

class Frame(list):
    iloc = property(lambda self: Rows(self))
    def reset_index(self, drop): return self
    def copy(self): return Frame(dict(row) for row in self)
    def column(self, name): return [row[name] for row in self]

class Rows:
    def __init__(self, frame): self.frame = frame
    def __getitem__(self, rows): return Frame(self.frame[row] for row in rows)

def read_csv(path):
    with open(path, encoding="utf-8", newline="") as file:
        return Frame(csv.DictReader(file))
