"""A run as a notebook shows it. What comes from a store is shown as text, never as HTML."""

from __future__ import annotations

from html import escape
from typing import Dict, Mapping, Optional

from ._errors import one_line
from ._model import Result, Status
from ._store import FINAL_SOLUTION, RESULT, SUBMISSION

_DAY = 86_400


def of_result(result: Result, where: str) -> Dict[str, Optional[str]]:
    """The rows about a run that has completed."""
    files = ", ".join([RESULT, FINAL_SOLUTION, *([SUBMISSION] if result.submission else [])])
    return {"score": _number(result.score), "baseline": _number(result.baseline_score), "cost": _dollars(result.cost_usd),
            "time": _duration(result.seconds), "files": files, "in": where, "no submission": result.submission_failure, "stopped": result.stop_reason}


def of_status(status: Status, why: str) -> Dict[str, Optional[str]]:
    """The rows about a run without a result."""
    return {"status": status.status, "phase": status.current_phase, "best score": _number(status.best_score), "cost": _dollars(status.cost_usd),
            "time": _duration(status.elapsed_seconds), "answers": str(status.answers), "scripts": str(status.scripts),
            "error": None if status.is_open else why}


def table(run: str, rows: Mapping[str, Optional[str]]) -> str:
    """Rows without a value are left out."""
    shown = "".join(f"<tr><th>{escape(name)}</th><td>{escape(one_line(value))}</td></tr>" for name, value in rows.items() if value is not None)
    return f"<table><caption>mlestar run {escape(one_line(run))}</caption><tbody>{shown}</tbody></table>"


def _number(value: Optional[float]) -> str:
    return "none" if value is None else f"{value:.6g}"


def _dollars(value: Optional[float]) -> str:
    return "unknown" if value is None else f"${value:.2f}"


def _duration(seconds: float) -> str:
    days, rest = divmod(round(seconds), _DAY)
    return f"{f'{days} d ' if days else ''}{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
