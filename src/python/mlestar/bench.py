"""Runs competitions with several seeds and presets, grades them and keeps a table; the same command again goes on.

``python -m mlestar.bench FOLDER --out DIR``
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence

from ._bench_table import THRESHOLDS, Cell, Table
from ._errors import BadInput, MlestarError, RunFailed, Unavailable, one_line
from ._fields import parsed
from ._model import Grade
from ._program import ProgramStore, to_the_end
from ._run import Run

_SPLITS = {"low": "Low == Lite (%)", "medium": "Medium (%)", "high": "High (%)", "split75": "All (%)"}
_RULE = """
# What may be looked up

Look for no solution, notebook, discussion, leaderboard or label of this competition, under this or any other name, and open no page that holds one.
"""
_MOST_SEEDS = 1000


@dataclass(frozen=True)
class Competition:
    """One competition, in a folder of its own, with the labels that no run may read."""

    id: str
    home: Path
    data: Path
    """What agents see."""
    labels: Optional[Path]


def competitions(folder: Path) -> List[Competition]:
    """All competitions in a folder: prepared by MLE-bench (``ID/prepared/public`` and ``private``), or ``ID/task.yaml`` with ``ID/input`` and
    ``ID/hidden/labels.csv``.
    """
    found: List[Competition] = []
    for home in sorted(folder.absolute().iterdir()) if folder.is_dir() else []:
        prepared = home / "prepared" / "public"
        data, hidden = (prepared, home / "prepared" / "private") if prepared.is_dir() else (home / "input", home / "hidden")
        if data.is_dir() and (prepared.is_dir() or (home / "task.yaml").is_file()):
            found.append(Competition(home.name, home, data, _first(hidden / name for name in ("test.csv", "answers.csv", "labels.csv"))))
    if not found:
        raise BadInput(f"{folder} holds no competition: neither NAME/prepared/public nor NAME/task.yaml with NAME/input")
    return found


def _first(files: Any) -> Optional[Path]:
    return next((file for file in files if file.is_file()), None)


def splits(checkout: Optional[Path], chosen: Sequence[Competition]) -> Dict[str, List[str]]:
    """Those of a checkout of MLE-bench; without one, all competitions that are there."""
    if checkout is None:
        return {"All (%)": [competition.id for competition in chosen]}
    try:
        return {title: (checkout / f"experiments/splits/{name}.txt").read_text("utf-8").split() for name, title in _SPLITS.items()}
    except OSError as failure:
        raise BadInput(f"{checkout} is no checkout of MLE-bench: {failure}") from None


class _Bench:
    """Fills cells, one after the other; each cell of an agent is an ordinary run."""

    def __init__(self, asked: argparse.Namespace) -> None:
        if not 1 <= asked.seeds <= _MOST_SEEDS or asked.script_timeout <= 0:
            raise BadInput(f"--seeds must be from 1 to {_MOST_SEEDS}, and --script-timeout more than 0")
        self._asked = asked
        self._out: Path = asked.out
        self._store = ProgramStore(asked.out / "store", asked.program)
        checkout: Optional[Path] = asked.mle_bench
        every = {competition.id: competition for competition in competitions(asked.folder)}
        unknown = [wanted for wanted in asked.competition if wanted not in every]
        if unknown:
            raise BadInput(f"{asked.folder} holds no competition \"{unknown[0]}\"; it holds {', '.join(every)}")
        self._chosen = [every[wanted] for wanted in asked.competition or every]
        self._splits = splits(checkout, self._chosen)
        self._scripts: Dict[str, Path] = {script.stem: script for script in asked.script}
        self._agents = [*self._scripts] or [f"mlestar {preset}" for preset in asked.preset] or ["mlestar"]

    def fill(self) -> None:
        # A seed in all competitions before the next, so that a benchmark that is stopped has complete ones.
        for seed in range(1, self._asked.seeds + 1):
            for competition in self._chosen:
                for agent in self._agents:
                    kind = f"script-{agent}" if agent in self._scripts else agent.removeprefix("mlestar").strip()
                    run = "-".join(part for part in (kind, competition.id, f"seed{seed}") if part)
                    file = self._out / "cells" / f"{run}.json"
                    if not file.exists():
                        print(f"cell     {run}", file=sys.stderr)
                        cell = self._by_script(agent, competition, seed, run) if agent in self._scripts else self._by_run(agent, competition, seed, run)
                        if cell is None:
                            print(f"         {run} has not ended; the same command goes on", file=sys.stderr)
                        else:
                            _write(file, json.dumps(dataclasses.asdict(cell)))
                            self.write()

    def write(self) -> Table:
        """Writes the table of all agents that have a cell, and of those of this call."""
        ids = [competition.id for competition in self._chosen]
        cells = [cell for cell in map(_kept, sorted((self._out / "cells").glob("*.json"))) if cell.competition in ids]
        agents = sorted({*self._agents, *(cell.agent for cell in cells)}, key=lambda agent: (not agent.startswith("mlestar"), agent))
        table = Table(self._splits, ids, agents, max([self._asked.seeds, *(cell.seed for cell in cells)]), cells)
        for name, text in (("cells.csv", table.cells_csv()), ("leaderboard.csv", table.leaderboard_csv()), ("index.html", table.page())):
            _write(self._out / name, text)
        return table

    def _by_run(self, agent: str, competition: Competition, seed: int, name: str) -> Optional[Cell]:
        """An ordinary run; ``None`` if it was stopped before its end."""
        options = ["--task", str(self._task(competition)), "--run-id", name]
        config = self._asked.config or _first([competition.home / "config.yaml"])
        options += ["--config", str(config)] if config else []
        options += [part for setting in self._asked.set for part in ("--set", setting)]
        options += ["--preset", agent.removeprefix("mlestar ")] if agent != "mlestar" else []
        model = f"recorded:{competition.home / 'answers'}" if self._asked.recorded else self._asked.model
        options += ["--model", model] if model else []
        try:
            to_the_end(self._store.command("run", *options), True)
        except BadInput:
            raise
        except MlestarError as failure:
            print(f"         {failure}", file=sys.stderr)
        run = Run(self._store, name)
        status = run.status
        if status.is_open:
            return None
        try:
            result = run.result
            submission, note = run.submission() if result.submission else None, result.submission_failure or ""
        except RunFailed as failure:
            submission, note = None, str(failure)
        steps = [step for step in run.steps() if step.kind == "agent" and step.shared_with is None]
        models = sorted({step.model for step in steps if step.model})
        recorded = (status.model or "").startswith("recorded:") or any(model.startswith("recorded") for model in models)
        ended = (status.started_at or datetime.now()) + timedelta(seconds=status.elapsed_seconds)
        return self._cell(agent, competition, seed, name, submission, run=name, models=["recorded"] if recorded else models, recorded=recorded,
                          hours=status.elapsed_seconds / 3600, cost_usd=status.cost_usd, note=note, ended_on=ended.date().isoformat(),
                          input_tokens=sum(step.input_tokens or 0 for step in steps), output_tokens=sum(step.output_tokens or 0 for step in steps))

    def _by_script(self, agent: str, competition: Competition, seed: int, name: str) -> Cell:
        """The user's own script, by the user's Python, without a sandbox; it reads ``input`` and writes ``final/submission.csv``."""
        note = ""
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
            (Path(folder) / "input").symlink_to(competition.data)
            python = os.environ.get("MLE_STAR_PYTHON") or sys.executable
            try:
                ended = subprocess.run([python, self._scripts[agent].absolute()], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=said, timeout=self._asked.script_timeout, check=False)
                if ended.returncode:
                    said.seek(0)
                    note = one_line((said.read().decode("utf-8", "replace").strip() or f"it ended with {ended.returncode}").splitlines()[-1])
            except subprocess.TimeoutExpired:
                note = f"it took longer than {self._asked.script_timeout:g} s"
            hours = (time.monotonic() - begun) / 3600
            written = Path(folder) / "final" / "submission.csv"
            submission = written.read_bytes() if written.is_file() and not note else None
        return self._cell(agent, competition, seed, name, submission, run=None, models=[], recorded=False, hours=hours, cost_usd=0.0,
                          note=note if submission or note else "it wrote no final/submission.csv", ended_on=date.today().isoformat(),
                          input_tokens=0, output_tokens=0)

    def _cell(self, agent: str, competition: Competition, seed: int, name: str, submission: Optional[bytes], **known: Any) -> Cell:
        grade: Mapping[str, Any] = {"valid": False}
        if submission is not None:
            file = self._out / "submissions" / f"{name}.csv"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(submission)
            grade = self._grade(competition, file)
        return Cell(agent=agent, competition=competition.id, seed=seed, submitted=submission is not None, **{**known, **grade})

    def _grade(self, competition: Competition, submission: Path) -> Mapping[str, Any]:
        """By MLE-bench's own grader, if that is installed and knows the competition, or else by the program's, which gives no medals."""
        theirs = _by_mle_bench(competition, submission)
        if theirs is not None:
            return theirs
        given = ["grade", "--json", "--task", str(self._task(competition)), "--submission", str(submission)]
        if competition.labels is not None:
            given += ["--labels", str(competition.labels)]
        try:
            said = self._store.asked(*given)
            if competition.labels is None:
                return {"note": "its form is right; no labels are here to grade it by"}
            return {"valid": True, "score": Grade.of(parsed(said, "a grade")).score}
        except Unavailable:
            raise
        except BadInput as failure:
            return {"note": f"not graded here: {failure}"}
        except MlestarError as failure:
            return {"valid": False, "note": str(failure)}

    def _task(self, competition: Competition) -> Path:
        """The competition's own, or one that ``mlestar new`` makes of its data and its description."""
        own, made = competition.home / "task.yaml", self._out.absolute() / "tasks" / f"{competition.id}.yaml"
        if own.is_file() or made.is_file():
            return own if own.is_file() else made
        made.parent.mkdir(parents=True, exist_ok=True)
        options: List[str] = []
        description = competition.data / "description.md"
        if description.is_file():
            text = made.with_suffix(".md")
            text.write_text(description.read_text("utf-8", "replace") + _RULE, "utf-8")
            options = ["--description", str(text)]
        try:
            self._store.asked("new", str(competition.data), "--out", str(made), "--id", competition.id, "--yes", *options)
        except BadInput as failure:
            raise BadInput(f"the task of {competition.id} cannot be told; write {made} or {own}: {failure}") from None
        return made


