"""Reads JSON from outside, field by field."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, List, Mapping, Optional, Union

from ._errors import MlestarError, one_line

Json = Mapping[str, Any]


class Fields:
    """Reads the fields of one JSON object; what is not of the kind that it should be is refused by name."""

    def __init__(self, value: object, what: str) -> None:
        if not isinstance(value, dict):
            raise MlestarError(f"{what} is not what was expected: a JSON object")
        self._value: Json = value
        self._what = what

    def _refuse(self, name: str, kind: str) -> MlestarError:
        return MlestarError(f"{self._what} is not what was expected: {name} must be {kind}")

    def text(self, name: str) -> str:
        value = self._value.get(name)
        if not isinstance(value, str):
            raise self._refuse(name, "a text")
        return value

    def text_or_none(self, name: str) -> Optional[str]:
        return None if self._value.get(name) is None else self.text(name)

    def number_or_none(self, name: str) -> Optional[float]:
        value = self._value.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise self._refuse(name, "a number")
        return float(value)

    def number(self, name: str) -> float:
        value = self.number_or_none(name)
        if value is None:
            raise self._refuse(name, "a number")
        return value

    def whole_or_none(self, name: str) -> Optional[int]:
        value = self._value.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise self._refuse(name, "a whole number")
        return value

    def truth(self, name: str) -> bool:
        value = self._value.get(name)
        if not isinstance(value, bool):
            raise self._refuse(name, "true or false")
        return value

    def time_or_none(self, name: str) -> Optional[datetime]:
        text = self.text_or_none(name)
        if text is None:
            return None
        try:
            # Python before 3.11 knows neither Z nor nanoseconds.
            whole, _, fraction = text.removesuffix("Z").partition(".")
            return datetime.fromisoformat(f"{whole}.{(fraction + '000000')[:6]}+00:00")
        except ValueError:
            raise self._refuse(name, "a time") from None

    def texts(self, name: str) -> List[str]:
        value = self._value.get(name)
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise self._refuse(name, "a list of texts")
        return list(value)

    def texts_or_none(self, name: str) -> Optional[List[str]]:
        return None if self._value.get(name) is None else self.texts(name)

    def map(self, name: str) -> Json:
        value = self._value.get(name)
        if not isinstance(value, dict):
            raise self._refuse(name, "a JSON object")
        return value


def parsed(content: Union[bytes, str], what: str) -> object:
    """JSON from outside."""
    try:
        value: object = json.loads(content)
    except (ValueError, RecursionError):
        raise MlestarError(f"{what} is not JSON: {one_line(str(content[:200]))}") from None
    return value
