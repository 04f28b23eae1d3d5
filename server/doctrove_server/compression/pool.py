"""The units of several sections put together, so that they compete for one budget."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.concepts import Analysis
from doctrove_server.compression.selection import relevances
from doctrove_server.compression.units import Unit
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_server.compression.packing import Candidate
    from doctrove_server.compression.shelf import Prepared

RANK_DISCOUNT = 0.7
"""What a unit of the next section is worth, against the same one of the section before."""


class Pool(msgspec.Struct, frozen=True):
    """An analysis over several sections, each begun by a heading of its own."""

    analysis: Analysis
    costs: tuple[int, ...]
    relevance: tuple[float, ...]
    starts: tuple[int, ...]
    """Place of each section's own heading."""

    def by_section(self, places: Sequence[int]) -> dict[int, list[int]]:
        """Return places by section, in the sections' order, as places within the section."""
        found: dict[int, list[int]] = {}
        for place in sorted(places):
            section = bisect_right(self.starts, place) - 1
            found.setdefault(section, []).append(place - self.starts[section] - 1)
        return found


def pooled(
    prepared: Sequence[Prepared],
    candidates: Sequence[Candidate],
    query: frozenset[str],
) -> Pool:
    """Put sections together; `query` holds ranking terms, the sections come best first."""
    units: list[Unit] = []
    concepts: list[Mapping[str, float]] = []
    terms: list[frozenset[str]] = []
    worth: list[float] = []
    base: list[float] = []
    factors: list[float] = []
    costs: list[int] = []
    starts: list[int] = []
    for part, candidate in zip(prepared, candidates, strict=True):
        start = len(units)
        starts.append(start)
        units.append(Unit(kind="heading", text=candidate.heading, group=-1))
        units += [_moved(unit, start) for unit in part.analysis.units]
        own = frozenset(t for word in raw_words(candidate.heading) for t in ranking_terms(word))
        concepts += [{}, *part.analysis.concepts]
        terms += [own, *part.analysis.terms]
        worth += [0.0, *part.analysis.worth]
        base += [0.0, *part.analysis.base]
        factors += [1.0, *part.analysis.factors]
        costs += [candidate.price, *part.costs]
    analysis = Analysis(
        units=tuple(units),
        facts=(),
        concepts=tuple(concepts),
        worth=tuple(worth),
        terms=tuple(terms),
        base=tuple(base),
        factors=tuple(factors),
    )
    found = relevances(analysis, query)
    discounted = tuple(
        score * RANK_DISCOUNT ** (bisect_right(starts, place) - 1)
        for place, score in enumerate(found)
    )
    return Pool(analysis, tuple(costs), discounted, tuple(starts))


def _moved(unit: Unit, start: int) -> Unit:
    """Return a unit of a section that begins at a place; groups of sections stay apart."""
    heading = start if unit.heading < 0 else start + 1 + unit.heading
    return msgspec.structs.replace(
        unit, heading=-1 if unit.kind == "heading" else heading, group=unit.group + (start << 20)
    )
