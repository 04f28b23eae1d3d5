"""What to offer while a person fills in an address or the prompt: ids, versions, section ids."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from doctrove_schema.versions import VersionUnavailable, ordered, select
from doctrove_server.ranking.words import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from doctrove_server.catalog.catalog import Catalog

MAX_VALUES = 100
"""The protocol's limit for one answer."""


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """Values that begin with what was typed."""

    values: tuple[str, ...]
    total: int


def complete(catalog: Catalog, argument: str, typed: str, known: Mapping[str, str]) -> Completion:
    """Complete one argument; `known` holds the others that were filled in already."""
    library = known.get("id") or known.get("library") or ""
    match argument:
        case "id" | "library":
            found = tuple(_ids(catalog, folded(typed.strip())))
        case "version":
            found = tuple(_beginning(_versions(catalog, library), typed))
        case "section":
            sections = _sections(catalog, library, known.get("version", "latest"))
            found = tuple(_beginning(sections, typed))
        case _:
            found = ()
    return Completion(values=tuple(islice(found, MAX_VALUES)), total=len(found))


def _ids(catalog: Catalog, typed: str) -> Iterator[str]:
    for holding in catalog.holdings:
        entry = holding.entry
        names = (entry.id, entry.name, *entry.aliases)
        if any(folded(name).startswith(typed) for name in names):
            yield entry.id


def _versions(catalog: Catalog, library: str) -> tuple[str, ...]:
    holding = catalog.find(library)
    return ("latest", *ordered(holding.entry.versions, holding.scheme)) if holding else ()


def _sections(catalog: Catalog, library: str, version: str) -> Iterator[str]:
    holding = catalog.find(library)
    if holding is None:
        return
    try:
        chosen = select(version, holding.entry.versions, holding.scheme).version
    except VersionUnavailable:
        return
    yield from (section.id for section in holding.entry.volumes[chosen].sections)


def _beginning(values: Iterable[str], typed: str) -> Iterator[str]:
    return (value for value in values if folded(value).startswith(folded(typed)))
