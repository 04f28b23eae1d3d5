"""How alike two texts are: one interface, lexical by default."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Protocol

from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Vector = dict[str, float]
"""Weights by dimension; what a dimension is called is the embedder's affair."""


class Embedder(Protocol):
    """Turns texts into vectors of length 1, so that their product says how alike they are."""

    def embed(self, texts: Sequence[str], /) -> Sequence[Mapping[str, float]]:
        """Return a vector for each text."""
        ...


class LexicalEmbedder:
    """Ranking terms by the logarithm of their frequency; no model, no download, no state."""

    def embed(self, texts: Sequence[str], /) -> Sequence[Vector]:
        """Return a vector for each text; that of a text without words is empty."""
        return [_vector(text) for text in texts]


def similarity(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the cosine of two vectors of length 1."""
    if len(other) < len(one):
        one, other = other, one
    return sum(weight * other.get(name, 0.0) for name, weight in one.items())


def drift(original: str, shortened: str, *, embedder: Embedder) -> float:
    """Return how far a shorter text is from its original: 0 the same words, 1 none of them."""
    one, other = embedder.embed((original, shortened))
    return round(1.0 - min(1.0, similarity(one, other)), 4)


def _vector(text: str) -> Vector:
    counts = Counter(
        term
        for word in raw_words(text)
        if word.lower() not in STOP_WORDS
        for term in ranking_terms(word)
    )
    weights = {term: 1.0 + math.log(n) for term, n in counts.items()}
    length = math.sqrt(sum(weight * weight for weight in weights.values()))
    return {term: weight / length for term, weight in weights.items()}
