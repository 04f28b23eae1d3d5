"""A JSON or YAML document as plain data, with the lines that its members stand on."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple, cast

import yaml
from yaml import events

from doctrove_builder.authoring.resolve import resolve
from doctrove_builder.importing.errors import SourceRefused

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 200
MAX_NODES = 2_000_000
LINES_DOWN_TO = 3
"""Members whose lines are kept: `paths`, a path in it, a method of that."""

_SPACE = re.compile(r"[ \t\n\r]*")

Lines = dict[tuple[str, ...], tuple[int, int]]


class Document(NamedTuple):
    """One file."""

    value: object
    lines: Lines
    """First and last line by the keys that lead to a member, the nearest `LINES_DOWN_TO` alone."""


def read_document(text: str, *, name: str) -> Document:
    """Read JSON or YAML; raises `SourceRefused` for neither, and for what is nested too deeply."""
    try:
        if text.lstrip()[:1] in {"{", "["}:
            try:
                return _Json(text).read()
            except ValueError:
                pass  # YAML may begin like that too
        return _read_yaml(text)
    except yaml.YAMLError as error:
        reason = " ".join(str(error).split())[:200]
        raise SourceRefused(f"{name} is neither JSON nor YAML: {reason}") from error
    except RecursionError as error:
        raise SourceRefused(f"{name} is nested too deeply") from error
    except _TooMuch as error:
        raise SourceRefused(f"{name} has {error}") from error


class _TooMuch(Exception):
    """The document is larger than anyone writes."""


class _Json:
    """Reads JSON; the uppermost objects key by key, so that their lines are known."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._decode: Callable[[str, int], tuple[object, int]] = json.JSONDecoder().raw_decode
        self._lines: Lines = {}
        self._counted_to, self._line = 0, 1

    def read(self) -> Document:
        value, end = self._value(self._after_space(0), ())
        if self._after_space(end) != len(self._text):
            raise ValueError("something follows the document")
        return Document(value, self._lines)

    def _value(self, at: int, keys: tuple[str, ...]) -> tuple[object, int]:
        if len(keys) >= LINES_DOWN_TO or self._text[at : at + 1] != "{":
            try:
                return self._decode(self._text, at)
            except StopIteration as error:
                raise ValueError("a value is missing") from error
        made: dict[str, object] = {}
        at = self._after_space(at + 1)
        while self._text[at : at + 1] != "}":
            if self._text[at : at + 1] != '"':
                raise ValueError("a key is missing")
            first = self._line_at(at)
            written, at = self._decode(self._text, at)
            key, at = str(written), self._after_space(at)
            if self._text[at : at + 1] != ":":
                raise ValueError("a colon is missing")
            made[key], at = self._value(self._after_space(at + 1), (*keys, key))
            self._lines[(*keys, key)] = (first, self._line_at(at))
            at = self._after_space(at)
            if self._text[at : at + 1] == ",":
                at = self._after_space(at + 1)
            elif self._text[at : at + 1] != "}":
                raise ValueError("a comma is missing")
        return made, at + 1

    def _after_space(self, at: int) -> int:
        found = _SPACE.match(self._text, at)
        return found.end() if found else at

    def _line_at(self, at: int) -> int:
        self._line += self._text.count("\n", self._counted_to, at)
        self._counted_to = at
        return self._line


class _Frame:
    """A mapping or a list that is not read to its end."""

    def __init__(self, *, is_mapping: bool, anchor: str | None, key: str | None) -> None:
        self.mapping: dict[str, object] = {}
        self.items: list[object] = []
        self.is_mapping = is_mapping
        self.anchor = anchor
        self.key: str | None = None
        self.first = 0
        self.name = key

    @property
    def value(self) -> object:
        return self.mapping if self.is_mapping else self.items


class _Yaml:
    """Builds plain data from parser events with a stack of its own."""

    def __init__(self, text: str) -> None:
        self.root: object = None
        self._rows = text.split("\n")
        self.lines: Lines = {}
        self._stack: list[_Frame] = []
        self._anchors: dict[str, object] = {}
        self._nodes = 0

    def take(self, event: events.Event) -> bool:
        """Use one event; true at the end of the first document."""
        if isinstance(event, events.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, events.AliasEvent):
            self._put(self._anchors.get(event.anchor or ""), event)
        elif isinstance(event, events.MappingStartEvent | events.SequenceStartEvent):
            self._open(event)
        elif isinstance(event, events.MappingEndEvent | events.SequenceEndEvent):
            frame = self._stack.pop()
            if frame.anchor:
                self._anchors[frame.anchor] = frame.value
            self._put(frame.value, event)
        return isinstance(event, events.DocumentEndEvent)

    def _open(self, event: events.MappingStartEvent | events.SequenceStartEvent) -> None:
        if len(self._stack) >= MAX_DEPTH:
            raise _TooMuch(f"values nested more than {MAX_DEPTH} deep")
        is_mapping = isinstance(event, events.MappingStartEvent)
        self._stack.append(_Frame(is_mapping=is_mapping, anchor=event.anchor, key=None))

    def _scalar(self, event: events.ScalarEvent) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise _TooMuch(f"more than {MAX_NODES:,} values")
        frame = self._stack[-1] if self._stack else None
        if frame is not None and frame.is_mapping and frame.key is None:
            frame.key = event.value
            frame.first = event.start_mark.line + 1 if event.start_mark else 1
            return
        plain = event.implicit[0] and not event.style
        value = resolve(event.value).value if plain else event.value
        if event.anchor:
            self._anchors[event.anchor] = value
        self._put(value, event)

    def _last(self, event: events.Event, first: int) -> int:
        """Return the last line of a value: a block's end is where the next token begins."""
        mark = event.end_mark
        if mark is None or event.start_mark is None:
            return first
        is_block = mark.column == 0 or mark.index == event.start_mark.index
        last = min(mark.line + (0 if is_block else 1), len(self._rows))
        while last > first and self._rows[last - 1].strip()[:1] in {"", "#"}:
            last -= 1
        return max(first, last)

    def _put(self, value: object, event: events.Event) -> None:
        if not self._stack:
            self.root = value
            return
        frame = self._stack[-1]
        if not frame.is_mapping:
            frame.items.append(value)
            return
        if frame.key is None:
            frame.key = "?"  # a mapping as a key: nobody looks it up
            return
        keys = (*(one.key or "" for one in self._stack),)
        if len(keys) <= LINES_DOWN_TO:
            self.lines[keys] = (frame.first, self._last(event, frame.first))
        if frame.key == "<<" and isinstance(value, dict):
            frame.mapping = {**cast("dict[str, object]", value), **frame.mapping}
        else:
            frame.mapping[frame.key] = value
        frame.key = None


def _read_yaml(text: str) -> Document:
    reader = _Yaml(text)
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if reader.take(event):
            break
    return Document(reader.root, reader.lines)
