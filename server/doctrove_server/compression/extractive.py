"""Extractive summaries: the units of a section that say the most, in their order.

Where little is left of a section, its sentences are told in the style of a telegram. What is left
of the budget tells in phrases what the rest is about, so that a reader knows what to ask for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.phrases import phrase_of
from doctrove_server.compression.selection import Choice, choose, unit_costs
from doctrove_server.compression.trimming import brief

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_server.compression.concepts import Analysis
    from doctrove_server.compression.units import Unit

PHRASES_SHARE = 0.15
"""Share of a budget that tells what was left out."""

TELEGRAM = 0.35
"""Share of the tokens below which sentences are told in the style of a telegram."""

_SMALLEST = 60
"""Budget below which every token goes to what is said."""

_BEGIN = "\n\nAlso: "


def extract(
    analysis: Analysis,
    *,
    budget: int,
    count: Callable[[str], int],
    costs: Sequence[int] = (),
) -> Choice:
    """Return a summary of at most `budget` tokens; empty when no unit fits."""
    costs = costs or unit_costs(analysis, count)
    if budget < TELEGRAM * sum(costs):
        analysis, costs = telegram(analysis, costs)
    reserve = int(budget * PHRASES_SHARE) if budget >= _SMALLEST else 0
    choice = choose(analysis, budget=budget - reserve, count=count, costs=costs)
    if not choice.text or not reserve:
        return choose(analysis, budget=budget, count=count, costs=costs) if reserve else choice
    told = _with_phrases(analysis, choice, budget, count)
    if budget - told.tokens < reserve // 2:
        return told
    # There was little to tell: the room goes to what is said.
    room = budget - (told.tokens - choice.tokens)
    given = [place for place in choice.places if analysis.units[place].kind != "heading"]
    choice = choose(analysis, budget=room, count=count, costs=costs, given=sorted(given))
    return _with_phrases(analysis, choice, budget, count)


def telegram(analysis: Analysis, costs: Sequence[int]) -> tuple[Analysis, Sequence[int]]:
    """Return an analysis whose sentences are told in fewer words, and about what they cost."""
    units: list[Unit] = []
    less: list[int] = []
    for unit, cost in zip(analysis.units, costs, strict=True):
        told = brief(unit.text) if unit.kind in ("sentence", "item") else unit.text
        shorter = bool(told) and len(told) < len(unit.text)
        units.append(msgspec.structs.replace(unit, text=told) if shorter else unit)
        less.append(-(-cost * len(told) // len(unit.text)) if shorter else cost)
    return msgspec.structs.replace(analysis, units=tuple(units)), less


def _with_phrases(
    analysis: Analysis, choice: Choice, budget: int, count: Callable[[str], int]
) -> Choice:
    """Return a choice with as many phrases of the units left out as fit, in their order."""
    text, room = choice.text, budget - choice.tokens - count(_BEGIN)
    found: list[tuple[int, str]] = []
    said = text
    for place in _left_out(analysis, choice):
        if room < _LEAST:
            break
        phrase = phrase_of(analysis.units[place].text, said=said)
        cost = count(f"; {phrase}") if phrase else room + 1
        if cost <= room:
            room -= cost
            found.append((place, phrase))
            said = f"{said} {phrase}"
    while found:
        told = f"{text}{_BEGIN}{'; '.join(phrase for _, phrase in sorted(found))}"
        tokens = count(told)
        if tokens <= budget:
            return Choice(choice.places, told, tokens)
        found.pop()
    return choice


_LEAST = 4
"""Tokens below which no phrase is tried."""


def _left_out(analysis: Analysis, choice: Choice) -> list[int]:
    """Return the places of prose that was not chosen, those that say the most first."""
    worth = [
        (-worth * factor / (6 + len(unit.text) ** 0.5), place)
        for place, (unit, worth, factor) in enumerate(
            zip(analysis.units, analysis.worth, analysis.factors, strict=True)
        )
        if place not in choice.places and unit.kind in ("sentence", "item", "html", "row")
    ]
    return [place for _, place in sorted(worth)]
