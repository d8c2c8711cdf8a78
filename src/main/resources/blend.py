import csv
import math
import os
import re
import subprocess
import sys
import time


def submission(number, program, seconds):
    folder = os.path.abspath("member%d" % number)
    os.makedirs(os.path.join(folder, "final"))
    os.symlink(os.path.realpath("input"), os.path.join(folder, "input"))
    with open(os.path.join(folder, "solution.py"), "w", encoding="utf-8") as file:
        file.write(program)
    with open(os.path.join(folder, "stderr"), "wb") as errors:
        ended = subprocess.run([sys.executable, "solution.py"], cwd=folder, stdout=subprocess.DEVNULL, stderr=errors, timeout=seconds).returncode
    if ended != 0:
        with open(os.path.join(folder, "stderr"), encoding="utf-8", errors="replace") as file:
            raise ValueError(([line.strip() for line in file if line.strip()] or ["exit code %d" % ended])[-1][:200])
    with open(os.path.join(folder, "final", "submission.csv"), encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.reader(file, delimiter=DELIMITER) if row]
    return rows[0], {tuple(row[:KEYS]) if KEYS else place: row for place, row in enumerate(rows[1:])}


def label(text):  # One form for 1, 1.0, True and, where fields may hold decimal commas, 1,0.
    plain = text.strip()
    if DELIMITER != "," and re.fullmatch("[-+]?[0-9]{1,30},[0-9]{1,30}", plain):
        plain = plain.replace(",", ".")
    plain = {"true": "1", "false": "0"}.get(plain.lower(), plain)
    try:
        number = float(plain) if re.fullmatch("[-+0-9.eE]{1,40}", plain) else math.nan
    except ValueError:
        number = math.nan
    return str(int(number)) if abs(number) < 1e15 and number == int(number) else plain


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks, start = [0.0] * len(values), 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            ranks[place] = (start + end - 1) / 2 / max(1, len(values) - 1)
        start = end
    return ranks


def median(values):
    values, total, below = sorted(values), sum(weight for _, weight in values), 0
    for place, (value, weight) in enumerate(values):
        below += weight
        if 2 * below >= total:
            return value / 2 + values[place + 1][0] / 2 if 2 * below == total else value


def numbers(columns):
    weights, total = [weight for weight, _ in columns], sum(weight for weight, _ in columns)
    columns = [[float(label(value)) for value in values] for _, values in columns]
    if HOW == "rank_mean":
        columns = [ranks(values) for values in columns]
    if HOW == "log_mean":
        columns = [[math.log1p(value) for value in values] for values in columns]
    for row in zip(*columns):
        mean = sum(weight / total * value for weight, value in zip(weights, row))
        blended = median(list(zip(row, weights))) if HOW == "median" else math.expm1(mean) if HOW == "log_mean" else mean
        yield repr(blended).replace(".", DECIMAL)


def vote(columns):
    for row in zip(*(values for _, values in columns)):
        votes = {}
        for (weight, _), value in zip(columns, row):
            votes[label(value)] = votes.get(label(value), 0) + weight
        yield spelling[max(votes, key=votes.get)]


submissions, spelling = [], {}  # Of labels: as each was written first.
# Most of the time that is left: on all rows a member takes about a quarter longer. Those that are worth most for their time come first, where not all fit.
left, late = 0.7 * float(os.environ.get("MLE_STAR_SECONDS", "1e6")), set()
sooner = sorted(range(len(MEMBERS)), key=lambda number: -MEMBERS[number][0] / max(1, MEMBERS[number][1]))
end = time.monotonic() + left
for number in sooner:
    if 1.25 * MEMBERS[number][1] > left:
        late.add(number)
    else:
        left -= 1.25 * MEMBERS[number][1]
if 2 * sum(MEMBERS[number][0] for number in late) > sum(member[0] for member in MEMBERS):
    raise ValueError("there is no time to train most of the blend")
for number, (weight, _, step, program) in enumerate(MEMBERS):
    try:
        if number in late or time.monotonic() > end:
            raise ValueError("there was no time for it")
        header, rows = submission(number, program, end - time.monotonic())
        if submissions and (header, rows.keys()) != (submissions[0][1], submissions[0][2].keys()):
            raise ValueError("its rows or columns are others than those of the first")
        submissions.append((weight, header, rows))
    except (OSError, ValueError, IndexError, csv.Error, subprocess.TimeoutExpired) as error:
        print(LEFT_OUT + "%s: %s" % (step, error), flush=True)
if not submissions:
    raise ValueError("each member of the blend failed")
header, first = submissions[0][1:]
ids, begin = list(first), KEYS
if HOW == "vote":
    for _, _, rows in submissions:
        for column in range(begin, len(header)):
            for each in ids:
                spelling.setdefault(label(rows[each][column]), rows[each][column].strip())
blended = [[first[each][column] for each in ids] for column in range(begin)]
for column in range(begin, len(header)):
    values = [(weight, [rows[each][column] for each in ids]) for weight, _, rows in submissions]
    if not KEYS and all(each == values[0][1] for _, each in values):  # Where rows have no names some columns say what they are about.
        blended.append(values[0][1])
        continue
    blended.append(list(vote(values) if HOW == "vote" else numbers(values)))
os.makedirs("final", exist_ok=True)
with open("final/submission.csv", "w", encoding="utf-8", newline="") as file:
    csv.writer(file, delimiter=DELIMITER, lineterminator="\n").writerows([header] + list(zip(*blended)))
print("Final Validation Performance: %r" % SCORE)
