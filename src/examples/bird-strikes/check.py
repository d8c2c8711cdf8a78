#!/usr/bin/env python3
"""Walks the algorithm through the recorded answers, runs their scripts, and prints what each step scores.

    python3 check.py

The author's tool for editing the answers: no model, no network, the standard library only, and the built
program, which grades. An agent's answer to the step P is answers/P.md, else answers/defaults/<step name>.md,
else the call fails. The scripts run in a temporary directory with a link to input/ and an empty final/. Takes
about a minute.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parents[2] / "mlestar"
SCORE = re.compile(r"Final Validation Performance:\s*([\d.eE+-]+)")
UNCHANGED = "All the provided information is used."


class Failed(Exception):
    """An agent call failed, or its answer cannot be used."""


def settings():
    lines = (HERE / "config.yaml").read_text(encoding="utf-8").splitlines()
    pairs = [line.split(":", 1) for line in lines if ":" in line and not line.startswith("#")]
    return {key.strip(): int(value) for key, value in pairs}


CONFIG = settings()
used, script_seconds, script_runs = set(), 0.0, 0


def note(step, text, seconds=None):
    clock = "" if seconds is None else f"{seconds:5.1f} s"
    print(f"{step:<58} {clock:>7}  {text}", flush=True)


def answer(step):
    folder, _, name = step.rpartition("/")
    plain = re.sub(r"-\d+$", "", name)
    for path in (HERE / "answers" / f"{step}.md", HERE / "answers" / "defaults" / f"{plain}.md"):
        if path.is_file():
            used.add(path)
            return path.read_text(encoding="utf-8")
    note(step, "no recorded answer: the agent call fails")
    raise Failed(step)


def fenced(text):
    found = re.findall(r"```[a-z]*\n(.*?)\n?```", text, re.S)
    return found[0] if len(found) == 1 else None


def code(step):
    block = fenced(answer(step))
    if block is None:
        note(step, "the answer has no single code block")
        raise Failed(step)
    return block


def parsed(step):
    text = answer(step)
    return json.loads(fenced(text) or text)


class Folder:
    """Numbers the steps within one phase folder: name, name-2, name-3."""

    def __init__(self, path):
        self.path, self.counts = path, {}

    def step(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1
        number = self.counts[name]
        return f"{self.path}/{name}" + (f"-{number}" if number > 1 else "")


def find_block(script, block):
    """The block as it stands in the script; blanks at line ends do not count."""
    if block and block in script:
        return block
    pattern = r"[ \t]*\n".join(re.escape(line.rstrip()) for line in block.strip("\n").split("\n"))
    found = re.search(pattern, script) if block.strip() else None
    return found.group(0) if found else None


def replace_block(script, block, new):
    return script.replace(block, new, 1)


def run(work, step, script, submission=False):
    """Runs a script; returns (ok, output)."""
    global script_seconds, script_runs
    target = work / "final" / "submission.csv"
    if target.exists():
        target.unlink()
    (work / "script.py").write_text(script, encoding="utf-8")
    begin = time.time()
    try:
        done = subprocess.run([sys.executable, "script.py"], cwd=work, capture_output=True, text=True,
                              timeout=CONFIG["script_timeout_seconds"])
        ok, out, problem = done.returncode == 0, done.stdout, done.stderr.strip()
    except subprocess.TimeoutExpired:
        ok, out, problem = False, "", f"timeout after {CONFIG['script_timeout_seconds']} s"
    if ok and problem:
        ok = "Traceback (most recent call last)" not in problem
        note(step, "WARNING: something was printed to stderr")
    if ok and submission and not (target.is_file() and target.stat().st_size > 0):
        ok, problem = False, "no submission"
    seconds = time.time() - begin
    script_seconds += seconds
    script_runs += 1
    found = SCORE.findall(out)
    result = f"score {float(found[-1]):.6f}" if found else "ran"
    note(step, result if ok else "failed: " + problem.splitlines()[-1], seconds)
    return ok, out


def evaluate(work, path, script, submission=False):
    """An evaluation phase. Returns (score or None, the script as it was last run, ran without error)."""
    folder = Folder(f"{path}/evaluation")
    ok = False
    for attempt in range(CONFIG["max_debug_attempts"] + 1):
        if attempt:
            try:
                script = code(folder.step("debugger"))
            except Failed:
                break
        script = without_leak(folder, script)
        ok, out = run(work, folder.step("script"), script, submission)
        if ok:
            break
    found = SCORE.findall(out) if ok else []
    return (float(found[-1]) if found else None), script, ok


def without_leak(folder, script):
    step = folder.step("leakage")
    try:
        answers = parsed(step)["answers"]
        for finding in answers:
            if finding["leakage_status"] == "Yes Data Leakage":
                correction = folder.step("leakage-correction")
                block = find_block(script, finding["code_block"])
                new = code(correction)
                note(step, "leak found and corrected" if block else "leak found, but its block is not in the script")
                script = replace_block(script, block, new) if block else script
            elif finding["leakage_status"] != "No Data Leakage":
                note(step, "bad status")
    except Failed:
        pass
    return script


def phase1(work):
    models = parsed("phase1/retriever")["models"]
    assert len(models) == CONFIG["num_retrieved_models"]
    candidates = []
    for i in range(len(models)):
        try:
            score, script, _ = evaluate(work, f"phase1/candidate{i}", code(f"phase1/candidate{i}/init"))
        except Failed:
            continue
        if score is not None:
            candidates.append((score, i, script))
    candidates.sort(key=lambda entry: -entry[0])
    best, number, base = candidates[0]
    note("phase1", f"ranking {[entry[1] for entry in candidates]}, best {best:.6f}")
    for j in range(1, len(candidates)):
        try:
            score, script, _ = evaluate(work, f"phase1/merge{j}", code(f"phase1/merge{j}/merger"))
        except Failed:
            break
        if score is None or score < best:
            note(f"phase1/merge{j}", "rejected, the loop stops")
            break
        best, base = score, script
        note(f"phase1/merge{j}", "accepted")
    text = answer("phase1/data")
    if UNCHANGED not in text:
        score, script, ok = evaluate(work, "phase1", fenced(text))
        if score is not None:
            best, base = score, script
    note("phase1", f"s0 scores {best:.6f}")
    return best, base


def phase2(work, path, best, base):
    for t in range(CONFIG["outer_loop_steps"]):
        block_path = f"{path}/block{t}"
        folder = Folder(block_path)
        script = code(folder.step("ablation"))
        for attempt in range(CONFIG["max_debug_attempts"] + 1):
            ok, out = run(work, folder.step("script"), script)
            if ok:
                break
            script = code(folder.step("debugger"))
        for line in out.strip().splitlines():
            print("    | " + line)
        answer(folder.step("summarize"))
        block = None
        for _ in range(2):
            step = folder.step("extractor")
            try:
                block = find_block(base, parsed(step)["plans"][0]["code_block"])
            except (ValueError, KeyError):
                note(step, "the answer is no JSON, asked again")
                continue
            if block is not None:
                note(step, f"a block of {block.count(chr(10)) + 1} lines")
                break
            note(step, "the block is not in the script, asked again")
        if block is None:
            note(block_path, "skipped")
            continue
        start = base
        for k in range(CONFIG["inner_loop_steps"]):
            attempt_path = f"{block_path}/attempt{k}"
            try:
                if k:
                    answer(f"{attempt_path}/planner")
                new = code(f"{attempt_path}/coder")
            except Failed:
                continue
            score, script, _ = evaluate(work, attempt_path, replace_block(start, block, new))
            if score is not None and score >= best:
                best, base = score, script
                note(attempt_path, "best so far")
    note(path, f"best {best:.6f}")
    return best, base


def phase3(work):
    best, base = None, None
    for r in range(CONFIG["ensemble_rounds"]):
        path = f"phase3/round{r}"
        try:
            answer(f"{path}/ens_planner")
            score, script, _ = evaluate(work, path, code(f"{path}/ensembler"))
        except Failed:
            continue
        if score is None:
            note(path, "failed for good")
        elif best is None or score >= best:
            best, base = score, script
            note(path, "best so far")
    note("phase3", f"best {best:.6f}")
    return best, base


def finalization(work, script):
    block = fenced(answer("finalization/test-subsampling_extract"))
    found = find_block(script, block) if block else None
    if found:
        note("finalization/test-subsampling_extract", f"a block of {found.count(chr(10)) + 1} lines")
        replace_block(script, found, code("finalization/test-subsampling_remove"))
    else:
        note("finalization/test-subsampling_extract", "no such block in the script")
    _, _, ok = evaluate(work, "finalization", code("finalization/test"), submission=True)
    return ok


def main():
    begin = time.time()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        os.symlink(HERE / "input", work / "input")
        (work / "final").mkdir()
        initial, s0 = phase1(work)
        paths = [phase2(work, f"phase2-path{index}", initial, s0)
                 for index in range(CONFIG["num_parallel_solutions"])]
        ensemble, script = phase3(work)
        ok = finalization(work, script)
        grade = subprocess.run([PROGRAM, "grade", "--task", HERE / "task.yaml", "--submission",
                                work / "final" / "submission.csv", "--labels", HERE / "hidden" / "labels.csv"],
                               capture_output=True, text=True)
        print(grade.stdout.strip())
    recorded = set((HERE / "answers").rglob("*.md"))
    for path in sorted(recorded - used):
        print("never asked for:", path.relative_to(HERE))
    print(f"{script_runs} script runs, {script_seconds:.1f} s; all in all {time.time() - begin:.1f} s")
    print(f"validation: phase 1 {initial:.4f}, paths {', '.join(f'{best:.4f}' for best, _ in paths)}, "
          f"ensemble {ensemble:.4f}")
    return 0 if ok and grade.returncode == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
