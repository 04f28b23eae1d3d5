"""The parts put together from settings: sources, caches and ranking, for whatever serves them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from doctrove_server.config import IN_MEMORY
from doctrove_server.desk import Desk
from doctrove_server.errors import MemoryFailed
from doctrove_server.sources.cache import TtlCache
from doctrove_server.sources.fetch import HttpFetch
from doctrove_server.sources.local import built_in_source, local_source
from doctrove_server.sources.remote import RemoteSource
from doctrove_server.sources.supply import Supply
from doctrove_server.streams import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.compression.memory.calls import ContextDesk
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
    desk = Desk(
        supply,
        profile=settings.ranking,
        cache=cache,
        clock=clock,
        most_answer_tokens=settings.most_answer_tokens,
        context=_context(settings) if settings.remembers else None,
    )
    return desk, cache


def _context(settings: Settings) -> ContextDesk:
    from doctrove_server.compression.assembly import (  # noqa: PLC0415 - only where it is on
        open_context,
    )

    path = settings.context_memory
    return open_context(
        "" if path is None or path == IN_MEMORY else path,
        block=settings.compression,
        most_answer_tokens=settings.most_answer_tokens,
        env=os.environ,
        log=say,
    )


def described(settings: Settings) -> str:
    """Say in a line what the server answers from; no credentials, no query."""
    sources = [
        settings.remote.label if settings.remote else "",
        f"local index {settings.local_index}" if settings.local_index else "",
    ]
    kept = f"cache {settings.cache_ttl} s" if settings.cache_ttl else "cache off"
    memory = f", {_where(settings.context_memory)}" if settings.remembers else ""
    return f"{' and '.join(filter(None, sources)) or 'built-in index'}, {kept}{memory}"


def _where(memory: str | None) -> str:
    if memory in (None, IN_MEMORY):
        return "context memory of this process"
    return f"context memory {memory}"


def counted(stats: CacheStats) -> str:
    """Say cache statistics in a line."""
    return (
        f"cache: {stats.hits} hits, {stats.misses} misses, {stats.evictions} evictions,"
        f" {stats.size} entries"
    )


def compression_counted(desk: Desk) -> str:
    """Say what was compressed so far: hits of its cache, and what is left of it."""
    text = ""
    if (shelf := desk.shelf_in_use) is not None:
        stats = shelf.stats
        shown = stats.shown
        text += (
            f"; compression: {stats.hits} hits, {stats.misses} misses, {stats.size} texts,"
            f" {shown.answers} answers showed {shown.sections} sections,"
            f" mean ratio {shown.mean_ratio}, mean retention {shown.mean_retention}"
        )
    if desk.context is not None:
        text += f"; memory: {_memory_counted(desk.context)}"
    return text


def _memory_counted(context: ContextDesk) -> str:
    try:
        shown = context.memory.stats
    except MemoryFailed as error:
        return str(error)
    return (
        f"{shown.store.items} texts, {shown.store.facts} facts,"
        f" {shown.retrievals} retrievals, mean ratio {shown.mean_ratio},"
        f" mean retention {shown.mean_retention}"
    )
