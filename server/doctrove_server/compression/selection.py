"""The choice of units under a budget of tokens: the most that is said for the least.

Saying something twice is worth nothing, so the worth of a choice is submodular and the greedy
choice by worth for cost is near the best (Lin and Bilmes 2011, "A Class of Submodular Functions for
Document Summarization").
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, TypeVar

import msgspec

from doctrove_server.compression.columns import HEADING, columns
from doctrove_server.compression.relevance import relevances
from doctrove_server.compression.rendering import render, with_headings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_server.compression.columns import Columns
    from doctrove_server.compression.concepts import Analysis

AGAIN, LEAST_AGAIN = 0.1, 0.001
"""What a concept is worth in one more unit, against in the one before; and the least of it.

So among thousands of units that say the same, one more changes nothing for the others.
"""

WORTHLESS = 0.005
"""Worth for each token below which a unit says nothing: it is left out where there is room, too."""

OVERHEAD = 8
"""Tokens that count as the price of any unit, so that crumbs do not win."""

CRUMBS = 0.02
"""Share of a budget that is not worth another round."""

_Shown = TypeVar("_Shown")

_ROUNDS = 3
"""How often the room that an estimate left over is filled."""


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
    of = columns(analysis, costs or unit_costs(analysis, count))

    def show(places: Sequence[int]) -> tuple[str, int]:
        text = render(analysis.units, places)
        return text, count(text)

    said = {term: [at for at, own in enumerate(analysis.terms) if term in own] for term in query}
    relevance = relevances(said, of)
    places, (text, tokens) = fill(of, relevance, budget=budget, show=show, given=given)
    return Choice(frozenset(with_headings(analysis.units, places)), text, tokens)


def fill(  # noqa: PLR0913 - a choice has its options
    of: Columns,
    relevance: Sequence[float],
    *,
    budget: int,
    show: Callable[[Sequence[int]], tuple[_Shown, int]],
    given: Sequence[int] = (),
    is_said: Callable[[str], bool] = lambda _says: False,
    stretch: float = 1.0,
) -> tuple[tuple[int, ...], tuple[_Shown, int]]:
    """Return the places chosen, in the order of choice, and how `show` shows them.

    `show` returns what it likes and its tokens, which are never more than `budget` in the end. What
    a chosen unit says is not said again, and neither is what `is_said` knows of. `stretch` is how
    many tokens a token of the units' costs comes to as a rule, when it is shown.
    """
    picker = _Picker(of, relevance, is_said)
    picker.give(given)
    picker.pick(int((budget - sum(of.costs[place] for place in given)) / stretch))
    shown = show(picker.order)
    for _ in range(_ROUNDS):
        if shown[1] > budget:
            picker.drop(shown[1] - budget)
        elif budget - shown[1] < CRUMBS * budget or not picker.pick(
            int((budget - shown[1]) / stretch)
        ):
            break
        shown = show(picker.order)
    while shown[1] > budget and picker.order:
        picker.drop(shown[1] - budget)
        shown = show(picker.order)
    return tuple(picker.order), shown


class _Picker:
    """Picks units by worth for cost, each counted beyond what is already covered."""

    def __init__(
        self, of: Columns, relevance: Sequence[float], is_said: Callable[[str], bool]
    ) -> None:
        self._of = of
        self._relevance = relevance
        self._is_said = is_said
        self._said: set[str] = set()
        self._left_of: dict[str, float] = {}
        self._opened: set[int] = set()
        self._headed: set[int] = {-1}
        self._left = [
            place
            for place, is_open in enumerate(of.is_open)
            if is_open
            and of.alone[place] + relevance[place] >= WORTHLESS * (of.prices[place] + OVERHEAD)
        ]
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
        least = self._least
        heap: list[tuple[float, int, int]] = (
            self._from_before(budget) if self._opened else self._from_nothing(budget)
        )
        heapq.heapify(heap)
        picked = 0
        while heap:
            _, place, seen = heapq.heappop(heap)
            # What is too much now stays so: who brings its heading pays for it, too.
            if least(place) > budget:
                heap = [entry for entry in heap if least(entry[1]) <= budget]
                heapq.heapify(heap)
                continue
            if seen != picked:
                heapq.heappush(heap, (-self._density(place), place, picked))
                continue
            price = self._price(place)
            if price <= budget and not self._repeats(place):
                budget -= price
                picked += 1
                self._take(place)
        taken = set(self.order)
        self._left = [place for place in self._left if place not in taken]
        return picked

    def drop(self, tokens: int) -> None:
        """Give up what was picked last, at least so many tokens; it is not picked again."""
        while tokens > 0 and self.order:
            tokens -= self._of.costs[self.order.pop()]

    def _from_nothing(self, budget: int) -> list[tuple[float, int, int]]:
        of, relevance = self._of, self._relevance
        alone, prices, costs = of.alone, of.prices, of.costs
        return [
            (-(alone[place] + relevance[place]) / (prices[place] + OVERHEAD), place, 0)
            for place in self._left
            if costs[place] <= budget
        ]

    def _from_before(self, budget: int) -> list[tuple[float, int, int]]:
        return [
            (-self._density(place), place, 0)
            for place in self._left
            if self._least(place) <= budget
        ]

    def _take(self, place: int) -> None:
        heading = self._of.headings[place]
        self.order.append(place)
        if heading not in self._headed:
            self._say(heading)
        self._say(place)
        self._opened.add(self._of.groups[place])
        self._headed.add(heading)

    def _repeats(self, place: int) -> bool:
        says = self._of.says[place]
        return bool(says) and (says in self._said or self._is_said(says))

    def _say(self, place: int) -> None:
        self._said.add(self._of.says[place])
        left = self._left_of
        for concept in self._of.concepts[place]:
            left[concept] = max(LEAST_AGAIN, left.get(concept, 1.0) * AGAIN)

    def _density(self, place: int) -> float:
        of, heading = self._of, self._of.headings[place]
        own = self._worth(place)
        if heading not in self._headed:
            own += HEADING * self._worth(heading)
        worth = (own + of.base[place]) * of.factors[place]
        return (worth + self._relevance[place]) / (self._price(place) + OVERHEAD)

    def _worth(self, place: int) -> float:
        left = self._left_of
        worth = 0.0
        for concept, weight in self._of.concepts[place].items():
            worth += weight * left[concept] if concept in left else weight
        return worth

    def _least(self, place: int) -> int:
        """Return what a unit costs where its block is open."""
        of, heading = self._of, self._of.headings[place]
        own = of.costs[place]
        return own if heading in self._headed else own + of.costs[heading]

    def _price(self, place: int) -> int:
        of = self._of
        return self._least(place) + (0 if of.groups[place] in self._opened else of.frames[place])
