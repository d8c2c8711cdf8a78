"""Benchmarks: competitions by seeds by agents, graded by the built program, and their table."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List, Tuple
from unittest import mock

from mini import MODEL, PROGRAM
from mlestar import BadInput, bench
from mlestar._bench_table import COLUMNS, Cell, Table, mean_and_error

_ZERO = "import os\nos.makedirs('final', exist_ok=True)\nopen('final/submission.csv', 'w').write('id,y\\n1,0\\n')\n"
_SUBMITTED: Dict[str, Any] = {"valid": True, "score": 0.75, "gold": 0.9, "silver": 0.8, "bronze": 0.7, "median": 0.5, "above_median": True}


def _cell(competition: str, seed: int = 1, **known: Any) -> Cell:
    return Cell(**{**dict(agent="mlestar", competition=competition, seed=seed, run=f"{competition}-seed{seed}", models=["anthropic:opus"], recorded=False,
                          submitted=True, hours=1.5, cost_usd=2.25, input_tokens=1000, output_tokens=200, ended_on="2026-11-22"), **known})


def _medal(competition: str, seed: int, medal: Any) -> Cell:
    return _cell(competition, seed, **_SUBMITTED, medal=medal)


def _table(*cells: Cell, seeds: int = 3) -> Table:
    return Table({"All (%)": ["a", "b"]}, ["a", "b"], ["mlestar"], seeds, cells)


def _percent(*cells: Cell) -> str:
    return _table(*cells).leaderboard_csv().splitlines()[1].split(",")[2]


class TableTest(unittest.TestCase):
    def test_the_share_of_a_split_is_the_mean_over_seeds_with_its_standard_error(self) -> None:
        # Of 100, 50 and 0: deviation 50, through the root of three.
        self.assertEqual("50.00 ± 28.87", _percent(_medal("a", 1, "gold"), _medal("b", 1, "bronze"), _medal("a", 2, "silver"), _medal("b", 2, None),
                                                   _medal("a", 3, None), _medal("b", 3, None)))
        self.assertEqual(("40.00", ""), (mean_and_error([40]), mean_and_error([])))

    def test_a_seed_without_a_result_in_every_competition_is_no_seed_yet(self) -> None:
        self.assertEqual("50.00", _percent(_medal("a", 1, "gold"), _medal("b", 1, None), _medal("a", 2, "gold")))
        self.assertEqual("", _percent(_medal("a", 1, "gold")))

    def test_a_run_without_a_submission_counts_and_one_that_could_not_be_graded_does_not(self) -> None:
        self.assertEqual("50.00", _percent(_medal("a", 1, "gold"), _cell("b", submitted=False, valid=False, note="nothing")))
        self.assertEqual("", _percent(_medal("a", 1, "gold"), _cell("b", note="not graded here")))
        self.assertEqual("", _percent(_medal("a", 1, "gold"), _cell("b", valid=True, score=1.0)), "the benchmark's own grader was not asked")

    def test_a_cell_that_was_not_run_is_empty_and_a_replayed_one_is_no_number(self) -> None:
        replayed = dataclasses.replace(_medal("a", 1, "gold"), recorded=True, models=["recorded"], score=0.123456)
        table = _table(replayed, seeds=1)
        self.assertEqual([",".join(COLUMNS), "mlestar,a,1,a-seed1,recorded,recorded" + "," * 14, "mlestar,b,1,,,not run" + "," * 14],
                         table.cells_csv().splitlines())
        self.assertEqual(["Agent,LLM(s) used,All (%),Running Time (hours),Date", "mlestar,,,,"], table.leaderboard_csv().splitlines())
        before, _, after = table.page().partition("Replayed, and not counted")
        self.assertIn("0 of 2 cells have a result", before)
        self.assertNotIn("0.123456", before)
        self.assertIn("0.123456", after)

    def test_each_cell_is_a_line_and_each_agent_one_of_the_leaderboard(self) -> None:
        table = _table(_medal("a", 1, "bronze"), _cell("b", **{**_SUBMITTED, "score": 0.2, "above_median": False}), seeds=1)
        self.assertEqual(["mlestar,a,1,a-seed1,anthropic:opus,done,true,true,0.75,0.9,0.8,0.7,0.5,bronze,true,1.5000,2.25,1000,200,",
                          "mlestar,b,1,b-seed1,anthropic:opus,done,true,true,0.2,0.9,0.8,0.7,0.5,,false,1.5000,2.25,1000,200,"],
                         table.cells_csv().splitlines()[1:])
        self.assertEqual("mlestar,anthropic:opus,50.00,1.50,2026-11-22", table.leaderboard_csv().splitlines()[1])
        for shown in ("50.00", "100.00", "$4.50", "bronze"):
            self.assertIn(f">{shown}</td>", table.page())

    def test_what_comes_from_outside_is_escaped_on_the_page(self) -> None:
        wrong = _cell("a", agent="<b>me", models=["<i>"], note="<script>alert(1)</script>")
        page = Table({"<u>": ["a"]}, ["a"], ["<b>me"], 1, [wrong]).page()
        for tag in ("<script", "<b>", "<i>", "<u>"):
            self.assertNotIn(tag, page)


class BenchTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.script = self.write("zero.py", _ZERO)

    def write(self, file: str, text: str) -> Path:
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def prepare(self, name: str = "flats", truth: float = 0.25) -> None:
        """A competition as ``mlebench prepare`` leaves it; the scripts and the recorded answers submit 0 for its one row."""
        home = f"data/{name}/prepared"
        self.write(f"{home}/public/train.csv", "id,x,y\n" + "".join(f"{row},{row % 7},{row * 0.37}\n" for row in range(2, 61)))
        self.write(f"{home}/public/test.csv", "id,x\n1,1\n")
        self.write(f"{home}/public/sample_submission.csv", "id,y\n1,0.5\n")
        self.write(f"{home}/public/description.md", "# Flats\n\nPredict y from x.\n\nSubmissions are evaluated on the mean absolute error.\n")
        self.write(f"{home}/private/test.csv", f"id,x,y\n1,1,{truth}\n")

    def run_(self, *options: object) -> Tuple[int, str, str]:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = bench.main([str(self.folder / "data"), "--out", str(self.folder / "table"), "--program", str(PROGRAM), *map(str, options)])
        return code, out.getvalue(), err.getvalue()

    def cells(self) -> List[str]:
        return (self.folder / "table/cells.csv").read_text(encoding="utf-8").splitlines()

    def by_script(self) -> str:
        """The cell of a script in a competition with one seed, from ``valid`` on."""
        code, _, said = self.run_("--seeds", 1, "--script", self.script)
        self.assertEqual(0, code, said)
        return self.cells()[1].split(",done,")[1]

    def test_competitions_by_seeds_by_presets_are_run_once_and_the_table_has_no_number_of_a_replayed_run(self) -> None:
        self.prepare()
        code, out, said = self.run_("--seeds", 2, "--script", self.script)
        self.assertEqual(0, code, said)
        self.assertRegex(out, r"^Agent,LLM\(s\) used,All \(%\),Running Time \(hours\),Date\nzero,,,0\.\d\d,\d{4}-\d\d-\d\d\n$")
        self.assertIn("zero,flats,1,,,done,true,true,0.25,,,,,,,", self.cells()[1])

        recorded = ("--seeds", 1, "--model", MODEL, "--preset", "quick", "--preset", "paper", "--set", "num_retrieved_models=1")
        code, out, said = self.run_(*recorded)
        self.assertEqual(0, code, said)
        self.assertIn("\nmlestar paper,,,,\nmlestar quick,,,,\nzero,,,0.0", out)
        self.assertIn("mlestar paper,flats,1,paper-flats-seed1,recorded,recorded,,,", self.cells()[1])
        self.assertIn("mlestar quick,flats,1,quick-flats-seed1,recorded,recorded,,,", self.cells()[3])
        page = (self.folder / "table/index.html").read_text(encoding="utf-8")
        self.assertIn("Replayed, and not counted", page)
        self.assertIn("2 of 6 cells have a result", page)
        task = (self.folder / "table/tasks/flats.yaml").read_text(encoding="utf-8")
        self.assertIn("MAE", task)
        self.assertIn("Look for no solution", task)
        _, _, said = self.run_(*recorded)
        self.assertNotIn("cell     ", said)

    def test_a_run_that_was_killed_goes_on_by_the_same_command(self) -> None:
        self.prepare()
        begun = self.folder / "table/store/runs/flats-seed1/run.json"
        killed = self.write("killed", f"#!/bin/sh\n[ \"$1\" = run ] || exec {PROGRAM} \"$@\"\n{PROGRAM} \"$@\" &\nuntil [ -e {begun} ]; do sleep 0.05; done\n"
                            "kill -9 $!\nwait $!\n")
        killed.chmod(0o755)
        options = ("--seeds", 1, "--model", MODEL)
        code, _, said = self.run_(*options, "--program", killed)
        self.assertEqual(0, code, said)
        self.assertIn("has not ended; the same command goes on", said)
        self.assertFalse((self.folder / "table/cells").exists())
        code, _, said = self.run_(*options)
        self.assertEqual(0, code, said)
        self.assertIn(",recorded,recorded,", self.cells()[1])

    def test_a_wrong_submission_is_told_apart_from_one_that_cannot_be_graded_here(self) -> None:
        self.prepare()
        self.write("zero.py", _ZERO.replace("id,y", "id,z"))
        self.assertRegex(self.by_script(), r'^true,false,,.*"[^"]*the header is id,z; it must be id,y"$')
        for task, said in (("Dice coefficient", "not graded here: .*Dice"), ("MAE", "no labels are here to grade it by")):
            with self.subTest(task):
                self.setUp()
                self.prepare()
                self.write("data/flats/task.yaml", "competition_id: flats\ntask_type: tabular\ndata_modality: tabular\nmetric_direction: minimize\n"
                           f"evaluation_metric: {task}\ndescription: Predict y.\ndata_dir: ./prepared/public\n")
                if task == "MAE":
                    (self.folder / "data/flats/prepared/private/test.csv").unlink()
                self.assertRegex(self.by_script(), rf"^true,,,.*{said}")

    def test_a_script_that_crashes_or_takes_too_long_has_no_submission(self) -> None:
        for script, said in (("print(1)", "it wrote no final/submission.csv"), ("raise ValueError('boom')", "ValueError: boom"),
                             (_ZERO + "import time\ntime.sleep(600)", "it took longer than 0.1 s")):
            with self.subTest(said):
                self.setUp()
                self.prepare()
                self.write("zero.py", script)
                code, _, err = self.run_("--seeds", 1, "--script", self.script, "--script-timeout", 0.1 if "sleep" in script else 600)
                self.assertEqual(0, code, err)
                self.assertRegex(self.cells()[1], rf",done,false,false,.*{said}$")

    def test_competitions_of_mle_bench_and_of_the_projects_own_form_are_both_found(self) -> None:
        self.prepare()
        for file in ("own/task.yaml", "own/input/train.csv", "own/hidden/labels.csv", "other/readme.md"):
            self.write(f"data/{file}", "x")
        for split in ("low", "medium", "high", "split75"):
            self.write(f"checkout/experiments/splits/{split}.txt", f"flats\n\n{split}\n")
        flats, own = found = bench.competitions(self.folder / "data")
        self.assertEqual(("flats", "own"), (flats.id, own.id))
        self.assertEqual("prepared/private/test.csv", str(flats.labels and flats.labels.relative_to(flats.home)))
        self.assertEqual("hidden/labels.csv", str(own.labels and own.labels.relative_to(own.home)))
        self.assertEqual({"All (%)": ["flats", "own"]}, bench.splits(None, found))
        self.assertEqual({"Low == Lite (%)": ["flats", "low"], "Medium (%)": ["flats", "medium"], "High (%)": ["flats", "high"],
                          "All (%)": ["flats", "split75"]}, bench.splits(self.folder / "checkout", found))
        with self.assertRaisesRegex(BadInput, "is no checkout of MLE-bench"):
            bench.splits(self.folder, found)

    def test_the_benchmarks_own_grader_has_the_last_word_where_it_is_installed(self) -> None:
        self.prepare()
        # Of the benchmark's interface, what is used of it; MleBenchIT asks the real one.
        self.write("stand-in/mlebench/__init__.py", "")
        self.write("stand-in/mlebench/registry.py", "class Registry:\n    def list_competition_ids(self):\n        return ['flats']\n"
                   "    def set_data_dir(self, folder):\n        self.folder = folder\n        return self\n"
                   "    def get_competition(self, name):\n        return (self.folder / name).name\nregistry = Registry()\n")
        self.write("stand-in/mlebench/grade.py", "class Report(dict):\n    def to_dict(self):\n        return self\n"
                   "def grade_csv(submission, competition):\n    assert (submission.read_text(), competition) == ('id,y\\n1,0\\n', 'flats')\n"
                   "    medals = {'gold_medal': False, 'silver_medal': True, 'bronze_medal': False}\n"
                   "    limits = {'gold_threshold': 1.0, 'silver_threshold': 2.0, 'bronze_threshold': 3.0, 'median_threshold': 4.0}\n"
                   "    return Report(valid_submission=True, score=1.5, above_median=True, **medals, **limits)\n")
        known = set(sys.modules)
        with mock.patch.object(sys, "path", [str(self.folder / "stand-in"), *sys.path]):
            self.addCleanup(lambda: [sys.modules.pop(name) for name in set(sys.modules) - known if name.startswith("mlebench")])
            self.assertRegex(self.by_script(), r"^true,true,1\.5,1\.0,2\.0,3\.0,4\.0,silver,true,")

    def test_what_cannot_be_is_one_line_and_the_exit_code_2(self) -> None:
        code, _, said = self.run_()
        self.assertEqual(2, code)
        self.assertRegex(said, "^mlestar: .* holds no competition")
        self.prepare()
        for options, line in ((("--competition", "rooms"), 'holds no competition "rooms"; it holds flats'), (("--seeds", 0), "--seeds must be from 1 to 1000"),
                              (("--preset", "nonsense", "--model", MODEL), 'there is no preset "nonsense"'), (("--program", "/no/such"), "there is no program")):
            with self.subTest(line):
                code, _, said = self.run_(*options)
                self.assertEqual((2, True), (code, f"{line}" in said.splitlines()[-1]), said)

    def test_the_program_of_old_names_the_package(self) -> None:
        ended = subprocess.run([PROGRAM, "bench", "data"], capture_output=True, check=False)
        self.assertEqual((2, b"python -m mlestar.bench"), (ended.returncode, ended.stderr[-31:-8]))


if __name__ == "__main__":
    unittest.main()
