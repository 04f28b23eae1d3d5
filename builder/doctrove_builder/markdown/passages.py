"""One section of a parsed text: its lines, what it links to, what must be repeated below it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.markdown.definitions import completed, labels_used, missing_definitions
from doctrove_builder.markdown.explicit_ids import without_id
from doctrove_builder.markdown.links import find_targets
from doctrove_builder.markdown.symbols import heading_symbols
from doctrove_builder.model import Heading, Passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

    from doctrove_builder.markdown.headings import Found
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
    first, last, start, end = _text_range(parsed, cut)
    headings = parsed.headings_in(first, last)
    body = "\n".join(_shown_lines(parsed, start, end, headings))
    used = labels_used(parsed.tokens[first:last])
    missing = missing_definitions(used, parsed.definitions, start=start, end=end)
    links = () if cut.heading_token is None else parsed.links_in(cut.heading_token, cut.tokens[0])
    for tokens in ((first, last), *(definition.tokens for definition in missing)):
        links += parsed.links_in(*tokens)
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
        inner=tuple(found.heading for found in headings),
        anchors=anchors,
    )


def _text_range(parsed: Parsed, cut: Cut) -> tuple[int, int, int, int]:
    """Return the tokens and the lines from the first block of text to the last, ends excluded.

    Definitions and comments around it stay out.
    """
    first, last = cut.tokens
    shown = [at for at in range(first, last) if not is_silent(parsed.tokens[at])]
    if not shown:
        return first, first, cut.lines[0], cut.lines[0]
    start, end = _lines_of(parsed.tokens[shown[0]])[0], _lines_of(parsed.tokens[shown[-1]])[1]
    after = shown[-1] + 1
    while after < last and (parsed.tokens[after].level or parsed.tokens[after].nesting < 0):
        after += 1
    while end > start and not parsed.text.lines[end - 1].strip():
        end -= 1
    return shown[0], after, start, end


def _shown_lines(parsed: Parsed, start: int, end: int, headings: Sequence[Found]) -> list[str]:
    """Return the lines of a body as readers see them: headings without the ids they are given."""
    lines = list(parsed.text.lines[start:end])
    for found in headings:
        opening, inline = parsed.tokens[found.token : found.token + 2]
        if not opening.meta["id"]:
            continue
        underlined = opening.markup in {"=", "-"}
        left = inline.content.count("\n") + 1 if inline.content else 0
        if underlined and left + 1 != found.end - found.start:
            continue  # the id has a line of its own, and without it the underline would be a rule
        last = found.end - (2 if underlined else 1) - start
        lines[last] = without_id(lines[last])
    return lines


def _lines_of(token: Token) -> list[int]:
    assert token.map is not None  # every block that opens has its lines
    return token.map


def _symbols(parsed: Parsed, heading_token: int) -> tuple[str, ...]:
    return tuple(dict.fromkeys(heading_symbols(parsed.tokens[heading_token + 1])))


def _file_lines(parsed: Parsed, cut: Cut, *, start: int, end: int) -> tuple[int, int]:
    first = start if cut.heading_token is None else cut.start
    last = max(first, (end if end > start else cut.lines[0]) - 1)
    return parsed.text.line(first), parsed.text.line(last)
