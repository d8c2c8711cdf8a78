"""Runs of a real server, ``mlestar serve``."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from typing import Callable, ClassVar, Tuple

import mlestar
from mini import MINI, MODEL, PROGRAM, SMALL, TASK, TOKEN

_MOST_SECONDS = 300


class ServerTest(unittest.TestCase):
    address: ClassVar[str]

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        cls.address = f"http://127.0.0.1:{port}"
        server = subprocess.Popen([PROGRAM, "serve", "--port", str(port), "--store", folder.name], stderr=subprocess.DEVNULL,
                                  env={**os.environ, "MLE_STAR_TOKEN": TOKEN, "MLE_STAR_MODEL": MODEL})
        cls.addClassCleanup(server.wait)
        cls.addClassCleanup(server.kill)
        until = time.monotonic() + _MOST_SECONDS
        while not cls.answers():
            if server.poll() is not None or time.monotonic() > until:
                raise AssertionError("the server did not start")
            time.sleep(0.1)

    @classmethod
    def answers(cls) -> bool:
        try:
            with urllib.request.urlopen(cls.address + "/q/health", timeout=10) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def test_a_run_is_started_watched_read_and_forked(self) -> None:
        task = {**TASK, "data_dir": str(MINI / "input")}
        run = mlestar.run(task, model=MODEL, store=self.address, token=TOKEN, run_id="served", preset="paper", wait=False, **SMALL)
        events = list(run.watch())
        self.assertEqual(mlestar.Event("state", "served", None, "completed"), events[-1])
        told = [(event.step, event.status) for event in events]
        self.assertEqual(len(told), len(set(told)), "each thing is told once")
        steps = run.steps()
        self.assertEqual({step.path for step in steps}, {event.step for event in events if event.step})
        self.assertEqual({"done"}, {status for step, status in told if step == "phase1/retriever"} - {"running"})
        self.assertEqual(0.71, run.result.score)
        self.assertEqual(b"id,y\n1,0\n", run.submission())
        self.assertIn("Predict y", run.prompt("phase1/retriever"))
        self.assertEqual("served", mlestar.open(self.address, "served").status.run_id)
        self.assertIn(f"<td>{self.address}/runs/served</td>", run._repr_html_())
        with self.assertRaisesRegex(mlestar.BadInput, "^a server grades no submission; .* on the server's machine$"):
            run.grade("labels.csv")
        with self.assertRaisesRegex(mlestar.BadInput, "^a server predicts no new rows; .* on the server's machine$"):
            run.predict("rows.csv")
        self.assertEqual("ensemble", run.header["config"]["final_solution"], "as the preset says")
        self.assertEqual((1, "mini"), (run.header["config"]["outer_loop_steps"], run.header["task"]["competition_id"]))
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn(f"{folder}/report.html", run.save(folder))

        fork = mlestar.open(f"{self.address}/?token={TOKEN}", "served").fork("finalization", run_id="forked", time_limit_seconds=3600)
        self.assertEqual("completed", fork.status.status)
        self.assertEqual({"served", "forked"}, {one.run_id for one in mlestar.runs(self.address)})
        too_late: Tuple[Callable[[], None], ...] = (lambda: run.tell("try target encoding"), lambda: run.extend(add_usd=0.5, by="me"))
        for late in too_late:
            with self.assertRaisesRegex(mlestar.BadInput, "run served has ended; a fork of it goes on"):
                late()
        run.cancel()
        self.assertFalse(run.status.cancelled)

    def test_who_has_no_token_or_a_wrong_one_changes_nothing_and_no_message_shows_it(self) -> None:
        task = {**TASK, "data_dir": str(MINI / "input")}
        with self.assertRaisesRegex(mlestar.BadInput, "needs the server's token"):
            mlestar.run(task, store=self.address)
        with self.assertRaises(mlestar.BadInput) as refused:
            mlestar.run(task, store=self.address, token="another-secret-token")
        self.assertNotIn("another-secret-token", str(refused.exception))

    def test_what_cannot_be_is_the_servers_line(self) -> None:
        with self.assertRaisesRegex(mlestar.BadInput, "there is no run nobody"):
            mlestar.open(self.address, "nobody")
        with self.assertRaisesRegex(mlestar.BadInput, "there is no folder|data_dir"):
            mlestar.run({**TASK, "data_dir": "/no/such/folder"}, model=MODEL, store=self.address, token=TOKEN)


if __name__ == "__main__":
    unittest.main()
