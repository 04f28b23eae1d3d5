"""What a unit is worth for its wording and place: statements over asides, lead-ins and pointers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_server.compression.sentences import LEANS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.units import Unit

UNIT, DEFINING, FIRST_OF_HEADING, TELLING, SIGNATURE = 0.5, 3.0, 1.5, 1.5, 2.0
"""Worth of any unit, and what is added to it: a section's first sentence defines its subject."""

LABELLED, BARE, POINTS, NARRATES, LOOKS_AROUND, LEANING = 1.5, 0.05, 0.1, 0.4, 0.7, 0.5
"""How much of its worth a unit has that is worded so; 1 otherwise.

They follow from how often sentences so worded answered questions about documentation.
"""

IMPORTS = 0.05
"""How much of its worth code has that only imports."""

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
_IMPORTS = re.compile(
    r"(?:\s*(?:import\b.*|from\s+\S+\s+import\b.*|(?:const|let|var)\s.*\brequire\([^)]*\);?"
    r"|use\s+[\w:]+;|#include\b.*|using\s+[\w.]+;)\s*)+"
)
_POINTS_BACK = re.compile(
    r"(?:this|that|these|those|it|they|he|she|such|and|but|so|in (?:this|that|these|those))\b",
    re.IGNORECASE,
)
_PROSE = frozenset(("sentence", "item", "html"))


def bases(units: Sequence[Unit]) -> tuple[float, ...]:
    """Return what each unit is worth beside its concepts."""
    found: list[float] = []
    heading = None
    defined = False
    for unit in units:
        base = UNIT
        if unit.kind in _PROSE:
            if not defined and not unit.text.endswith(":"):
                base += DEFINING
                defined = True
            base += FIRST_OF_HEADING if unit.heading != heading else 0.0
            base += TELLING if _TELLING.search(unit.text) else 0.0
        elif unit.kind == "signature":
            base += SIGNATURE
        heading = unit.heading if unit.kind != "heading" else None
        found.append(base)
    return tuple(found)


def factors(units: Sequence[Unit]) -> tuple[float, ...]:
    """Return how much of its worth each unit has for its wording."""
    return tuple(_of_prose(unit) if unit.kind in _PROSE else _of_code(unit) for unit in units)


def _of_code(unit: Unit) -> float:
    """Code that imports and does nothing else is worth little."""
    is_code = unit.kind in ("code", "signature")
    return IMPORTS if is_code and _IMPORTS.fullmatch(unit.text) else 1.0


def _of_prose(unit: Unit) -> float:
    text = unit.text
    factor = LABELLED if unit.label else 1.0
    factor *= POINTS if _POINTS.match(text) else 1.0
    factor *= NARRATES if _NARRATES.search(text) else 1.0
    factor *= LOOKS_AROUND if _LOOKS_AROUND.search(text) else 1.0
    factor *= LEANING if LEANS.match(text) or _POINTS_BACK.match(text) else 1.0
    # What leads in to a block says nothing without it, unless it names something.
    return factor * BARE if text.endswith(":") and "`" not in text else factor
