"""What runs are read from: the same questions to the program and to a server."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from typing import Dict, Iterator, List, Mapping, Optional, Protocol

from ._errors import Unavailable
from ._model import Event, Grade, Status, Steps

HEADER = "run.json"
RESULT = "result.json"
FAILED = "failed.json"
SUBMISSION = "submission.csv"
FINAL_SOLUTION = "final_solution.py"
REPORT = "report.html"
_BETWEEN_LOOKS = 5.0
_TRIES = 5


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

    def fork(self, run: str, at: str, run_id: Optional[str], chosen: Chosen, wait: bool) -> str:
        """Starts a fork.

        :return: its name
        """

    def resume(self, run: str, redo: List[str]) -> str:
        """Carries a run on, to its end.

        :return: the name of the run that goes on, which may be a new one
        """


def follow(store: Store, run: str) -> Iterator[Event]:
    """What has happened and what happens, as it is seen every few seconds until the run has ended.

    :return: events, of which one may come again; the last one is the state that the run ended with
    """
    in_vain = 0
    seen: Optional[Status] = None
    while True:
        try:
            # In this order: whoever sees the end has seen all that was before it.
            status = replace(store.status(run), elapsed_seconds=0)
            steps = store.steps(run) if status != seen else Steps()
        except Unavailable:
            in_vain += 1
            if in_vain == _TRIES:
                raise
        else:
            in_vain, seen = 0, status
            for step in steps:
                yield Event("step", run, step.path, step.outcome)
            yield Event("state", run, None, status.status)
            if not status.is_open:
                return
        time.sleep(_BETWEEN_LOOKS)
