"""What is wrong with a text apart from its headings and links: blocks left open, limits passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.markdown.limits import (
    ADDRESSES_LIMIT,
    BRACKET_LIMIT,
    HEADING_LIMIT,
    LINE_LIMIT,
    NESTING_LIMIT,
    PAGE_LIMIT,
    TEXT_LIMIT,
)
from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_schema.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it.token import Token

    from doctrove_builder.markdown.pieces import Piece
    from doctrove_builder.markdown.place import Text

_SPLIT = "split it into several pages"


def too_large(message: str, *, source: str, line: int, hint: str = _SPLIT) -> Problem:
    """Return the problem of a text that passes a limit."""
    return Problem(
        rule=MarkdownRule.PAGE_TOO_LARGE, source=source, line=line, message=message, hint=hint
    )


def too_long(markdown: str, *, source: str, line: int) -> tuple[Problem, ...]:
    """Return a problem for a text that is not parsed at all; `line` is where it begins."""
    for what, count, limit in (
        ("characters", len(markdown), PAGE_LIMIT),
        ("lines", markdown.count("\n"), LINE_LIMIT),
        ("opening brackets", markdown.count("["), BRACKET_LIMIT),
    ):
        if count > limit:
            message = f"the text has {count:,} {what}, more than {limit:,}"
            return (too_large(message, source=source, line=line),)
    return ()


def open_blocks(tokens: Iterable[Token], text: Text, *, source: str) -> Iterator[Problem]:
    """Yield a problem for each code block and container without a closing line."""
    for token in tokens:
        start, end = token.map or (0, 0)
        if token.type == "fence" and token.content.count("\n") != end - start - 2:
            rule, what, closing = MarkdownRule.UNCLOSED_FENCE, "code block", token.markup
        elif not token.meta.get("closed", True):
            rule, what, closing = (
                MarkdownRule.UNCLOSED_CONTAINER,
                "container",
                token.meta["opening"],
            )
        else:
            continue
        line = text.lines[start]
        yield Problem(
            rule=rule,
            source=source,
            line=text.line(start),
            column=line.find(closing[:3]) + 1,
            message=f"the {what} that begins here is not closed",
            hint=f"close it with a line {closing}",
        )


def passed_limits(
    tokens: Sequence[Token], pieces: Iterable[Piece], text: Text, *, source: str
) -> Iterator[Problem]:
    """Yield a problem for each limit on what is in a text."""
    deepest = max(tokens, key=lambda token: token.level, default=None)
    if deepest and deepest.level >= NESTING_LIMIT - 1:
        at = next(
            (token.map[0] for token in tokens if token.map and token.level >= NESTING_LIMIT - 2), 0
        )
        yield Problem(
            rule=MarkdownRule.NESTED_TOO_DEEP,
            source=source,
            line=text.line(at),
            message=f"quotes, lists and other blocks are nested {NESTING_LIMIT - 2} deep or deeper",
            hint="what is deeper is not read: write it flat",
        )
    for token in tokens:
        if token.meta.get("too_long"):
            yield too_large(
                f"a paragraph has more than {TEXT_LIMIT:,} characters",
                source=source,
                line=text.line(token.map[0] if token.map else 0),
                hint="put blank lines into it",
            )
    headings = sum(token.type == "heading_open" for token in tokens)
    if headings > HEADING_LIMIT:
        message = f"the page has {headings:,} headings, more than {HEADING_LIMIT:,}"
        yield too_large(message, source=source, line=text.first_line)
    addresses = sum(len(str(value)) for piece in pieces for value in piece.token.attrs.values())
    if addresses > ADDRESSES_LIMIT:
        message = f"the addresses of its links have {addresses:,} characters together"
        yield too_large(message, source=source, line=text.first_line)
