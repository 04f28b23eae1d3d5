"""Where the tools find what they answer from: the catalogue, volumes, ranking and past answers."""

from __future__ import annotations

import asyncio
from functools import cached_property
from typing import TYPE_CHECKING

from doctrove_server.errors import NotFound
from doctrove_server.ranking.sections import PROFILES
from doctrove_server.ranking.volume import PreparedVolume, prepared
from doctrove_server.sources.cache import TtlCache
from doctrove_server.tools.answer import Answer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

    from doctrove_schema.model import Volume
    from doctrove_server.catalog.catalog import Catalog, Holding
    from doctrove_server.compression.memory.calls import ContextDesk
    from doctrove_server.compression.shelf import Shelf
    from doctrove_server.ranking.sections import ProfileName, SectionHit
    from doctrove_server.sources.supply import Supply

PREPARED_VOLUMES = 8
"""Volumes kept cut into words."""

LARGE_VOLUME = 200
"""Sections; above that a volume is cut in a thread, so that other calls go on."""


class Desk:
    """Everything that a call needs; the tools themselves are functions of it."""

    def __init__(  # noqa: PLR0913 - the parts it holds, each named
        self,
        supply: Supply,
        *,
        profile: ProfileName,
        cache: TtlCache[object],
        clock: Callable[[], float],
        most_answer_tokens: int = 0,
        context: ContextDesk | None = None,
    ) -> None:
        self.supply = supply
        self.most_answer_tokens = most_answer_tokens
        self.context = context
        self._rank = PROFILES[profile]
        self._cache = cache
        self._prepared: TtlCache[tuple[Volume, PreparedVolume]] = TtlCache(
            ttl=float("inf"), clock=clock, max_entries=PREPARED_VOLUMES
        )

    @cached_property
    def shelf(self) -> Shelf:
        """Where texts are prepared for budgets; made when one is first needed."""
        from doctrove_server.compression.shelf import (  # noqa: PLC0415 - where there is a budget
            Shelf,
        )

        return self.context.memory.shelf if self.context else Shelf()

    @property
    def shelf_in_use(self) -> Shelf | None:
        """The shelf, if it was needed so far."""
        if self.context:
            return self.context.memory.shelf
        return self.shelf if "shelf" in self.__dict__ else None

    async def catalog(self) -> Catalog:
        """Return the catalogue as the sources have it now."""
        return await self.supply.catalog()

    async def volume(self, holding: Holding, version: str) -> Volume:
        """Return the documentation of a listed version."""
        return holding.entry.volumes[version]

    async def rank(self, volume: Volume, focus: str) -> tuple[SectionHit, ...]:
        """Rank a volume's sections for a focus; the volume is cut into words once."""
        known = self._prepared.get(id(volume))
        if known is None or known[0] is not volume:
            cut = (
                await asyncio.to_thread(prepared, volume.sections)
                if len(volume.sections) > LARGE_VOLUME
                else prepared(volume.sections)
            )
            known = (volume, cut)
            self._prepared.put(id(volume), known)
        return self._rank(known[1], focus)

    async def remembered(self, key: Hashable, make: Callable[[], Awaitable[Answer]]) -> Answer:
        """Return the answer kept under a key, or make and keep it; failures are not kept."""
        known = self._cache.get(key)
        if isinstance(known, Answer):
            return known
        answer = await make()
        if not answer.is_error:
            self._cache.put(key, answer)
        return answer


def found(catalog: Catalog, library_id: str) -> Holding:
    """Return the library that goes by an id, alias or name.

    Raises `NotFound` with the nearest id, or the remote source's failure when that source may hold
    what the others do not.
    """
    holding = catalog.find(library_id)
    if holding is not None:
        return holding
    shown = shown_text(library_id)
    if catalog.failure is not None:
        others = ", ".join(snapshot.label for snapshot in catalog.snapshots)
        raise type(catalog.failure)(
            f'no library goes by "{shown}" in {others}, and {catalog.failure}.'
            " Call again later; the source is tried again by itself.",
        )
    near = catalog.nearest(library_id)
    meant = f' Did you mean "{near}"?' if near else ""
    raise NotFound(
        f'no library goes by "{shown}".{meant} Call catalog_lookup with its name or what it does'
        " to learn the id; ids, aliases and names are found in any letter case."
    )


def shown_text(text: str) -> str:
    """Return what a caller gave, short and on one line, to be shown in a message."""
    cut = text if len(text) <= 100 else f"{text[:100]}..."
    return "".join(c if c.isprintable() else "\ufffd" for c in cut)
