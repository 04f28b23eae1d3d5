"""Analyses kept by their content, so that a section is cut into units once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.columns import Columns, columns
from doctrove_server.compression.concepts import Analysis, analysed
from doctrove_server.compression.counting import counting
from doctrove_server.compression.relevance import places_of
from doctrove_server.compression.selection import unit_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.counting import Counting

LARGEST = 3_000_000
"""Characters of all texts whose analyses are kept, `OVERHEAD` added for each."""

OVERHEAD = 2_000


class Prepared(msgspec.Struct, frozen=True):
    """A text, cut and counted."""

    text: str
    analysis: Analysis
    tokens: int
    costs: tuple[int, ...]
    columns: Columns
    places: Mapping[str, tuple[int, ...]]
    """Of the units that say each ranking term."""


class ShownStats(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What answers under a budget have shown so far."""

    answers: int
    sections: int
    """Of all those answers, whole ones included."""

    mean_ratio: float
    """Of their tokens that were shown."""

    mean_retention: float


class ShelfStats(msgspec.Struct, frozen=True, kw_only=True):
    """What the cache of analyses has done so far, and what was shown."""

    size: int
    characters: int
    hits: int
    misses: int
    shown: ShownStats


class Shelf:
    """The texts prepared last; safe to use from several threads."""

    def __init__(self, counts: Counting | None = None, *, largest: int = LARGEST) -> None:
        self._counts = counts
        self._largest = largest
        self._kept: OrderedDict[str, Prepared] = OrderedDict()
        self._characters = self._hits = self._misses = 0
        self._answers = self._shown = 0
        self._ratios = self._retentions = 0.0
        self._lock = threading.Lock()

    @property
    def counts(self) -> Counting:
        """How tokens are counted; the tokenizer is loaded when first asked for."""
        if self._counts is None:
            self._counts = counting()
        return self._counts

    def prepared(self, text: str) -> Prepared:
        """Return a text cut into units and counted."""
        with self._lock:
            known = self._kept.get(text)
            if known is not None:
                self._hits += 1
                self._kept.move_to_end(text)
                return known
            self._misses += 1
        count = self.counts.count
        analysis = analysed(text)
        costs = unit_costs(analysis, count)
        made = Prepared(
            text, analysis, count(text), costs, columns(analysis, costs), places_of(analysis)
        )
        with self._lock:
            if text not in self._kept:
                self._characters += len(text) + OVERHEAD
            self._kept[text] = made
            while self._characters > self._largest and len(self._kept) > 1:
                _, gone = self._kept.popitem(last=False)
                self._characters -= len(gone.text) + OVERHEAD
        return made

    def note(self, ratios: Sequence[float], retentions: Sequence[float]) -> None:
        """Count an answer: what it keeps of the tokens and of the names of each section, 0 to 1."""
        with self._lock:
            self._answers += 1
            self._shown += len(ratios)
            self._ratios += sum(ratios)
            self._retentions += sum(retentions)

    @property
    def stats(self) -> ShelfStats:
        """What has been asked of it so far."""
        with self._lock:
            return ShelfStats(
                size=len(self._kept),
                characters=self._characters,
                hits=self._hits,
                misses=self._misses,
                shown=ShownStats(
                    answers=self._answers,
                    sections=self._shown,
                    mean_ratio=round(self._ratios / max(1, self._shown), 4),
                    mean_retention=round(self._retentions / max(1, self._shown), 4),
                ),
            )
