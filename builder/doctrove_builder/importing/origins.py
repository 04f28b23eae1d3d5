"""Where the sections of an imported page come from: spans of lines to one origin for each."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.errors import FileRefused
from doctrove_schema.model import Include, Origin

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.importing.imported import OriginSpan
    from doctrove_builder.importing.source_tree import SourceTree


class Digests:
    """Hashes lines of a source's files; remembers the lines of those it has read."""

    def __init__(self, tree: SourceTree | None) -> None:
        """Read nothing yet."""
        self._tree = tree
        self._lines: dict[str, list[str] | None] = {}

    def of(self, file: str, lines: tuple[int, int] | None) -> str:
        """Return the SHA-256 of LF-joined lines; of all when None; empty for an unknown file."""
        known = self._known(file)
        if known is None:
            return ""
        first, last = lines or (1, len(known))
        return hashlib.sha256("\n".join(known[first - 1 : last]).encode()).hexdigest()

    def _known(self, file: str) -> list[str] | None:
        if file not in self._lines:
            try:
                text = self._tree.read_text(file) if self._tree else None
            except FileRefused:
                text = None
            self._lines[file] = None if text is None else text.split("\n")
        return self._lines[file]


def origin_of_lines(
    spans: Iterable[OriginSpan], lines: tuple[int, int], digests: Digests
) -> Origin | None:
    """Return the origin of lines of a page; None when nothing is known of them.

    The file that most of the lines come from is the origin, from its first line to its last; other
    files are includes.
    """
    weight: defaultdict[str, int] = defaultdict(int)
    found: list[Origin] = []
    for first, last, origin in spans:
        low, high = max(first, lines[0]), min(last, lines[1])
        if low <= high:
            weight[origin.file] += high - low + 1
            found.append(_clipped(origin, (first, last), (low, high)))
    if not found:
        return None
    file = max(weight, key=lambda name: weight[name])
    named = [origin.lines for origin in found if origin.file == file and origin.lines]
    span = (min(low for low, _ in named), max(high for _, high in named)) if named else None
    first_found = next(origin for origin in found if origin.file == file)
    sha256 = digests.of(file, span) or (first_found.sha256 if len(found) == 1 else "")
    return replace(first_found, lines=span, sha256=sha256, includes=_includes(found, file, digests))


def _clipped(origin: Origin, span: tuple[int, int], part: tuple[int, int]) -> Origin:
    """Narrow an origin to a part of its span, where its lines stand one to one."""
    if origin.lines is None or span == part:
        return origin
    length = span[1] - span[0]
    if origin.lines[1] - origin.lines[0] == length:
        return replace(origin, lines=_part(origin.lines, span, part))
    includes = tuple(
        replace(include, lines=_part(include.lines, span, part))
        if include.lines and include.lines[1] - include.lines[0] == length
        else include
        for include in origin.includes
    )
    return replace(origin, includes=includes)


def _part(lines: tuple[int, int], span: tuple[int, int], part: tuple[int, int]) -> tuple[int, int]:
    """Return the lines that stand in a part of a span as long as they are."""
    first = lines[0] + part[0] - span[0]
    return first, first + part[1] - part[0]


def _includes(found: Iterable[Origin], file: str, digests: Digests) -> tuple[Include, ...]:
    includes: dict[tuple[str, tuple[int, int] | None], Include] = {}
    for origin in found:
        others = origin.includes
        if origin.file != file:
            others = (Include(file=origin.file, lines=origin.lines), *others)
        for include in others:
            sha256 = include.sha256 or digests.of(include.file, include.lines)
            includes.setdefault((include.file, include.lines), replace(include, sha256=sha256))
    return tuple(includes.values())
