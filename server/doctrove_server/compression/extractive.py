"""Extractive summaries: the units of a section that say the most, in their order.

What is left of the budget names what the rest is about, so that a reader knows what to ask for.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from doctrove_server.compression.identifiers import names_in_code, names_in_prose
from doctrove_server.compression.selection import Choice, choose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_server.compression.concepts import Analysis

NAMED_SHARE = 0.12
"""Share of a budget that names what was left out."""

_SMALLEST_NAMED = 60
"""Budget below which every token goes to what is said."""

_MOST_NAMES = 200


def extract(
    analysis: Analysis,
    *,
    budget: int,
    count: Callable[[str], int],
    costs: Sequence[int] = (),
) -> Choice:
    """Return a summary of at most `budget` tokens; empty when no unit fits."""
    reserve = int(budget * NAMED_SHARE) if budget >= _SMALLEST_NAMED else 0
    choice = choose(analysis, budget=budget - reserve, count=count, costs=costs)
    if not choice.text or not reserve:
        return choose(analysis, budget=budget, count=count, costs=costs) if reserve else choice
    named = _with_names(analysis, choice, budget, count)
    if budget - named.tokens < reserve // 2:
        return named
    # There was little to name: the room goes to what is said.
    room = budget - (named.tokens - choice.tokens)
    choice = choose(analysis, budget=room, count=count, costs=costs)
    return _with_names(analysis, choice, budget, count)


def _with_names(
    analysis: Analysis, choice: Choice, budget: int, count: Callable[[str], int]
) -> Choice:
    """Return a choice with a line of as many missing names as fit."""
    missing = names_left_out(analysis, choice.text)
    low, high, best = 0, len(missing), choice
    while low < high:
        middle = (low + high + 1) // 2
        text = f"{choice.text}\n\nAlso: `{', '.join(missing[:middle])}`"
        tokens = count(text)
        if tokens <= budget:
            low, best = middle, Choice(choice.places, text, tokens)
        else:
            high = middle - 1
    return best


def names_left_out(analysis: Analysis, text: str) -> list[str]:
    """Return the names of prose and signatures that a text lacks, the frequent ones first."""
    counts: Counter[str] = Counter()
    for unit in analysis.units:
        if unit.kind != "code":
            names = names_in_code if unit.kind == "signature" else names_in_prose
            counts.update(name for name in names(unit.text) if "`" not in name)
    return [name for name, _ in counts.most_common(_MOST_NAMES) if name not in text]