def _by_mle_bench(competition: Competition, submission: Path) -> Optional[Mapping[str, Any]]:
    """``None`` if MLE-bench is not installed or does not know the competition."""
    try:
        registry: Any = importlib.import_module("mlebench.registry").registry
        grade: Any = importlib.import_module("mlebench.grade").grade_csv
    except ImportError:
        return None
    if competition.data != competition.home / "prepared" / "public" or competition.id not in registry.list_competition_ids():
        return None
    report = grade(submission, registry.set_data_dir(competition.home.parent).get_competition(competition.id)).to_dict()
    medal = next((medal for medal in ("gold", "silver", "bronze") if report[f"{medal}_medal"]), None)
    return {"valid": report["valid_submission"], "score": report["score"], "medal": medal, "above_median": report["above_median"],
            **{name: report[f"{name}_threshold"] for name in THRESHOLDS}}


def _kept(file: Path) -> Cell:
    try:
        return Cell(**json.loads(file.read_text("utf-8")))
    except (OSError, ValueError, TypeError) as failure:
        raise BadInput(f"the cell {file} cannot be read: {one_line(str(failure))}") from None


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".part")
    part.write_text(text, "utf-8")
    part.replace(file)


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser("python -m mlestar.bench", description="Runs competitions with several seeds and presets, grades them"
                                      " and keeps a table; the same command again goes on.")
    options.add_argument("folder", type=Path, help="a folder for each competition: ID/prepared/public and private as MLE-bench makes them, or"
                         " ID/task.yaml, ID/input and ID/hidden/labels.csv")
    options.add_argument("--out", type=Path, required=True, help="where the runs, the cells and the table are kept")
    options.add_argument("--seeds", type=int, default=3, help="runs of each competition (default: 3)")
    options.add_argument("--competition", metavar="ID", action="append", default=[], help="only this one; may be repeated")
    options.add_argument("--preset", metavar="NAME", action="append", default=[], help="of the settings; may be repeated, each is an agent of its own")
    options.add_argument("--mle-bench", metavar="FOLDER", type=Path, help="checkout of MLE-bench, for its splits")
    options.add_argument("--script", metavar="FILE", type=Path, action="append", default=[],
                         help="instead of the agents, run this script in each competition; may be repeated")
    options.add_argument("--script-timeout", metavar="SECONDS", type=float, default=3600, help="the most that a --script may take (default: 3600)")
    options.add_argument("--recorded", action="store_true", help="ask no model: replay the answers in each competition's folder answers. Such a cell"
                         " counts nowhere")
    options.add_argument("--table", action="store_true", help="run nothing, only write the table of what is done")
    options.add_argument("--config", metavar="FILE", type=Path, help="configuration (default: config.yaml in the competition's folder, if it has one)")
    options.add_argument("--set", metavar="FIELD=VALUE", action="append", default=[], help="one setting; may be repeated")
    options.add_argument("--model", help="as of mlestar run")
    options.add_argument("--program", help="the program, if it is neither on the PATH nor named by the variable MLESTAR")
    return options


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """:return: the exit code: 0 if the table is written, 1 if something did not work, 2 for what can never work"""
    asked = _options().parse_args(arguments)
    try:
        bench = _Bench(asked)
        if not asked.table:
            bench.fill()
        print(bench.write().leaderboard_csv(), end="")
        print(f"cells    {asked.out / 'cells.csv'}\npage     {asked.out / 'index.html'}", file=sys.stderr)
        return 0
    except (MlestarError, OSError) as failure:
        print(f"mlestar: {one_line(str(failure))}", file=sys.stderr)
        return 2 if isinstance(failure, BadInput) else 1


if __name__ == "__main__":
    sys.exit(main())
