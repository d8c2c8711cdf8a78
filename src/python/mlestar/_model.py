"""What is known of runs and steps, typed; made of the program's JSON."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, List, Mapping, Optional

from ._errors import MlestarError, one_line
from ._fields import Fields, Json

if TYPE_CHECKING:
    import pandas

OPEN = ("running", "halted")
"""States of a run that has not ended."""


@dataclass(frozen=True)
class Status:
    """Where a run stands."""

    run_id: str
    """Name of the run."""
    status: str
    """``running``, ``halted``, ``completed``, ``failed``, ``damaged`` or ``newer``."""
    competition_id: Optional[str]
    """Name of the task."""
    model: Optional[str]
    """Who all agents are, unless a setting says otherwise."""
    current_phase: Optional[str]
    """``phase1``, ``phase2``, ``phase3``, ``finalization`` or ``complete``."""
    elapsed_seconds: float
    cost_usd: Optional[float]
    """``None`` if a price is unknown."""
    best_score: Optional[float]
    """Of the result once there is one, before that the best so far."""
    answers: int
    """Answered questions to agents."""
    scripts: int
    """Scripts that were run."""
    cancelled: bool
    """Whether somebody asked it to finish."""
    started_at: Optional[datetime]
    deadline: Optional[datetime]
    under_way: List[str]
    """Paths of the steps that are being done or waited for."""
    error: Optional[str]
    """Why it failed, stands still or cannot be read."""

    @property
    def is_open(self) -> bool:
        """Whether it has not ended."""
        return self.status in OPEN

    @classmethod
    def of(cls, value: object) -> Status:
        got = Fields(value, "the state of a run")
        return cls(run_id=got.text("run_id"), status=got.text("status"), competition_id=got.text_or_none("competition_id"),
                   model=got.text_or_none("model"), current_phase=got.text_or_none("current_phase"),
                   elapsed_seconds=got.number("elapsed_seconds"), cost_usd=got.number_or_none("accumulated_cost_usd"),
                   best_score=got.number_or_none("best_score_so_far"), answers=got.whole_or_none("agent_call_count") or 0,
                   scripts=got.whole_or_none("script_count") or 0, cancelled=got.truth("cancelled"),
                   started_at=got.time_or_none("started_at"), deadline=got.time_or_none("deadline"),
                   under_way=got.texts("under_way"), error=got.text_or_none("error"))

    @classmethod
    def all_of(cls, value: object) -> List[Status]:
        if not isinstance(value, list):
            raise MlestarError("the list of runs is not what was expected: a JSON list")
        return [cls.of(one) for one in value]


@dataclass(frozen=True)
class Step:
    """One step: a question to an agent, a script that was run, or a phase with all that is below it."""

    path: str
    """Within the run, e.g. ``phase2-path0/block1/attempt2/coder``."""
    kind: str
    """``agent``, ``script`` or ``phase``."""
    phase: Optional[str]
    """Kind of phase, e.g. ``attempt``; ``None`` unless it is one."""
    agent: Optional[str]
    """Who was asked; ``None`` unless it is a question."""
    plan: Optional[str]
    """What was to be tried."""
    score: Optional[float]
    cost_usd: Optional[float]
    """Of a phase: with all below it. ``None`` if a price is unknown, or it runs."""
    seconds: Optional[float]
    """``None`` while it runs."""
    outcome: str
    """``running``, ``done``, ``failed`` or ``skipped``."""
    model: Optional[str]
    input_tokens: Optional[int]
    output_tokens: Optional[int]
    cached_tokens: Optional[int]
    """Part of the input tokens that came from the provider's cache."""
    asked_at: Optional[datetime]
    ended_at: Optional[datetime]
    shared_with: Optional[str]
    """Path of the step of another run whose result this is."""
    note: str
    """What went wrong, or what the step has to say: one line, may be empty."""

    @classmethod
    def of(cls, value: object) -> Step:
        got = Fields(value, "a step")
        return cls(path=got.text("path"), kind=got.text("kind"), phase=got.text_or_none("phase"), agent=got.text_or_none("agent"),
                   plan=got.text_or_none("plan"), score=got.number_or_none("score"), cost_usd=got.number_or_none("cost_usd"),
                   seconds=got.number_or_none("seconds"), outcome=got.text("outcome"), model=got.text_or_none("model"),
                   input_tokens=got.whole_or_none("input_tokens"), output_tokens=got.whole_or_none("output_tokens"),
                   cached_tokens=got.whole_or_none("cached_tokens"), asked_at=got.time_or_none("asked_at"),
                   ended_at=got.time_or_none("ended_at"), shared_with=got.text_or_none("shared_with"), note=got.text("note"))


