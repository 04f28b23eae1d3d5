"""The catalogue: entries of all sources, merged, with prepared ways to find them."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.model import Entry, Index
from doctrove_schema.names import nearest
from doctrove_schema.sections import section_uri
from doctrove_schema.versions import Scheme, latest
from doctrove_server.ranking.entries import EntryMaps
from doctrove_server.ranking.words import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from doctrove_server.errors import SourceError


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """One source's index as it was read."""

    label: str
    """Names the source in answers; holds no credentials and no absolute path."""

    index: Index
    warnings: tuple[str, ...] = ()
    """What was odd in it, for people."""

    notice: str = ""
    """What the reader of an answer should know, for instance that this copy is old."""


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """One library and the source that it comes from."""

    entry: Entry
    source: str

    @property
    def scheme(self) -> Scheme:
        """The rules that its versions follow."""
        return Scheme(self.entry.version_scheme or Scheme.SEMVER.value)

    @property
    def uri(self) -> str:
        """Its `doctrove://` address."""
        return section_uri(self.entry.id)

    def uri_of(self, version: str, section: str = "") -> str:
        """Return the `doctrove://` address of a version or of one of its sections."""
        return _uri(self.entry.id, version, section)

    @property
    def latest(self) -> str:
        """The version that `latest` selects."""
        return latest(self.entry.versions, self.scheme)


class Catalog:
    """Libraries by id, merged in the order of their sources: the first with an id holds it whole.

    `failure` says why a source that should be here is not, `notes` what the reader of an answer
    should know of the sources; `generation` differs between two
    catalogues of one supply.
    """

    def __init__(
        self,
        snapshots: Sequence[Snapshot],
        *,
        failure: SourceError | None = None,
        generation: int = 0,
    ) -> None:
        self.snapshots = tuple(snapshots)
        self.failure = failure
        self.generation = generation
        self.holdings = tuple(_merged(snapshots))
        self.notes = tuple(_notes(self.snapshots, failure))

    def find(self, text: str) -> Holding | None:
        """Return the library that goes by an id, an alias or a name, in any letter case.

        An exact id wins over an exact alias, and both over what is equal but for letter case.
        """
        wanted = text.strip()
        if not wanted:
            return None
        by_id, by_alias, by_fold = self._names
        number = by_id.get(wanted, by_alias.get(wanted, by_fold.get(folded(wanted))))
        return None if number is None else self.holdings[number]

    def nearest(self, text: str) -> str:
        """Return the id of the library that was most likely meant; empty when none is near."""
        names = {name: h.entry.id for h in reversed(self.holdings) for name in _names_of(h.entry)}
        return names.get(nearest(text.strip(), names), "")

    @cached_property
    def example(self) -> str:
        """The id of the best known library; empty when there is none."""
        if not self.holdings:
            return ""
        return max(self.holdings, key=lambda holding: holding.entry.popularity).entry.id

    @cached_property
    def maps(self) -> EntryMaps:
        """The entries, prepared for `ranked_entries`."""
        return EntryMaps([holding.entry for holding in self.holdings])

    @cached_property
    def _names(self) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
        by_id: dict[str, int] = {}
        by_alias: dict[str, int] = {}
        by_fold: dict[str, int] = {}
        for number, holding in enumerate(self.holdings):
            by_id.setdefault(holding.entry.id, number)
            for alias in holding.entry.aliases:
                by_alias.setdefault(alias, number)
        for names in (_id_of, _aliases_of, _name_of):
            for number, holding in enumerate(self.holdings):
                for name in names(holding.entry):
                    by_fold.setdefault(folded(name.strip()), number)
        return by_id, by_alias, by_fold


_uri = lru_cache(maxsize=4096)(section_uri)


def _merged(snapshots: Iterable[Snapshot]) -> Iterator[Holding]:
    seen: set[str] = set()
    for snapshot in snapshots:
        for entry in snapshot.index.entries:
            if entry.id not in seen:
                seen.add(entry.id)
                yield Holding(entry=entry, source=snapshot.label)


def _notes(snapshots: tuple[Snapshot, ...], failure: SourceError | None) -> Iterator[str]:
    yield from (snapshot.notice for snapshot in snapshots if snapshot.notice)
    if failure:
        labels = ", ".join(snapshot.label for snapshot in snapshots)
        yield f"{failure}; this answer comes from {labels} alone"


def _id_of(entry: Entry) -> tuple[str, ...]:
    return (entry.id,)


def _aliases_of(entry: Entry) -> tuple[str, ...]:
    return entry.aliases


def _name_of(entry: Entry) -> tuple[str, ...]:
    return (entry.name,)


def _names_of(entry: Entry) -> tuple[str, ...]:
    return (entry.id, entry.name, *entry.aliases)
