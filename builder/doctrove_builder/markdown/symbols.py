"""Which identifiers a section is about: those in code in its heading, and those its page lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it.token import Token

_ARGUMENTS = re.compile(r"\([^()]*\)|<[^<>]*>|\[[^\[\]]*\]")
_IDENTIFIER = re.compile(r"(?:--?|[@$#.])?\w[\w$]*(?:(?:\.|::|->|[#/-])\$?\w[\w$]*)*")


def heading_symbols(inline: Token) -> Iterator[str]:
    """Yield the identifiers in the code of a heading: `app.get(path)` gives `app.get`."""
    children = inline.children or ()
    return code_symbols(child.content for child in children if child.type == "code_inline")


def code_symbols(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the identifiers that pieces of code are, without arguments and type parameters."""
    for piece in pieces:
        bare = _ARGUMENTS.sub("", piece).strip()
        if _IDENTIFIER.fullmatch(bare) and not bare.isdigit():
            yield bare


def share_symbols(
    symbols: Sequence[str], sections: Sequence[tuple[str, str]]
) -> tuple[tuple[str, ...], ...]:
    """Give each symbol of a page to one of its sections, each a heading and a text.

    That is the first section that has it in its heading, else the first that has it in its text,
    else the first of all.
    """
    shared: list[list[str]] = [[] for _ in sections]
    for symbol in symbols if sections else ():
        named = re.compile(rf"(?<![\w$]){re.escape(symbol)}(?![\w$])")
        by_part = (
            next(
                (place for place, section in enumerate(sections) if named.search(section[part])), -1
            )
            for part in (0, 1)
        )
        owner = next((place for place in by_part if place >= 0), 0)
        if symbol not in shared[owner]:
            shared[owner].append(symbol)
    return tuple(map(tuple, shared))
