"""Ranked sections packed into a budget: whole while they fit, then the units that a query asks for.

Nothing is ever above the budget: what is packed is counted as it will be shown, and given up again
from the end where it is too much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from doctrove_server.compression.compressed import SMALLEST
from doctrove_server.compression.gists import gists
from doctrove_server.compression.pool import pooled
from doctrove_server.compression.queries import query_terms
from doctrove_server.compression.rendering import render
from doctrove_server.compression.retention import retention
from doctrove_server.compression.selection import choose, fill
from doctrove_server.compression.stored import stored_summary
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_server.compression.facts import Fact
    from doctrove_server.compression.pool import Pool
    from doctrove_server.compression.shelf import Prepared, Shelf

Detail = Literal["auto", "full", "summary", "facts", "gist"]
DETAILS: tuple[Detail, ...] = ("auto", "full", "summary", "facts", "gist")

POOLED = 4
"""Sections whose units compete for what whole sections leave over."""

SUMMARY_SHARE = 0.4
"""Of a section's tokens, with `summary`."""

_GISTS = 10
_ATTEMPTS = 8
_T = TypeVar("_T")


class Candidate(msgspec.Struct, frozen=True):
    """A section that may be shown."""

    heading: str
    body: str
    price: int = 12
    """Tokens of what stands around the body."""

    summary: str = ""
    """What a model wrote of it, as the index has it: not checked yet."""


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown of one section."""

    place: int
    """Of the candidate."""

    text: str
    level: str
    """`full`, or how it was shortened: `units`, `summary`, `abstractive`, `facts`, `gist`."""

    tokens: int
    original_tokens: int
    retention: float

    @property
    def ratio(self) -> float:
        """Tokens of the original that are left, 0 to 1."""
        return round(self.tokens / self.original_tokens, 4) if self.original_tokens else 1.0


class Drafts:
    """What the drafts of one answer share: they show the same sections for the same query."""

    def __init__(self) -> None:
        self.pools: dict[tuple[int, int], Pool] = {}
        """By the place of the first section, and how many there are."""

        self.units: dict[tuple[int, tuple[int, ...]], Packed] = {}
        """Some units of a section, by its place and theirs."""


def pack(  # noqa: PLR0913 - a packing has its options
    candidates: Sequence[Candidate],
    *,
    query: str,
    room: int,
    detail: Detail,
    shelf: Shelf,
    drafts: Drafts | None = None,
) -> tuple[Packed, ...]:
    """Return what is shown of the candidates, which come best first, in at most `room` tokens.

    With `drafts` nothing is done again that one of them did.
    """
    terms = query_terms(query)
    if detail == "facts":
        return _each(candidates, room, shelf, lambda p: _facts_text(p, terms), "facts")
    if detail == "gist":
        return _each(candidates, room, shelf, _gist_text, "gist")
    if detail == "summary":
        return _summaries(candidates, terms, room, shelf)
    whole, left = _whole(candidates, room, shelf)
    if detail == "full" and whole:
        return whole
    rest = candidates[len(whole) : len(whole) + (1 if detail == "full" else POOLED + left // 400)]
    return (*whole, *_units(rest, len(whole), terms, left, shelf, drafts or Drafts()))


def within(
    budget: int,
    make: Callable[[int], _T],
    render_all: Callable[[_T], str],
    measure: Callable[[str], int],
    *,
    room: int,
) -> tuple[_T, str] | None:
    """Return what `make` makes of the most room whose rendering is within `budget`, else None.

    `room` is what is tried first; what stands around what is made takes the rest.
    """
    for _ in range(_ATTEMPTS):
        made = make(max(0, room))
        text = render_all(made)
        over = measure(text) - budget
        if over <= 0:
            return made, text
        if room <= 0:
            return None
        room -= over + min(8, room // 20)
    made = make(0)
    text = render_all(made)
    return (made, text) if measure(text) <= budget else None


def _whole(
    candidates: Sequence[Candidate], room: int, shelf: Shelf
) -> tuple[tuple[Packed, ...], int]:
    """Return the first candidates that fit as they are, and the room that is left."""
    count = shelf.counts.count
    found: list[Packed] = []
    for place, candidate in enumerate(candidates):
        if len(candidate.body) > 200 * room:
            break
        tokens = count(candidate.body)
        if tokens + candidate.price > room:
            break
        room -= tokens + candidate.price
        found.append(_full(place, candidate, tokens))
    return tuple(found), room


def _units(  # noqa: PLR0913, PLR0917 - what is packed, and how
    candidates: Sequence[Candidate],
    first: int,
    terms: frozenset[str],
    room: int,
    shelf: Shelf,
    drafts: Drafts,
) -> tuple[Packed, ...]:
    """Return the units of several sections that a query asks for, in the sections' order."""
    if not candidates or room <= 0:
        return ()
    pool = drafts.pools.get((first, len(candidates)))
    if pool is None:
        parts = [shelf.prepared(candidate.body).columns for candidate in candidates]
        pool = pooled(parts, [candidate.heading for candidate in candidates], terms)
        drafts.pools[first, len(candidates)] = pool

    def packed(number: int, places: tuple[int, ...]) -> Packed:
        known = drafts.units.get((first + number, places))
        if known is None:
            prepared = shelf.prepared(candidates[number].body)
            text = render(prepared.analysis.units, places)
            known = _shorter(first + number, text, "units", shelf.counts.count(text), prepared)
            drafts.units[first + number, places] = known
        return known

    def show(places: Sequence[int]) -> tuple[tuple[Packed, ...], int]:
        shown = tuple(packed(number, own) for number, own in pool.by_section(places).items())
        prices = sum(candidates[one.place - first].price for one in shown)
        return shown, prices + sum(one.tokens for one in shown)

    columns = pool.priced([candidate.price for candidate in candidates])
    return fill(columns, pool.relevance, budget=room, show=show)[1][0]


