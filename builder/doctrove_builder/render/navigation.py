"""Local navigation of a volume: which pages a page shows beside itself, and in which groups.

A page of a small volume shows all pages. In a larger one it shows the top level and its own folder,
each cut to the block of pages that it is in, so that the size of a page does not grow with its
volume. Groups are made once for each folder and block and shared by the pages in it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from doctrove_builder.render.folders import folders_above
from doctrove_builder.render.views import Link, NavGroup

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.render.folders import Folders

WHOLE = 60
"""Up to so many pages a volume's navigation shows all of them."""

BLOCK = 30
"""So many pages of one list are shown at once in the navigation of a larger volume."""


class Navigation:
    """What each page of one volume shows beside itself."""

    def __init__(self, folders: Folders) -> None:
        """Take the volume's folders; groups are made when first asked for."""
        self._folders = folders
        self._blocks: dict[str, _Blocks] = {}
        self.is_cut = len(folders.links) > WHOLE

    def beside(self, path: str) -> tuple[NavGroup, ...]:
        """Return what the page of this path shows; an unknown path stands for the front page."""
        if not self.is_cut:
            return self._all_groups
        folder = self._folders.folder_of.get(path, "")
        link = self._folders.links.get(path)
        if not folder:
            return (self._blocks_of("").around(link),)
        entry = self._entries[folder.partition("/")[0]]
        return self._blocks_of("").around(entry), self._blocks_of(folder).around(link)

    def crumbs(self, path: str) -> tuple[Link, ...]:
        """Return the folders above a page, with an address where they have a page of their own."""
        own = self._folders.links
        return tuple(
            Link(
                text=self._folders.titles[folder].rpartition(" / ")[2],
                href=own[folder].href if folder in own else "",
            )
            for folder in folders_above(path)
        )

    @cached_property
    def _all_groups(self) -> tuple[NavGroup, ...]:
        return tuple(
            NavGroup(title=self._folders.titles[folder], pages=links)
            for folder, links in self._folders.pages.items()
        )

    @cached_property
    def _entries(self) -> dict[str, Link]:
        """For each folder of the top level: its title, leading to its first page."""
        entries: dict[str, Link] = {}
        for folder, links in self._folders.pages.items():
            top = folder.partition("/")[0]
            if top and top not in entries:
                entries[top] = Link(text=self._folders.titles[top], href=links[0].href)
        return entries

    def _blocks_of(self, folder: str) -> _Blocks:
        if folder not in self._blocks:
            links = self._folders.pages[folder]
            if not folder:
                links = (*links, *self._entries.values())
            self._blocks[folder] = _Blocks(self._folders.titles[folder], links)
        return self._blocks[folder]


class _Blocks:
    """One list of links, in blocks with the links before and after each."""

    def __init__(self, title: str, links: Sequence[Link]) -> None:
        self._number_of = {link.href: place // BLOCK for place, link in enumerate(links)}
        self._blocks = tuple(
            NavGroup(
                title=title,
                pages=tuple(links[start : start + BLOCK]),
                earlier=links[start - 1] if start else None,
                later=links[start + BLOCK] if start + BLOCK < len(links) else None,
            )
            for start in range(0, len(links), BLOCK)
        )

    def around(self, link: Link | None) -> NavGroup:
        return self._blocks[self._number_of[link.href] if link else 0]
