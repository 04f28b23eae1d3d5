"""What a unit says, as weighted concepts: names, facts, literals, words. Choosing covers them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.facts import Fact, facts
from doctrove_server.compression.identifiers import literals, names_in_code, names_in_prose
from doctrove_server.compression.segmentation import segment
from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.compression.units import Unit
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME, NAME_IN_CODE, FACT, LITERAL, WORD = 3.0, 1.2, 4.0, 1.0, 0.6
_TELLING = re.compile(
    r"\b(?:must|never|always|only|default|defaults|returns?|raises?|throws?|deprecated|removed"
    r"|required|instead|recommended|cannot|not supported|because|allows?|means)\b",
    re.IGNORECASE,
)
_POINTER = re.compile(
    r"^(?:see|refer to|read|learn|check|for more|you can (?:also )?(?:read|find|see|learn))\b"
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
    words = [raw_words(unit.text) for unit in units]
    concepts = _concepts(units, words)
    for fact in stated:
        concepts[fact.unit][f"fact:{fact.key}:{fact.value}"] = FACT
    return Analysis(
        units=units,
        facts=stated,
        concepts=tuple(concepts),
        terms=tuple(
            frozenset(
                term
                # A cell of a row is asked for by the head of its column, too.
                for word in (*unit_words, *(raw_words(unit.opener) if unit.kind == "row" else ()))
                for term in ranking_terms(word)
            )
            for unit, unit_words in zip(units, words, strict=True)
        ),
        base=_bases(units),
    )


def _concepts(units: Sequence[Unit], words: Sequence[Sequence[str]]) -> list[dict[str, float]]:
    """Return the names, literals and words of each unit; a name of code alone weighs less."""
    in_prose = {name for unit in units if unit.kind != "code" for name in _names(unit)}
    content = [_content_terms(unit_words) for unit_words in words]
    counts = Counter(term for terms in content for term in terms)
    concepts: list[dict[str, float]] = []
    for unit, terms in zip(units, content, strict=True):
        weights = {
            f"name:{name}": NAME if name in in_prose else NAME_IN_CODE for name in _names(unit)
        }
        if unit.kind not in ("code", "signature"):
            weights |= {f"literal:{literal}": LITERAL for literal in literals(unit.text)}
        weights |= {f"word:{term}": WORD * min(counts[term], 4) / 2 for term in terms}
        concepts.append(weights)
    return concepts


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
