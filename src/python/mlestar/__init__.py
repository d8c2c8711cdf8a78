"""MLE-STAR from Python: starts runs of the program ``mlestar`` or of a server, and looks into them.

>>> run = mlestar.run("task.yaml", "./input", model="sonnet", max_budget_usd=20)
>>> run.result.score, run.steps_frame()
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import List, Mapping, Optional, Union

from ._errors import BadInput, MlestarError, NotEnded, RunFailed, Unavailable
from ._model import Event, Grade, NewTask, Result, Status, Step, Steps
from ._program import ProgramStore, fresh_name, new_task
from ._run import Run
from ._server import ServerStore
from ._store import Chosen
from ._track import track

__all__ = ["BadInput", "Event", "Grade", "MlestarError", "NewTask", "NotEnded", "Result", "Run", "RunFailed", "Status", "Step", "Steps", "Unavailable",
           "new", "open", "run", "runs", "track"]

__version__ = "0.1.0"

Address = Union[str, "os.PathLike[str]", None]
Task = Union[str, "os.PathLike[str]", Mapping[str, object]]


def new(folder: Union[str, "os.PathLike[str]"], *, target: Optional[str] = None, metric: Optional[str] = None, direction: Optional[str] = None,
        description: Optional[str] = None, id: Optional[str] = None, out: Address = None, model: Optional[str] = None,
        program: Address = None) -> NewTask:
    """Looks at the data in a folder and writes a task file for them, without a model.

    :param target: column to predict; several with commas between
    :param direction: ``maximize`` or ``minimize``, for a metric that the program does not know
    :param description: what the agents read of the task, or a file with it
    :param out: where to write the task file, if not beside the data
    :param model: the model for which the cost is estimated
    """
    return new_task(program, os.fspath(folder), {"target": target, "metric": metric, "direction": direction, "description": description, "id": id,
                                                 "out": None if out is None else os.path.abspath(out), "model": model})


def run(task: Task, data: Address = None, *, model: Optional[str] = None, preset: Optional[str] = None, store: Address = None,
        run_id: Optional[str] = None, wait: bool = True, progress: bool = True, program: Address = None, token: Optional[str] = None,
        **settings: object) -> Run:
    """Starts a run.

    :param task: a task file (YAML or JSON), or the fields of one
    :param data: folder of the data or an ``s3://`` address, if the task does not name it
    :param preset: settings that go together, under all others: ``quick``, ``paper`` or ``strong``
    :param store: folder or ``s3://BUCKET/PREFIX`` that keeps runs (``MLE_STAR_STORE``, ``./runs-store``); or the address of a server, which
        does the run
    :param wait: until it has ended; else until it has begun, and it goes on by itself
    :param progress: whether to pass on what the program says of it, to stderr
    :param program: the program or the folder of its archive, if neither the variable ``MLESTAR`` nor the PATH has it
    :param token: of the server
    :param settings: fields of the configuration, by their names
    :raises BadInput: before anything was paid for
    :raises RunFailed: if it ended without a submission
    """
    if isinstance(store, str) and _is_server(store):
        server = ServerStore(store, token)
        described = _described(task, data)
        name = run_id if run_id is not None else fresh_name(str(described.get("competition_id", "run")))
        server.start(described, name, Chosen(model, preset, settings))
        begun = Run(server, name)
        if wait:
            begun.wait()
            _ = begun.result
        return begun
    kept = ProgramStore(store, program)
    with tempfile.TemporaryDirectory() as folder:
        file = _task_file(task, data, Path(folder))
        name = run_id if run_id is not None else fresh_name(_task_name(task))
        kept.start(file, name, Chosen(model, preset, settings), wait, progress)
    return Run(kept, name)


def open(store: Address, run: str, *, program: Address = None, token: Optional[str] = None) -> Run:
    """A run that there is.

    :param store: folder, ``s3://BUCKET/PREFIX`` or address of a server
    :param token: of the server, unless its address has it
    """
    found = Run(_store(store, program, token), run)
    _ = found.status
    return found


def runs(store: Address = None, *, program: Address = None, token: Optional[str] = None) -> List[Status]:
    """All runs of a store or a server, the latest first."""
    return _store(store, program, token).runs()


def _is_server(address: str) -> bool:
    return address.startswith(("http://", "https://"))


def _store(address: Address, program: Address, token: Optional[str]) -> Union[ProgramStore, ServerStore]:
    if isinstance(address, str) and _is_server(address):
        return ServerStore(address, token)
    return ProgramStore(address, program)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadInput(f"there is no file {file}") from None
    except (OSError, UnicodeDecodeError) as failure:
        raise BadInput(f"{file} cannot be read: {failure}") from None


def _location(data: Union[str, "os.PathLike[str]"]) -> str:
    location = os.fspath(data)
    return location if "://" in location else os.path.abspath(location)


def _described(task: Task, data: Address) -> Mapping[str, object]:
    """The fields of a task, for a server: it is told them as JSON."""
    if isinstance(task, Mapping):
        fields = dict(task)
    else:
        try:
            read = json.loads(_text(Path(task)))
        except ValueError:
            raise BadInput(f"a server takes a task as fields or as a JSON file, which {os.fspath(task)} is not") from None
        if not isinstance(read, dict):
            raise BadInput(f"{os.fspath(task)} must hold a map of fields")
        fields = read
    if data is not None:
        # A server on another machine has folders of its own.
        fields["data_dir"] = os.fspath(data)
    return fields


def _task_file(task: Task, data: Address, folder: Path) -> Path:
    """The task as a file for the program."""
    if isinstance(task, Mapping):
        fields = dict(task)
        where = data if data is not None else fields.get("data_dir", "./input")
        fields["data_dir"] = _location(str(where) if not isinstance(where, os.PathLike) else where)
        file = folder / "task.json"
        file.write_text(json.dumps(fields), encoding="utf-8")
        return file
    if data is None:
        return Path(task)
    text = _text(Path(task))
    file = folder / "task.yaml"
    if text.lstrip().startswith("{"):
        return _task_file(_described(task, None), data, folder)
    if any(line.startswith("data_dir:") for line in text.splitlines()):
        raise BadInput(f"{os.fspath(task)} names its data_dir; leave out either that or the argument data")
    file.write_text(f"{text}\ndata_dir: {json.dumps(_location(data))}\n", encoding="utf-8")
    return file


def _task_name(task: Task) -> str:
    if isinstance(task, Mapping):
        return str(task.get("competition_id", "run"))
    file = Path(task).absolute()
    return file.parent.name or file.stem
