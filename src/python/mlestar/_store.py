"""What runs are read from: the same questions to the program and to a server."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Dict, Iterator, List, Mapping, Optional, Protocol

from ._model import Event, Grade, Status, Steps

HEADER = "run.json"
RESULT = "result.json"
FAILED = "failed.json"
SUBMISSION = "submission.csv"
FINAL_SOLUTION = "final_solution.py"
REPORT = "report.html"


@dataclass(frozen=True)
class Chosen:
    """What a new run is set to; ``None`` leaves the program's choice."""

    model: Optional[str]
    preset: Optional[str]
    settings: Mapping[str, object]

    def options(self) -> List[str]:
        """As the command line takes them: what is JSON is YAML, too."""
        options = [part for name, value in self.settings.items() for part in ("--set", f"{name}={json.dumps(value)}")]
        return [*options, *(f"--{name}={value}" for name, value in (("model", self.model), ("preset", self.preset)) if value is not None)]

    def fields(self) -> Dict[str, object]:
        """As the event that asks a server for a run has them."""
        asked = {"model": self.model, "preset": self.preset, "config": dict(self.settings) or None}
        return {name: value for name, value in asked.items() if value is not None}


class Store(Protocol):
    """A folder or a bucket behind the program, or a server."""

    def runs(self) -> List[Status]: ...

    def status(self, run: str) -> Status: ...

    def steps(self, run: str) -> Steps: ...

    def texts(self, run: str, step: str) -> Mapping[str, object]: ...

    def file(self, run: str, name: str) -> bytes:
        """One of the files that the run ended with, or the one it began with."""

    def report(self, run: str) -> bytes:
        """The page about a run that has ended."""

    def where(self, run: str) -> str:
        """Where its files lie, or the address of its page."""

    def grade(self, run: str, labels: str) -> Grade: ...

    def predict(self, run: str, rows: str, progress: bool) -> bytes: ...

    def cancel(self, run: str) -> None: ...

    def tell(self, run: str, text: str, by: str) -> None: ...

    def extend(self, run: str, add_minutes: int, add_usd: float, by: str) -> None: ...

    def events(self, run: str) -> Iterator[Event]:
        """What happens from now on, until the run has ended; may tell a thing twice, and the last one of a run is its state."""

    def fork(self, run: str, at: str, run_id: Optional[str], chosen: Chosen, wait: bool) -> str:
        """Starts a fork.

        :return: its name
        """

    def resume(self, run: str, redo: List[str]) -> str:
        """Carries a run on, to its end.

        :return: the name of the run that goes on, which may be a new one
        """
