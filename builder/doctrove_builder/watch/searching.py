"""The thread that makes the files of search: a while after the last change, given up for the next.

They follow the pages: until they are there, the site's search finds what there was before.
"""

from __future__ import annotations

import contextlib
import math
import time
from dataclasses import dataclass
from functools import cache as once
from typing import TYPE_CHECKING

from doctrove_builder.cache import Cache
from doctrove_builder.pipeline.progress import Silent
from doctrove_builder.search import Workshop, find_engine, searched_volumes, searching
from doctrove_builder.watch.changes import Changes
from doctrove_builder.watch.errors import Interrupted
from doctrove_builder.watch.interruption import Interruptible
from doctrove_builder.watch.refusals import reason_of
from doctrove_builder.writing import Reuse

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from pathlib import Path

    from doctrove_builder.search import Searching
    from doctrove_builder.watch.served import Served
    from doctrove_schema.model import Index

CALM = 1.5
"""Seconds without a newer index after which one is worth searching."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What is to be searched."""

    index: Index
    scope: str
    language: str


@once
def found_by_search(scope: str) -> str:
    """Return what the site's search finds, as pages are told: `text`, `names` or nothing."""
    if scope == "off":
        return ""
    return "text" if find_engine() else "names"


class SearchFollower:
    """Makes the files of search for the newest index that it was given."""

    def __init__(self, served: Served, *, cache: Path | None, lost: Callable[[str], None]) -> None:
        """Begin with nothing to search; `lost` is told why files could not be made."""
        self._served = served
        self._cache = cache
        self._lost = lost
        self._changes = Changes(quiet=CALM, longest=math.inf)
        self._wanted: Searched | None = None
        self._making: Searching | None = None
        self._paths: frozenset[str] = frozenset()

    def follow(self, wanted: Searched) -> None:
        """Say what is to be searched from now on."""
        if self._wanted is None or wanted.index is not self._wanted.index:
            self._wanted = wanted
            self._changes.notify()

    def disturb(self) -> None:
        """Give up what is being made: its sources have changed."""
        self._changes.notify()
        self._interrupt()

    def stop(self) -> None:
        """End the thread."""
        self._changes.stop()
        self._interrupt()

    def run(self) -> None:
        """Follow until the end; to be the target of a thread."""
        done: Searched | None = None
        with contextlib.closing(Cache(self._cache, today=int(time.time() // 86_400))) as cache:
            while self._changes.wait() and not self._changes.stopped:
                self._changes.take()
                wanted = self._wanted
                if wanted is None or wanted is done:
                    continue
                try:
                    self._make(wanted, cache)
                except Interrupted:
                    continue
                except OSError as error:
                    self._lost(reason_of(error)[0])
                done = wanted

    def _interrupt(self) -> None:
        if making := self._making:
            making.interrupt()

    def _make(self, wanted: Searched, cache: Cache) -> None:
        progress = Interruptible(Silent(), self._changes)
        shop = Workshop(
            engine=find_engine(),
            language=wanted.language,
            cache=cache,
            executor=None,
            progress=progress,
            background=True,
        )
        volumes = searched_volumes(wanted.index, scope=wanted.scope)
        paths: set[str] = set()
        with searching(volumes, None, shop=shop) as made, self._interruptible(made):
            for artefact in made.artefacts():
                progress.advance(1)
                content = artefact.content
                paths.add(artefact.path)
                if not isinstance(content, Reuse):  # nothing is taken over from another tree
                    data = content if isinstance(content, bytes) else content.read_bytes()
                    self._served.write(artefact.path, data)
        for path in self._paths - paths:
            self._served.remove(path)
        self._paths = frozenset(paths)

    @contextlib.contextmanager
    def _interruptible(self, made: Searching) -> Generator[None]:
        self._making = made
        try:
            yield
        finally:
            self._making = None
