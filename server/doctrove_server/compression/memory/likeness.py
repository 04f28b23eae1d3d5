"""How alike remembered texts and a question are; vectors of texts are kept by their content."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from doctrove_server.compression.embedding import similarity
from doctrove_server.compression.queries import query_terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_server.compression.embedding import Embedder
    from doctrove_server.compression.memory.excerpts import Excerpts
    from doctrove_server.compression.memory.store import Item

LONG = 40_000
"""Characters above which those pieces of a text that a question is about are looked at alone."""

_COMPARED = 10_000
"""Characters of a long text that are compared with a question."""

_VECTORS = 500


class Likeness:
    """Texts ordered for a question; safe to use from several threads."""

    def __init__(self, embedder: Embedder, excerpts: Excerpts) -> None:
        self._embedder = embedder
        self._excerpts = excerpts
        self._vectors: OrderedDict[str, Mapping[str, float]] = OrderedDict()
        self._lock = Lock()

    def ranked(self, query: str, items: Sequence[Item]) -> list[tuple[float, Item]]:
        """Return the texts that are like a question, most alike first; all without words."""
        terms = query_terms(query)
        if not terms:
            return [(0.0, item) for item in items]
        (asked,) = self._embedder.embed([query])
        scored = [
            (round(similarity(asked, vector), 4), item)
            for vector, item in zip(self._embedded(items, terms), items, strict=True)
        ]
        return sorted(
            ((score, item) for score, item in scored if score > 0),
            key=lambda pair: (-pair[0], -pair[1].added, pair[1].id),
        )

    def _embedded(self, items: Sequence[Item], terms: frozenset[str]) -> list[Mapping[str, float]]:
        """Return the vectors of texts, of a long one that of its pieces with the terms."""
        compared = [self._compared(item, terms) for item in items]
        with self._lock:
            missing = {key: text for key, text in compared if key not in self._vectors}
            made = self._embedder.embed(list(missing.values()))
            self._vectors.update(zip(missing, made, strict=True))
            found = [self._vectors[key] for key, _ in compared]
            for key, _ in compared:
                self._vectors.move_to_end(key)
            while len(self._vectors) > _VECTORS:
                self._vectors.popitem(last=False)
        return found

    def _compared(self, item: Item, terms: frozenset[str]) -> tuple[str, str]:
        """Return what stands for a text, and the key of its vector."""
        if len(item.text) <= LONG:
            return item.sha256, item.text
        text = self._excerpts.of(item.text, item.sha256, terms, _COMPARED)
        return text, text
