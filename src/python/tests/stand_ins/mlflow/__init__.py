"""Stands where MLflow's client stands: what is used of ``MlflowClient``, by its rules, with what it is told kept by address."""

from __future__ import annotations

import itertools
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, List, Optional

_SERVERS: Dict[Optional[str], "_Server"] = {}


class _Server:
    def __init__(self) -> None:
        self.experiments: Dict[str, str] = {}
        self.runs: Dict[str, SimpleNamespace] = {}
        self.ids = itertools.count(1)


class MlflowClient:
    def __init__(self, tracking_uri: Optional[str] = None) -> None:
        self._server = _SERVERS.setdefault(tracking_uri, _Server())

    def get_experiment_by_name(self, name: str) -> Optional[SimpleNamespace]:
        there = self._server.experiments.get(name)
        return SimpleNamespace(experiment_id=there) if there else None

    def create_experiment(self, name: str) -> str:
        return self._server.experiments.setdefault(name, str(next(self._server.ids)))

    def search_runs(self, experiment_ids: List[str], filter_string: str, max_results: int = 1000) -> List[SimpleNamespace]:
        tag, value = filter_string.split(" = ")
        return [run for run in self._server.runs.values() if run.info.experiment_id in experiment_ids
                and run.data.tags.get(tag[len("tags.`"):-1]) == value.strip("'")][:max_results]

    def create_run(self, experiment_id: str, start_time: int, tags: Dict[str, str], run_name: str) -> SimpleNamespace:
        info = SimpleNamespace(run_id=f"made{next(self._server.ids)}", experiment_id=experiment_id, status="RUNNING", start_time=start_time, end_time=None,
                               run_name=run_name)
        run = SimpleNamespace(info=info, data=SimpleNamespace(tags=dict(tags), params={}), points=[], files=[])
        self._server.runs[info.run_id] = run
        return run

    def get_run(self, run_id: str) -> SimpleNamespace:
        return self._server.runs[run_id]

    def log_batch(self, run_id: str, metrics: Any = (), params: Any = ()) -> None:
        # "Request limits" of MLflow's REST API, and "Log Param": once for a run.
        assert len(metrics) <= 1000 and len(params) <= 100 and len(metrics) + len(params) <= 1000
        run = self._server.runs[run_id]
        for param in params:
            assert len(param.key) <= 250 and len(param.value) <= 6000
            assert run.data.params.setdefault(param.key, param.value) == param.value, "Changing param values is not allowed"
        run.points.extend(metrics)

    def get_metric_history(self, run_id: str, key: str) -> List[Any]:
        return [point for point in self._server.runs[run_id].points if point.key == key]

    def set_tag(self, run_id: str, key: str, value: str) -> None:
        self._server.runs[run_id].data.tags[key] = value

    def log_artifact(self, run_id: str, local_path: str) -> None:
        self._server.runs[run_id].files.append(SimpleNamespace(path=Path(local_path).name, content=Path(local_path).read_bytes()))

    def list_artifacts(self, run_id: str) -> List[SimpleNamespace]:
        return list(self._server.runs[run_id].files)

    def set_terminated(self, run_id: str, status: str, end_time: int) -> None:
        info = self._server.runs[run_id].info
        info.status, info.end_time = status, end_time
