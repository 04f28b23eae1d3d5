"""Where the parts of a page come from, line by line of their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.importing.prose.tree import Described
from doctrove_schema.model import Include, Origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from doctrove_builder.importing.imported import OriginSpan
    from doctrove_builder.importing.prose.outline import Part, Written


def part_origins(  # noqa: PLR0913 - what a part is made of
    parts: Sequence[Part],
    written: Written,
    file: str,
    lengths: Mapping[str, int],
    *,
    first: int = 1,
    includes: Sequence[tuple[int, Include]] = (),
) -> Iterator[OriginSpan]:
    """Yield the origin of each part.

    A part goes from its heading to the line before the next heading of its file, the last one to
    the file's end. The text before the first heading begins at line `first`. `includes` are files
    whose lines stand in the code of `file`, each with the line that names it.
    """
    places = [part.place for part in parts]
    for at, (part, span) in enumerate(zip(parts, written.lines, strict=True)):
        place = places[at]
        name, start = (place.file, place.line) if place else (file, first)
        end = place.last if place and place.last else 0
        if not end:
            following = (one for one in places[at + 1 :] if one is not None and one.file == name)
            after = next((one.line for one in following if one.line > start), 0)
            end = after - 1 if after else lengths.get(name, start)
        end = max(start, end)
        used = tuple(one for line, one in includes if name == file and start <= line <= end)
        if part.blocks or part.head:
            yield (*span, Origin(file=name, lines=(start, end), includes=used))


def part_symbols(parts: Sequence[Part]) -> dict[str, tuple[str, ...]]:
    """Return the symbols of the parts that describe objects, by anchor."""
    return {part.anchor: part.head.symbols for part in parts if isinstance(part.head, Described)}
