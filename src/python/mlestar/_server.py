"""A server, ``mlestar serve``, over HTTP."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from typing import IO, List, Mapping, Optional

from ._errors import BadInput, MlestarError, NotEnded, Unavailable, one_line
from ._fields import parsed
from ._model import Grade, Status, Steps, texts_of
from ._program import fresh_name, run_name, step_path
from ._store import Chosen, follow

_TIMEOUT = 60.0
_PATIENCE = 600.0
_MOST_JSON = 256 << 20
_MOST_FILE = 1 << 30
_MOST_REASON = 64 << 10
_PIECE = 1 << 20
_TRIES = 5
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class _Secret:
    """A token that no message and no traceback shows by accident."""

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "***"

    def header(self) -> str:
        return f"Bearer {self._value}"

    def hidden_in(self, text: str) -> str:
        return text.replace(self._value, "***")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token is for this server only."""

    def redirect_request(self, *_: object, **__: object) -> None:
        return None


class ServerStore:
    """The runs of a server. Whatever comes from it is bounded in size and time."""

    def __init__(self, address: str, token: Optional[str]) -> None:
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
            raise BadInput("a server's address is http://HOST:PORT or https://HOST, without a name and a password")
        query = urllib.parse.parse_qs(parts.query)
        shown = token or query.get("token", [""])[0]
        if shown and not (shown.isascii() and shown.isprintable()):
            raise BadInput("the token is none: it has characters that no token has")
        self._token = _Secret(shown) if shown else None
        self.address = urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
        handlers: List[urllib.request.BaseHandler] = [_NoRedirect()]
        if parts.hostname in _LOOPBACK:
            handlers.append(urllib.request.ProxyHandler({}))
        self._opener = urllib.request.build_opener(*handlers)

    def __repr__(self) -> str:
        return repr(self.address)

    def _open(self, path: str, accept: str, headers: Mapping[str, str], body: Optional[bytes]) -> http.client.HTTPResponse:
        """An answer that is not read yet."""
        request = urllib.request.Request(self.address + path, data=body, headers={"Accept": accept, **headers})
        if self._token:
            request.add_unredirected_header("Authorization", self._token.header())
        try:
            response: http.client.HTTPResponse = self._opener.open(request, timeout=_TIMEOUT)
            return response
        except urllib.error.HTTPError as refused:
            with refused:
                raise self._refusal(refused.code, _start(refused)) from None
        except (OSError, http.client.HTTPException) as failure:
            raise self._away(failure) from None

    def _refusal(self, status: int, body: bytes) -> MlestarError:
        try:
            said = str(json.loads(body)["detail"])
        except (ValueError, KeyError, TypeError, RecursionError):
            said = f"the server answered with status {status}"
        if self._token:
            said = self._token.hidden_in(said)
        if status in (429, 502, 503, 504):
            return Unavailable(one_line(said))
        return BadInput(one_line(said)) if 400 <= status < 500 else MlestarError(one_line(said))

    def _away(self, failure: Exception) -> MlestarError:
        reason = getattr(failure, "reason", failure)
        return Unavailable(f"{self.address} does not answer: {one_line(str(reason) or type(failure).__name__)}")

    def _get(self, path: str, most: int = _MOST_JSON) -> bytes:
        with self._open(path, "application/json", {}, None) as response:
            pieces: List[bytes] = []
            size = 0
            until = time.monotonic() + _PATIENCE
            try:
                while piece := response.read1(_PIECE):
                    size += len(piece)
                    if size > most:
                        raise MlestarError(f"{self.address}{path} gives more than {most >> 20} MB; no more of it is read")
                    if time.monotonic() > until:
                        raise Unavailable(f"{self.address}{path} took longer than {_PATIENCE:.0f} s")
                    pieces.append(piece)
            except (OSError, http.client.HTTPException) as failure:
                raise self._away(failure) from None
            return b"".join(pieces)

    def _post(self, path: str, headers: Mapping[str, str], body: bytes) -> Mapping[str, str]:
        """Posts, again if the server is busy.

        :return: the answer's headers
        """
        for again in range(1, _TRIES + 1):
            try:
                with self._open(path, "application/json", {"Content-Type": "application/json", **headers}, body) as response:
                    return dict(response.headers.items())
            except Unavailable:
                if again == _TRIES:
                    raise
                time.sleep(again)
        raise AssertionError

    def runs(self) -> List[Status]:
        return Status.all_of(parsed(self._get("/runs"), "the list of runs"))

    def status(self, run: str) -> Status:
        return Status.of(parsed(self._get(f"/runs/{run_name(run)}"), "the state of a run"))

    def steps(self, run: str) -> Steps:
        return Steps.of(parsed(self._get(f"/runs/{run_name(run)}/steps"), "the steps of a run"))

    def texts(self, run: str, step: str) -> Mapping[str, object]:
        return texts_of(parsed(self._get(f"/runs/{run_name(run)}/steps/{step_path(run, step)}"), "a step"))

    def file(self, run: str, name: str) -> bytes:
        return self._get(f"/runs/{run_name(run)}/files/{urllib.parse.quote(name, safe='')}", _MOST_FILE)

    def report(self, run: str) -> bytes:
        return self._get(f"/runs/{run_name(run)}/report", _MOST_FILE)

    def where(self, run: str) -> str:
        return f"{self.address}/runs/{run}"

    def grade(self, run: str, labels: str) -> Grade:
        raise BadInput(f"a server grades no submission; mlestar grade --run {run_name(run)} does, on the server's machine")

    def predict(self, run: str, rows: str, progress: bool) -> bytes:
        raise BadInput(f"a server predicts no new rows; mlestar predict {run_name(run)} does, on the server's machine")

    def cancel(self, run: str) -> None:
        self._post(f"/runs/{run_name(run)}/cancel", {}, b"")

    def tell(self, run: str, text: str, by: str) -> None:
        self._post(f"/runs/{run_name(run)}/notes", {}, json.dumps({"text": text, "by": by}).encode())

    def extend(self, run: str, add_minutes: int, add_usd: float, by: str) -> None:
        self._post(f"/runs/{run_name(run)}/extend", {}, json.dumps({"add_minutes": add_minutes, "add_usd": add_usd, "by": by}).encode())

    def _ask_for(self, data: Mapping[str, object]) -> str:
        """Asks for a run. The same event again, since the answer was lost, is the same run.

        :return: its name
        """
        event = {"ce-specversion": "1.0", "ce-type": "io.mlestar.run.requested", "ce-source": "mlestar-python", "ce-id": uuid.uuid4().hex}
        answered = {name.lower(): value for name, value in self._post("/", event, json.dumps(data).encode()).items()}
        return run_name(answered.get("x-mlestar-run", ""))

    def start(self, task: Mapping[str, object], run: str, chosen: Chosen) -> None:
        """Starts a run."""
        self._ask_for({"run_id": run_name(run), "task": task, **chosen.fields()})

    def fork(self, run: str, at: str, run_id: Optional[str], chosen: Chosen, wait: bool) -> str:
        name = run_name(run_id) if run_id is not None else fresh_name(run)
        fork = self._ask_for({"run_id": name, "fork": {"run": run_name(run), "at": step_path(run, at)}, **chosen.fields()})
        if wait:
            for _ in follow(self, fork):
                pass
        return fork

    def resume(self, run: str, redo: List[str]) -> str:
        if redo or not self.status(run).is_open:
            raise BadInput("a server goes on with its open runs by itself; mlestar resume carries on one that has ended")
        raise NotEnded(f"run {run} goes on: the server sees to it")


def _start(refused: IO[bytes]) -> bytes:
    try:
        return refused.read(_MOST_REASON)
    except (OSError, http.client.HTTPException):
        return b""
