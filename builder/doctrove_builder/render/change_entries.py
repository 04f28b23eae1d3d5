"""What the pages of changes show of each section, by page and in sheets of bounded size."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from doctrove_builder.layout import FRONT_PAGES
from doctrove_builder.render.change_views import ChangeGroup, ChangeView
from doctrove_builder.render.folders import shortened
from doctrove_builder.render.urls import change_id, href, page_place
from doctrove_builder.render.views import Link
from doctrove_schema.names import encode_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from doctrove_builder.changes import Change
    from doctrove_schema.model import Section

ROOM = 60_000
"""So many characters of text, old and new together, one sheet shows."""

ENTRY = 200
"""So many characters an entry counts beside its text."""

LONGEST_TEXT = 40_000
"""Texts with more characters, old and new together, are not shown."""

LONGEST_HEADING = 200


def page_titles(sections: Iterable[Section]) -> dict[str, str]:
    """Return the title of each page: what its first section's trail begins with, or its heading."""
    titles: dict[str, str] = {}
    for section in sections:
        title = section.trail[0] if section.trail else section.heading
        titles.setdefault(section.page, "Overview" if section.page in FRONT_PAGES else title)
    return titles


def show_changes(
    changes: Sequence[Change], *, versions: tuple[str, str], titles: Mapping[str, str]
) -> tuple[ChangeGroup, ...]:
    """Return the changes by page, in their order; `versions` are the old and the new one."""
    return tuple(
        ChangeGroup(
            title=shortened(titles[page], longest=LONGEST_HEADING),
            changes=tuple(_shown(change, versions) for change in alike),
        )
        for page, alike in groupby(changes, key=_page)
    )


def in_sheets(groups: Iterable[ChangeGroup]) -> tuple[tuple[ChangeGroup, ...], ...]:
    """Return the groups in sheets of `ROOM`; one group may span some. There is always a sheet."""
    sheets: list[list[ChangeGroup]] = [[]]
    room = ROOM
    for group in groups:
        left = list(group.changes)
        while left:
            count, room = _fitting(left, room, is_empty=not sheets[-1])
            if not count:
                sheets.append([])
                room = ROOM
                continue
            sheets[-1].append(ChangeGroup(title=group.title, changes=tuple(left[:count])))
            left = left[count:]
    return tuple(tuple(sheet) for sheet in sheets)


def kind_of(change: Change) -> str:
    """Name what became of a section, as in `ChangeView.kind`."""
    if change.old is None:
        return "added"
    if change.new is None:
        return "removed"
    if change.old.id == change.new.id:
        return "changed"
    return "renamed" if change.old.page == change.new.page else "moved"


def _fitting(changes: Sequence[ChangeView], room: int, *, is_empty: bool) -> tuple[int, int]:
    """Return how many of the changes fit, and the room that is left; into an empty sheet one."""
    for count, change in enumerate(changes):
        size = ENTRY + len(change.old_body) + len(change.new_body)
        if size > room and (count or not is_empty):
            return count, 0
        room = max(0, room - size)
    return len(changes), room


def _page(change: Change) -> str:
    section = change.new or change.old
    return section.page if section else ""


def _shown(change: Change, versions: tuple[str, str]) -> ChangeView:
    old, new = change
    section = new or old
    if section is None:
        raise ValueError("a change of nothing")
    old_body, new_body = _bodies(old, new)
    too_long = len(old_body) + len(new_body) > LONGEST_TEXT
    return ChangeView(
        kind=kind_of(change),
        id=change_id(section.id),
        text=_heading(section),
        href=_address(section, versions[1] if new else versions[0]),
        before=Link(text=_heading(old), href=_address(old, versions[0])) if old and new else None,
        old_body="" if too_long else old_body,
        new_body="" if too_long else new_body,
        too_long=too_long,
    )


def _bodies(old: Section | None, new: Section | None) -> tuple[str, str]:
    if old is None or new is None or old.body == new.body:
        return "", ""
    return old.body, new.body


def _heading(section: Section) -> str:
    return shortened(section.heading, longest=LONGEST_HEADING)


def _address(section: Section, version: str) -> str:
    anchor = "" if section.id == section.page else section.id.removeprefix(f"{section.page}/")
    place = href(f"{encode_name(version)}/{page_place(section.page)}")
    return f"{place}#{anchor}" if anchor else place
