"""What a unit says, as weighted concepts: names, facts, literals, words. Choosing covers them."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.facts import facts
from doctrove_server.compression.identifiers import literals, names_in_code, names_in_prose
from doctrove_server.compression.segmentation import segment
from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.compression.units import Unit
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_server.compression.facts import Fact

NAME, NAME_IN_CODE, FACT, LITERAL, WORD = 3.0, 1.2, 4.0, 1.0, 0.6
_TELLING = re.compile(
    r"\b(?:must|never|always|only|default|defaults|returns?|raises?|throws?|deprecated|removed"
    r"|required|instead|recommended|cannot|not supported|because|allows?|means)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"^(?:see|refer to|read|learn|check|check out|for more|you can (?:also )?(?:read|find|see|learn))\b"
    r"|\bmore (?:details|information)\b|\bin the next (?:section|chapter)\b",
    re.IGNORECASE,
)


class Analysis(msgspec.Struct, frozen=True):
    """A section cut into units, with what each of them says."""

    units: tuple[Unit, ...]
    facts: tuple[Fact, ...]
    concepts: tuple[Mapping[str, float], ...]
    """Of each unit, the weight of each concept."""

    terms: tuple[frozenset[str], ...]
    """Of each unit, the ranking terms, for queries."""

    base: tuple[float, ...]
    """Of each unit, what it is worth beside its concepts."""


def analysed(markdown: str) -> Analysis:
    """Cut a section into units and say what each of them says."""
    units = segment(markdown)
    stated = facts(units)
    prose_names = {name for unit in units if unit.kind != "code" for name in _names(unit)}
    words = [raw_words(unit.text) for unit in units]
    counts = Counter(term for unit_words in words for term in _content_terms(unit_words))
    concepts: list[dict[str, float]] = []
    for unit, unit_words in zip(units, words, strict=True):
        weights: dict[str, float] = {}
        for name in _names(unit):
            weights[f"name:{name}"] = NAME if name in prose_names else NAME_IN_CODE
        if unit.kind not in ("code", "signature"):
            for literal in literals(unit.text):
                weights[f"literal:{literal}"] = LITERAL
        for term in _content_terms(unit_words):
            weights[f"word:{term}"] = WORD * min(counts[term], 4) / 2
        concepts.append(weights)
    for fact in stated:
        concepts[fact.unit][f"fact:{fact.key}:{fact.value}"] = FACT
    return Analysis(
        units=units,
        facts=stated,
        concepts=tuple(concepts),
        terms=tuple(
            frozenset(term for word in unit_words for term in ranking_terms(word))
            for unit_words in words
        ),
        base=_bases(units),
    )


def _names(unit: Unit) -> tuple[str, ...]:
    return (
        names_in_code(unit.text)
        if unit.kind in ("code", "signature")
        else names_in_prose(unit.text)
    )


def _content_terms(unit_words: Sequence[str]) -> set[str]:
    return {
        ranking_terms(word)[0]
        for word in unit_words
        if len(word) > 2 and word.lower() not in STOP_WORDS
    }


def _bases(units: Sequence[Unit]) -> tuple[float, ...]:
    """Return what position and wording are worth: first of its block, telling, a mere pointer."""
    bases: list[float] = []
    group = heading = None
    for unit in units:
        base = 0.5
        if unit.kind in ("sentence", "item", "html"):
            base += 1.0 if unit.group != group else 0.0
            base += 1.5 if unit.heading != heading else 0.0
            base += 1.5 if _TELLING.search(unit.text) else 0.0
            base += 1.0 if unit.label else 0.0
            base -= 3.0 if _POINTER.search(unit.text) else 0.0
        elif unit.kind == "signature":
            base += 2.0
        group = unit.group
        heading = unit.heading if unit.kind != "heading" else None
        bases.append(base)
    return tuple(bases)
