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

    __slots__ = ("first_line", "lines", "markdown")

    def __init__(self, markdown: str, *, first_line: int) -> None:
        self.markdown = markdown
        self.lines = markdown.split("\n")
        self.first_line = first_line

    def line(self, index: int) -> int:
        """Return the line in the file of a line counted from 0."""
        return index + self.first_line

    def place(self, token: Token, at: int, *, cell: int = -1) -> Place:
        """Return where offset `at` of an inline or HTML token's content stands.

        A parser strips indents, quote marks and trailing blanks from lines; what is left of a line
        is found from its end, or else by a search. Of the content of a table cell the column where
        it begins must be known, from 0; there a parser takes the backslash off a `|`.
        """
        before = token.content[:at]
        first = token.map[0] if token.map else 0
        index = min(first + before.count("\n"), len(self.lines) - 1)
        if cell >= 0:
            column = cell + len(before.replace("|", "\\|"))
        else:
            within = at - before.rfind("\n") - 1
            end = token.content.find("\n", at)
            part = token.content[at - within : end if end >= 0 else None].rstrip()
            whole = self.lines[index].rstrip()
            start = len(whole) - len(part) if whole.endswith(part) else max(whole.find(part), 0)
            column = start + within
        return Place(self.line(index), column + 1)
