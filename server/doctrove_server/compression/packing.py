"""Ranked sections packed into a budget: whole while they fit, then the units that a query asks for.

Nothing is ever above the budget: what is packed is counted as it will be shown, and given up again
from the end where it is too much.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from doctrove_server.compression.beginning import beginning
from doctrove_server.compression.pool import pooled
from doctrove_server.compression.queries import query_terms
from doctrove_server.compression.reducing import Reduction, reduced
from doctrove_server.compression.rendering import render
from doctrove_server.compression.retention import retention
from doctrove_server.compression.selection import fill
from doctrove_server.compression.shelf import Prepared

if TYPE_CHECKING:
    from doctrove_server.compression.pool import Pool
    from doctrove_server.compression.shelf import Shelf

Detail = Literal["auto", "full", "summary", "facts", "gist"]
DETAILS: tuple[Detail, ...] = ("auto", "full", "summary", "facts", "gist")

POOLED = 8
"""Sections whose units compete for what whole sections leave over."""

_LEAST = 12
"""Tokens below which a section's share says nothing."""

_ATTEMPTS = 8
_T = TypeVar("_T")


class Candidate(msgspec.Struct, frozen=True):
    """A section that may be shown."""

    heading: str
    body: str
    price: int = 12
    """Tokens of what stands around the body, where nobody measures them."""

    summary: str = ""
    """What a model wrote of it, as the index has it: not checked yet."""


class Measure(msgspec.Struct, frozen=True):
    """How a form of the answer is counted."""

    price: Callable[[int], int]
    """Tokens of what stands around a candidate, by its place."""

    cost: Callable[[str], int]
    """Tokens of a text, as that form writes it."""

    stretch: float = 1.0
    """How many tokens one of plain text comes to as a rule."""


