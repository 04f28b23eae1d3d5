"""What to call for what an answer leaves out, said so that it leads on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.asking import LARGEST_BUDGET

if TYPE_CHECKING:
    from doctrove_server.compression.asking import Ask
    from doctrove_server.compression.ledger import Entries

_AROUND, _AROUND_EACH = 400, 150
"""Tokens of an answer in its richest shape, and of each section in it, without the bodies."""

_ESCAPES = 1.25
"""By how much a body is longer in JSON, at most as a rule."""

_LONGEST_SHORT = 80
"""Characters of an address that the lean shape has room for."""


def advice(ask: Ask, entries: Entries, *, shape: int) -> str:
    """Return the next call, without a full stop."""
    if ask.is_by_id and ask.detail in ("auto", "full"):
        return _for_whole(ask, entries, shape)
    larger = "a larger `tokenBudget`" if ask.budget < LARGEST_BUDGET else ""
    if shape == 2:
        return larger
    return " or ".join(filter(None, ("pass `sections` with ids,", larger))).rstrip(",")


def _for_whole(ask: Ask, entries: Entries, shape: int) -> str:
    """Return what gives the sections whole that were asked for by their ids."""
    sizes = [entries.tokens(hit) for hit in ask.hits]
    for hit, size in zip(ask.hits, sizes, strict=True):
        if size > LARGEST_BUDGET:
            uri = ask.pick.uri(ask.section(hit))
            if len(uri) > (_LONGEST_SHORT if shape == 2 else 600):
                return "read the resource of the section"
            return f"read {uri} for the whole"
    needed = _AROUND + sum(_AROUND_EACH + int(size * _ESCAPES) for size in sizes)
    needed = -(-needed // 100) * 100
    if ask.further or needed > LARGEST_BUDGET:
        return "ask for fewer `sections` at once"
    return f"`tokenBudget` {needed} gives the whole"
