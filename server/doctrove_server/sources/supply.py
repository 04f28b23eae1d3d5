"""All sources together: which of them answer, and the catalogue that they make."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from doctrove_server.catalog.catalog import Catalog, Snapshot
from doctrove_server.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.sources.local import LocalSource
    from doctrove_server.sources.remote import RemoteSource


class Supply:
    """The remote index first, then the local one; the built-in one where neither is usable.

    `log` is told what goes wrong on the way, for people.
    """

    def __init__(
        self,
        *,
        remote: RemoteSource | None,
        local: LocalSource | None,
        built_in: LocalSource,
        log: Callable[[str], None],
    ) -> None:
        self._remote = remote
        self._local = local
        self._built_in = built_in
        self._log = log
        self._catalog = Catalog(())

    async def preload(self) -> None:
        """Read the local index; raises `ConfigError` when it is no index."""
        if self._local or not self._remote:
            await (self._local or self._built_in).snapshot()

    async def catalog(self) -> Catalog:
        """Return the merged catalogue; the same object while its sources' indexes are the same."""
        if self._remote is None:
            remote, failure, local = None, None, await self._locally()
        else:
            far = self._remotely(self._remote)
            (remote, failure), local = await asyncio.gather(far, self._locally())
        snapshots = [snapshot for snapshot in (remote, local) if snapshot]
        if not snapshots:
            snapshots.append(await self._built_in.snapshot())
        if not _same(self._catalog, snapshots, failure):
            for snapshot in snapshots:
                self._tell(snapshot)
            self._catalog = Catalog(
                snapshots, failure=failure, generation=self._catalog.generation + 1
            )
        return self._catalog

    async def _remotely(self, remote: RemoteSource) -> tuple[Snapshot | None, SourceError | None]:
        try:
            return await remote.snapshot(), None
        except SourceError as error:
            self._log(f"{error.code}: {error}")
            return None, error

    def _tell(self, snapshot: Snapshot) -> None:
        if any(snapshot.index is known.index for known in self._catalog.snapshots):
            return
        self._log(f"{snapshot.label}: {len(snapshot.index.entries)} libraries")
        for warning in snapshot.warnings:
            self._log(f"{snapshot.label}: warning: {warning}")

    async def _locally(self) -> Snapshot | None:
        return await self._local.snapshot() if self._local else None


def _same(catalog: Catalog, snapshots: list[Snapshot], failure: SourceError | None) -> bool:
    return (
        _said(catalog.failure) == _said(failure)
        and len(catalog.snapshots) == len(snapshots)
        and all(
            one.index is other.index and one.notice == other.notice and one.label == other.label
            for one, other in zip(catalog.snapshots, snapshots, strict=True)
        )
    )


def _said(failure: SourceError | None) -> tuple[str, str]:
    return (failure.code, str(failure)) if failure else ("", "")
