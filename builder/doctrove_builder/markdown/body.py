"""The body of one section on its own, as single-file volumes hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.markdown.headings import inline_html, plain_text
from doctrove_builder.markdown.parsed import parse_text
from doctrove_builder.markdown.parser import page_parser
from doctrove_builder.markdown.passages import Cut, cut_passage
from doctrove_builder.markdown.place import Text
from doctrove_builder.markdown.symbols import heading_symbols
from doctrove_builder.model import Heading, Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_schema.problem import Problem


def parse_body(  # noqa: PLR0913 - a heading and a body, each with its place
    body: str,
    *,
    heading: str,
    anchor: str,
    source: str,
    line: int,
    body_line: int,
    body_column: int = 1,
    level: int = 2,
    trail: Sequence[str] = (),
    symbols: Sequence[str] = (),
    path: str = "",
    taken: set[str],
) -> tuple[Passage, tuple[Problem, ...]]:
    """Parse a section that was written with its heading apart.

    `heading` is inline Markdown and stands in `line`; the first character of `body` stands at
    `body_line` and `body_column` of the file `source`. `taken` holds the anchors of the section's
    page, `anchor` among them, and gets those of the headings in the body.
    """
    parsed, problems = parse_text(
        Text(body, first_line=body_line, first_column=body_column), source=source, taken=taken
    )
    inline = page_parser().parseInline(heading)[0]
    shown = Heading(
        level=level, text=plain_text(inline), html=inline_html(inline), anchor=anchor, line=line
    )
    lines = (0, len(parsed.text.lines))
    cut = Cut(shown, tuple(trail), None, (0, len(parsed.tokens)), 0, lines)
    passage = cut_passage(parsed, cut, taken=taken, path=path)
    whole = (min(line, passage.lines[0]), passage.lines[1])
    named = tuple(dict.fromkeys((*heading_symbols(inline), *symbols)))
    return replace(passage, lines=whole, symbols=named), problems
