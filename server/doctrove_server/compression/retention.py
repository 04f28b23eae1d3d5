"""What a shorter text keeps of what must not get lost: API names, parameters, numbers, versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from doctrove_server.compression.facts import Fact

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from doctrove_server.compression.concepts import Analysis


def retention(original: Analysis, text: str) -> float:
    """Return the share, 0 to 1, of the original's names, literals and facts that a text keeps."""
    text = " ".join(text.split())
    wanted = _sample(original.essentials)
    stated = [fact.value.strip("`\u2026") for fact in _sample(original.facts)]
    kept = sum(word in text for word in (*wanted, *stated))
    whole = len(wanted) + len(stated)
    return round(kept / whole, 4) if whole else 1.0


_SAMPLE = 1_000
"""Names and literals, and facts, of a long text that are looked for: each costs a whole reading."""

_Wanted = TypeVar("_Wanted", str, Fact)


def _sample(wanted: Collection[_Wanted]) -> Sequence[_Wanted]:
    """Return some in equal steps, fewer than twice `_SAMPLE`; all where there are no more."""
    if len(wanted) < 2 * _SAMPLE:
        return tuple(wanted)
    found = sorted(wanted, key=str)
    return found[:: len(found) // _SAMPLE]
