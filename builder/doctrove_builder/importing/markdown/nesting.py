"""Blocks nested deeper than a build reads: their text stays, at the depth that is allowed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.lines import Role, roles
from doctrove_builder.markdown.kinds import CONTAINERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.markdown.lines import Line

MAX_NESTED = 20
"""Levels; a list counts two, as the parser of a build counts them (`NESTING_LIMIT`)."""

_MARKER = re.compile(r"[ \t]*(?:(?P<quote>>)|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))[ \t]?")
_INDENTED = re.compile(r"(?:!!!|\?\?\?|===)[+!]?[ \t]")
_FENCE = re.compile(r"(?::{3,}|/{3,})[ \t]*(?P<word>[\w-]*)(?P<dotted>\.?).*")
_RULE = re.compile(r"(?:[-*_][ \t]*){3,}")


class _Flattening:
    """One pass over a page; what is open around the line is in two stacks."""

    def __init__(self) -> None:
        self._held: list[tuple[int, int]] = []
        """Lists and admonitions: column of their content, levels."""

        self._fenced: list[bool] = []
        """Containers between colons or slashes: whether they are kept."""

        self._deep = -1
        """Column of the blocks that lose their marks; -1 outside."""

        self.dropped: list[int] = []
        """Numbers of the lines whose marks are lost."""

    def line(self, line: Line, role: Role) -> Line | None:
        """Return a line at an allowed depth; None for one that is nothing but a mark too deep."""
        bare = line.text.lstrip(" \t")
        indent = len(line.text) - len(bare)
        if not bare:
            return line
        if role is not Role.TEXT:
            over = self._deep - self._column() if self._deep >= 0 else 0
            return line.with_text(line.text[min(over, indent) :])
        while self._held and indent < self._held[-1][0]:
            self._held.pop()
        if indent < self._deep:
            self._deep = -1
        if _RULE.fullmatch(bare):
            return line
        if (found := _FENCE.fullmatch(bare)) and not found["dotted"]:
            return self._container(line, found["word"].lower())
        if _INDENTED.match(bare):
            return self._marked(line, indent, indent, levels=1)
        return self._markers(line, indent)

    def _levels(self) -> int:
        return sum(levels for _, levels in self._held) + sum(self._fenced)

    def _column(self) -> int:
        return self._held[-1][0] if self._held else 0

    def _container(self, line: Line, word: str) -> Line | None:
        kept = True
        if word in CONTAINERS:
            kept = self._levels() < MAX_NESTED
            self._fenced.append(kept)
        elif not word and self._fenced:
            kept = self._fenced.pop()
        if not kept:
            self.dropped.append(line.number)
        return line if kept else None

    def _marked(self, line: Line, indent: int, at: int, *, levels: int) -> Line:
        """Open an admonition, or write it as text where that is too deep."""
        if self._levels() + levels <= MAX_NESTED and self._deep < 0:
            self._held.append((at + 4, levels))
            return line
        return self._flat(line, indent, at)

    def _markers(self, line: Line, indent: int) -> Line:
        at, levels = 0, self._levels()
        quotes = 0
        while found := _MARKER.match(line.text, at):
            quotes += found["quote"] is not None
            added = 1 if found["quote"] else 2
            if levels + added > MAX_NESTED or self._deep >= 0:
                return self._flat(line, indent, at)
            levels += added
            at = found.end()
            if not found["quote"] and not quotes:
                self._held.append((at, added))
        if self._deep >= 0:
            return line.with_text(" " * self._column() + line.text.lstrip(" \t"))
        return line

    def _flat(self, line: Line, indent: int, at: int) -> Line:
        """Take all further marks off a line."""
        self.dropped.append(line.number)
        before = line.text[:at]
        if self._deep < 0 and not before.strip():
            self._deep = indent
        if not before.strip():
            before = " " * self._column()
        while found := _MARKER.match(line.text, at):
            at = found.end()
        return line.with_text(f"{before}{line.text[at:].lstrip()}")


def without_deep(lines: Sequence[Line], *, indented: bool) -> tuple[list[Line], list[int]]:
    """Return lines that a build reads whole, and the numbers of those that lost marks for it."""
    flattening = _Flattening()
    kinds = roles(lines, indented=indented)
    made = [flattening.line(line, kind) for line, kind in zip(lines, kinds, strict=True)]
    return [line for line in made if line is not None], flattening.dropped
