"""Weights & Biases, for those who have it."""

from __future__ import annotations

import hashlib
import tempfile
from typing import TYPE_CHECKING, Any, Mapping

from ._errors import MlestarError
from ._model import Step

if TYPE_CHECKING:
    from ._run import Run


def export(run: Run, project: str, init: Mapping[str, Any]) -> str:
    try:
        import wandb
    except ImportError:
        raise MlestarError("to_wandb needs wandb; install it") from None
    result, status = run.result, run.status
    started = status.started_at
    # A run of the same name in another store is another one.
    mark = hashlib.sha256(f"{run.id} {started}".encode()).hexdigest()[:16]
    config = result.raw.get("config", {})
    there = wandb.init(**{"project": project, "id": mark, "name": run.id, "resume": "allow", "config": {**config, "model": status.model},
                          "tags": [status.competition_id or run.id], **init})
    try:
        spent = 0.0
        best = None
        maximize = result.raw.get("task", {}).get("metric_direction") == "maximize"
        done = sorted((step for step in run.steps() if step.ended_at and step.kind != "phase"), key=_ended)
        for number, step in enumerate(done):
            spent += step.cost_usd or 0.0
            values = {"cost_usd": spent, "seconds": (_ended(step) - started.timestamp()) if started else 0.0}
            if step.kind == "script" and step.score is not None:
                best = step.score if best is None else max(best, step.score) if maximize else min(best, step.score)
                values.update(score=step.score, best_score=best)
            there.log(values, step=number)
        there.summary.update({"score": result.score, "cost_usd": result.cost_usd, "seconds": result.seconds})
        with tempfile.TemporaryDirectory() as folder:
            files = wandb.Artifact(f"run-{run.id}", type="result")
            for file in run.save(folder):
                files.add_file(file)
            there.log_artifact(files)
            there.finish()
    except BaseException:
        there.finish(exit_code=1)
        raise
    return mark


def _ended(step: Step) -> float:
    return step.ended_at.timestamp() if step.ended_at else 0.0
