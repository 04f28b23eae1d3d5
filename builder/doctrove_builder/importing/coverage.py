"""The coverage report: what became sections, what was dropped and why; as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.imported import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SHOWN = 5
"""Notes of one sort that the text form shows unless it is asked for all."""


class Coverage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures of one import."""

    library: str
    version: str
    kind: str
    source: str
    license: str = ""
    pages: int
    sections: int
    tokens: int
    code_blocks: int
    assets: int = 0
    counts: Mapping[str, int] = msgspec.field(default_factory=dict[str, int])
    """Figures of the kind itself."""

    notes: tuple[Note, ...] = ()


def coverage_json(reports: Sequence[Coverage]) -> bytes:
    """Return reports as JSON: `{"format": "doctrove-coverage@1", "imports": [...]}`."""
    body = {"format": "doctrove-coverage@1", "imports": tuple(reports)}
    return msgspec.json.format(msgspec.json.encode(body), indent=2) + b"\n"


def coverage_lines(report: Coverage, *, every_note: bool = False) -> Iterator[str]:
    """Yield a report as lines of text."""
    yield f"{report.library} {report.version} ({report.kind}, {report.source})"
    licence = f"; licence {report.license}" if report.license else ""
    yield (
        f"  {_count(report.pages, 'page')}, {_count(report.sections, 'section')},"
        f" {_count(report.tokens, 'token')}, {_count(report.code_blocks, 'code block')}{licence}"
    )
    for name, number in report.counts.items():
        yield f"  {name}: {number:,}"
    kinds = Counter(note.kind for note in report.notes)
    for kind, number in sorted(kinds.items()):
        yield f"  {kind}: {number:,}"
        same = [note for note in report.notes if note.kind == kind]
        for note in same if every_note else same[:SHOWN]:
            yield f"    {note.place}: {note.message}"
        if not every_note and number > SHOWN:
            yield f"    ... and {number - SHOWN:,} more"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
