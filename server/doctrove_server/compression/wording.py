"""What a unit is worth for its wording and place: statements over asides, lead-ins and pointers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.units import Unit

UNIT, FIRST_OF_HEADING, TELLING, SIGNATURE = 0.5, 1.5, 1.5, 2.0
"""Worth of any unit, and what is added to it."""

LABELLED, BARE, POINTS, NARRATES, LOOKS_AROUND, LEANS = 1.5, 0.05, 0.1, 0.4, 0.7, 0.7
"""How much of its worth a unit has that is worded so; 1 otherwise.

They follow from how often sentences so worded answered questions about documentation.
"""

_TELLING = re.compile(
    r"\b(?:must|never|always|only|defaults?|returns?|raises?|throws?|deprecated|removed|required"
    r"|instead|recommended|cannot|not supported|because|allows?|means)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"(?:see|refer to|read|learn|check|for more|you can (?:also )?(?:read|find|see|learn))\b"
    r"|.*\bmore (?:details|information)\b|.*\bin the next (?:section|chapter)\b",
    re.IGNORECASE,
)
_NARRATES = re.compile(
    r"\b(?:let's|let us|we|we'll|we're|we've|imagine|i|our)\b|\?$", re.IGNORECASE
)
_LOOKS_AROUND = re.compile(
    r"\b(?:here|above|below|earlier|later|previous|example)\b", re.IGNORECASE
)
_LEANS = re.compile(
    r"(?:this|that|these|those|it|they|he|she|such|instead|and|but|so|then"
    r"|in (?:this|that|these|those))\b|\.\.\.",
    re.IGNORECASE,
)
_PROSE = frozenset(("sentence", "item", "html"))


def bases(units: Sequence[Unit]) -> tuple[float, ...]:
    """Return what each unit is worth beside its concepts."""
    found: list[float] = []
    heading = None
    for unit in units:
        base = UNIT
        if unit.kind in _PROSE:
            base += FIRST_OF_HEADING if unit.heading != heading else 0.0
            base += TELLING if _TELLING.search(unit.text) else 0.0
        elif unit.kind == "signature":
            base += SIGNATURE
        heading = unit.heading if unit.kind != "heading" else None
        found.append(base)
    return tuple(found)


def factors(units: Sequence[Unit]) -> tuple[float, ...]:
    """Return how much of its worth each unit has for its wording."""
    return tuple(_of_prose(unit) if unit.kind in _PROSE else 1.0 for unit in units)


def _of_prose(unit: Unit) -> float:
    text = unit.text
    factor = LABELLED if unit.label else 1.0
    factor *= POINTS if _POINTS.match(text) else 1.0
    factor *= NARRATES if _NARRATES.search(text) else 1.0
    factor *= LOOKS_AROUND if _LOOKS_AROUND.search(text) else 1.0
    factor *= LEANS if _LEANS.match(text) else 1.0
    # What leads in to a block says nothing without it, unless it names something.
    return factor * BARE if text.endswith(":") and "`" not in text else factor
