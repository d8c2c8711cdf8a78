"""What runs are read from: the same questions to the program and to a server."""

from __future__ import annotations

from typing import Iterator, List, Mapping, Optional, Protocol

from ._model import Event, Status, Steps

HEADER = "run.json"
RESULT = "result.json"
FAILED = "failed.json"
SUBMISSION = "submission.csv"
FINAL_SOLUTION = "final_solution.py"
REPORT = "report.html"


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

    def cancel(self, run: str) -> None: ...

    def tell(self, run: str, text: str, by: str) -> None: ...

    def extend(self, run: str, add_minutes: int, add_usd: float, by: str) -> None: ...

    def pause(self, run: str, by: str) -> None: ...

    def unpause(self, run: str, by: str) -> None: ...

    def events(self, run: str) -> Iterator[Event]:
        """What happens from now on, until the run has ended; may tell a thing twice, and the last one of a run is its state."""

    def fork(self, run: str, at: str, run_id: Optional[str], model: Optional[str], settings: Mapping[str, object], wait: bool) -> str:
        """Starts a fork.

        :return: its name
        """

    def resume(self, run: str, redo: List[str]) -> str:
        """Carries a run on, to its end.

        :return: the name of the run that goes on, which may be a new one
        """
