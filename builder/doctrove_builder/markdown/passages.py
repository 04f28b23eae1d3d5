"""One section of a parsed text: its lines, what it links to, what must be repeated below it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.markdown.definitions import completed, labels_used, missing_definitions
from doctrove_builder.markdown.links import find_targets
from doctrove_builder.markdown.symbols import heading_symbols
from doctrove_builder.model import Heading, Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from doctrove_builder.markdown.parsed import Parsed

_COMMENTS = re.compile(r"\s*(?:<!--.*?-->\s*)*", re.DOTALL)
_SILENT = frozenset({"definition", "footnote_reference_open", "footnote_reference_close"})


class Cut(NamedTuple):
    """Where a section is in its text; ends are excluded, lines counted from 0."""

    heading: Heading
    trail: tuple[str, ...]
    heading_token: int | None
    tokens: tuple[int, int]
    """Without the heading's."""

    start: int
    """Line of the heading, where there is one."""

    lines: tuple[int, int]
    """Without the heading's."""


def is_silent(token: Token) -> bool:
    """Tell whether a token shows nothing by itself: a definition, a comment, part of a block."""
    if token.level or token.nesting < 0 or token.type in _SILENT:
        return True
    return token.type == "html_block" and _COMMENTS.fullmatch(token.content) is not None


def cut_passage(parsed: Parsed, cut: Cut, *, taken: set[str], path: str = "") -> Passage:
    """Make a section of a cut; `path` is its provenance link. Claims the anchors of raw HTML."""
    first, last = cut.tokens
    tokens = parsed.tokens[first:last]
    has_text = any(not is_silent(token) for token in tokens)
    start, end = _trimmed(parsed.text.lines, *cut.lines)
    body = "\n".join(parsed.text.lines[start:end]) if has_text else ""
    used = labels_used(tokens) if body else ()
    missing = missing_definitions(used, parsed.definitions, start=start, end=end)
    links = parsed.links_in(first if cut.heading_token is None else cut.heading_token, last)
    for definition in missing:
        links += parsed.links_in(*definition.tokens)
    anchors = tuple(
        dict.fromkeys(
            target for target in find_targets(parsed.pieces_in(first, last)) if target not in taken
        )
    )
    taken.update(anchors)
    symbols = () if cut.heading_token is None else _symbols(parsed, cut.heading_token)
    return Passage(
        heading=cut.heading,
        trail=cut.trail,
        body=completed(body, missing),
        lines=_file_lines(parsed, cut, start=start, end=end),
        symbols=symbols,
        path=path,
        links=links,
        inner=tuple(found.heading for found in parsed.headings_in(first, last)),
        anchors=anchors,
    )


def _trimmed(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    while start < end and not lines[start].strip():
        start += 1
    while start < end and not lines[end - 1].strip():
        end -= 1
    return start, end


def _symbols(parsed: Parsed, heading_token: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(heading_symbols(parsed.tokens[heading_token + 1])))


def _file_lines(parsed: Parsed, cut: Cut, *, start: int, end: int) -> tuple[int, int]:
    first = start if cut.heading_token is None else cut.start
    last = max(first, (end if end > start else cut.lines[0]) - 1)
    return parsed.text.line(first), parsed.text.line(last)
