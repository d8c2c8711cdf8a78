"""One run, wherever it is kept."""

from __future__ import annotations

import getpass
import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Union

from ._errors import BadInput, MlestarError, NotEnded, RunFailed, one_line
from ._fields import parsed
from ._html import of_result, of_status, table
from ._model import Event, Grade, Result, Status, Steps, failure_of, header_of
from ._store import FAILED, FINAL_SOLUTION, HEADER, REPORT, RESULT, SUBMISSION, Chosen, Store, follow

if TYPE_CHECKING:
    import pandas


class Run:
    """One run: what it does, what it found, and what can be done with it. Asks its store anew each time, but for a result, which never changes."""

    def __init__(self, store: Store, run_id: str) -> None:
        self._store = store
        self.id = run_id
        self._result: Optional[Result] = None

    def __repr__(self) -> str:
        return f"Run({self.id!r}, {self._store!r})"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        try:
            result = self.result
            return table(self.id, of_result(result, self._store.where(self.id)))
        except (NotEnded, RunFailed) as ended:
            return table(self.id, of_status(self.status, str(ended)))
        except MlestarError as failure:
            return table(self.id, {"error": str(failure)})

    @property
    def status(self) -> Status:
        """Where it stands."""
        return self._store.status(self.id)

    @property
    def header(self) -> Mapping[str, Any]:
        """What it was begun with: ``task``, ``config``, ``version`` and others."""
        return header_of(parsed(self._store.file(self.id, HEADER), HEADER))

    @property
    def result(self) -> Result:
        """What it gave.

        :raises NotEnded: if it goes on
        :raises RunFailed: if it has failed, with the reason
        """
        if self._result is not None:
            return self._result
        status = self.status
        if status.is_open:
            raise NotEnded(f"run {self.id} has not ended; it is {status.status}")
        if status.status == "completed":
            self._result = Result.of(parsed(self._store.file(self.id, RESULT), RESULT))
            return self._result
        if status.status == "failed":
            raise RunFailed(f"run {self.id} failed: {failure_of(parsed(self._store.file(self.id, FAILED), FAILED))}")
        raise MlestarError(one_line(f"run {self.id} cannot be read: {status.error}"))

    def steps(self) -> Steps:
        """All steps, each phase before the steps inside it."""
        return self._store.steps(self.id)

    def steps_frame(self) -> pandas.DataFrame:
        """The same as a DataFrame with a row for each step; needs pandas."""
        return self.steps().to_pandas()

    def texts(self, path: str) -> Mapping[str, str]:
        """The texts of one step by name: ``prompt``, ``answer``, ``script``, ``output``, ``traceback`` and others, what there is."""
        return {name: str(text) for name, text in self._store.texts(self.id, path).items()}

    def _text(self, path: str, name: str) -> str:
        texts = self.texts(path)
        if name not in texts:
            raise BadInput(f"step {path} of run {self.id} has no {name}; it has {', '.join(texts) or 'no text'}")
        return texts[name]

    def script(self, path: Optional[str] = None) -> str:
        """The script of a step that ran one or gave one; without a path the final solution."""
        return self._text(path, "script") if path is not None else self._store.file(self.id, FINAL_SOLUTION).decode("utf-8", "replace")

    def prompt(self, path: str) -> str:
        """What the agent of this step was asked."""
        return self._text(path, "prompt")

    def answer(self, path: str) -> str:
        """What it answered, unread."""
        return self._text(path, "answer")

    def submission(self) -> bytes:
        """``submission.csv``, as it was written."""
        return self._store.file(self.id, SUBMISSION)

    def report(self) -> str:
        """The page about it, one file of HTML."""
        return self._store.report(self.id).decode("utf-8", "replace")

    def grade(self, labels: Union[str, os.PathLike[str]]) -> Grade:
        """Scores the submission on hidden labels, and keeps the grade with the run.

        :param labels: CSV file with the submission's ids, outside the data folder
        """
        return self._store.grade(self.id, os.fspath(labels))

    def predict(self, rows: Union[str, os.PathLike[str], pandas.DataFrame], *, progress: bool = True) -> bytes:
        """Trains the final solution once more, and lets it predict new rows; the same rows again cost nothing.

        :param rows: a table with the columns of the task's test table: a file or a DataFrame
        :param progress: whether to pass on warnings and what the program does, to stderr
        :return: the predictions, in the form of the submission
        """
        if isinstance(rows, (str, os.PathLike)):
            return self._store.predict(self.id, os.fspath(rows), progress)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "rows.csv")
            rows.to_csv(file, index=False)
            return self._store.predict(self.id, file, progress)

    def watch(self) -> Iterator[Event]:
        """What has happened and what happens, until the run has ended. Each step is told once when it is seen under way and once when it has
        ended, each state once; the last event is the state that the run ended with."""
        told: Dict[str, str] = {}
        for event in follow(self._store, self.id):
            if told.get(event.step or "") != event.status:
                told[event.step or ""] = event.status
                yield event

    def wait(self) -> Run:
        """Waits until it has ended.

        :return: this run
        """
        for _ in self.watch():
            pass
        return self

    def cancel(self) -> None:
        """Lets it finish now with the best so far; that takes a moment. A run that has ended stays as it is."""
        self._store.cancel(self.id)

    def tell(self, text: str, *, by: Optional[str] = None) -> None:
        """Tells it something: planners and the extractor see it from their next question on."""
        self._store.tell(self.id, text, by or getpass.getuser())

    def extend(self, *, add_minutes: int = 0, add_usd: float = 0, by: Optional[str] = None) -> None:
        """Gives it more time or money than it began with, as long as it has not ended."""
        self._store.extend(self.id, add_minutes, add_usd, by or getpass.getuser())

    def fork(self, at: str, *, model: Optional[str] = None, preset: Optional[str] = None, run_id: Optional[str] = None, wait: bool = True,
             **settings: object) -> Run:
        """Starts a run that shares, and pays nothing for, what this one had finished before step ``at``, and goes on with these settings."""
        return Run(self._store, self._store.fork(self.id, at, run_id, Chosen(model, preset, settings), wait))

    def resume(self, *, redo: Union[str, List[str], None] = None) -> Run:
        """Carries on a run that was killed, stands still or failed, to its end. One that failed, or of which steps are done again
        (``redo``: paths, or ``"failed"``), goes on as a new run.

        :return: the run that went on
        """
        steps = [redo] if isinstance(redo, str) else list(redo or [])
        return Run(self._store, self._store.resume(self.id, steps))

    def save(self, folder: Union[str, os.PathLike[str]]) -> List[str]:
        """Writes the files that the run ended with, those that there are, and its report into a folder.

        :return: their paths
        """
        try:
            result = self.result
            files = {RESULT: json.dumps(result.raw, indent=2).encode(), FINAL_SOLUTION: self._store.file(self.id, FINAL_SOLUTION)}
            if result.submission:
                files[SUBMISSION] = self.submission()
        except RunFailed:
            files = {FAILED: self._store.file(self.id, FAILED)}
        files[REPORT] = self._store.report(self.id)
        os.makedirs(folder, exist_ok=True)
        written: List[str] = []
        for name, content in files.items():
            written.append(os.path.join(os.fspath(folder), name))
            with open(written[-1], "wb") as file:
                file.write(content)
        return written
