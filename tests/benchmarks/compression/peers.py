"""What compression is measured against: the front of a text, the seed's sketch, LexRank."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

from doctrove_server.compression.rendering import render
from doctrove_server.compression.segmentation import segment

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Count = Callable[[str], int]


def front(text: str, budget: int, count: Count) -> str:
    """Return as many lines from the front as fit."""
    lines = text.split("\n")
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if count("\n".join(lines[:middle])) <= budget else (low, middle - 1)
        )
    return "\n".join(lines[:low])


def sketch(text: str, ratio: float, _count: Count) -> str:
    """Return the seed's extractive summary: a share of what stands between `. `, by TF-IDF sums."""
    parts = text.split(". ")
    number = max(1, round(len(parts) * ratio))
    scores = [sum(vector.values()) for vector in _vectors(parts)]
    top = sorted(sorted(range(len(parts)), key=lambda i: scores[i])[-number:])
    return ". ".join(parts[i] for i in top)


def sketch_in_budget(text: str, budget: int, count: Count) -> str:
    """Return the sketch with as many parts as fit."""
    parts = text.split(". ")
    scores = [sum(vector.values()) for vector in _vectors(parts)]
    chosen: list[int] = []
    for place in sorted(range(len(parts)), key=lambda i: -scores[i]):
        shown = ". ".join(parts[i] for i in sorted([*chosen, place]))
        if count(shown) <= budget:
            chosen.append(place)
    return ". ".join(parts[i] for i in sorted(chosen))


def lexrank(text: str, budget: int, count: Count) -> str:
    """Return Markdown units by their eigenvector centrality (Erkan and Radev 2004)."""
    units = segment(text)
    places = [place for place, unit in enumerate(units) if unit.kind != "heading"]
    vectors = _vectors([units[place].text for place in places])
    scores = _centrality(vectors)
    chosen: set[int] = set()
    for rank in sorted(range(len(places)), key=lambda i: -scores[i]):
        if count(render(units, chosen | {places[rank]})) <= budget:
            chosen.add(places[rank])
    return render(units, chosen)


def _vectors(parts: Sequence[str]) -> list[Mapping[str, float]]:
    """Return normalised TF-IDF vectors, idf smoothed."""
    counts = [Counter(re.findall(r"\b\w\w+\b", part.lower())) for part in parts]
    documents = Counter(word for count in counts for word in count)
    vectors: list[Mapping[str, float]] = []
    for count in counts:
        weights = {
            word: n * (math.log((1 + len(parts)) / (1 + documents[word])) + 1)
            for word, n in count.items()
        }
        length = math.sqrt(sum(w * w for w in weights.values())) or 1.0
        vectors.append({word: w / length for word, w in weights.items()})
    return vectors


def _centrality(vectors: Sequence[Mapping[str, float]]) -> list[float]:
    size = len(vectors)
    links = [
        [j for j, b in enumerate(vectors) if sum(w * b.get(k, 0.0) for k, w in a.items()) >= 0.1]
        for a in vectors
    ]
    scores = [1.0] * size
    for _ in range(30):
        following = [0.15] * size
        for i, linked in enumerate(links):
            for j in linked:
                following[j] += 0.85 * scores[i] / len(linked)
        scores = following
    return scores
