"""Origins of the lines of a page: its own file, and what it includes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_schema.model import Include, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_builder.importing.imported import OriginSpan
    from doctrove_builder.importing.markdown.lines import Line


def origin_spans(lines: Sequence[Line], file: str) -> tuple[OriginSpan, ...]:
    """Return a span for each run of lines that stand one to one in their file."""
    return tuple(_spans(lines, file))


def _spans(lines: Sequence[Line], file: str) -> Iterator[OriginSpan]:
    start = 0
    for end in range(1, len(lines) + 1):
        if end < len(lines) and _continues(lines[end - 1], lines[end]):
            continue
        first, last = lines[start], lines[end - 1]
        if first.file:
            include = Include(file=first.file, lines=(first.included, last.included))
            origin = Origin(file=file, lines=(first.number, first.number), includes=(include,))
        else:
            origin = Origin(file=file, lines=(first.number, last.number))
        yield start + 1, end, origin
        start = end


def _continues(before: Line, line: Line) -> bool:
    if line.file != before.file:
        return False
    if line.file:
        return line.number == before.number and line.included == before.included + 1
    return line.number == before.number + 1