class Packed(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What is shown of one section."""

    place: int
    """Of the candidate."""

    text: str
    level: str
    """`full`, or what it was shortened to: `units`, a reduction, `abstractive`, `start`."""

    tokens: int
    original_tokens: int
    source: Prepared | None = None
    """What it was cut from, where it is not whole."""

    @property
    def ratio(self) -> float:
        """Tokens of the original that are left, 0 to 1."""
        return round(self.tokens / self.original_tokens, 4) if self.original_tokens else 1.0

    @cached_property
    def retention(self) -> float:
        """Share of names, literals and facts that are left, 0 to 1; searched for when asked."""
        return retention(self.source.analysis, self.text) if self.source else 1.0


def pack(
    candidates: Sequence[Candidate], *, query: str, room: int, detail: Detail, shelf: Shelf
) -> tuple[Packed, ...]:
    """Return what is shown of the candidates, which come best first, in at most `room` tokens."""
    measure = Measure(lambda place: candidates[place].price, shelf.counts.count)
    return Packer(candidates, query=query, detail=detail, shelf=shelf).packed(room, measure)


class Packer:
    """Candidates of one query, best first; what one packing of them prepared serves the next."""

    def __init__(
        self, candidates: Sequence[Candidate], *, query: str, detail: Detail, shelf: Shelf
    ) -> None:
        self._candidates = candidates
        self._terms = query_terms(query)
        self._detail: Detail = detail
        self._shelf = shelf
        self._known: dict[int, Prepared] = {}
        self._pools: dict[int, Pool] = {}
        """By their first section."""

        self._rendered: dict[tuple[int, tuple[int, ...]], Packed] = {}

    def packed(self, room: int, measure: Measure) -> tuple[Packed, ...]:
        """Return what is shown in at most `room` tokens.

        Where not even a unit fits, it is the beginning of the first candidate.
        """
        match self._detail:
            case "auto" | "full":
                found = self._whole_and_units(room, measure)
            case reduction:
                found = self._reduced(room, measure, reduction)
        return found or self._beginning(room, measure)

    def everything(self, room: int, measure: Measure) -> tuple[Packed, ...] | None:
        """Return all candidates whole, or None where that is more than `room` or not asked for."""
        if self._detail not in ("auto", "full"):
            return None
        found, _ = self._whole(room, measure)
        return found if len(found) == len(self._candidates) else None

    def _whole_and_units(self, room: int, measure: Measure) -> tuple[Packed, ...]:
        whole, left = self._whole(room, measure)
        if self._detail == "full":
            return whole or self._units(0, 1, left, measure)
        return (*whole, *self._units(len(whole), POOLED + left // 400, left, measure))

    def _whole(self, room: int, measure: Measure) -> tuple[tuple[Packed, ...], int]:
        """Return the first candidates that fit as they are, and the room that is left."""
        found: list[Packed] = []
        for place, candidate in enumerate(self._candidates):
            if len(candidate.body) > 200 * room:
                break
            spent = measure.cost(candidate.body)
            if spent >= room or spent + measure.price(place) > room:
                break
            room -= spent + measure.price(place)
            found.append(self._full(place))
        return tuple(found), room

    def _units(self, first: int, most: int, room: int, measure: Measure) -> tuple[Packed, ...]:
        """Return the units of several sections that the query asks for, in the sections' order."""
        if first == len(self._candidates) or room <= 0:
            return ()
        pool = self._pool(first, most)
        places = range(first, first + len(pool.starts))
        prices = [measure.price(place) for place in places]

        def show(chosen: Sequence[int]) -> tuple[tuple[Packed, ...], int]:
            sections = pool.by_section(chosen).items()
            made = (self._of_units(first + number, own) for number, own in sections)
            # Of a section whose only units lead in to what is not chosen nothing is left.
            shown = tuple(one for one in made if one.text.strip())
            return shown, sum(prices[one.place - first] + measure.cost(one.text) for one in shown)

        whole = "\n".join(candidate.body for candidate in self._candidates[:first])
        return fill(
            pool.priced(prices),
            pool.relevance,
            budget=room,
            show=show,
            is_said=whole.__contains__,
            stretch=measure.stretch,
        )[1][0]

    def _pool(self, first: int, most: int) -> Pool:
        known = self._pools.get(first)
        if known is None:
            candidates = self._candidates[first : first + most]
            known = self._pools[first] = pooled(
                [self._prepared(first + number) for number in range(len(candidates))],
                [candidate.heading for candidate in candidates],
                self._terms,
            )
        return known

    def _of_units(self, place: int, units: tuple[int, ...]) -> Packed:
        known = self._rendered.get((place, units))
        if known is None:
            prepared = self._prepared(place)
            is_whole = len(units) == sum(prepared.columns.is_open)
            known = (
                self._full(place)
                if is_whole
                else self._shorter(place, "units", render(prepared.analysis.units, units))
            )
            self._rendered[place, units] = known
        return known

    def _reduced(self, room: int, measure: Measure, to: Reduction) -> tuple[Packed, ...]:
        """Return each section made shorter by itself, as many as fit."""
        found: list[Packed] = []
        for place, candidate in enumerate(self._candidates):
            left = room - measure.price(place)
            if left < _LEAST:
                break
            level, text = reduced(
                self._prepared(place),
                to,
                room=left,
                terms=self._terms,
                cost=measure.cost,
                written=candidate.summary,
                shelf=self._shelf,
            )
            if text:
                room = left - measure.cost(text)
                found.append(
                    self._full(place) if level == "full" else self._shorter(place, level, text)
                )
        return tuple(found)

    def _beginning(self, room: int, measure: Measure) -> tuple[Packed, ...]:
        left = room - measure.price(0) if self._candidates else 0
        if left < _LEAST:
            return ()
        prepared = self._prepared(0)
        text = beginning(prepared.text, prepared.analysis.units, room=left, cost=measure.cost)
        return (self._shorter(0, "start", text),) if text else ()

    def _prepared(self, place: int) -> Prepared:
        known = self._known.get(place)
        if known is None:
            known = self._known[place] = self._shelf.prepared(self._candidates[place].body)
        return known

    def _full(self, place: int) -> Packed:
        body = self._candidates[place].body
        tokens = self._shelf.counts.count(body)
        return Packed(place=place, text=body, level="full", tokens=tokens, original_tokens=tokens)

    def _shorter(self, place: int, level: str, text: str) -> Packed:
        prepared = self._prepared(place)
        return Packed(
            place=place,
            text=text,
            level=level,
            tokens=self._shelf.counts.count(text),
            original_tokens=prepared.tokens,
            source=prepared,
        )


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
