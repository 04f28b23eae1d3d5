"""One text, parsed once: its tokens and everything that is read off them."""

from __future__ import annotations

from bisect import bisect_left
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.markdown.definitions import Definition, find_definitions
from doctrove_builder.markdown.faults import open_blocks, passed_limits, too_long
from doctrove_builder.markdown.headings import Found, find_headings
from doctrove_builder.markdown.links import find_links, unsafe_links
from doctrove_builder.markdown.parser import page_parser
from doctrove_builder.markdown.pieces import Piece, find_pieces
from doctrove_builder.markdown.place import Text
from doctrove_builder.markdown.raw_html import removed_html

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markdown_it.token import Token

    from doctrove_builder.model import Link
    from doctrove_schema.problem import Problem


class Parsed(NamedTuple):
    """A page or body. Ranges of tokens leave their end out."""

    text: Text
    tokens: Sequence[Token]
    headings: tuple[Found, ...]
    """In the order of the text, the nested ones included."""

    pieces: tuple[Piece, ...]
    links: tuple[tuple[int, Link], ...]
    """Each with its token."""

    definitions: Mapping[str, Definition]

    def headings_in(self, start: int, end: int) -> tuple[Found, ...]:
        """Return the headings in a range of tokens."""
        key = attrgetter("token")
        return self.headings[
            bisect_left(self.headings, start, key=key) : bisect_left(self.headings, end, key=key)
        ]

    def pieces_in(self, start: int, end: int) -> tuple[Piece, ...]:
        """Return the links, pictures and raw HTML in a range of tokens."""
        key = attrgetter("block")
        return self.pieces[
            bisect_left(self.pieces, start, key=key) : bisect_left(self.pieces, end, key=key)
        ]

    def links_in(self, start: int, end: int) -> tuple[Link, ...]:
        """Return the links in a range of tokens."""
        key = itemgetter(0)
        first, last = (bisect_left(self.links, at, key=key) for at in (start, end))
        return tuple(link for _, link in self.links[first:last])


def parse_text(
    text: Text, *, source: str, split_level: int = 0, taken: set[str]
) -> tuple[Parsed, tuple[Problem, ...]]:
    """Parse a text and collect its problems; one that is too long is not parsed.

    Headings of at most `split_level` start sections; in the body of a section none does.

    `taken` holds the anchors that are in use around the text and gets those of its headings.
    """
    refused = too_long(text.markdown, source=source, line=text.first_line)
    if refused:
        text = Text("", first_line=text.first_line)
    tokens = page_parser().parse(text.markdown + "\n")
    headings, about_headings = find_headings(
        tokens, text, source=source, split_level=split_level, taken=taken
    )
    pieces = tuple(find_pieces(tokens, text))
    links = tuple(find_links(pieces, text))
    problems = (
        *refused,
        *about_headings,
        *open_blocks(tokens, text, source=source),
        *passed_limits(tokens, pieces, text, source=source),
        *unsafe_links((link for _, link in links), source=source),
        *removed_html(pieces, text, source=source),
    )
    definitions = find_definitions(tokens, text.lines)
    return Parsed(text, tokens, headings, pieces, links, definitions), problems
