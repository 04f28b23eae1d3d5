"""The watches on what imports are made from, which lies elsewhere than the authoring folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.authoring import is_ignored
from doctrove_builder.watch.watching import Watching

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Elsewhere:
    """A watch on each folder or file that is followed; for one thread."""

    def __init__(
        self,
        notify: Callable[[], None],
        *,
        poll: bool,
        inside: Path,
        skipped: frozenset[str],
        but: Path | None,
    ) -> None:
        """Follow nothing yet.

        What lies in the folder `inside` is watched already. Changes in folders whose names are
        `skipped`, and in the folder `but`, do not count.
        """
        self._notify = notify
        self._poll = poll
        self._inside = Path(os.path.realpath(inside))
        self._skipped = skipped
        self._but = Path(os.path.realpath(but)) if but else None
        self._watches: dict[Path, Watching] = {}

    def follow(self, places: Iterable[Path]) -> None:
        """Watch these real paths, and no others any more.

        What is followed anew counts as changed: it may have been, since it was read.
        """
        wanted = _outermost(place for place in places if not place.is_relative_to(self._inside))
        for place in self._watches.keys() - wanted:
            self._watches.pop(place).end()
        for place in wanted - self._watches.keys():
            self._watches[place] = self._watching(place)
            self._notify()

    def check(self) -> None:
        """Watch what stands there now, see `Watching.check`."""
        for watching in self._watches.values():
            watching.check()

    def end(self) -> None:
        """Stop watching."""
        for watching in self._watches.values():
            watching.end()

    def _watching(self, place: Path) -> Watching:
        def counts(path: str) -> bool:
            parts = Path(path).parts
            within = self._but is not None and (place / path).is_relative_to(self._but)
            is_noise = bool(parts) and is_ignored(parts[-1])
            return not (within or is_noise or self._skipped.intersection(parts))

        if not place.is_file():
            return Watching(place, self._notify, poll=self._poll, wanted=counts)
        return Watching(
            place.parent, self._notify, poll=self._poll, wanted=place.name.__eq__, recursive=False
        )


def _outermost(places: Iterable[Path]) -> set[Path]:
    """Leave out what lies below another of them."""
    known = set(places)
    return {place for place in known if not known.intersection(place.parents)}
