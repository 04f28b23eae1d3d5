"""The units of several sections put together, so that they compete for one budget."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.columns import Columns
from doctrove_server.compression.relevance import relevances
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_server.compression.shelf import Prepared

RANK_DISCOUNT = 0.9
"""What a unit of the next section is worth, against the same one of the section before."""


class Pool(msgspec.Struct, frozen=True):
    """The columns of several sections, each begun by a heading of its own."""

    columns: Columns
    """The own headings of the sections cost nothing in it."""

    relevance: tuple[float, ...]
    starts: tuple[int, ...]
    """Place of each section's own heading."""

    def priced(self, prices: Sequence[int]) -> Columns:
        """Return the columns with a price for each section's own heading."""
        columns = self.columns
        costs, whole = list(columns.costs), list(columns.prices)
        for start, end, price in zip(
            self.starts, (*self.starts[1:], len(costs)), prices, strict=True
        ):
            costs[start] = price
            for place in range(start + 1, end):
                if columns.headings[place] == start:
                    whole[place] += price
        return msgspec.structs.replace(columns, costs=tuple(costs), prices=tuple(whole))

    def by_section(self, places: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """Return places by section, in the sections' order, as places within the section."""
        found: dict[int, list[int]] = {}
        for place in sorted(places):
            section = bisect_right(self.starts, place) - 1
            found.setdefault(section, []).append(place - self.starts[section] - 1)
        return {section: tuple(own) for section, own in found.items()}


def pooled(parts: Sequence[Prepared], heads: Sequence[str], query: frozenset[str]) -> Pool:
    """Put sections and their own headings together; the sections come best first.

    `query` holds ranking terms.
    """
    columns, starts = _joined([part.columns for part in parts])
    own = [_terms(head) for head in heads]
    places: dict[str, list[int]] = {term: [] for term in query}
    for term, found in places.items():
        for start, part, head in zip(starts, parts, own, strict=True):
            if term in head:
                found.append(start)
            found += [start + 1 + place for place in part.places.get(term, ())]
    relevance = relevances(places, columns)
    for rank, (start, part) in enumerate(zip(starts, parts, strict=True)):
        discount = RANK_DISCOUNT**rank
        for place in range(start, start + 1 + len(part.costs)):
            relevance[place] *= discount
    return Pool(columns, tuple(relevance), starts)


def _joined(parts: Sequence[Columns]) -> tuple[Columns, tuple[int, ...]]:
    """Return sections in one, and the places of the headings that are put before each."""
    is_open: list[bool] = []
    headings: list[int] = []
    groups: list[int] = []
    frames: list[int] = []
    costs: list[int] = []
    says: list[str] = []
    concepts: list[Mapping[str, float]] = []
    base: list[float] = []
    factors: list[float] = []
    alone: list[float] = []
    prices: list[int] = []
    starts: list[int] = []
    for part in parts:
        start = len(costs)
        starts.append(start)
        is_open += (False, *part.is_open)
        headings += (-1, *[start if at < 0 else start + 1 + at for at in part.headings])
        # Groups of sections stay apart.
        groups += (-1, *[group + (start << 20) for group in part.groups])
        frames += (0, *part.frames)
        costs += (0, *part.costs)
        says += ("", *part.says)
        concepts += ({}, *part.concepts)
        base += (0.0, *part.base)
        factors += (1.0, *part.factors)
        alone += (0.0, *part.alone)
        prices += (0, *part.prices)
    return Columns(
        is_open=tuple(is_open),
        headings=tuple(headings),
        groups=tuple(groups),
        frames=tuple(frames),
        costs=tuple(costs),
        says=tuple(says),
        concepts=tuple(concepts),
        base=tuple(base),
        factors=tuple(factors),
        alone=tuple(alone),
        prices=tuple(prices),
    ), tuple(starts)


@lru_cache(maxsize=1 << 10)
def _terms(heading: str) -> frozenset[str]:
    return frozenset(term for word in raw_words(heading) for term in ranking_terms(word))
