"""Stands where the client of Weights & Biases stands: what is used of a run, by its rules, with all runs kept by id."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Dict, List

runs: Dict[str, "Run"] = {}


class Run:
    def __init__(self, options: Dict[str, Any]) -> None:
        self.options = options
        self.step = 0
        self.points: List[Dict[str, Any]] = []
        self.summary: Dict[str, Any] = {}
        self.files: List[str] = []
        self.exit_codes: List[int] = []

    def log(self, values: Dict[str, Any], step: int) -> None:
        # "Steps must be monotonically increasing": what comes late is thrown away with a warning.
        assert step >= self.step, "Steps must be monotonically increasing"
        self.points.append({"step": step, **values})
        self.step = step

    def log_artifact(self, artifact: Artifact) -> None:
        self.files.extend(artifact.files)

    def finish(self, exit_code: int = 0) -> None:
        self.exit_codes.append(exit_code)


class Artifact:
    def __init__(self, name: str, type: str) -> None:
        self.files: List[str] = []

    def add_file(self, path: str) -> None:
        assert Path(path).is_file()
        self.files.append(Path(path).name)


def init(**options: Any) -> Run:
    there = runs.get(options["id"])
    if there and options.get("resume") == "allow":
        there.step = len(there.points)
        return there
    runs[options["id"]] = Run(options)
    return runs[options["id"]]
