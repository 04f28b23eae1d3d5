"""Plan the pages of one volume: its front page, its other pages, the sheets that list them."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.layout import FRONT_PAGES, library_folder, volume_folder
from doctrove_builder.memory import ANEW
from doctrove_builder.render.contents import front_contents, list_sheets, sheet_links
from doctrove_builder.render.editions import Editions
from doctrove_builder.render.folders import shortened, sort_folders
from doctrove_builder.render.navigation import Navigation
from doctrove_builder.render.sections import list_headings, show_sections
from doctrove_builder.render.urls import climb, href, page_place, report_address
from doctrove_builder.render.views import (
    Front,
    Link,
    PageView,
    Shell,
)
from doctrove_builder.site import SiteLibrary, SitePage, SiteVolume

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.memory import Apply
    from doctrove_builder.render.changes import VolumeChanges

OVERVIEW = "Overview"
LONGEST_DESCRIPTION = 160
"""Search engines show about so many characters."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    """What the pages of one library share."""

    look: str
    shell: Shell
    library: SiteLibrary
    """Of its volumes' pages only the paths are known."""

    editions: Editions
    base_url: str = ""


def plan_volume(
    volume: SiteVolume, setting: Setting, changes: VolumeChanges, *, apply: Apply = ANEW
) -> Iterator[PageView]:
    """Yield the views of a volume's pages: its front page, its other pages, the sheets."""
    plan = _VolumePlan(volume, setting, changes, apply)
    yield plan.front()
    for page in volume.pages:
        if page.path not in FRONT_PAGES:
            yield plan.page(page)
    yield from plan.sheets()


class _VolumePlan:
    """What the pages of one volume share."""

    def __init__(
        self, volume: SiteVolume, setting: Setting, changes: VolumeChanges, apply: Apply
    ) -> None:
        self._volume = volume
        self._setting = setting
        self._changes = changes
        self._apply = apply
        self._name = f"{setting.library.name} {volume.version}"
        self._folders = sort_folders(volume.pages, overview=OVERVIEW)
        self._navigation = Navigation(self._folders)
        self._sheets = list_sheets(self._folders)
        self._sheet_links = sheet_links(self._sheets)
        links = [Link(text=OVERVIEW)] + [
            self._folders.links[page.path] for page in volume.pages if page.path not in FRONT_PAGES
        ]
        self._before = {after.href: before for before, after in pairwise(links)}
        self._after = {before.href: after for before, after in pairwise(links)}

    def front(self) -> PageView:
        volume = self._volume
        sections = [section for page in volume.pages for section in page.sections]
        return msgspec.structs.replace(
            self._view(next((page for page in volume.pages if page.path in FRONT_PAGES), None)),
            front=Front(
                summary=volume.summary or self._setting.library.summary,
                released=volume.released,
                pages=len(volume.pages),
                sections=sum(section.source is not None for section in sections),
                tokens=sum(section.tokens for section in sections),
                changes=self._changes.tally,
            ),
            contents=front_contents(self._folders, self._sheets),
            sheets=self._sheet_links,
        )

    def page(self, page: SitePage) -> PageView:
        return msgspec.structs.replace(
            self._view(page), page=page.path, crumbs=self._navigation.crumbs(page.path)
        )

    def sheets(self) -> Iterator[PageView]:
        links = self._sheet_links
        for number, link in enumerate(links):
            title = f"All pages, {number + 1} of {len(links)}"
            yield msgspec.structs.replace(
                self._blank(link.href, title=title, description=f"{title}: {self._name}."),
                contents=self._sheets[number],
                sheets=links,
                previous=links[number - 1] if number else None,
                next=links[number + 1] if number + 1 < len(links) else None,
            )

    def _view(self, page: SitePage | None) -> PageView:
        """Return the view of a page; None stands for a front page that nobody wrote."""
        place = page_place(page.path) if page else ""
        title = (page.title if page else "") or self._name
        described = page.description if page else ""
        return msgspec.structs.replace(
            self._blank(place, title=title, description=described or self._said(place, title)),
            canonical=self._setting.editions.canonical(place),
            report=report_address(
                self._setting.shell.repository, shortened(f"{self._name}: {title}")
            ),
            heading_html=page.title_html if page else "",
            heading_anchor=page.title_anchor if page else "",
            lede=described,
            sections=self._apply(show_sections, page, self._changes.marks) if page else (),
            toc=self._apply(list_headings, page) if page else (),
            nav=self._navigation.beside(page.path if page else ""),
            previous=self._before.get(href(place)),
            next=self._after.get(href(place)),
        )

    def _blank(self, place: str, *, title: str, description: str) -> PageView:
        """Return the view of a page at a place, without what is on it."""
        setting, version = self._setting, self._volume.version
        folder = volume_folder(setting.library.id, version) + place
        return PageView(
            path=f"{folder}index.html",
            look=setting.look,
            shell=setting.shell,
            root=climb(folder),
            up=climb(place),
            title=title,
            description=shortened(description, longest=LONGEST_DESCRIPTION),
            library=Link(text=setting.library.name, href=href(library_folder(setting.library.id))),
            license=setting.library.license,
            version=version,
            stable=self._volume.stable,
            page="",
            here=href(place),
            nav=self._navigation.beside(""),
            all_pages=self._all_pages,
            versions=setting.editions.links(version, place),
            more_versions=setting.editions.unshown,
            notice=setting.editions.notice(version, place),
        )

    @cached_property
    def _all_pages(self) -> Link | None:
        if not self._navigation.is_cut:
            return None
        place = self._sheet_links[0].href if self._sheet_links else ""
        return Link(text=f"All {len(self._volume.pages)} pages", href=place)

    def _said(self, place: str, title: str) -> str:
        if place:
            return f"{title} in {self._name}."
        summary = self._volume.summary or self._setting.library.summary
        return f"Documentation of {self._name}. {summary}".strip()
