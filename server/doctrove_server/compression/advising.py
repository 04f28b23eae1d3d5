"""What to call for what an answer leaves out, said so that it leads on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.asking import LARGEST_BUDGET
from doctrove_server.compression.channels import DataChannel
from doctrove_server.compression.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.compression.asking import Ask
    from doctrove_server.compression.ledger import Entries

_MARGIN = 1.02
"""By how much the tokens of a whole may be above the sum of its parts, with room to spare."""

_LONGEST_SHORT = 80
"""Characters of an address that the lean shape has room for."""


def advice(ask: Ask, entries: Entries, *, shape: int, count: Callable[[str], int]) -> str:
    """Return the next call, without a full stop."""
    if ask.is_by_id and ask.detail in ("auto", "full"):
        return _for_whole(ask, entries, shape, count)
    larger = "a larger `tokenBudget`" if ask.budget < LARGEST_BUDGET else ""
    if shape == 2:
        return f"pass {larger}"
    return " or ".join(filter(None, ("pass `sections` with ids,", larger))).rstrip(",")


def _for_whole(ask: Ask, entries: Entries, shape: int, count: Callable[[str], int]) -> str:
    """Return what gives the sections whole that were asked for by their ids."""
    needed = _needed(ask, count)
    alone = len(ask.hits) == 1 and not ask.further and needed > LARGEST_BUDGET
    for hit in ask.hits:
        if alone or entries.tokens(hit) > LARGEST_BUDGET:
            uri = ask.pick.uri(ask.section(hit))
            if len(uri) > (_LONGEST_SHORT if shape == 2 else 600):
                return "read the resource of the section"
            return f"read {uri} for the whole"
    if ask.further or needed > LARGEST_BUDGET:
        return "ask for fewer `sections` at once"
    return f"pass `tokenBudget` {needed} for the whole"


def _needed(ask: Ask, count: Callable[[str], int]) -> int:
    """Return the budget that holds all that was asked for in the form that takes more."""
    channel = DataChannel()
    needed = count(channel.write(channel.show(ask, (), Ledger(), shape=0)))
    for hit in ask.hits:
        body = channel.body(ask.section(hit).body)
        needed += 2 + count(channel.frame(ask, hit, shape=0)) + count(body)
    return -(-int(needed * _MARGIN) // 50) * 50
