"""Servers at their worst: each rule is HTTP's or the package's own."""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Callable, ClassVar, Dict, List
from unittest import mock

import mlestar
from mlestar import _html, _server
from mlestar._errors import one_line
from mlestar._program import fresh_name, run_name

SECRET = "a-secret-that-nobody-sees"


class _Handler(BaseHTTPRequestHandler):
    answers: ClassVar[Dict[str, Callable[[BaseHTTPRequestHandler], None]]] = {}
    seen: ClassVar[List[str]] = []

    def do_GET(self) -> None:
        self.seen.append(f"{self.path} {self.headers.get('Authorization')}")
        self.answers[self.path](self)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _say(status: int, body: bytes, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
    return answer


class HostileTest(unittest.TestCase):
    def setUp(self) -> None:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.address = f"http://127.0.0.1:{server.server_port}"
        _Handler.answers.clear()
        _Handler.seen.clear()

    def open(self) -> mlestar.Run:
        return mlestar.open(self.address, "r", token=SECRET)

    def refused(self, kind: type[mlestar.MlestarError], said: str) -> None:
        with self.assertRaisesRegex(kind, said) as raised:
            self.open()
        self.assertNotIn(SECRET, repr(raised.exception))
        self.assertEqual(1, len(str(raised.exception).splitlines()))
        self.assertLess(len(str(raised.exception)), 1200)

    def test_the_token_is_sent_to_no_other_server(self) -> None:
        _Handler.answers["/runs/r"] = _say(302, b"", Location=self.address + "/elsewhere")
        self.refused(mlestar.MlestarError, "status 302")
        self.assertEqual([f"/runs/r Bearer {SECRET}"], _Handler.seen)

    def test_the_token_is_shown_in_no_message_and_no_description(self) -> None:
        _Handler.answers["/runs/r"] = _say(401, json.dumps({"detail": f"who are you, {SECRET}?\nsecond\x1b[31m line" + "x" * 5000}).encode())
        self.refused(mlestar.BadInput, r"who are you, \*\*\*\? second \[31m line")
        self.assertNotIn(SECRET, repr(mlestar.Run(_server.ServerStore(f"{self.address}/?token={SECRET}", None), "r")))

    def test_a_notebook_shows_markup_as_text_and_a_failure_as_a_line(self) -> None:
        shown = _html.table("<b>", {"error": "<script>alert(1)</script>\n\x1b[31m", "none": None})
        self.assertNotIn("<script", shown)
        self.assertNotIn("<b>", shown)
        self.assertIn("<td>&lt;script&gt;alert(1)&lt;/script&gt; [31m</td>", shown)
        self.assertNotIn("none", shown)
        _Handler.answers["/runs/r"] = _say(500, json.dumps({"detail": "it <i>broke"}).encode())
        self.assertIn("<th>error</th><td>it &lt;i&gt;broke</td>", mlestar.Run(_server.ServerStore(self.address, None), "r")._repr_html_())

    def test_what_is_no_state_of_a_run_is_refused_by_name(self) -> None:
        for body, said in ((b"<html>", "is not JSON"), (b"[" * 100_000, "is not JSON"), (b"[]", "a JSON object"), (b'{"run_id": 7}', "run_id must be a text"),
                           (b'{"run_id": "r", "status": "running", "elapsed_seconds": true}', "elapsed_seconds must be a number")):
            with self.subTest(said):
                _Handler.answers["/runs/r"] = _say(200, body)
                self.refused(mlestar.MlestarError, said)

    def test_more_than_was_to_be_expected_is_not_read(self) -> None:
        _Handler.answers["/runs/r"] = _say(200, b" " * 100_000)
        with mock.patch.object(_server, "_MOST_JSON", 50_000), self.assertRaisesRegex(mlestar.MlestarError, "no more of it is read"):
            _server.ServerStore(self.address, None)._get("/runs/r", _server._MOST_JSON)

    def test_a_server_that_hangs_or_breaks_off_is_unavailable(self) -> None:
        over = threading.Event()
        self.addCleanup(over.set)
        _Handler.answers["/runs/r"] = lambda handler: None if over.wait(600) else None
        with mock.patch.object(_server, "_TIMEOUT", 0.5):
            self.refused(mlestar.Unavailable, "does not answer")

        def broken(handler: BaseHTTPRequestHandler) -> None:
            handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Length: 100\r\n\r\n{")
        _Handler.answers["/runs/r"] = broken
        self.refused(mlestar.MlestarError, "does not answer|is not JSON")

    def test_addresses_with_a_name_and_a_password_or_of_another_kind_are_refused(self) -> None:
        for address in ("http://me:secret@host", "http://"):
            with self.subTest(address), self.assertRaisesRegex(mlestar.BadInput, "a server's address is") as raised:
                mlestar.open(address, "r")
            self.assertNotIn("secret", str(raised.exception))

    def test_names_are_made_of_any_task_and_texts_are_one_line(self) -> None:
        for task in ("mini", "../../etc", "ä ö", "x" * 200, "-"):
            self.assertIn("-", run_name(fresh_name(task)))
        self.assertEqual("a b", one_line("a\r\n\u2028\u202eb\n"))
        self.assertEqual(1, fresh_name(fresh_name("mini")).count("mini"))
        self.assertEqual(len(fresh_name("mini")), len(fresh_name(fresh_name("mini"))))


if __name__ == "__main__":
    unittest.main()
