"""A build of chosen volumes: what is not chosen stays as it was published.

The published index stands in for the sources of the rest, so that the home page, the version lists
and the index itself name every volume, and a mistake in one library does not keep another from
being built.
"""

from __future__ import annotations

import html
from itertools import groupby
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.layout import FRONT_PAGES, library_folder, volume_folder
from doctrove_builder.model import Heading
from doctrove_builder.site import (
    SectionSource,
    Site,
    SiteLibrary,
    SitePage,
    SiteSection,
    SiteVolume,
)
from doctrove_schema.model import Entry, Index, Section, Volume
from doctrove_schema.versions import Scheme, is_stable, latest, ordered

if TYPE_CHECKING:
    from collections.abc import Mapping


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A library, or one version of it: `ID` or `ID@VERSION`."""

    library: str
    version: str = ""


class Partial(msgspec.Struct, frozen=True, kw_only=True):
    """What a build of chosen volumes publishes, and which folders it leaves alone."""

    index: Index
    site: Site
    carried: tuple[str, ...]
    """Folders of the published tree, with a final `/`, whose files stay as they are."""


def parse_choice(text: str) -> Choice:
    """Read `ID` or `ID@VERSION`; the `@` of a scope does not divide."""
    library, at, version = text.rpartition("@")
    return Choice(library=library, version=version) if at and library else Choice(library=text)


def only(choices: tuple[Choice, ...], *, index: Index, site: Site, published: Index) -> Partial:
    """Join what was made of the chosen libraries with the index that is published."""
    chosen = {choice.library for choice in choices}
    made = {entry.id: entry for entry in index.entries if entry.id in chosen}
    old = {entry.id: entry for entry in published.entries}
    entries = {
        name: _joined(made[name], old.get(name), _versions(choices, name))
        if name in made
        else old[name]
        for name in sorted({*made, *old})
    }
    shown = {library.id: library for library in site.libraries if library.id in chosen}
    joined = msgspec.structs.replace(
        index,
        updated_at=max(index.updated_at, published.updated_at),
        entries=tuple(entries.values()),
    )
    libraries = tuple(
        _shown(entry, shown.get(entry.id), _versions(choices, entry.id)) for entry in joined.entries
    )
    return Partial(
        index=joined,
        site=msgspec.structs.replace(site, updated=joined.updated_at, libraries=libraries),
        carried=tuple(_carried(choices, entries, made)),
    )


def _versions(choices: tuple[Choice, ...], library: str) -> frozenset[str] | None:
    """Return the chosen versions of a library; None when all are."""
    chosen = [choice.version for choice in choices if choice.library == library]
    return None if "" in chosen else frozenset(chosen)


def _joined(made: Entry, old: Entry | None, versions: frozenset[str] | None) -> Entry:
    if versions is None or old is None:
        kept = made.volumes if versions is None else {v: made.volumes[v] for v in versions}
        return msgspec.structs.replace(
            made, volumes=kept, versions=tuple(v for v in made.versions if v in kept)
        )
    volumes = {**old.volumes, **{version: made.volumes[version] for version in versions}}
    known = [version for version in made.versions if version in volumes]
    lost = [version for version in old.versions if version not in made.versions]
    scheme = Scheme(made.version_scheme or "semver")
    order = ordered([*known, *lost], scheme)
    return msgspec.structs.replace(
        made, versions=order, volumes={version: volumes[version] for version in order}
    )


def _carried(
    choices: tuple[Choice, ...], entries: Mapping[str, Entry], made: Mapping[str, Entry]
) -> list[str]:
    folders: list[str] = []
    for name, entry in entries.items():
        versions = _versions(choices, name)
        if name not in made:
            folders.append(library_folder(name))
        elif versions is not None:
            folders += [volume_folder(name, v) for v in entry.versions if v not in versions]
    return folders


def _shown(entry: Entry, made: SiteLibrary | None, versions: frozenset[str] | None) -> SiteLibrary:
    """Show a library's volumes: as made where they are chosen, else as the index tells of them."""
    chosen = made.volumes if made else ()
    fresh = {v.version: v for v in chosen if versions is None or v.version in versions}
    scheme = Scheme(entry.version_scheme or "semver")
    volumes = tuple(
        fresh[version]
        if version in fresh
        else _outlined(version, entry.volumes[version], stable=is_stable(version, scheme))
        for version in entry.versions
    )
    newest = latest(entry.versions, scheme)
    if made:
        return msgspec.structs.replace(made, volumes=volumes, latest=newest)
    return SiteLibrary(
        id=entry.id,
        name=entry.name,
        summary=entry.summary,
        aliases=entry.aliases,
        homepage=entry.homepage,
        license=entry.license,
        superseded_by=entry.superseded_by,
        latest=newest,
        volumes=volumes,
    )


def _outlined(version: str, volume: Volume, *, stable: bool) -> SiteVolume:
    """Tell of a published volume what lists and links need; its own pages are not made anew."""

    def page_of(section: Section) -> str:
        return "index" if section.page in FRONT_PAGES else section.page

    return SiteVolume(
        version=version,
        summary=volume.summary,
        released=volume.released,
        stable=stable,
        pages=tuple(
            _outlined_page(path, tuple(sections))
            for path, sections in groupby(volume.sections, key=page_of)
        ),
    )


def _outlined_page(path: str, sections: tuple[Section, ...]) -> SitePage:
    first = sections[0]
    title = first.trail[0] if first.trail else first.heading
    return SitePage(
        path=path,
        title=title,
        title_html=html.escape(title),
        sections=tuple(_outlined_section(section) for section in sections),
    )


def _outlined_section(section: Section) -> SiteSection:
    return SiteSection(
        id=section.id,
        heading=Heading(
            level=2,
            text=section.heading,
            html=html.escape(section.heading),
            anchor=section.id.removeprefix(f"{section.page}/")
            if section.id != section.page
            else "",
            line=0,
        ),
        source=SectionSource(body=section.body),
        published=section,
    )
