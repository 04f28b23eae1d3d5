"""What a unit says, as weighted concepts: names, facts, literals, words. Choosing covers them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.facts import Fact, facts
from doctrove_server.compression.identifiers import literals, names_in_code, names_in_prose
from doctrove_server.compression.segmentation import segment
from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.compression.units import Unit
from doctrove_server.compression.wording import bases, factors
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME, NAME_IN_CODE, FACT, LITERAL, SPAN, WORD = 2.0, 0.6, 1.0, 0.5, 0.5, 0.3


_SPAN = re.compile(r"`([^`\n]{1,60})`")


class Analysis(msgspec.Struct, frozen=True):
    """A section cut into units, with what each of them says."""

    units: tuple[Unit, ...]
    facts: tuple[Fact, ...]
    concepts: tuple[Mapping[str, float], ...]
    """Of each unit, the weight of each concept."""

    worth: tuple[float, ...]
    """Of each unit, the weights of all its concepts."""

    terms: tuple[frozenset[str], ...]
    """Of each unit, the ranking terms, for queries."""

    base: tuple[float, ...]
    """Of each unit, what it is worth beside its concepts."""

    factors: tuple[float, ...]
    """Of each unit, how much its concepts count."""

    essentials: frozenset[str]
    """Names of the whole section, and the literals of its prose."""


def analysed(markdown: str) -> Analysis:
    """Cut a section into units and say what each of them says."""
    units = segment(markdown)
    stated = facts(units)
    words = [set(raw_words(unit.text)) for unit in units]
    concepts = _concepts(units, words)
    for fact in stated:
        concepts[fact.unit][f"fact:{fact.key}:{fact.value}"] = FACT
    terms = tuple(
        frozenset(
            term
            # A cell of a row is asked for by the head of its column, too.
            for word in (own.union(raw_words(unit.opener)) if unit.kind == "row" else own)
            for term in ranking_terms(word)
        )
        for unit, own in zip(units, words, strict=True)
    )
    return Analysis(
        units=units,
        facts=stated,
        concepts=tuple(concepts),
        worth=tuple(sum(weights.values()) for weights in concepts),
        terms=terms,
        base=bases(units),
        factors=factors(units),
        essentials=_essentials(units),
    )


def _essentials(units: Sequence[Unit]) -> frozenset[str]:
    found: set[str] = set()
    for unit in units:
        found.update(_names(unit))
        if unit.kind not in ("code", "signature"):
            found.update(literals(unit.text))
    return frozenset(found)


def _concepts(units: Sequence[Unit], words: Sequence[set[str]]) -> list[dict[str, float]]:
    """Return the names, literals and words of each unit; a name of code alone weighs less."""
    names = [_names(unit) for unit in units]
    in_prose = {
        name for unit, own in zip(units, names, strict=True) if unit.kind != "code" for name in own
    }
    content = [set(map(_content_term, own)) for own in words]
    counts = Counter(term for terms in content for term in terms)
    concepts: list[dict[str, float]] = []
    for unit, own, terms in zip(units, names, content, strict=True):
        weights = {f"name:{name}": NAME if name in in_prose else NAME_IN_CODE for name in own}
        if unit.kind not in ("code", "signature"):
            for literal in literals(unit.text):
                weights[f"literal:{literal}"] = LITERAL
            for span in _SPAN.findall(unit.text) if "`" in unit.text else ():
                weights[f"span:{span}"] = SPAN
        for term in terms:
            if term:
                weights[term] = WORD * min(counts[term], 4) / 2
        concepts.append(weights)
    return concepts


def _names(unit: Unit) -> tuple[str, ...]:
    return (
        names_in_code(unit.text)
        if unit.kind in ("code", "signature")
        else names_in_prose(unit.text)
    )


@lru_cache(maxsize=1 << 15)
def _content_term(word: str) -> str:
    """Return the first ranking term of a word; nothing of one that says nothing.

    Where a script has no spaces, every character is a word.
    """
    says_nothing = word.isascii() and (len(word) < _SHORTEST or word.lower() in STOP_WORDS)
    return "" if says_nothing else ranking_terms(word)[0]


_SHORTEST = 3
"""Letters of a word that says something, in a script of letters."""
