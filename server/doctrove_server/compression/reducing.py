"""What one section becomes at a level of its own: a summary, its facts, a gist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from doctrove_server.compression.compressed import SMALLEST
from doctrove_server.compression.gists import gists
from doctrove_server.compression.selection import choose
from doctrove_server.compression.stored import stored_summary
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.compression.facts import Fact
    from doctrove_server.compression.shelf import Prepared, Shelf

Reduction = Literal["summary", "facts", "gist"]

SUMMARY_SHARE = 0.4
"""Of a section's tokens, with `summary`."""

_GISTS = 10


def reduced(  # noqa: PLR0913 - what is reduced, and how
    prepared: Prepared,
    to: Reduction,
    *,
    room: int,
    terms: frozenset[str],
    cost: Callable[[str], int],
    written: str,
    shelf: Shelf,
) -> tuple[str, str]:
    """Return a level and a text whose `cost` is at most `room`; the text is empty if none fits.

    `terms` are a query's ranking terms. `written` is the summary that a model wrote and the index
    has, not checked yet. Sections under the smallest size are not summarised; one that states no
    facts becomes its gist.
    """
    match to:
        case "facts":
            if stated := _facts(prepared, terms):
                return "facts", _fitting(stated, room, cost)
            return "gist", _fitting(_gist(prepared), room, cost)
        case "gist":
            return "gist", _fitting(_gist(prepared), room, cost)
        case "summary":
            return _summary(prepared, room, terms, cost, written, shelf)


def _summary(  # noqa: PLR0913, PLR0917 - as above
    prepared: Prepared,
    room: int,
    terms: frozenset[str],
    cost: Callable[[str], int],
    written: str,
    shelf: Shelf,
) -> tuple[str, str]:
    if prepared.tokens < SMALLEST and cost(prepared.text) <= room:
        return "full", prepared.text
    stored = stored_summary(prepared.text, written, room, shelf)
    if stored and cost(stored[0]) <= room:
        return "abstractive", stored[0]
    choice = choose(
        prepared.analysis,
        budget=min(room, int(prepared.tokens * SUMMARY_SHARE)),
        count=cost,
        costs=prepared.costs,
        query=terms,
    )
    return "summary", choice.text


def _fitting(lines: list[str], room: int, cost: Callable[[str], int]) -> str:
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost("\n".join(lines[:middle])) <= room else (low, middle - 1)
    return "\n".join(lines[:low])


def _facts(prepared: Prepared, terms: frozenset[str]) -> list[str]:
    """Return a section's facts as lines, those that a query asks for first."""

    def asked(fact: Fact) -> int:
        return -len(terms & {t for word in raw_words(fact.text) for t in ranking_terms(word)})

    ordered = sorted(prepared.analysis.facts, key=asked) if terms else prepared.analysis.facts
    return [f"- {fact.text}" for fact in ordered]


def _gist(prepared: Prepared) -> list[str]:
    return [f"- {phrase}" for phrase in gists(prepared.analysis.units, count=_GISTS)]
