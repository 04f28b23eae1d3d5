"""The fields of an index's objects, read tolerantly, and the notes that a reading collects."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MAX_NOTES = 100
"""Faults and warnings kept of one index; the rest is only counted."""

_T = TypeVar("_T")


class Notes:
    """Collects what a reading finds, bounded."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.warnings: list[str] = []
        self._dropped = 0

    def fault(self, text: str) -> None:
        """Record a breach of a rule: the index is refused."""
        self._add(self.faults, text)

    def warn(self, text: str) -> None:
        """Record an odd value that reading gets over."""
        self._add(self.warnings, text)

    def listed(self, notes: list[str]) -> tuple[str, ...]:
        """Return faults or warnings, and how many more there were."""
        rest = (f"{self._dropped} more are not listed",) if self._dropped else ()
        return (*notes, *rest)

    def _add(self, notes: list[str], text: str) -> None:
        if len(notes) < MAX_NOTES:
            notes.append(text)
        else:
            self._dropped += 1


class Fields:
    """The optional fields of one object: a value of the wrong type is dropped with a warning."""

    def __init__(self, values: Mapping[str, Any], place: str, notes: Notes) -> None:
        self._values = values
        self._place = place
        self._notes = notes

    def text(self, key: str) -> str:
        """Return a string; empty where there is none."""
        value = self._values.get(key, "")
        return value if isinstance(value, str) else self._drop(key, "a string", "")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return an array of strings; empty where there is none."""
        value = self._values.get(key, [])
        return tuple(value) if is_texts(value) else self._drop(key, "an array of strings", ())

    def count(self, key: str) -> int:
        """Return a whole number from 0."""
        value = self._values.get(key, 0)
        good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        return value if good else self._drop(key, "a whole number from 0", 0)

    def number(self, key: str) -> int | float:
        """Return a finite number; one written as a string is read with a warning."""
        value = self._values.get(key, 0)
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return value
        return self._drop(key, "a number", _number_in(value))

    def lines(self, key: str) -> tuple[int, int] | None:
        """Return first and last line, both counted from 1."""
        value = self._values.get(key)
        if value is None:
            return None
        match value:
            case [int(first), int(last)] if 1 <= first <= last and type(first) is type(last) is int:
                return first, last
            case _:
                return self._drop(key, "two line numbers, first and last", None)

    def objects(self, key: str) -> Iterator[tuple[Mapping[str, Any], str]]:
        """Yield the objects of an array, each with its place."""
        value = self._values.get(key, [])
        if not is_list(value) or not all(is_object(item) for item in value):
            self._drop(key, "an array of objects", None)
            return
        for number, item in enumerate(value):
            if is_object(item):
                yield item, f"{self._place}.{key}[{number}]"

    def inner(self, key: str) -> Mapping[str, Any] | None:
        """Return an object; None where there is none."""
        value = self._values.get(key)
        return value if value is None or is_object(value) else self._drop(key, "an object", None)

    def _drop(self, key: str, wanted: str, instead: _T) -> _T:
        self._notes.warn(f"{self._place}.{key} is not {wanted}; it is ignored")
        return instead


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Tell whether a decoded JSON value is an object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[object]]:
    """Tell whether a decoded JSON value is an array."""
    return isinstance(value, list)


def is_texts(value: object) -> TypeGuard[list[str]]:
    """Tell whether a decoded JSON value is an array of strings."""
    return is_list(value) and all(isinstance(item, str) for item in value)


def kind(value: object) -> str:
    """Name the JSON type of a value, for messages."""
    if value is None:
        return "missing or null"
    if is_list(value):
        return "an array" if value else "an empty array"
    if is_object(value):
        return "an object"
    if isinstance(value, bool):
        return "a boolean"
    return "a string" if isinstance(value, str) else "a number"


def shown(value: object) -> str:
    """Return a value as short JSON, for messages."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _number_in(value: object) -> int | float:
    """Read a number that a publisher wrote as a string; 0 when it is none."""
    try:
        number = float(value) if isinstance(value, str) and len(value) < 30 else 0.0
    except ValueError:
        return 0
    return number if math.isfinite(number) else 0
