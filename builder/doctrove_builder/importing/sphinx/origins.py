"""Lines of the sources that a build kept, `_sources/*.txt`, for the parts of its pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.prose.tree import Described
from doctrove_schema.model import Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_builder.importing.imported import OriginSpan
    from doctrove_builder.importing.prose.outline import Part, Written
    from doctrove_builder.importing.source_tree import SourceTree

_MARKUP = re.compile(r":[\w:+.-]+:(?=`)|\s*<[^<>]*>(?=`)|[`*_\\#\s~]|\{#[^}]*\}")
_ROLE_PATH = re.compile(r"`~?[\w.]*\.(\w+)`")


class SourceTexts:
    """Finds headings in kept sources."""

    def __init__(self, tree: SourceTree) -> None:
        """Read nothing yet."""
        self._tree = tree

    def origins(
        self, parts: Sequence[Part], written: Written, source: str, file: str
    ) -> Iterator[OriginSpan]:
        """Yield the origin of each part: lines of its source, else the built file as a whole."""
        lines = self._lines(source) if source else []
        starts = _starts(parts, lines)
        for at, span in enumerate(written.lines):
            start = starts[at]
            if not start:
                yield (*span, Origin(file=source or file))
                continue
            after = next((one for one in starts[at + 1 :] if one > start), len(lines) + 1)
            yield (*span, Origin(file=source, lines=(start, max(start, after - 1))))

    def _lines(self, source: str) -> list[str]:
        try:
            return self._tree.read_text(source).rstrip("\n").split("\n")
        except FileRefused:
            return []


def _starts(parts: Sequence[Part], lines: Sequence[str]) -> list[int]:
    """Return the line of each part's heading, 0 where it is not found; they only go forward."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, start=1):
        places.setdefault(_bare(line), []).append(number)
    starts: list[int] = []
    last = 0
    for part in parts:
        if part.head is None:
            starts.append(1 if lines else 0)
            continue
        if isinstance(part.head, Described):
            starts.append(0)
            continue
        known = places.get(_bare(part.title), [])
        found = next((number for number in known if number > last), 0)
        starts.append(found)
        last = found or last
    return starts


def _bare(text: str) -> str:
    return _MARKUP.sub("", _ROLE_PATH.sub(r"\1", text)).lower()
