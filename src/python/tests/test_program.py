"""Runs in a folder, by the built program."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import Callable, ClassVar, Tuple

import mlestar
from mini import MINI, MODEL, PROGRAM, SMALL, TASK


class _Frame:
    """What a DataFrame is asked."""

    def to_csv(self, file: str, index: bool) -> None:
        Path(file).write_text("id,x\n1,8\n")


class ProgramTest(unittest.TestCase):
    folder: ClassVar[tempfile.TemporaryDirectory[str]]
    data: ClassVar[Path]
    task: ClassVar[mlestar.NewTask]
    run_: ClassVar[mlestar.Run]
    steps: ClassVar[mlestar.Steps]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        tables = tempfile.TemporaryDirectory()
        cls.addClassCleanup(tables.cleanup)
        data = cls.data = Path(tables.name) / "mini/input"
        shutil.copytree(MINI / "input", data)
        (data / "test.csv").write_text("id,x\n1,1\n")
        cls.task = mlestar.new(data.parent, metric="accuracy", description="Predict y from x.", model=MODEL, program=PROGRAM)
        cls.run_ = mlestar.run(cls.task.task_file, model=MODEL, preset="paper", store=cls.folder.name, run_id="one", progress=False, program=PROGRAM,
                               **SMALL)
        cls.steps = cls.run_.steps()

    def test_a_run_has_a_result_a_submission_and_a_script(self) -> None:
        result = self.run_.result
        self.assertEqual(("one", 0.71), (result.run_id, result.score))
        self.assertEqual(MODEL, result.raw["config"]["model"])
        self.assertEqual("ensemble", result.raw["config"]["final_solution"], "as the preset says")
        self.assertNotIn("num_retrieved_models", repr(result))
        self.assertEqual(b"id,y\n1,0\n", self.run_.submission())
        self.assertIn("Final Validation Performance", self.run_.script())

    def test_a_folder_of_data_gets_a_task_file(self) -> None:
        self.assertEqual(str(self.data.parent / "task.yaml"), self.task.task_file)
        self.assertEqual(("accuracy", "maximize"), (self.task.task["evaluation_metric"], self.task.task["metric_direction"]))
        self.assertIn("target", self.task.why)
        self.assertIn("presets", self.task.raw)
        with self.assertRaisesRegex(mlestar.BadInput, "nothing"):
            mlestar.new(self.data / "nothing", program=PROGRAM)

    def test_a_notebook_shows_what_came_of_it(self) -> None:
        shown = self.run_._repr_html_()
        for name, value in (("score", "0.71"), ("files", "result.json, final_solution.py, submission.csv"), ("in", f"{self.folder.name}/runs/one")):
            self.assertIn(f"<tr><th>{name}</th><td>{value}</td></tr>", shown)
        self.assertIn("<th>baseline</th>", shown)
        self.assertIn("<th>cost</th><td>$", shown)
        self.assertTrue(os.path.exists(f"{self.folder.name}/runs/one/result.json"))

    def test_the_result_is_read_once(self) -> None:
        run = mlestar.open(self.folder.name, "one", program=PROGRAM)
        first = run.result
        with unittest.mock.patch("subprocess.run", side_effect=AssertionError):
            self.assertIs(first, run.result)

    def test_the_submission_is_graded_and_new_rows_are_predicted(self) -> None:
        labels = self.data.parent / "labels.csv"
        labels.write_text("id,y\n1,0\n")
        grade = self.run_.grade(labels)
        self.assertEqual((1.0, 1), (grade.score, grade.rows))
        with self.assertRaisesRegex(mlestar.MlestarError, "there is no file"):
            self.run_.grade("no-labels.csv")
        self.assertIn("<html", self.run_.report())
        rows = self.data.parent / "rows.csv"
        rows.write_text("id,x\n1,7\n")
        self.assertEqual(b"id,y\n1,0\n", self.run_.predict(rows, progress=False))
        self.assertEqual(b"id,y\n1,0\n", self.run_.predict(_Frame(), progress=False))
        rows.write_text("id,z\n1,7\n")
        with self.assertRaisesRegex(mlestar.BadInput, "x"):
            self.run_.predict(rows, progress=False)

    def test_each_step_is_a_row(self) -> None:
        by_path = {step.path: step for step in self.steps}
        retriever = by_path["phase1/retriever"]
        self.assertEqual(("agent", "retriever", "done", None), (retriever.kind, retriever.agent, retriever.outcome, retriever.phase))
        self.assertGreater(retriever.input_tokens or 0, 0)
        self.assertGreater(retriever.cost_usd or 0, 0)
        self.assertIsNotNone(retriever.ended_at)
        self.assertEqual("Make it 2.", by_path["phase2-path0/block0/attempt0"].plan)
        self.assertEqual(0.71, by_path["phase1/candidate0/evaluation/script"].score)

    def test_a_step_shows_its_texts(self) -> None:
        texts = self.run_.texts("phase1/candidate0/init")
        self.assertIn("Predict y from x.", texts["prompt"])
        self.assertIn("BLOCK = 1", texts["answer"])
        with self.assertRaisesRegex(mlestar.BadInput, "has no script; it has .*answer"):
            self.run_.script("phase1/candidate0/init")

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "no DataFrame is tried: this Python has no pandas")
    def test_the_steps_are_a_data_frame(self) -> None:
        frame = self.steps.to_pandas()
        self.assertEqual(len(self.steps), len(frame))
        self.assertEqual(0.71, frame["score"].max())
        self.assertEqual(["path", "kind", "phase", "agent", "plan", "score", "cost_usd", "seconds", "outcome"], list(frame.columns)[:9])

    @unittest.skipIf(importlib.util.find_spec("pandas"), "this Python has pandas")
    def test_without_pandas_a_data_frame_is_one_line(self) -> None:
        with self.assertRaisesRegex(mlestar.MlestarError, "a DataFrame needs pandas"):
            self.steps.to_pandas()

    def test_a_fork_starts_at_once_is_watched_and_shares_what_was_done(self) -> None:
        fork = self.run_.fork("finalization", run_id="two", wait=False, time_limit_seconds=3600)
        events = list(fork.watch())
        self.assertEqual(mlestar.Event("state", "two", None, "completed"), events[-1])
        told = [(event.step, event.status) for event in events]
        self.assertEqual(len(told), len(set(told)), "each thing is told once")
        self.assertIn(("finalization", "done"), told)
        self.assertEqual("one/phase1", next(step for step in fork.steps() if step.path == "phase1").shared_with)

    def test_what_cannot_be_is_one_line(self) -> None:
        with self.assertRaisesRegex(mlestar.BadInput, 'there is no run "three"'):
            mlestar.open(self.folder.name, "three", program=PROGRAM)
        with self.assertRaisesRegex(mlestar.BadInput, "^unknown field nonsense; [^\n]*$"):
            mlestar.run(TASK, MINI / "input", model=MODEL, store=self.folder.name, program=PROGRAM, wait=False, nonsense=1)
        with self.assertRaisesRegex(mlestar.BadInput, "names its data_dir"):
            file = Path(self.folder.name) / "task.yaml"
            file.write_text("competition_id: x\ndata_dir: ./y\n")
            mlestar.run(file, MINI, store=self.folder.name, program=PROGRAM)
        for run in ("--help", "../one", "a\nb", ""):
            with self.assertRaisesRegex(mlestar.BadInput, "^a run's name is [^\n]*$"):
                mlestar.open(self.folder.name, run, program=PROGRAM)
        too_late: Tuple[Callable[[], None], ...] = (lambda: self.run_.tell("--try target encoding", by="me"), lambda: self.run_.extend(add_minutes=5))
        for late in too_late:
            with self.assertRaisesRegex(mlestar.BadInput, "run one has ended; a fork of it goes on"):
                late()
        with self.assertRaisesRegex(mlestar.BadInput, "add_minutes must be from 1 to"):
            self.run_.extend(add_minutes=-1)
        with self.assertRaisesRegex(mlestar.BadInput, "is not the path of a step"):
            self.run_.prompt("--json")
        with self.assertRaisesRegex(mlestar.BadInput, "there is no program .*nothing"):
            mlestar.runs(self.folder.name, program=Path(self.folder.name) / "nothing")


if __name__ == "__main__":
    unittest.main()