def _summaries(
    candidates: Sequence[Candidate], terms: frozenset[str], room: int, shelf: Shelf
) -> tuple[Packed, ...]:
    """Return stored summaries, else 0.4 of a section; those under the smallest size whole."""
    found: list[Packed] = []
    for place, candidate in enumerate(candidates):
        left = room - candidate.price
        if left < _LEAST:
            break
        prepared = shelf.prepared(candidate.body)
        if prepared.tokens < SMALLEST and prepared.tokens <= left:
            made = _full(place, candidate, prepared.tokens)
        elif stored := stored_summary(candidate.body, candidate.summary, left, shelf):
            made = _shorter(place, stored[0], "abstractive", stored[1], prepared)
        else:
            choice = choose(
                prepared.analysis,
                budget=min(left, int(prepared.tokens * SUMMARY_SHARE)),
                count=shelf.counts.count,
                costs=prepared.costs,
                query=terms,
            )
            if not choice.text:
                continue
            made = _shorter(place, choice.text, "summary", choice.tokens, prepared)
        room = left - made.tokens
        found.append(made)
    return tuple(found)


_LEAST = 12
"""Tokens below which a section's share says nothing."""


def _each(
    candidates: Sequence[Candidate],
    room: int,
    shelf: Shelf,
    shorten: Callable[[Prepared], list[str]],
    level: str,
) -> tuple[Packed, ...]:
    """Return lines made of each section, as many as fit, the best sections first."""
    count = shelf.counts.count
    found: list[Packed] = []
    for place, candidate in enumerate(candidates):
        left = room - candidate.price
        if left < _LEAST:
            break
        prepared = shelf.prepared(candidate.body)
        text = _fitting(shorten(prepared), left, count)
        if not text:
            continue
        tokens = count(text)
        found.append(_shorter(place, text, level, tokens, prepared))
        room = left - tokens
    return tuple(found)


def _fitting(lines: list[str], room: int, count: Callable[[str], int]) -> str:
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if count("\n".join(lines[:middle])) <= room else (low, middle - 1)
        )
    return "\n".join(lines[:low])


def _facts_text(prepared: Prepared, terms: frozenset[str]) -> list[str]:
    """Return a section's facts as lines, those that a query asks for first; else its gist."""

    def asked(fact: Fact) -> int:
        return -len(terms & {t for word in raw_words(fact.text) for t in ranking_terms(word)})

    ordered = sorted(prepared.analysis.facts, key=asked) if terms else prepared.analysis.facts
    return [f"- {fact.text}" for fact in ordered] or _gist_text(prepared)


def _gist_text(prepared: Prepared) -> list[str]:
    return [f"- {phrase}" for phrase in gists(prepared.analysis.units, count=_GISTS)]


def _full(place: int, candidate: Candidate, tokens: int) -> Packed:
    return Packed(
        place=place,
        text=candidate.body,
        level="full",
        tokens=tokens,
        original_tokens=tokens,
        retention=1.0,
    )


def _shorter(place: int, text: str, level: str, tokens: int, prepared: Prepared) -> Packed:
    return Packed(
        place=place,
        text=text,
        level=level,
        tokens=tokens,
        original_tokens=prepared.tokens,
        retention=retention(prepared.analysis, text),
    )
