"""The choice of units under a budget of tokens: the most that is said for the least.

Saying something twice is worth nothing, so the worth of a choice is submodular and the greedy
choice by worth for cost is near the best (Lin and Bilmes 2011, "A Class of Submodular Functions for
Document Summarization").
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, TypeVar

import msgspec

from doctrove_server.compression.rendering import render, with_headings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_server.compression.concepts import Analysis

QUERY = 30.0
"""Worth of a unit that says all of a query, against the concepts that it covers."""


AGAIN = 0.25
"""What a concept is worth in one more unit, against in the one before."""

HEADING = 0.5
"""What the concepts of a heading are worth that a unit brings along."""

OVERHEAD = 2
"""Tokens that count as the price of any unit, so that crumbs do not win."""

_Shown = TypeVar("_Shown")

_ROUNDS = 3
"""How often the room that an estimate left over is filled."""

_FRAMES = {"row": 8, "code": 6, "signature": 6}
"""About how many tokens a block's frame has."""


class Choice(msgspec.Struct, frozen=True):
    """What was chosen of a section."""

    places: frozenset[int]
    text: str
    tokens: int


def unit_costs(analysis: Analysis, count: Callable[[str], int]) -> tuple[int, ...]:
    """Return about how many tokens each unit adds to a text, without its block's frame."""
    return tuple(count(unit.text) + 1 for unit in analysis.units)


def choose(  # noqa: PLR0913 - a choice has its options
    analysis: Analysis,
    *,
    budget: int,
    count: Callable[[str], int],
    costs: Sequence[int] = (),
    query: frozenset[str] = frozenset(),
    given: Sequence[int] = (),
) -> Choice:
    """Choose units whose rendering has at most `budget` tokens; nothing when none fits.

    `query` holds ranking terms; without it the section's own subjects decide. `given` are places
    chosen before, which are known to fit.
    """
    costs = costs or unit_costs(analysis, count)

    def show(places: Sequence[int]) -> tuple[str, int]:
        text = render(analysis.units, places)
        return text, count(text)

    places, (text, tokens) = fill(
        analysis, costs, relevances(analysis, query), budget=budget, show=show, given=given
    )
    return Choice(frozenset(with_headings(analysis.units, places)), text, tokens)


def fill(  # noqa: PLR0913 - a filling has its options
    analysis: Analysis,
    costs: Sequence[int],
    relevance: Sequence[float],
    *,
    budget: int,
    show: Callable[[Sequence[int]], tuple[_Shown, int]],
    given: Sequence[int] = (),
) -> tuple[tuple[int, ...], tuple[_Shown, int]]:
    """Return the places chosen, in the order of choice, and how `show` shows them.

    `show` returns what it likes and its tokens, which are never more than `budget` in the end.
    """
    picker = _Picker(analysis, costs, relevance)
    picker.give(given)
    picker.pick(budget - sum(costs[place] for place in given))
    shown = show(picker.order)
    for _ in range(_ROUNDS):
        if shown[1] > budget:
            picker.drop(shown[1] - budget)
        elif not picker.pick(budget - shown[1]):
            break
        shown = show(picker.order)
    while shown[1] > budget and picker.order:
        picker.drop(shown[1] - budget)
        shown = show(picker.order)
    return tuple(picker.order), shown


class _Picker:
    """Picks units by worth for cost, each counted beyond what is already covered."""

    def __init__(
        self, analysis: Analysis, costs: Sequence[int], relevance: Sequence[float]
    ) -> None:
        self._analysis = analysis
        self._costs = costs
        self._relevance = relevance
        self._left_of: dict[str, float] = {}
        self._opened: set[int] = set()
        self._headed: set[int] = {-1}
        self._left = [place for place, unit in enumerate(analysis.units) if unit.kind != "heading"]
        self.order: list[int] = []
        """Places, in the order of picking."""

    def give(self, places: Sequence[int]) -> None:
        """Take places as picked."""
        for place in places:
            self._take(place)
        self._left = [place for place in self._left if place not in places]

    def pick(self, budget: int) -> int:
        """Pick what fits into a budget, the best first; return how many units that were.

        Worth only falls as more is covered, so an old value that is still the best needs no look
        at the others (Minoux 1978, "Accelerated greedy algorithms").
        """
        heap = [
            (-self._density(place), place, 0)
            for place in self._left
            if self._costs[place] <= budget
        ]
        heapq.heapify(heap)
        picked = 0
        while heap:
            _, place, seen = heapq.heappop(heap)
            if seen != picked:
                heapq.heappush(heap, (-self._density(place), place, picked))
                continue
            price = self._price(place)
            if price <= budget:
                budget -= price
                picked += 1
                self._take(place)
        taken = set(self.order)
        self._left = [place for place in self._left if place not in taken]
        return picked

    def drop(self, tokens: int) -> None:
        """Give up what was picked last, at least so many tokens; it is not picked again."""
        while tokens > 0 and self.order:
            tokens -= self._costs[self.order.pop()]

    def _take(self, place: int) -> None:
        self.order.append(place)
        heading = self._analysis.units[place].heading
        if heading not in self._headed:
            self._say(heading)
        self._say(place)
        self._opened.add(self._analysis.units[place].group)
        self._headed.add(self._analysis.units[place].heading)

    def _say(self, place: int) -> None:
        left = self._left_of
        for concept in self._analysis.concepts[place]:
            left[concept] = left.get(concept, 1.0) * AGAIN

    def _density(self, place: int) -> float:
        heading = self._analysis.units[place].heading
        own = self._worth(place)
        if heading not in self._headed:
            own += HEADING * self._worth(heading)
        worth = (own + self._analysis.base[place]) * self._analysis.factors[place]
        return (worth + self._relevance[place]) / (self._price(place) + OVERHEAD)

    def _worth(self, place: int) -> float:
        left = self._left_of
        if not left:
            return self._analysis.worth[place]
        worth = 0.0
        for concept, weight in self._analysis.concepts[place].items():
            worth += weight * left[concept] if concept in left else weight
        return worth

    def _price(self, place: int) -> int:
        unit = self._analysis.units[place]
        price = self._costs[place]
        if unit.heading not in self._headed:
            price += self._costs[unit.heading]
        if unit.opener and unit.group not in self._opened:
            price += _FRAMES.get(unit.kind, 2)
        return price


def relevances(analysis: Analysis, query: frozenset[str]) -> list[float]:
    """Return what each unit is worth for a query: the rarer in the section a word, the more."""
    units = analysis.units
    if not query:
        return [0.0] * len(units)
    found = {term: sum(term in terms for terms in analysis.terms) for term in query}
    rarity = {term: 1.0 / (1.0 + n) ** 0.5 for term, n in found.items() if n}
    whole = sum(rarity.values()) or 1.0
    relevance: list[float] = []
    for place, unit in enumerate(units):
        terms = analysis.terms[place]
        if unit.heading >= 0:
            terms = terms | analysis.terms[unit.heading]
        share = sum(weight for term, weight in rarity.items() if term in terms) / whole
        relevance.append(QUERY * share * (1 + share))
    return relevance
