"""Runs in MLflow and Weights & Biases: with their own clients where those are installed, and always with what stands for them here."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import importlib.util
import itertools
import os
import shutil
import sys
import tempfile
import unittest
import warnings
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Dict, List, Mapping, Tuple
from unittest import mock

import mlestar
from mini import MINI, MODEL, PROGRAM, SMALL
from mlestar import _track

_STAND_INS = str(Path(__file__).with_name("stand_ins"))
_FILES = {"final_solution.py", "report.html", "result.json", "submission.csv"}


class _Seen:
    """A run as it was seen once, for tests that ask for no more. For some looks it goes on, and its first steps are seen."""

    def __init__(self, run: mlestar.Run, folder: str) -> None:
        self.id, self.header, self._status, self._steps = run.id, run.header, run.status, run.steps()
        self._files = [Path(file) for file in run.save(folder)]
        self.looks = 0

    def going_on(self, looks: int = 1000) -> _Seen:
        seen = copy.copy(self)
        seen.looks = looks
        return seen

    @property
    def status(self) -> mlestar.Status:
        self.looks -= 1
        return dataclasses.replace(self._status, status="running", current_phase="phase1") if self.looks >= 0 else self._status

    def steps(self) -> mlestar.Steps:
        ended = sorted((step for step in self._steps if step.ended_at), key=lambda step: str(step.ended_at))
        return mlestar.Steps(ended[:6] if self.looks >= 0 else ended)

    def save(self, folder: str) -> List[str]:
        return [str(shutil.copy(file, folder)) for file in self._files]


class _Tracking(unittest.TestCase):
    run_: ClassVar[mlestar.Run]
    ended: ClassVar[_Seen]
    failed: ClassVar[_Seen]

    @classmethod
    def setUpClass(cls) -> None:
        if hasattr(_Tracking, "ended"):
            return
        folder = tempfile.mkdtemp()
        unittest.addModuleCleanup(shutil.rmtree, folder)
        _Tracking.run_ = mlestar.run(MINI / "task.yaml", model=MODEL, store=f"{folder}/store", run_id="one", progress=False, program=PROGRAM, **SMALL)
        _Tracking.ended = _Seen(cls.run_, f"{folder}/one")
        os.mkdir(f"{folder}/none")
        try:
            mlestar.run(MINI / "task.yaml", model=f"recorded:{folder}/none", store=f"{folder}/store", run_id="two", progress=False, program=PROGRAM, **SMALL)
        except mlestar.RunFailed:
            _Tracking.failed = _Seen(mlestar.open(f"{folder}/store", "two", program=PROGRAM), f"{folder}/two")

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = folder.name
        # What ended just now is told at once.
        settled = mock.patch.object(_track, "_SETTLED", timedelta())
        settled.start()
        self.addCleanup(settled.stop)

    def stand_ins(self) -> None:
        path = mock.patch.object(sys, "path", [_STAND_INS, *sys.path])
        path.start()
        self.addCleanup(path.stop)
        known = {name: sys.modules.pop(name) for name in list(sys.modules) if name.partition(".")[0] in ("mlflow", "wandb")}

        def restore() -> None:
            for name in list(sys.modules):
                if name.partition(".")[0] in ("mlflow", "wandb"):
                    del sys.modules[name]
            sys.modules.update(known)
        self.addCleanup(restore)


class MlflowStandInTest(_Tracking):
    def setUp(self) -> None:
        super().setUp()
        self.stand_ins()

    def track(self, run: Any, **options: Any) -> Any:
        there = mlestar.track(run, "mlflow", tracking_uri=f"file:{self.place}", every=0, **options)
        return self.client().get_run(there)

    def client(self) -> Any:
        return importlib.import_module("mlflow").MlflowClient(tracking_uri=f"file:{self.place}")

    def points(self, there: Any, key: str) -> List[Tuple[int, float]]:
        return [(point.step, point.value) for point in self.client().get_metric_history(there.info.run_id, key)]

    def test_a_run_that_has_ended_is_there_with_all_that_belongs_to_it(self) -> None:
        there = self.track(self.ended)
        self.assertEqual(("FINISHED", "one"), (there.info.status, there.info.run_name))
        params = there.data.params
        self.assertEqual(("1", "86400", "mini", "maximize"), tuple(params[name] for name in ("outer_loop_steps", "time_limit_seconds", "competition_id",
                                                                                          "metric_direction")))
        self.assertNotIn("description", params)
        tags = there.data.tags
        self.assertEqual(("one", "completed", "complete", MODEL), tuple(tags[f"mlestar.{name}"] for name in ("run_id", "status", "phase", "model")))
        costs = self.points(there, "cost_usd")
        self.assertEqual(list(range(len(costs))), [step for step, _ in costs])
        self.assertGreater(len(costs), 10)
        self.assertAlmostEqual(self.ended.status.cost_usd or 0, costs[-1][1], places=6)
        scores = self.points(there, "score")
        self.assertEqual(list(itertools.accumulate((score for _, score in scores), max)), [best for _, best in self.points(there, "best_score")])
        self.assertEqual(_FILES, {file.path for file in self.client().list_artifacts(there.info.run_id)})

    def test_a_run_of_the_built_program_is_there(self) -> None:
        there = self.track(self.run_)
        self.assertEqual(("FINISHED", _FILES), (there.info.status, {file.path for file in self.client().list_artifacts(there.info.run_id)}))

    def test_the_same_run_again_is_the_same_one_there_and_each_point_once(self) -> None:
        first = self.track(self.ended)
        costs = self.points(first, "cost_usd")
        again = self.track(self.ended)
        self.assertEqual(first.info.run_id, again.info.run_id)
        self.assertEqual(costs, self.points(again, "cost_usd"))
        self.assertNotEqual(first.info.run_id, self.track(self.failed).info.run_id)

    def test_a_run_that_goes_on_is_followed_to_its_end(self) -> None:
        there = self.track(self.ended.going_on(3))
        self.assertEqual("FINISHED", there.info.status)
        costs = self.points(there, "cost_usd")
        self.assertEqual(list(range(len(costs))), [step for step, _ in costs])
        self.assertEqual(costs, self.points(self.track(self.ended), "cost_usd"))

    def test_a_run_that_goes_on_is_brought_up_to_date_and_a_later_call_goes_on(self) -> None:
        there = self.track(self.ended.going_on(), wait=False)
        self.assertEqual(("RUNNING", "phase1", "running"), (there.info.status, there.data.tags["mlestar.phase"], there.data.tags["mlestar.status"]))
        known = self.points(there, "cost_usd")
        self.assertTrue(known)
        self.assertEqual(known, self.points(self.track(self.ended.going_on(), wait=False), "cost_usd"))
        ended = self.track(self.ended)
        self.assertEqual((there.info.run_id, "FINISHED"), (ended.info.run_id, ended.info.status))
        costs = self.points(ended, "cost_usd")
        self.assertEqual(known, costs[:len(known)])
        self.assertEqual(list(range(len(costs))), [step for step, _ in costs])

    def test_what_has_only_just_ended_is_told_later_since_something_may_come_before_it(self) -> None:
        with mock.patch.object(_track, "_SETTLED", timedelta(days=1)):
            self.assertEqual([], self.points(self.track(self.ended.going_on(), wait=False), "cost_usd"))

    def test_a_run_that_failed_has_failed_there_too(self) -> None:
        there = self.track(self.failed)
        self.assertEqual(("FAILED", "failed"), (there.info.status, there.data.tags["mlestar.status"]))
        self.assertEqual({"failed.json", "report.html"}, {file.path for file in self.client().list_artifacts(there.info.run_id)})
        self.assertEqual("1", there.data.params["outer_loop_steps"])

    def test_parameters_have_names_that_mlflow_takes_and_bounded_values(self) -> None:
        self.assertEqual([("agents.coder.model", "x"), ("a_b", "[1, 2]"), ("long", "y" * 500), ("yes", "true")],
                         _track._flat({"agents": {"coder": {"model": "x", "none": None}}, "a:b": [1, 2], "long": "y" * 900, "yes": True}))


@unittest.skipUnless(importlib.util.find_spec("mlflow"), "no real MLflow is tried: this Python has no mlflow")
class MlflowTest(MlflowStandInTest):
    """The same with MLflow's own client, which keeps the runs in a folder."""

    def stand_ins(self) -> None:
        os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
        warnings.simplefilter("ignore")


