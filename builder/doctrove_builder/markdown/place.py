"""Where something stands in its file: from an offset in a parser's text to line and column."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it.token import Token


class Place(NamedTuple):
    """Line and column in the file, both counted from 1, the column in code points."""

    line: int
    column: int


class Text:
    """The lines that a parser was given, and where they stand in the file."""

    __slots__ = ("first_column", "first_line", "lines", "markdown")

    def __init__(self, markdown: str, *, first_line: int, first_column: int = 1) -> None:
        self.markdown = markdown
        self.lines = markdown.split("\n")
        self.first_line = first_line
        self.first_column = first_column

    def line(self, index: int) -> int:
        """Return the line in the file of a line counted from 0."""
        return index + self.first_line

    def place(self, token: Token, at: int, *, since: int = 0) -> Place:
        """Return where offset `at` of an inline or HTML token's content stands.

        A parser strips indents, quote marks and trailing blanks from lines; what is left of a line
        is found from its end, or else searched for from column `since` on.
        """
        first = token.map[0] if token.map else 0
        before = token.content[:at]
        index = min(first + before.count("\n"), len(self.lines) - 1)
        within = len(before) - before.rfind("\n") - 1
        end = token.content.find("\n", at)
        part = token.content[at - within : end if end >= 0 else None].rstrip()
        whole = self.lines[index].rstrip()
        if not since and whole.endswith(part):
            start = len(whole) - len(part)
        else:
            start = max(whole.find(part, since), since)
        return Place(self.line(index), start + within + self.first_column)
