"""YAML as it was read, each value with its place; coerces nothing and checks nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

import msgspec

Place: TypeAlias = tuple[int, int]
"""Line and column, both counted from 1, the column in code points."""


class Scalar(msgspec.Struct, frozen=True, kw_only=True):
    """A text, a number, true, false or nothing."""

    text: str
    """As written, without its quotes."""

    value: str | int | float | bool | None
    """As YAML 1.2 reads it; the text where YAML 1.1 reads something else."""

    read_as: str = ""
    """What an unquoted value is taken for (`the number 5.1`); empty for text."""

    settled: bool = True
    """False when YAML 1.1 and 1.2 read an unquoted value differently."""

    block: bool = False
    """Written as a `|` block: its text is lines of the file, less an indent."""

    indent: int = 0
    """Columns before each line of a `|` block."""

    at: Place
    end_line: int
    """Last line that belongs to it."""


class MarkedList(msgspec.Struct, frozen=True, kw_only=True):
    """A list."""

    items: tuple[Marked, ...]
    at: Place
    end_line: int


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A key and its value."""

    key: str
    key_at: Place
    value: Marked


class MarkedMapping(msgspec.Struct, frozen=True, kw_only=True):
    """A mapping from text to values, in the order of the file.

    The accessors give a value that fits or the default: what does not fit has been reported by the
    schema, and reading goes on without it. An unquoted number where text belongs is its text.
    """

    entries: Mapping[str, Entry]
    at: Place
    end_line: int

    def __contains__(self, key: str) -> bool:
        return key in self.entries

    def place(self, key: str) -> Place | None:
        """Return where the value of a key stands; None when there is no such key."""
        entry = self.entries.get(key)
        return entry.value.at if entry else None

    def scalar(self, key: str) -> Scalar | None:
        """Return the scalar under a key."""
        entry = self.entries.get(key)
        return entry.value if entry and isinstance(entry.value, Scalar) else None

    def text(self, key: str, *, default: str = "") -> str:
        """Return the text under a key."""
        found = self.scalar(key)
        return default if found is None or found.value is None else found.text

    def line(self, key: str, *, default: str = "") -> str:
        """Return the text under a key on one line, without white space at its ends."""
        return " ".join(self.text(key).split()) or default

    def number(self, key: str, *, default: float = 0) -> float:
        """Return the number under a key."""
        found = self.scalar(key)
        value = found.value if found else None
        return value if isinstance(value, int | float) and not isinstance(value, bool) else default

    def whole(self, key: str) -> int | None:
        """Return the whole number under a key."""
        found = self.scalar(key)
        value = found.value if found else None
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def items(self, key: str) -> tuple[Marked, ...]:
        """Return the items of the list under a key."""
        entry = self.entries.get(key)
        return entry.value.items if entry and isinstance(entry.value, MarkedList) else ()

    def texts(self, key: str) -> tuple[tuple[str, Place], ...]:
        """Return the texts of the list under a key, each with its place."""
        return tuple(
            (item.text, item.at)
            for item in self.items(key)
            if isinstance(item, Scalar) and item.value is not None
        )

    def mappings(self, key: str) -> Iterator[MarkedMapping]:
        """Yield the mappings of the list under a key."""
        return (item for item in self.items(key) if isinstance(item, MarkedMapping))

    def mapping(self, key: str) -> MarkedMapping:
        """Return the mapping under a key; an empty one when there is none."""
        entry = self.entries.get(key)
        if entry and isinstance(entry.value, MarkedMapping):
            return entry.value
        return MarkedMapping(entries={}, at=self.at, end_line=self.at[0])


Marked: TypeAlias = Scalar | MarkedList | MarkedMapping