class WandbStandInTest(_Tracking):
    def setUp(self) -> None:
        super().setUp()
        self.stand_ins()

    def track(self, run: Any, **options: Any) -> Any:
        there = mlestar.track(run, "wandb", project="mine", every=0, **options)
        return importlib.import_module("wandb").runs[there]

    def test_a_run_that_has_ended_is_there_once_with_all_that_belongs_to_it(self) -> None:
        there = self.track(self.ended)
        options: Mapping[str, Any] = there.options
        self.assertEqual(("mine", "one", ["mini"]), tuple(options[name] for name in ("project", "name", "tags")))
        config: Dict[str, Any] = options["config"]
        self.assertEqual((1, "maximize"), (config["outer_loop_steps"], config["metric_direction"]))
        steps = [point["step"] for point in there.points]
        self.assertEqual(list(range(len(steps))), steps)
        self.assertEqual((self.ended.status.best_score, "completed", _FILES, [0]),
                         (there.summary["score"], there.summary["status"], set(there.files), there.exit_codes))
        self.assertEqual(steps, [point["step"] for point in self.track(self.ended).points])

    def test_a_run_that_goes_on_is_followed_to_its_end_and_one_that_failed_has_failed(self) -> None:
        there = self.track(self.ended.going_on(3))
        self.assertEqual(list(range(len(there.points))), [point["step"] for point in there.points])
        self.assertEqual([0], there.exit_codes)
        self.assertEqual([1], self.track(self.failed).exit_codes)

    def test_a_call_that_is_stopped_says_so_there(self) -> None:
        with mock.patch.object(_track, "time", SimpleNamespace(sleep=mock.Mock(side_effect=KeyboardInterrupt))), self.assertRaises(KeyboardInterrupt):
            self.track(self.ended.going_on())
        there = importlib.import_module("wandb").runs[_track._mark(self.ended.id, self.ended.header)]
        self.assertEqual([1], there.exit_codes)


@unittest.skipUnless(importlib.util.find_spec("wandb"), "no real Weights & Biases is tried: this Python has no wandb")
class WandbTest(_Tracking):
    def test_a_run_is_kept_offline_by_their_own_client(self) -> None:
        there = mlestar.track(self.run_, "wandb", mode="offline", dir=self.place)
        self.assertEqual(1, len(list(Path(self.place).glob(f"wandb/offline-run-*-{there}/run-{there}.wandb"))))


class TrackTest(_Tracking):
    def test_what_cannot_be_is_one_line(self) -> None:
        with self.assertRaisesRegex(mlestar.BadInput, "^a run is tracked by mlflow or wandb, not by 'paper'$"):
            mlestar.track(self.run_, "paper")
        with mock.patch.dict(sys.modules, {"mlflow": None}), self.assertRaisesRegex(mlestar.MlestarError, "needs mlflow; install it"):
            mlestar.track(self.run_, "mlflow")


if __name__ == "__main__":
    unittest.main()
