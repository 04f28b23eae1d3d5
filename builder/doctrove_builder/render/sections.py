"""What a page shows of its sections: headings in order, their links, the table of contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.render.folders import shortened
from doctrove_builder.render.keys import section_key
from doctrove_builder.render.urls import safe_address
from doctrove_builder.render.views import SectionView, TocItem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.render.changes import Marks
    from doctrove_builder.site import SitePage, SiteSection

TOC = 60
"""So many headings the table of contents of a page names."""

SHALLOW = 3
"""Headings inside a section stand in the table of contents down to this level."""


def show_sections(page: SitePage, marks: Marks) -> tuple[SectionView, ...]:
    """Return a page's headings and sections in reading order.

    Levels start at 2, below the page's title, and never skip one, so that the outline is whole for
    those who move by headings.
    """
    return tuple(_each_section(page, marks))


def list_headings(page: SitePage) -> tuple[TocItem, ...]:
    """Return the table of contents: headings with an anchor, cut to `TOC` of them."""
    items: list[TocItem] = []
    for section in page.sections:
        heading = section.heading
        deep = heading.level > 2
        if heading.anchor:
            items.append(_item(heading.text, heading.anchor, depth=2 if deep else 1))
        items.extend(
            _item(inner.text, inner.anchor, depth=2)
            for inner in section.inner
            if inner.anchor and inner.level <= SHALLOW
        )
    return tuple(items[:TOC])


def _each_section(page: SitePage, marks: Marks) -> Iterator[SectionView]:
    above = 1
    number = 0
    for section in page.sections:
        anchor = section.heading.anchor
        level = min(max(2, section.heading.level), above + 1)
        above = level if anchor else above
        yield _shown(section, level, number, marks)
        number += section.source is not None


def _shown(section: SiteSection, level: int, number: int, marks: Marks) -> SectionView:
    changed, changed_href = marks.changed.get(section.id, ("", ""))
    return SectionView(
        id=section.id,
        anchor=section.heading.anchor,
        level=level,
        text=section.heading.text,
        html=section.heading.html,
        key=section_key(section.source) if section.source else "",
        number=number,
        since=section.since,
        since_href=marks.since.get(section.id, "") if section.since else "",
        changed=changed,
        changed_href=changed_href,
        tokens=section.tokens,
        provenance=safe_address(section.provenance),
        source_url=safe_address(section.source_url),
        edit_url=safe_address(section.edit_url),
    )


def _item(text: str, anchor: str, *, depth: int) -> TocItem:
    return TocItem(text=shortened(text), anchor=anchor, depth=depth)
