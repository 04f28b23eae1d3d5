"""A cache in memory whose entries live for a time and leave in the order of last use."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

MAX_ENTRIES = 256

_V = TypeVar("_V")


class CacheStats(msgspec.Struct, frozen=True, kw_only=True):
    """What a cache has done so far."""

    size: int
    hits: int
    misses: int
    evictions: int
    """Entries that left for room, not for age."""


class TtlCache(Generic[_V]):
    """Values that live `ttl` seconds, at most `max_entries`; with `ttl` 0 it keeps nothing.

    `clock` returns seconds and never goes back.
    """

    def __init__(
        self, *, ttl: float, clock: Callable[[], float], max_entries: int = MAX_ENTRIES
    ) -> None:
        self._ttl = ttl
        self._clock = clock
        self._max_entries = max_entries
        self._entries: OrderedDict[Hashable, tuple[float, _V]] = OrderedDict()
        self._hits = self._misses = self._evictions = 0

    @property
    def keeps(self) -> bool:
        """Whether it keeps anything at all."""
        return self._ttl > 0

    def get(self, key: Hashable) -> _V | None:
        """Return a value that is still alive and make it the last used; else None."""
        if not self.keeps:
            return None
        found = self._entries.get(key)
        if found is not None and self._clock() < found[0]:
            self._hits += 1
            self._entries.move_to_end(key)
            return found[1]
        self._misses += 1
        self._entries.pop(key, None)
        return None

    def put(self, key: Hashable, value: _V) -> None:
        """Keep a value from now on for the cache's lifetime."""
        if not self.keeps:
            return
        self._entries[key] = (self._clock() + self._ttl, value)
        self._entries.move_to_end(key)
        while len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)
            self._evictions += 1

    @property
    def stats(self) -> CacheStats:
        """What has been asked of it so far."""
        return CacheStats(
            size=len(self._entries),
            hits=self._hits,
            misses=self._misses,
            evictions=self._evictions,
        )
