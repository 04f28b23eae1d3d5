"""An index at an address: fetched when first needed, kept for a time, revalidated, outlived.

    fresh copy ----------------------------> the copy
    else, failed within the cooldown ------> the stale copy with a notice, or the failure again
    else, fetch (one for all who wait) ----> 200: a new copy; 304: the copy, fresh again;
                                             failure: cooldown, the stale copy or the failure

With a lifetime of 0 nothing is kept: no copy, no validator, no cooldown.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.errors import InvalidIndex
from doctrove_schema.reading import read_index
from doctrove_server.catalog.catalog import Snapshot
from doctrove_server.errors import NetworkError, SourceError
from doctrove_server.sources.fetch import Fetched, Wanted

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.sources.address import Address
    from doctrove_server.sources.cache import TtlCache
    from doctrove_server.sources.fetch import Fetch

COOLDOWN = 30.0
"""Seconds without requests after a failure (seed: "Failure cooldown")."""


class _Copy(msgspec.Struct, frozen=True):
    snapshot: Snapshot
    etag: str
    modified: str


class _Failure(msgspec.Struct, frozen=True):
    error: SourceError
    until: float


class RemoteSource:
    """The index at an address, through `fetch`; `cache` and `clock` decide what is fresh."""

    def __init__(
        self,
        address: Address,
        *,
        fetch: Fetch,
        cache: TtlCache[object],
        clock: Callable[[], float],
    ) -> None:
        self._address = address
        self._fetch = fetch
        self._cache = cache
        self._clock = clock
        self._copy: _Copy | None = None
        self._failure: _Failure | None = None
        self._flight: asyncio.Task[Snapshot] | None = None

    @property
    def label(self) -> str:
        """The name of this source in answers."""
        return self._address.label

    async def snapshot(self) -> Snapshot:
        """Return the index; raises `SourceError` when there is none and no older copy."""
        fresh = self._cache.get(self.label)
        if isinstance(fresh, Snapshot):
            return fresh
        if self._failure and self._clock() < self._failure.until:
            return self._outlived(self._failure.error)
        if self._flight is None:
            self._flight = asyncio.create_task(self._load())
            self._flight.add_done_callback(self._landed)
        return await asyncio.shield(self._flight)

    def _landed(self, flight: asyncio.Task[Snapshot]) -> None:
        self._flight = None
        if not flight.cancelled():
            flight.exception()  # those who waited have it; nobody waiting is no reason to warn

    async def _load(self) -> Snapshot:
        wanted = Wanted(
            url=self._address.url(),
            authorization=self._address.authorization,
            etag=self._copy.etag if self._copy else "",
            modified=self._copy.modified if self._copy else "",
        )
        try:
            copy = await self._copied(await self._fetch(wanted))
        except SourceError as error:
            named = type(error)(f"{self.label}: {error}")
            if self._cache.keeps:
                self._failure = _Failure(named, self._clock() + COOLDOWN)
            return self._outlived(named)
        self._failure = None
        if self._cache.keeps:
            self._copy = copy
            self._cache.put(self.label, copy.snapshot)
        return copy.snapshot

    async def _copied(self, fetched: Fetched) -> _Copy:
        if fetched.body is None:
            if self._copy is None:
                raise NetworkError("HTTP 304 to a request without a condition")
            etag, modified = self._copy.etag, self._copy.modified
            return _Copy(self._copy.snapshot, fetched.etag or etag, fetched.modified or modified)
        try:
            reading = await asyncio.to_thread(read_index, fetched.body, name="what it serves")
        except InvalidIndex as error:
            raise NetworkError(str(error)) from None
        snapshot = Snapshot(label=self.label, index=reading.index, warnings=reading.warnings)
        return _Copy(snapshot, fetched.etag, fetched.modified)

    def _outlived(self, error: SourceError) -> Snapshot:
        """Return the stale copy with a notice, or raise the failure when there is none."""
        if self._copy is None:
            raise error
        notice = f"{error}; this is the copy read before, which may be out of date"
        return msgspec.structs.replace(self._copy.snapshot, notice=notice)
