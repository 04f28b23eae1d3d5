"""The context memory itself: add, get, retrieve within a budget, forget; time is a parameter.

Originals are kept and ranked whole; what is shown of one is chosen for the query from its units,
and the older and the less used it is, the less of it. What was taken out can be had by its key.
"""

from __future__ import annotations

import hashlib
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.aging import level_of
from doctrove_server.compression.budgeting import Shares, shares
from doctrove_server.compression.compressed import (
    RATIOS,
    SMALLEST,
    Compressed,
    compressed,
    untouched,
)
from doctrove_server.compression.embedding import Embedder, LexicalEmbedder
from doctrove_server.compression.gists import gists
from doctrove_server.compression.memory.excerpts import Excerpts
from doctrove_server.compression.memory.levels import (
    abstractive_level,
    extractive_levels,
    of_the_whole,
)
from doctrove_server.compression.memory.likeness import LONG, Likeness
from doctrove_server.compression.memory.recalled import (
    MemoryStats,
    Recalled,
    Retrieved,
    recalled,
)
from doctrove_server.compression.memory.store import Item, Parts, Store
from doctrove_server.compression.memory.versions import levels_by_version
from doctrove_server.compression.queries import query_terms
from doctrove_server.compression.selection import choose
from doctrove_server.errors import MemoryFailed
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from doctrove_server.compression.completing import Completer
    from doctrove_server.compression.compressed import Level
    from doctrove_server.compression.settings import CompressionSettings
    from doctrove_server.compression.shelf import Shelf

LONGEST = 1_000_000
"""Characters of one text."""

EXAMINED = 100_000
"""Characters of a text that are cut into units at most, and its first ones that facts and gists are
looked for in."""

LEVELLED = 60_000
"""Characters of a text that levels are made of: pieces from all of it."""

DEFAULT_FACTS, DEFAULT_GISTS = 10, 5
_CANDIDATES, _NEWEST = 40, 10
_LEAST = 16
"""Tokens below which a text's share says nothing."""

_CHARACTERS = 12
"""Of a long text that are looked at for each token that it may have."""

_MOST_MISSES = 5
"""Texts without a unit that fits, after which no further one is cut."""


