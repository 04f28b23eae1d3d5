"""One page in all versions of its library: the switcher, the notice and the canonical address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.layout import volume_folder
from doctrove_builder.render.urls import absolute, href, page_place
from doctrove_builder.render.views import Notice, VersionLink
from doctrove_schema.names import encode_name

if TYPE_CHECKING:
    from doctrove_builder.site import SiteLibrary

SHOWN = 24
"""So many versions the switcher of a page lists; the library's page lists all."""


class Editions:
    """Which versions of a library have which page; pages are told apart by their place."""

    def __init__(self, library: SiteLibrary, *, base_url: str) -> None:
        """Take a library; a volume always has a front page, whose place is empty."""
        self._library = library
        self._base_url = base_url
        self._age = {volume.version: age for age, volume in enumerate(library.volumes)}
        self._stable = {volume.version: volume.stable for volume in library.volumes}
        self._has = {
            volume.version: frozenset(["", *(page_place(page.path) for page in volume.pages)])
            for volume in library.volumes
        }
        self._shown = tuple(self._age)[:SHOWN]
        self._links: dict[str, tuple[VersionLink, ...]] = {}

    @property
    def unshown(self) -> int:
        """How many versions the switcher leaves out."""
        return len(self._age) - len(self._shown)

    def links(self, version: str, place: str) -> tuple[VersionLink, ...]:
        """Return the switcher of a page, newest first; the page's own version is always in it."""
        if place not in self._links:
            self._links[place] = tuple(self._link(shown, place) for shown in self._shown)
        if version in self._shown:
            return self._links[place]
        return (*self._links[place], self._link(version, place))

    def notice(self, version: str, place: str) -> Notice | None:
        """Say that a page belongs to an old version or to a prerelease, and where to go."""
        latest = self._library.latest
        if version == latest or latest not in self._age:
            return None
        newer = self._age[version] < self._age[latest]
        if newer and self._stable[version]:
            return None  # Free labels: the publisher's order puts another version first.
        link = self._link(latest, place)
        kind = "prerelease" if newer else "old"
        return Notice(kind=kind, version=latest, href=link.href, same=link.same)

    def canonical(self, place: str) -> str:
        """Return the absolute address of a page in the newest version that has it.

        The version that `latest` selects comes first, then stable ones, then prereleases.
        """
        having = [version for version in self._age if place in self._has[version]]
        best = min(
            having,
            key=lambda version: (
                version != self._library.latest,
                not self._stable[version],
                self._age[version],
            ),
        )
        return absolute(self._base_url, volume_folder(self._library.id, best) + place)

    def _link(self, version: str, place: str) -> VersionLink:
        same = place in self._has[version]
        label = "" if self._stable[version] else "prerelease"
        return VersionLink(
            version=version,
            href=href(f"{encode_name(version)}/{place if same else ''}"),
            same=same,
            label="latest" if version == self._library.latest else label,
        )
