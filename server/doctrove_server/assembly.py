"""The parts put together from settings: sources, caches and ranking, for whatever serves them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from doctrove_server.desk import Desk
from doctrove_server.sources.cache import TtlCache
from doctrove_server.sources.fetch import HttpFetch
from doctrove_server.sources.local import built_in_source, local_source
from doctrove_server.sources.remote import RemoteSource
from doctrove_server.sources.supply import Supply

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.config import Settings
    from doctrove_server.sources.cache import CacheStats


def open_desk(settings: Settings, *, log: Callable[[str], None]) -> tuple[Desk, TtlCache[object]]:
    """Return a desk for these settings and its cache; `log` is told what goes wrong."""
    clock = time.monotonic
    cache: TtlCache[object] = TtlCache(ttl=settings.cache_ttl, clock=clock)
    fetch = HttpFetch(timeout=settings.timeout_ms / 1000)
    supply = Supply(
        remote=RemoteSource(settings.remote, fetch=fetch, cache=cache, clock=clock)
        if settings.remote
        else None,
        local=local_source(settings.local_index) if settings.local_index else None,
        built_in=built_in_source(),
        log=log,
    )
    return Desk(supply, profile=settings.ranking, cache=cache, clock=clock), cache


def described(settings: Settings) -> str:
    """Say in a line what the server answers from; no credentials, no query."""
    sources = [
        settings.remote.label if settings.remote else "",
        f"local index {settings.local_index}" if settings.local_index else "",
    ]
    kept = f"cache {settings.cache_ttl} s" if settings.cache_ttl else "cache off"
    return f"{' and '.join(filter(None, sources)) or 'built-in index'}, {kept}"


def counted(stats: CacheStats) -> str:
    """Say cache statistics in a line."""
    return (
        f"cache: {stats.hits} hits, {stats.misses} misses, {stats.evictions} evictions,"
        f" {stats.size} entries"
    )
