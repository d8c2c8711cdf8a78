"""A run in MLflow or Weights & Biases, by their own clients, which are imported when they are used."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import tempfile
import time
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Protocol, Sequence, Tuple, TypeVar

from ._errors import BadInput, MlestarError, Unavailable
from ._model import Status, Step
from ._run import Run

_SETTLED = timedelta(seconds=5)
"""What ended so long ago is on record, so that nothing comes before it any more."""
_LONGEST_VALUE = 500
_LONGEST_KEY = 250
_AT_ONCE = 100
_TRIES = 5
_T = TypeVar("_T")


class _Point(NamedTuple):
    """Figures after an answer or a script."""

    number: int
    """In the order in which answers and scripts ended, from 0."""
    at: datetime
    values: Mapping[str, float]


class _Tracker(Protocol):
    """A run there."""

    id: str

    def told(self) -> int:
        """How many points are known there."""

    def tell(self, points: Sequence[_Point], status: Status) -> None: ...

    def end(self, status: Status, at: datetime, files: Sequence[str]) -> None: ...

    def leave(self) -> None:
        """The run is not followed any more, and has not ended."""


def track(run: Run, to: str = "mlflow", *, wait: bool = True, every: float = 10.0, **options: Any) -> str:
    """Makes a run one of MLflow (``"mlflow"``) or Weights & Biases (``"wandb"``): settings, score, cost and time over the steps, and what it ended
    with. A run that goes on is followed until it has ended. The same run again is the same run there, and nothing is sent twice. Needs the client
    ``mlflow`` (or ``mlflow-skinny``) or ``wandb``.

    :param wait: else a run that goes on is only brought up to date
    :param every: seconds between two looks at a run that goes on
    :param options: for MLflow ``tracking_uri`` and ``experiment`` (``MLFLOW_TRACKING_URI``, ``MLFLOW_EXPERIMENT_NAME``, ``mlestar``); for Weights &
        Biases those of ``wandb.init``, e.g. ``project``, ``mode="offline"``
    :return: its id there
    """
    trackers: Dict[str, Callable[[str, Status, Mapping[str, Any], Dict[str, Any]], _Tracker]] = {"mlflow": _Mlflow, "wandb": _Wandb}
    if to not in trackers:
        raise BadInput(f"a run is tracked by {' or '.join(trackers)}, not by {to!r}")
    _client(to)
    status, header = _patiently(lambda: run.status), run.header
    tracker = trackers[to](run.id, status, header, options)
    try:
        maximize = header["task"].get("metric_direction") == "maximize"
        while True:
            # In this order, so that who sees the end sees all that was before it.
            status = _patiently(lambda: run.status)
            until = datetime.now(timezone.utc) - _SETTLED
            points = [point for point in _points(status, _patiently(run.steps), maximize) if point.at <= until or not status.is_open]
            tracker.tell(points[tracker.told():], status)
            if not status.is_open:
                with tempfile.TemporaryDirectory() as folder:
                    tracker.end(status, _ended_at(status), run.save(folder))
                return tracker.id
            if not wait:
                tracker.leave()
                return tracker.id
            time.sleep(every)
    except BaseException:
        tracker.leave()
        raise


def _patiently(ask: Callable[[], _T]) -> _T:
    """Waits out a server that is away for a moment."""
    for again in range(1, _TRIES):
        try:
            return ask()
        except Unavailable:
            time.sleep(again)
    return ask()


def _ended_at(status: Status) -> datetime:
    return (status.started_at or datetime.now(timezone.utc)) + timedelta(seconds=status.elapsed_seconds)


def _points(status: Status, steps: Sequence[Step], maximize: bool) -> Iterator[_Point]:
    spent = 0.0
    best: float | None = None
    # A score stands once the evaluation that ran the script has ended with it.
    ended = [(step.ended_at, step.path, step) for step in steps if step.ended_at and (step.kind != "phase" or step.phase == "evaluation")]
    for number, (at, _, step) in enumerate(sorted(ended, key=lambda one: one[:2])):
        spent += 0.0 if step.kind == "phase" else step.cost_usd or 0.0
        values = {"seconds": (at - (status.started_at or at)).total_seconds()}
        if step.kind == "phase" and step.score is not None:
            best = step.score if best is None else max(best, step.score) if maximize else min(best, step.score)
            values.update(score=step.score, best_score=best)
        # Last: where it is, all of its point is.
        yield _Point(number, at, {**values, "cost_usd": spent})


def _mark(run: str, header: Mapping[str, Any]) -> str:
    """A run of the same name in another store, or of another time, is another one."""
    return hashlib.sha256(f"{run} {header.get('started_at')}".encode()).hexdigest()[:16]


def _client(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MlestarError(f"to track a run there needs {name}; install it") from None


class _Mlflow:
    def __init__(self, run: str, status: Status, header: Mapping[str, Any], options: Dict[str, Any]) -> None:
        mlflow = _client("mlflow")
        experiment = options.pop("experiment", None) or os.environ.get("MLFLOW_EXPERIMENT_NAME") or "mlestar"
        self._client = mlflow.MlflowClient(**options)
        self._entities = _client("mlflow.entities")
        found = self._client.get_experiment_by_name(experiment)
        place = found.experiment_id if found else self._client.create_experiment(experiment)
        mark = _mark(run, header)
        known = self._client.search_runs([place], f"tags.`mlestar.mark` = '{mark}'", max_results=1)
        if known:
            self.id: str = known[0].info.run_id
        else:
            tags = {"mlestar.mark": mark, "mlestar.run_id": run, "mlestar.task": status.competition_id, "mlestar.model": status.model,
                    "mlestar.version": header.get("version"), "mlflow.source.name": "mlestar"}
            self.id = self._client.create_run(place, start_time=_millis(status.started_at or datetime.now()), run_name=run,
                                              tags={name: str(value or "")[:_LONGEST_VALUE] for name, value in tags.items()}).info.run_id
        self._numbers = max((there.step + 1 for there in self._client.get_metric_history(self.id, "cost_usd")), default=0)
        params = [self._entities.Param(key, value) for key, value in _flat({**_short(header["task"]), **header["config"]})]
        # The same ones again change nothing.
        for start in range(0, len(params), _AT_ONCE):
            self._client.log_batch(self.id, params=params[start:start + _AT_ONCE])

    def told(self) -> int:
        return self._numbers

    def tell(self, points: Sequence[_Point], status: Status) -> None:
        for start in range(0, len(points), _AT_ONCE):
            batch = points[start:start + _AT_ONCE]
            self._client.log_batch(self.id, metrics=[self._entities.Metric(key, value, _millis(point.at), point.number)
                                                     for point in batch for key, value in point.values.items()])
        self._numbers += len(points)
        for name, value in (("mlestar.status", status.status), ("mlestar.phase", status.current_phase)):
            self._client.set_tag(self.id, name, value or "")

    def end(self, status: Status, at: datetime, files: Sequence[str]) -> None:
        if self._client.get_run(self.id).info.status == "RUNNING":
            for file in files:
                self._client.log_artifact(self.id, file)
            self._client.set_terminated(self.id, "FINISHED" if status.status == "completed" else "FAILED", _millis(at))

    def leave(self) -> None:
        pass


class _Wandb:
    def __init__(self, run: str, status: Status, header: Mapping[str, Any], options: Dict[str, Any]) -> None:
        self._wandb = _client("wandb")
        self.id = _mark(run, header)
        self._name = run
        self._there = self._wandb.init(**{"project": "mlestar", "id": self.id, "name": run, "resume": "allow", "tags": [status.competition_id or run],
                                          "config": {**_short(header["task"]), **header["config"]}, **options})
        # Of a run that is there already, the number after its last.
        self._numbers = int(self._there.step)

    def told(self) -> int:
        return self._numbers

    def tell(self, points: Sequence[_Point], status: Status) -> None:
        for point in points:
            self._there.log(dict(point.values), step=point.number)
        self._numbers += len(points)
        self._there.summary.update({"status": status.status, "phase": status.current_phase})

    def end(self, status: Status, at: datetime, files: Sequence[str]) -> None:
        self._there.summary.update({"score": status.best_score, "cost_usd": status.cost_usd, "seconds": status.elapsed_seconds})
        artifact = self._wandb.Artifact(f"run-{self._name}", type="result")
        for file in files:
            artifact.add_file(file)
        self._there.log_artifact(artifact)
        self._there.finish(exit_code=0 if status.status == "completed" else 1)

    def leave(self) -> None:
        self._there.finish(exit_code=1)


def _short(task: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in task.items() if name not in ("description", "output_dir")}


def _flat(values: Mapping[str, Any], prefix: str = "") -> List[Tuple[str, str]]:
    """Names such as ``phase_time_budget.phase1``, in the characters that MLflow takes."""
    flat: List[Tuple[str, str]] = []
    for name, value in values.items():
        key = re.sub(r"[^A-Za-z0-9_. /-]", "_", f"{prefix}{name}")[:_LONGEST_KEY]
        if isinstance(value, Mapping):
            flat += _flat(value, f"{key}.")
        elif value is not None:
            flat.append((key, (value if isinstance(value, str) else json.dumps(value))[:_LONGEST_VALUE]))
    return flat


def _millis(at: datetime) -> int:
    return int(at.timestamp() * 1000)
