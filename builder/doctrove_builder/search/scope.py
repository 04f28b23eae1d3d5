"""Which volumes are searched, and their pages and sections as search shows them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.layout import FRONT_PAGES, page_folder, volume_folder
from doctrove_schema.versions import Scheme, latest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_schema.model import Entry, Index, Section, Volume


class SearchedSection(msgspec.Struct, frozen=True, kw_only=True):
    """One section; the text before the first heading of a page has no anchor."""

    anchor: str
    heading: str
    body: str
    symbols: tuple[str, ...] = ()


class SearchedPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the site."""

    folder: str
    """Below the root of the tree, with a final `/`."""

    title: str
    sections: tuple[SearchedSection, ...]


class SearchedVolume(msgspec.Struct, frozen=True, kw_only=True):
    """One version of one library."""

    library: str
    name: str
    version: str
    folder: str
    latest: bool
    """It is the version that `latest` selects."""

    whole: bool
    """Its text is indexed too, not its names alone."""

    pages: tuple[SearchedPage, ...]


def searched_volumes(index: Index, *, scope: str) -> tuple[SearchedVolume, ...]:
    """Return what is searched of an index, in its order.

    `scope` is `options.search`: whose text is indexed. Names are listed for every volume, unless it
    is `off`.

    All comes from the published sections, so that a build of some volumes (`--only`) finds the
    others in the index that is published and searches them the same.
    """
    if scope == "off":
        return ()
    return tuple(
        _volume(entry, version, scope) for entry in index.entries for version in entry.volumes
    )


def _volume(entry: Entry, version: str, scope: str) -> SearchedVolume:
    newest = latest(tuple(entry.volumes), Scheme(entry.version_scheme or "semver"))
    return SearchedVolume(
        library=entry.id,
        name=entry.name,
        version=version,
        folder=volume_folder(entry.id, version),
        latest=version == newest,
        whole=scope == "all" or version == newest,
        pages=tuple(_pages(entry, version, entry.volumes[version])),
    )


def _pages(entry: Entry, version: str, volume: Volume) -> Iterable[SearchedPage]:
    grouped: dict[str, list[Section]] = {}
    for section in volume.sections:
        grouped.setdefault(page_folder(entry.id, version, section.page), []).append(section)
    front = f"{entry.name} {version}"
    for folder, sections in grouped.items():
        yield SearchedPage(
            folder=folder,
            title=_title(sections, front=front),
            sections=tuple(_section(section) for section in sections),
        )


def _title(sections: list[Section], *, front: str) -> str:
    """Return a page's title: the heading of its lead, else what its sections stand below."""
    lead = next((section.heading for section in sections if not _anchor(section)), "")
    above = next((section.trail[0] for section in sections if section.trail), "")
    page = sections[0].page
    return lead or above or (front if page in FRONT_PAGES else page.rpartition("/")[2])


def _anchor(section: Section) -> str:
    return "" if section.id == section.page else section.id.removeprefix(f"{section.page}/")


def _section(section: Section) -> SearchedSection:
    return SearchedSection(
        anchor=_anchor(section),
        heading=section.heading,
        body=section.body,
        symbols=section.symbols,
    )
