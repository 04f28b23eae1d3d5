"""What a shorter text keeps of what must not get lost: API names, parameters, numbers, versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.identifiers import literals, names_in_code, names_in_prose

if TYPE_CHECKING:
    from doctrove_server.compression.concepts import Analysis


def retention(original: Analysis, text: str) -> float:
    """Return the share, 0 to 1, of the original's names, literals and facts that a text keeps."""
    text = " ".join(text.split())
    wanted = essentials(original)
    kept = sum(word in text for word in wanted)
    stated = sum(fact.value.strip("`\u2026") in text for fact in original.facts)
    whole = len(wanted) + len(original.facts)
    return round((kept + stated) / whole, 4) if whole else 1.0


def essentials(analysis: Analysis) -> frozenset[str]:
    """Return the names of a section and the literals of its prose."""
    found: set[str] = set()
    for unit in analysis.units:
        if unit.kind in ("code", "signature"):
            found.update(names_in_code(unit.text))
        else:
            found.update(names_in_prose(unit.text), literals(unit.text))
    return frozenset(found)
