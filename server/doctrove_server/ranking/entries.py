"""Which libraries a query finds, and how well: the seed's tiers, read from prepared maps.

A lookup costs what it finds, not what the catalogue holds: exact names and aliases are dictionary
reads, prefixes are runs of sorted lists, words are posting lists.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.ranking.places import four_places
from doctrove_server.ranking.words import ends_word, folded, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from doctrove_schema.model import Entry

_LAST = "\U0010ffff"


class Signal(msgspec.Struct, frozen=True):
    """Why an entry was found: the tier's base score and the words for it."""

    raw: float
    match: str


class EntryHit(msgspec.Struct, frozen=True):
    """One entry that a query found."""

    entry: int
    """Its place in the list that the maps were made of."""

    score: float
    """0 to 1, four decimal places."""

    match: str


class EntryMaps:
    """The names, aliases and words of a list of entries, prepared for `ranked_entries`."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.popularity = tuple(entry.popularity for entry in entries)
        names = [(folded(n), i) for i, e in enumerate(entries) for n in (e.name, e.id)]
        aliases = [(folded(a), i) for i, e in enumerate(entries) for a in e.aliases if a.strip()]
        self.names = _grouped(names)
        self.aliases = _grouped(aliases)
        self.sorted_names = sorted(names)
        self.sorted_aliases = sorted(aliases)
        self.longest_alias = max((len(alias) for alias in self.aliases), default=0)
        self.name_words = _grouped(
            (word, number)
            for number, entry in enumerate(entries)
            for word in words(" ".join((entry.name, entry.id, *entry.aliases)))
        )
        self.summary_words = _grouped(
            (word, number) for number, entry in enumerate(entries) for word in words(entry.summary)
        )


def ranked_entries(maps: EntryMaps, query: str) -> tuple[EntryHit, ...]:
    """Return every entry that a query finds, best first (seed: "Entry retrieval").

    Equal scores are ordered by popularity, then by the order of the entries.
    """
    signals = _signals(maps, folded(query.strip()), words(query))
    hits = (
        EntryHit(
            entry=number,
            score=_score(signal.raw, maps.popularity[number]),
            match=signal.match,
        )
        for number, signal in signals.items()
    )
    return tuple(sorted(hits, key=lambda hit: (-hit.score, -maps.popularity[hit.entry], hit.entry)))


def _signals(maps: EntryMaps, query: str, terms: tuple[str, ...]) -> dict[int, Signal]:
    """Return the first tier that applies to each entry found."""
    found: dict[int, Signal] = {}
    if not query:
        return found
    for signal, numbers in (
        (Signal(1.0, "exact name match"), maps.names.get(query, ())),
        (Signal(0.95, "exact alias match"), maps.aliases.get(query, ())),
        (Signal(0.90, "name prefix match"), _with_prefix(maps.sorted_names, query)),
        (Signal(0.85, "alias prefix match"), _with_prefix(maps.sorted_aliases, query)),
        (Signal(0.85, "alias prefix match"), _begun_by_alias(maps, query)),
    ):
        for number in numbers:
            found.setdefault(number, signal)
    for what, postings, base, span in (
        ("name", maps.name_words, 0.6, 0.23),
        ("summary", maps.summary_words, 0.3, 0.2),
    ):
        for number, hits in _counted(postings, terms).items():
            signal = Signal(
                base + span * hits / len(terms), f"{what} token hit {hits}/{len(terms)}"
            )
            found.setdefault(number, signal)
    return found


def _score(raw: float, popularity: float) -> float:
    boost = 0.0
    if popularity >= 1 and math.isfinite(popularity):
        boost = min(0.1, math.log10(popularity) / 100)
    return four_places(min(1.0, raw + (1 - raw) * boost))


def _with_prefix(keys: list[tuple[str, int]], prefix: str) -> Iterator[int]:
    start = bisect_left(keys, (prefix,))
    stop = bisect_left(keys, (prefix + _LAST,))
    return (number for _, number in keys[start:stop])


def _begun_by_alias(maps: EntryMaps, query: str) -> Iterator[int]:
    """Yield the entries with an alias that the query begins with, up to the end of a word."""
    for at in range(1, min(len(query), maps.longest_alias + 1)):
        if ends_word(query, at):
            yield from maps.aliases.get(query[:at], ())


def _counted(postings: Mapping[str, Sequence[int]], terms: Iterable[str]) -> dict[int, int]:
    counts: dict[int, int] = defaultdict(int)
    for term in terms:
        for number in postings.get(term, ()):
            counts[number] += 1
    return counts


def _grouped(pairs: Iterable[tuple[str, int]]) -> dict[str, tuple[int, ...]]:
    groups: dict[str, dict[int, None]] = defaultdict(dict)
    for key, number in pairs:
        groups[key][number] = None
    return {key: tuple(numbers) for key, numbers in groups.items()}
