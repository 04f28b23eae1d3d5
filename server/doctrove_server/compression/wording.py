"""What a unit is worth for its wording and place: statements over asides, lead-ins and pointers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_server.compression.sentences import LEANS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.units import Unit

UNIT, FIRST, TELLING, SIGNATURE = 0.5, 3.0, 3.0, 2.0
"""Worth of any unit beside what it names, and what is added: the first below a heading says what
that is about."""

SHOWS_HOW, LEADS_IN = 2.0, 1.0
"""What is added for saying which name to use, and for leading in to a block by a name."""

LABELLED, BARE, POINTS, NARRATES, EXCLAIMS, LEANING, UNNAMED = 1.5, 0.05, 0.1, 0.7, 0.1, 0.5, 0.45
"""How much of its worth a unit has that is worded so, or names nothing in code; 1 otherwise.

They follow from how often sentences so worded answered questions about documentation.
"""

FRAGMENT = 0.05
"""How much of its worth has what says nothing alone: code that only imports, and the rest of a
sentence that a block interrupts."""

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
_SHOWS_HOW = re.compile(
    r"\b(?:us(?:e|ing)|set|pass|call|with the|via|through)\b[^.]{0,40}`", re.IGNORECASE
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
    for unit in units:
        base = UNIT
        if unit.kind in _PROSE:
            base += FIRST if unit.heading != heading else 0.0
            base += TELLING if _TELLING.search(unit.text) else 0.0
            base += SHOWS_HOW if _SHOWS_HOW.search(unit.text) else 0.0
            base += LEADS_IN if unit.text.endswith(":") and "`" in unit.text else 0.0
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
    return FRAGMENT if is_code and _IMPORTS.fullmatch(unit.text) else 1.0


def _of_prose(unit: Unit) -> float:
    text = unit.text
    if text[:1].islower() and unit.kind == "sentence" and not unit.run_in:
        return FRAGMENT
    factor = LABELLED if unit.label else 1.0
    factor *= POINTS if _POINTS.match(text) else 1.0
    factor *= NARRATES if _NARRATES.search(text) else 1.0
    factor *= EXCLAIMS if text.endswith(("!", "?", "...")) else 1.0
    factor *= LEANING if LEANS.match(text) or _POINTS_BACK.match(text) else 1.0
    if "`" in text:
        return factor
    # What leads in to a block says nothing without it, unless it names something.
    return factor * UNNAMED * (BARE if text.endswith(":") else 1.0)
