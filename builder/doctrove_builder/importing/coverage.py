"""The coverage report: what became sections, what was dropped and why; as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.imported import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FORMAT = "doctrove-coverage@1"
SHOWN = 3
"""Notes of one sort that the text form shows unless it is asked for all."""

_FAMILIES = (
    (
        "not found in the source",
        ("-missing", "-nowhere", "-unresolved", "-not-found", "-elsewhere", "-endless"),
    ),
    ("refused or unreadable", ("-refused", "-unreadable", "-unread", "-broken", "-too-large")),
    ("left out", ("-left-out", "-dropped", "-excluded", "-skipped", "-empty", "-removed")),
    ("without documentation", ("undocumented",)),
)
"""What notes have in common, by the end of their codes; what fits none of them was changed."""

_CHANGED = "changed, or as a build will see it"


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


def coverage_json(reports: Sequence[Coverage], notes: Iterable[Note] = ()) -> bytes:
    """Return reports as JSON, as `coverage.schema.json` describes it.

    `notes` are of the run as a whole: packages and entries that became no volume.
    """
    body = {"format": FORMAT, "imports": tuple(reports), "notes": tuple(notes)}
    return msgspec.json.format(msgspec.json.encode(body), indent=2) + b"\n"


def coverage_lines(report: Coverage, *, every_note: bool = False) -> Iterator[str]:
    """Yield a report as lines of text: the figures, then the notes by what they have in common."""
    yield f"{report.library} {report.version} ({report.kind}, {report.source})"
    figures = (
        _count(report.pages, "page"),
        _count(report.sections, "section"),
        _count(report.tokens, "token"),
        _count(report.code_blocks, "code block"),
        *((_count(report.assets, "other file"),) if report.assets else ()),
    )
    yield f"  {', '.join(figures)}; licence {report.license or 'not known'}"
    if report.counts:
        yield f"  {', '.join(f'{number:,} {name}' for name, number in report.counts.items())}"
    families: dict[str, list[Note]] = {}
    for note in report.notes:
        families.setdefault(family_of(note.kind), []).append(note)
    for family in (*(name for name, _ in _FAMILIES), _CHANGED):
        if found := families.get(family):
            yield f"  {family}: {len(found):,}"
            yield from _family_lines(found, every_note=every_note)


def table_lines(reports: Sequence[Coverage]) -> Iterator[str]:
    """Yield many reports as a table of their figures, a line each, and a line of sums."""
    head = ("volume", "kind", "pages", "sections", "tokens", "code", "notes", "licence")
    rows = [
        (f"{one.library} {one.version}", one.kind, *map(_number, _figures(one)), one.license or "-")
        for one in reports
    ]
    sums = [sum(column) for column in zip(*map(_figures, reports), strict=True)]
    total = (_count(len(reports), "volume"), "", *map(_number, sums), "")
    table = [head, *rows, total]
    widths = [max(len(row[at]) for row in table) for at in range(len(head))]
    for row in table:
        cells = (
            text.rjust(width) if 2 <= at < 7 else text.ljust(width)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()


def family_of(kind: str) -> str:
    """Return what notes of a code have in common, in words."""
    fitting = (name for name, ends in _FAMILIES if kind.endswith(ends))
    return next(fitting, _CHANGED)


def _family_lines(notes: Sequence[Note], *, every_note: bool) -> Iterator[str]:
    for kind, number in sorted(Counter(note.kind for note in notes).items()):
        yield f"    {kind}: {number:,}"
        same = [note for note in notes if note.kind == kind]
        for note in same if every_note else same[:SHOWN]:
            is_said = not note.place or note.message.startswith(f"{note.place} ")
            yield f"      {note.message}" if is_said else f"      {note.place}: {note.message}"
        if not every_note and number > SHOWN:
            yield f"      ... and {number - SHOWN:,} more; --verbose shows all"


def _figures(one: Coverage) -> tuple[int, ...]:
    return one.pages, one.sections, one.tokens, one.code_blocks, len(one.notes)


def _number(number: int) -> str:
    return f"{number:,}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
