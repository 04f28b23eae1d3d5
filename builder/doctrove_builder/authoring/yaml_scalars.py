"""One scalar of a YAML file: its value, its place, the lines that it takes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.authoring.marked import Place, Scalar
from doctrove_builder.authoring.resolve import Resolved, resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yaml import events

_LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")


def read_scalar(
    event: events.ScalarEvent, lines: Sequence[str], *, plain: bool, first_line: int
) -> Scalar:
    """Read a value; `lines` are those of the text, whose first one is `first_line` of the file."""
    resolved = resolve(event.value) if plain else Resolved(event.value)
    line, column = start_of(event)
    block = event.style == "|"
    return Scalar(
        text=event.value,
        value=resolved.value,
        read_as=resolved.read_as,
        settled=resolved.settled,
        block=block,
        indent=_indent(event.value, lines, first=line + 1) if block else 0,
        at=(line + first_line, column + 1),
        end_line=_last_line(event, lines) + first_line,
    )


def yaml_lines(text: str) -> list[str]:
    """Split a text where YAML 1.1 ends a line, as the parser's marks count (section 4.1.4)."""
    return _LINE_END.split(text)


def start_of(event: events.Event) -> Place:
    """Return line and column of an event's first character, both from 0."""
    mark = event.start_mark
    assert mark is not None  # the parser sets it on every event
    return mark.line, mark.column


def end_of(event: events.Event) -> Place:
    """Return line and column behind an event's last character, both from 0."""
    mark = event.end_mark
    assert mark is not None  # the parser sets it on every event
    return mark.line, mark.column


def _last_line(event: events.ScalarEvent, lines: Sequence[str]) -> int:
    start = start_of(event)[0]
    end, column = end_of(event)
    if end > start and column == 0:
        end -= 1
    while end > start and not lines[end].strip():
        end -= 1
    return end


def _indent(text: str, lines: Sequence[str], *, first: int) -> int:
    """Return the columns before a block's lines, whose first one is `lines[first]`."""
    for index, line in enumerate(yaml_lines(text), first):
        if line.strip():
            return max(len(lines[index]) - len(line), 0) if index < len(lines) else 0
    return 0
