"""The program ``mlestar`` as a user starts it: it does the work, and knows folders and buckets."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import IO, List, Mapping, Optional, Union

from ._errors import BadInput, MlestarError, RunFailed, Unavailable, one_line
from ._fields import parsed
from ._model import Grade, NewTask, Result, Status, Steps, texts_of
from ._store import Chosen

_PATIENCE = 600.0
_LOOK = 0.5
_BAD_INPUT = 2
_LONGEST_ID = 63
_LAST_WORDS = 64 * 1024
_RUN = re.compile(r"(?!.*\.\.)[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
_MARK = re.compile(r"-\d{4}-\d{6}-[0-9a-f]{4}$")
_STEP = re.compile(r"(?:[a-z0-9][a-z0-9_-]{0,62}/){0,11}[a-z0-9][a-z0-9_-]{0,62}")


def run_name(run: str) -> str:
    """The name of a run, if it can be one: what begins with a dash would be an option."""
    if not _RUN.fullmatch(run):
        raise BadInput(f"a run's name is 1 to 63 letters, digits, dots, dashes and underscores, but this is \"{one_line(run)}\"")
    return run


def step_path(run: str, step: str) -> str:
    """The path of a step within its run, if it can be one."""
    inside = step.removeprefix(run + "/")
    if not _STEP.fullmatch(inside):
        raise BadInput(f"\"{one_line(step)}\" is not the path of a step")
    return inside


def fresh_name(after: str) -> str:
    """A run's name that is like no other one's, after a task or another run."""
    after = _MARK.sub("", after)
    mark = time.strftime("%m%d-%H%M%S-") + secrets.token_hex(2)
    name = re.sub(r"^[^A-Za-z0-9]+", "", re.sub(r"\.{2,}", ".", re.sub(r"[^A-Za-z0-9._-]", "-", after)))
    return f"{(name or 'run')[: _LONGEST_ID - 1 - len(mark)]}-{mark}"


def _found(program: Union[str, os.PathLike[str], None]) -> str:
    """The program that was named, that of the PATH, or that of an archive of this version, unpacked where the message says."""
    from . import __version__ as version
    homes = [os.path.expanduser("~"), "/opt"]
    asked = os.fspath(program) if program is not None else os.environ.get("MLESTAR", "")
    places = [asked, os.path.join(asked, "mlestar")] if asked else ["mlestar", *(f"{home}/mlestar-{version}/mlestar" for home in homes)]
    found = next((found for place in places if (found := shutil.which(place))), None)
    if found is None:
        raise BadInput(f"there is no program {one_line(asked)}" if asked else
                       "the program mlestar is neither on the PATH nor named by the variable MLESTAR or the argument program; with its archive:"
                       f" tar -xzf mlestar-{version}-jvm.tar.gz -C ~")
    return os.path.abspath(found)


class Conducted:
    """A run that a process of ours conducts. What the process says goes to a file that has no name, so it outlives us."""

    def __init__(self, command: List[str]) -> None:
        self._said: IO[bytes] = tempfile.TemporaryFile()
        self._gave: IO[bytes] = tempfile.TemporaryFile()
        self._shown = 0
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=self._gave, stderr=self._said,
                                             start_new_session=True)
        except OSError as failure:
            self.close()
            raise Unavailable(f"{command[0]} cannot be started: {failure.strerror}") from None

    def show(self) -> None:
        """Passes on what the process has said since the last time."""
        text = os.pread(self._said.fileno(), _LAST_WORDS, self._shown)
        if text:
            self._shown += len(text)
            sys.stderr.write(text.decode("utf-8", "replace"))
            sys.stderr.flush()

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def wait(self, seconds: float) -> None:
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            pass

    def interrupt(self) -> None:
        """Ends the process; what is done is kept, and the run can be resumed."""
        self._process.terminate()
        self._process.wait()

    def gave(self) -> bytes:
        """What it printed as its result."""
        return os.pread(self._gave.fileno(), os.fstat(self._gave.fileno()).st_size, 0)

    def leave(self) -> None:
        """Lets the process go on by itself."""
        self.close()
        # Somebody has to take note of its end.
        threading.Thread(target=self._process.wait, daemon=True).start()

    def close(self) -> None:
        self._said.close()
        self._gave.close()

    def check(self) -> None:
        """Raises what went wrong, if the process has ended badly."""
        code = self._process.poll()
        if code:
            size = os.fstat(self._said.fileno()).st_size
            start = max(0, size - _LAST_WORDS)
            _raise(code, os.pread(self._said.fileno(), size - start, start))


def _raise(code: int, said: bytes) -> None:
    lines = [line for line in said.decode("utf-8", "replace").splitlines() if line.strip()]
    own = [line.partition("mlestar: ")[2] for line in lines if line.startswith("mlestar: ")]
    reason = one_line(own[-1] if own else lines[-1] if lines else f"the program ended with code {code}")
    raise BadInput(reason) if code == _BAD_INPUT else RunFailed(reason) if reason.startswith("run ") else MlestarError(reason)


class ProgramStore:
    """A folder or a bucket, through the program."""

    def __init__(self, address: Union[str, os.PathLike[str], None], program: Union[str, os.PathLike[str], None]) -> None:
        self._program = _found(program)
        asked = os.fspath(address) if address is not None else os.environ.get("MLE_STAR_STORE") or "./runs-store"
        self.address = asked if "://" in asked else os.path.abspath(asked)

    def __repr__(self) -> str:
        return repr(self.address)

    def command(self, command: str, *arguments: str) -> List[str]:
        """The words of a command on this store."""
        return [self._program, command, "--store", self.address, *arguments]

    def _asked(self, *arguments: str) -> bytes:
        return self.asked(*self.command(*arguments)[1:])

    def asked(self, *arguments: str) -> bytes:
        """What the program prints; without the store, unless the arguments name it."""
        try:
            ended = subprocess.run([self._program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"mlestar {arguments[0]} gave no answer within {_PATIENCE:.0f} s") from None
        except OSError as failure:
            raise Unavailable(f"{self._program} cannot be started: {failure.strerror}") from None
        if ended.returncode:
            _raise(ended.returncode, ended.stderr)
        return ended.stdout

    def runs(self) -> List[Status]:
        return Status.all_of(parsed(self._asked("runs", "--json"), "the list of runs"))

    def status(self, run: str) -> Status:
        return Status.of(parsed(self._asked("status", run_name(run), "--json"), "the state of a run"))

    def steps(self, run: str) -> Steps:
        return Steps.of(parsed(self._asked("show", run_name(run), "--json"), "the steps of a run"))

    def texts(self, run: str, step: str) -> Mapping[str, object]:
        return texts_of(parsed(self._asked("show", run_name(run), step_path(run, step), "--json"), "a step"))

    def file(self, run: str, name: str) -> bytes:
        return self._asked("show", run_name(run), "--file", name)

    def report(self, run: str) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "report.html"
            self._asked("report", run_name(run), "--out", os.fspath(page))
            return page.read_bytes()

    def where(self, run: str) -> str:
        return f"{self.address.rstrip('/')}/runs/{run}"

    def grade(self, run: str, labels: str) -> Grade:
        said = self._asked("grade", f"--run={run_name(run)}", f"--labels={os.path.abspath(labels)}", "--json")
        return Grade.of(parsed(said, "the grade"))

    def predict(self, run: str, rows: str, progress: bool) -> bytes:
        return to_the_end(self.command("predict", run_name(run), f"--rows={os.path.abspath(rows)}"), progress)

    def cancel(self, run: str) -> None:
        self._asked("cancel", run_name(run))

    def tell(self, run: str, text: str, by: str) -> None:
        # After the dashes no text is taken for an option.
        self._asked("tell", f"--by={by}", "--", run_name(run), text)

    def extend(self, run: str, add_minutes: int, add_usd: float, by: str) -> None:
        self._asked("extend", f"--add-minutes={add_minutes}", f"--add-usd={add_usd}", f"--by={by}", run_name(run))

    def start(self, task: Path, run: str, chosen: Chosen, wait: bool, progress: bool) -> None:
        """Starts a run, and stays until it has begun or, if asked, ended."""
        run_name(run)
        self._conduct(self.command("run", "--task", os.fspath(task), "--run-id", run, *chosen.options()), run, wait, progress)

    def fork(self, run: str, at: str, run_id: Optional[str], chosen: Chosen, wait: bool) -> str:
        fork = run_name(run_id) if run_id is not None else fresh_name(run)
        self._conduct(self.command("fork", run_name(run), "--at", step_path(run, at), "--run-id", fork, *chosen.options()), fork, wait, True)
        return fork

    def resume(self, run: str, redo: List[str]) -> str:
        again = [part for step in redo for part in ("--redo", "failed" if step == "failed" else step_path(run, step))]
        # What has failed, or is done again, goes on in a new run.
        return Result.of(parsed(to_the_end(self.command("resume", run_name(run), "--json", *again), True), "the result of a run")).run_id

    def _conduct(self, command: List[str], run: str, wait: bool, progress: bool) -> None:
        if wait:
            to_the_end(command, progress)
            return
        conducted = Conducted(command)
        while not conducted.has_ended() and not self._has_begun(run):
            conducted.wait(_LOOK)
        if conducted.has_ended():
            with contextlib.closing(conducted):
                conducted.check()
        else:
            conducted.leave()

    def _has_begun(self, run: str) -> bool:
        if "://" not in self.address:
            # A look at the documented layout is cheaper than a process.
            return os.path.exists(os.path.join(self.address, "runs", run, "run.json"))
        try:
            return bool(self.status(run))
        except BadInput:
            return False


def to_the_end(command: List[str], progress: bool) -> bytes:
    """Runs the program until it ends.

    :return: what it printed as its result
    """
    with contextlib.closing(Conducted(command)) as conducted:
        try:
            while not conducted.has_ended():
                conducted.wait(_LOOK)
                if progress:
                    conducted.show()
        except KeyboardInterrupt:
            conducted.interrupt()
            raise
        conducted.check()
        return conducted.gave()


def new_task(program: Union[str, os.PathLike[str], None], folder: str, options: Mapping[str, Optional[str]]) -> NewTask:
    """Makes a task file of a folder."""
    given = [f"--{name}={value}" for name, value in options.items() if value is not None]
    command = [_found(program), "new", os.path.abspath(folder), "--json", *given]
    return NewTask.of(parsed(to_the_end(command, False), "the new task"))
