"""What units are worth for a query: by their words, their heading and the units beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.wording import FRAGMENT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_server.compression.columns import Columns
    from doctrove_server.compression.concepts import Analysis

QUERY = 45.0
"""Worth of a unit for a query, times the share that it says, against the concepts it covers."""

FOCUS = 3.0
"""How much more than in proportion a unit is worth that says much of a query."""

HEADED = 4.0
"""How many times its own worth a unit gains at most for what its heading says of a query."""

BESIDE = 0.5
"""How far a unit is raised to what the one beside it says of a query."""


def relevances(places: Mapping[str, Sequence[int]], of: Columns) -> list[float]:
    """Return what each unit is worth for a query: the rarer among them a word, the more.

    `places` are those of the units that say each of the query's terms. What a unit's heading says
    counts for the unit, though a unit that says little stays so, and in part what the units beside
    it say: an answer often stands in the sentence after the one that has the question's words.
    """
    rarity = {term: 1.0 / (1.0 + len(at)) ** 0.5 for term, at in sorted(places.items()) if at}
    said: dict[int, set[str]] = {}
    for term in rarity:
        for place in places[term]:
            said.setdefault(place, set()).add(term)
    own = _with_neighbours(_shares(said, rarity), of)
    headed = {
        place: said.get(place, _NOTHING) | said[heading]
        for place, heading in enumerate(of.headings)
        if heading in said
    }
    whole = _with_neighbours(_shares({**said, **headed}, rarity), of)
    relevance = [0.0] * len(of.headings)
    for place, share in whole.items():
        alone = _relevance(own.get(place, 0.0))
        gain = min(_relevance(share) - alone, HEADED * of.alone[place])
        relevance[place] = alone + gain
        if of.factors[place] == FRAGMENT:
            relevance[place] *= FRAGMENT
    return relevance


def _relevance(share: float) -> float:
    return QUERY * share * (1 + FOCUS * share)


def _shares(
    said: Mapping[int, set[str] | frozenset[str]], rarity: Mapping[str, float]
) -> dict[int, float]:
    """Return which share of a query each unit says, 0 to 1."""
    whole = sum(rarity.values())
    return {
        place: sum(weight for term, weight in rarity.items() if term in terms) / whole
        for place, terms in said.items()
    }


def _with_neighbours(shares: Mapping[int, float], of: Columns) -> dict[int, float]:
    """Return shares of units, each raised towards that of the better unit beside it."""
    found = dict(shares)
    for place, share in shares.items():
        for beside in (place - 1, place + 1):
            if (
                0 <= beside < len(of.is_open)
                and of.is_open[place]
                and of.is_open[beside]
                and of.headings[place] == of.headings[beside]
            ):
                own = shares.get(beside, 0.0)
                found[beside] = max(found.get(beside, 0.0), own + BESIDE * (share - own))
    return found


_NOTHING: frozenset[str] = frozenset()


def places_of(analysis: Analysis) -> dict[str, tuple[int, ...]]:
    """Return the places of the units that say each ranking term."""
    found: dict[str, list[int]] = {}
    for place, terms in enumerate(analysis.terms):
        for term in terms:
            found.setdefault(term, []).append(place)
    return {term: tuple(places) for term, places in found.items()}