class Steps(List[Step]):
    """The steps of a run, each phase before the steps inside it: a list."""

    def to_pandas(self) -> pandas.DataFrame:
        """One row a step; needs pandas."""
        try:
            import pandas
        except ImportError:
            raise MlestarError("a DataFrame needs pandas; install it, or use the list itself") from None
        columns = [column.name for column in dataclasses.fields(Step)]
        frame: pandas.DataFrame = pandas.DataFrame([dataclasses.astuple(step) for step in self], columns=columns)
        return frame

    @classmethod
    def of(cls, value: object) -> Steps:
        if not isinstance(value, list):
            raise MlestarError("the steps of a run are not what was expected: a JSON list")
        return cls(Step.of(one) for one in value)


@dataclass(frozen=True)
class Result:
    """What a run gave: the first things a user asks; all of ``result.json`` is in ``raw``."""

    run_id: str
    score: Optional[float]
    """On the validation split; ``None`` if no script has one."""
    baseline_score: Optional[float]
    """Of the initial solution."""
    submission: str
    """Where ``submission.csv`` lies; empty if there is none."""
    submission_failure: Optional[str]
    """Why there is none, or what is wrong with its form; ``None`` if all is well."""
    cost_usd: Optional[float]
    """``None`` if a price is unknown."""
    seconds: float
    phases_completed: List[str]
    lineage: List[str]
    """Where the final script comes from, oldest first."""
    stop_reason: Optional[str]
    """Why phases were cut short."""
    raw: Json = field(repr=False)

    @classmethod
    def of(cls, value: object) -> Result:
        got = Fields(value, "the result of a run")
        return cls(run_id=got.text("run_id"), score=got.number_or_none("best_score"), baseline_score=got.number_or_none("baseline_score"),
                   submission=got.text("submission_path"), submission_failure=got.text_or_none("submission_failure"),
                   cost_usd=got.number_or_none("total_cost_usd"), seconds=got.number("total_duration_seconds"),
                   phases_completed=got.texts("phases_completed"), lineage=got.texts("lineage"),
                   stop_reason=got.text_or_none("stop_reason"), raw=value if isinstance(value, dict) else {})


@dataclass(frozen=True)
class Grade:
    """The score of a submission on hidden labels."""

    metric: str
    score: float
    rows: int

    @classmethod
    def of(cls, value: object) -> Grade:
        got = Fields(value, "the grade")
        return cls(metric=got.text("metric"), score=got.number("score"), rows=int(got.number("rows")))


@dataclass(frozen=True)
class NewTask:
    """The task file that was made from a folder of data."""

    task_file: str
    """Its path; ``run`` takes it."""
    task: Json
    """What the file says."""
    why: Mapping[str, str]
    """The source of each field."""
    warnings: List[str]
    raw: Json = field(repr=False)
    """With the findings about this machine, and calls, scripts and cost of each preset."""

    @classmethod
    def of(cls, value: object) -> NewTask:
        got = Fields(value, "the new task")
        return cls(task_file=got.text("task_file"), task=got.map("task"), why={name: str(source) for name, source in got.map("why").items()},
                   warnings=got.texts_or_none("warnings") or [], raw=value if isinstance(value, dict) else {})


@dataclass(frozen=True)
class Event:
    """Something happened in a run."""

    kind: str
    """``state``: the run's status is another; ``step``: a step was asked for, or has ended."""
    run_id: str
    step: Optional[str]
    """Path of the step within the run; ``None`` for ``state``."""
    status: str
    """Of the run, or the step's outcome."""


def texts_of(value: object) -> Json:
    """The texts of one step, by their names."""
    return Fields(value, "a step").map("texts")


def header_of(value: object) -> Json:
    """What a run was begun with."""
    fields = Fields({"header": value}, "run.json").map("header")
    return {**fields, **{name: Fields(fields, "run.json").map(name) for name in ("task", "config")}}


def failure_of(value: object) -> str:
    """Why a run failed."""
    return one_line(Fields(value, "failed.json").text("message"))
