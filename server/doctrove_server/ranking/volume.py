"""A volume's sections, cut into words once, so that ranking them is a few dictionary reads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeVar

import msgspec

from doctrove_server.ranking.words import folded, ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from doctrove_schema.model import Section

_T = TypeVar("_T")

HEADING_WEIGHT = 4.0
SYMBOLS_WEIGHT = 3.0
TRAIL_WEIGHT = 1.0
BODY_WEIGHT = 1.0
BODY_LENGTH_SHARE = 0.6
"""How far a body's length discounts its words: BM25's b, which the short fields do without."""


class PreparedVolume(msgspec.Struct, frozen=True):
    """The words of a volume's sections, as posting lists over the sections' places."""

    size: int
    headings: Mapping[str, tuple[int, ...]]
    """Sections with this word in their heading."""

    bodies: Mapping[str, tuple[int, ...]]
    """Sections with this word in their body."""

    terms: Mapping[str, tuple[tuple[int, float], ...]]
    """Section and weighted frequency of each ranking term, for BM25F."""


def prepared(sections: Sequence[Section]) -> PreparedVolume:
    """Cut sections into words and ranking terms; costs about a second for ten megabytes."""
    headings: dict[str, list[int]] = defaultdict(list)
    bodies: dict[str, list[int]] = defaultdict(list)
    counted: list[tuple[Counter[str], Counter[str]]] = []
    for number, section in enumerate(sections):
        heading, body = Counter(raw_words(section.heading)), Counter(raw_words(section.body))
        _post(headings, heading, number)
        _post(bodies, body, number)
        counted.append((heading, body))
    lengths = [sum(body.values()) for _, body in counted]
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    terms: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, (section, (heading, body)) in enumerate(zip(sections, counted, strict=True)):
        length = 1 - BODY_LENGTH_SHARE + BODY_LENGTH_SHARE * lengths[number] / average
        weights = _weights(
            (
                (heading, HEADING_WEIGHT),
                (Counter(raw_words(" ".join(section.symbols))), SYMBOLS_WEIGHT),
                (Counter(raw_words(" ".join(section.trail))), TRAIL_WEIGHT),
                (body, BODY_WEIGHT / length),
            )
        )
        for term, weight in weights.items():
            terms[term].append((number, weight))
    return PreparedVolume(
        size=len(sections), headings=_frozen(headings), bodies=_frozen(bodies), terms=_frozen(terms)
    )


def _post(postings: dict[str, list[int]], counts: Counter[str], number: int) -> None:
    for word in {folded(word) for word in counts}:
        postings[word].append(number)


def _weights(fields: Iterable[tuple[Counter[str], float]]) -> dict[str, float]:
    """Return the weighted frequency of each ranking term over the fields (BM25F)."""
    weights: dict[str, float] = defaultdict(float)
    for counts, weight in fields:
        for word, count in counts.items():
            for term in ranking_terms(word):
                weights[term] += weight * count
    return weights


def _frozen(postings: Mapping[str, list[_T]]) -> dict[str, tuple[_T, ...]]:
    return {key: tuple(places) for key, places in postings.items()}