class Memory:
    """Texts with their facts and gists; safe to use from several threads."""

    def __init__(
        self,
        store: Store,
        settings: CompressionSettings,
        *,
        shelf: Shelf,
        embedder: Embedder | None = None,
        completer: Completer | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self.shelf = shelf
        self._completer = completer
        self._excerpts = Excerpts()
        self._likeness = Likeness(embedder or LexicalEmbedder(), self._excerpts)
        self._lock = threading.Lock()
        self._retrievals = self._shown = 0
        self._ratios = self._retentions = 0.0

    def add(self, text: str, *, now: float, key: str = "", source: str = "") -> Item:
        """Remember a text under a key, by default one made of its content; return what is kept.

        Raises `ValueError` for an empty text and one above `LONGEST` characters.
        """
        if not text.strip() or len(text) > LONGEST:
            raise ValueError(f"the text must have 1 to {LONGEST:,} characters")
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        key = key or f"text-{digest[:16]}"
        known = self._store.get(key)
        if known and known.sha256 == digest and known.source == source:
            self._store.touch(key, now, anew=True)
            return known
        prepared = self.shelf.prepared(text[:EXAMINED])
        tokens = prepared.tokens if len(text) <= EXAMINED else self.shelf.counts.count(text)
        item = Item(0, key, text, source, digest, tokens, now, now, 0)
        key_value, gist = self._settings.key_value, self._settings.gist_tokens
        stated = prepared.analysis.facts if key_value.enabled else ()
        phrases = gists(prepared.analysis.units, count=gist.tokens_per_gist) if gist.enabled else ()
        parts = Parts(
            terms=_terms(f"{key} {text}"),
            facts=[(fact.key, fact.value) for fact in stated],
            gist=phrases,
        )
        return self._store.put(
            item, parts, most_facts=key_value.max_facts, most_gists=gist.max_gists
        )

    def get(self, key: str, *, now: float) -> Item | None:
        """Return the text of a key as it was added, and count an access where that can be kept."""
        item = self._store.get(key)
        if item:
            with suppress(MemoryFailed):
                self._store.touch(key, now)
        return item

    def levels(self, item: Item) -> tuple[Compressed, ...]:
        """Return the levels of a text, the longest first, by the method that is set.

        None of a model: those are made one at a time, when they are read.
        """
        part = self._part(item, frozenset(), LEVELLED)
        made = extractive_levels(part, self._settings.summarization, shelf=self.shelf)
        return tuple(of_the_whole(one, part, item) for one in made)

    def level_count(self, item: Item) -> int:
        """Return the number of the shortest level that can be asked for.

        A text that is too small for any is shown whole at each of them.
        """
        settings = self._settings.summarization
        if settings.method == "abstractive" or item.tokens < SMALLEST:
            return settings.levels
        return len(self.levels(item))

    def level(self, item: Item, number: int) -> Compressed | None:
        """Return one level, 1 the longest; None of a text that is too small for any.

        With the method `abstractive` a model is asked, once for each text and level.
        """
        settings = self._settings.summarization
        if settings.method != "abstractive":
            levels = self.levels(item)
            return levels[min(number, len(levels)) - 1] if levels else None
        part, kept = self._part(item, frozenset(), LEVELLED), self._store.summaries_of(item)
        made = abstractive_level(
            part, number, settings, shelf=self.shelf, completer=self._completer, kept=kept
        )
        return of_the_whole(made, part, item) if made else None

    def retrieve(
        self, query: str, *, budget: int, now: float, texts: int | None = None
    ) -> Retrieved:
        """Return texts, facts and gists for a query, together at most `budget` tokens.

        `texts` bounds how many texts are shown.
        """
        found = self.drafted(query, budget=budget, now=now, texts=texts)
        self.note(found)
        return found

    def drafted(
        self, query: str, *, budget: int, now: float, texts: int | None = None
    ) -> Retrieved:
        """Return the same, not counted as a retrieval: what is shown may become another."""
        ranked = self._ranked(query)
        facts, phrases = self._facts(query, ranked), self._gists(ranked)
        level = self._levels_shown([item for _, item in ranked], query, now)
        count = self.shelf.counts.count
        needs = Shares(
            temporal=sum(
                _allowed(item, level[item.id]) + _price(item, count) for _, item in ranked
            ),
            key_value=count("\n".join(facts)) + len(facts) if facts else 0,
            gist=count("\n".join(phrases)) + len(phrases) if phrases else 0,
        )
        given = shares(budget, self._settings.token_budget.allocation, needs=needs)
        shown, spent = self._texts(ranked[:texts], query, given.temporal, level)
        facts, fact_tokens = _lines(facts, given.key_value, self.shelf)
        left = budget - spent - fact_tokens
        phrases, gist_tokens = _lines(
            phrases, max(given.gist, 0) if left >= given.gist else left, self.shelf
        )
        keys = {one.key for one in shown}
        return Retrieved(
            temporal=shown,
            facts=facts,
            gists=phrases,
            omitted=tuple(item.key for _, item in ranked if item.key not in keys),
            tokens=spent + fact_tokens + gist_tokens,
        )

    def note(self, found: Retrieved) -> None:
        """Count a retrieval."""
        with self._lock:
            self._retrievals += 1
            self._shown += len(found.temporal)
            self._ratios += sum(one.ratio for one in found.temporal)
            self._retentions += sum(one.retention for one in found.temporal)

    def forget(self, key: str) -> int:
        """Forget a text; return how many there were."""
        return self._store.forget(key)

    def forget_all(self) -> int:
        """Forget everything; return how many texts there were."""
        return self._store.forget_all()

    @property
    def stats(self) -> MemoryStats:
        """How much is remembered, and the mean ratio and retention of what was shown."""
        shown, cache = max(1, self._shown), self.shelf.stats
        return MemoryStats(
            store=self._store.stats,
            retrievals=self._retrievals,
            shown=self._shown,
            mean_ratio=round(self._ratios / shown, 4),
            mean_retention=round(self._retentions / shown, 4),
            hits=cache.hits,
            misses=cache.misses,
            answers=cache.shown,
            summaries=getattr(self._completer, "calls", 0),
            summaries_failed=getattr(self._completer, "failed", 0),
            estimated=not self.shelf.counts.exact,
        )

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    def _ranked(self, query: str) -> list[tuple[float, Item]]:
        terms = sorted(query_terms(query))
        found = {item.id: item for item in self._store.find(terms, limit=_CANDIDATES)}
        for item in self._store.newest(limit=_NEWEST):
            found.setdefault(item.id, item)
        return self._likeness.ranked(query, list(found.values()))

    def _facts(self, query: str, ranked: Sequence[tuple[float, Item]]) -> tuple[str, ...]:
        if not self._settings.key_value.enabled or not ranked:
            return ()
        terms = query_terms(query)
        places = {item.id: place for place, (_, item) in enumerate(ranked)}
        scored = [
            (
                -len(terms & query_terms(f"{name} {value}")),
                places[number],
                place,
                f"{name}: {value}",
            )
            for place, (number, name, value) in enumerate(self._store.facts(list(places)))
        ]
        return tuple(
            text for hits, _, _, text in sorted(scored)[:DEFAULT_FACTS] if hits or not terms
        )

    def _gists(self, ranked: Sequence[tuple[float, Item]]) -> tuple[str, ...]:
        if not self._settings.gist_tokens.enabled or not ranked:
            return ()
        best = [item for _, item in ranked[:DEFAULT_GISTS]]
        kept = self._store.gists([item.id for item in best])
        return tuple(f"{item.key}: {'; '.join(kept[item.id])}" for item in best if item.id in kept)

    def _levels_shown(self, items: Sequence[Item], query: str, now: float) -> dict[int, Level]:
        """Return how short each text is shown, by age, use and version."""
        temporal = self._settings.temporal_compression
        buckets = temporal.age_buckets if temporal.enabled else None
        by_version = levels_by_version([item.key for item in items], query)
        return {
            item.id: "none"
            if item.tokens < SMALLEST
            else level_of(
                max(0.0, now - item.added),
                item.accesses,
                buckets=buckets,
                version=by_version.get(item.key, "none"),
            )
            for item in items
        }

    def _texts(
        self,
        ranked: Sequence[tuple[float, Item]],
        query: str,
        room: int,
        levels: Mapping[int, Level],
    ) -> tuple[tuple[Recalled, ...], int]:
        shown: list[Recalled] = []
        terms, spent, misses = query_terms(query), 0, 0
        for score, item in ranked:
            price = _price(item, self.shelf.counts.count)
            left = room - spent - price
            if left < min(_LEAST, item.tokens) or misses >= _MOST_MISSES:
                continue
            level = levels[item.id]
            made = self._shortened(item, min(left, _allowed(item, level)), terms, level)
            if not made.text:
                misses += 1
                continue
            spent += made.tokens + price
            shown.append(recalled(item, made, score))
        return tuple(shown), spent

    def _shortened(
        self, item: Item, budget: int, terms: frozenset[str], level: Level
    ) -> Compressed:
        if item.tokens <= budget:
            return untouched(item.text, ref=item.key, tokens=item.tokens)
        part = self._part(item, terms, max(LONG, min(EXAMINED, _CHARACTERS * budget)))
        prepared = self.shelf.prepared(part.text)
        choice = choose(
            prepared.analysis,
            budget=budget,
            count=self.shelf.counts.count,
            costs=prepared.costs,
            query=terms,
        )
        made = compressed(
            choice.text,
            of=prepared.analysis,
            ref=item.key,
            level=level if level != "none" else "units",
            tokens=choice.tokens,
            original_tokens=part.tokens,
        )
        return of_the_whole(made, part, item)

    def _part(self, item: Item, terms: frozenset[str], most: int) -> Item:
        """Return a text, of a longer one an excerpt of so many characters."""
        if len(item.text) <= most:
            return item
        text = self._excerpts.of(item.text, item.sha256, terms, most)
        return msgspec.structs.replace(item, text=text, tokens=self.shelf.counts.count(text))


def _allowed(item: Item, level: Level) -> int:
    return int(item.tokens * RATIOS[level])


def _price(item: Item, count: Callable[[str], int]) -> int:
    """Return about how many tokens stand around a text: its key, its source, its figures."""
    return 16 + count(item.key) + count(item.source)


def _lines(lines: Sequence[str], room: int, shelf: Shelf) -> tuple[tuple[str, ...], int]:
    count, found, spent = shelf.counts.count, list[str](), 0
    for line in lines:
        tokens = count(line) + 1
        if spent + tokens <= room:
            found.append(line)
            spent += tokens
    return tuple(found), spent


def _terms(text: str) -> str:
    """Return the ranking terms of a text, each once, as the store's index reads them."""
    words = dict.fromkeys(raw_words(text))
    found = dict.fromkeys(term for word in words for term in ranking_terms(word))
    return " ".join(found)
