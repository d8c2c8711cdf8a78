"""What can go wrong, each with one line that says what."""

from __future__ import annotations

import re

_LONGEST = 1000


def one_line(text: str) -> str:
    """The text on one line of bounded length, without control characters: it may come from a server or a script."""
    shown = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+", " ", text[: 2 * _LONGEST]).strip()
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


class MlestarError(Exception):
    """Something did not work; the message is the program's or the server's one line."""


class BadInput(MlestarError):
    """What was asked for cannot be: a wrong setting, a missing file, an unknown run or step. The same again never succeeds."""


class RunFailed(MlestarError):
    """The run has ended without a submission."""


class NotEnded(MlestarError):
    """The run goes on; it has no result yet."""


class Unavailable(MlestarError):
    """Program, server or store is out of reach or busy; later it may succeed."""
