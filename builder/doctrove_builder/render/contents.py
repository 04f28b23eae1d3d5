"""The list of a volume's pages: whole on its front page, or in sheets when it is long.

The front page itself, whose address is empty, is not in the list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.render.urls import SHEETS
from doctrove_builder.render.views import ContentsGroup, Link

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.render.folders import Folders

SHEET = 200
"""So many pages one list holds."""

TASTE = 6
"""So many pages of each folder the front page of a large volume names."""


def sheet_place(number: int) -> str:
    """Return the folder of a sheet, counted from 1, below its volume's folder."""
    return f"{SHEETS}/{number}/"


def list_sheets(folders: Folders) -> tuple[tuple[ContentsGroup, ...], ...]:
    """Return all pages by folder, in sheets of at most `SHEET` pages; one folder may span some."""
    sheets: list[list[ContentsGroup]] = [[]]
    room = SHEET
    for folder, links in _listed(folders).items():
        start = 0
        while start < len(links):
            if not room:
                sheets.append([])
                room = SHEET
            part = links[start : start + room]
            title = folders.titles[folder]
            sheets[-1].append(
                ContentsGroup(title=title, folder=folder, pages=part, count=len(links))
            )
            start += len(part)
            room -= len(part)
    return tuple(tuple(groups) for groups in sheets)


def front_contents(
    folders: Folders, sheets: tuple[tuple[ContentsGroup, ...], ...]
) -> tuple[ContentsGroup, ...]:
    """Return what the front page lists: all pages, or of each folder the first and where to look.

    Folders past `SHEET` / `TASTE` are left to the sheets.
    """
    if len(sheets) == 1:
        return sheets[0]
    begins = _first_sheets(sheets)
    return tuple(
        ContentsGroup(
            title=folders.titles[folder],
            folder=folder,
            pages=links[:TASTE],
            count=len(links),
            more=sheet_place(begins[folder]) if len(links) > TASTE else "",
        )
        for folder, links in list(_listed(folders).items())[: SHEET // TASTE]
    )


def sheet_links(sheets: tuple[tuple[ContentsGroup, ...], ...]) -> tuple[Link, ...]:
    """Return a link to each sheet, named by its first and last page; none when one is enough."""
    if len(sheets) == 1:
        return ()
    return tuple(
        Link(
            text=f"{groups[0].pages[0].text} … {groups[-1].pages[-1].text}",
            href=sheet_place(number),
        )
        for number, groups in enumerate(sheets, 1)
    )


def _listed(folders: Folders) -> Mapping[str, tuple[Link, ...]]:
    listed = {
        folder: tuple(link for link in links if link.href)
        for folder, links in folders.pages.items()
    }
    return {folder: links for folder, links in listed.items() if links}


def _first_sheets(sheets: tuple[tuple[ContentsGroup, ...], ...]) -> Mapping[str, int]:
    first: dict[str, int] = {}
    for number, groups in enumerate(sheets, 1):
        for group in groups:
            first.setdefault(group.folder, number)
    return first
