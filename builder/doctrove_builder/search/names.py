"""The list that quick-open reads: titles, headings and symbols of one volume, as compact JSON.

`doctrove-names@1`: `folders` holds `[folder, page ...]`, the folder an address relative to the
volume's. A page is `[title, address, section ...]`, its address relative to its folder. A section
is its heading, or `[heading, anchor, name ...]` with further names that it is found by: its symbols
and the headings inside it. An empty anchor is the page itself. 0 stands for an anchor, or the
address of a page, that follows from the heading or the title by `plain_anchor`.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.render.urls import href

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from doctrove_builder.search.scope import SearchedSection, SearchedVolume
    from doctrove_builder.search.text import SectionText

    Names = Callable[[SearchedSection], tuple[str, ...]]
    Item = str | tuple[str | int, ...]
    Page = tuple[Item | int, ...]
    Folders = list[tuple[str, list[Page]]]

FORMAT = "doctrove-names@1"

LIMIT = 320_000
"""Bytes of one list. A longer one leaves out headings inside sections, then symbols, then the
last sections of each page; the full text has them all."""

LONGEST = 120
"""Letters of one name."""

_NAMES = 40
"""So many further names one section has."""

_DROPPED = re.compile(r"[^a-z0-9_ -]")


def plain_anchor(heading: str) -> str:
    """Return the anchor that the site's script makes of a heading of plain letters.

    The same rule stands in `search.js`; where it gives another anchor than the page has, the list
    carries the anchor.
    """
    return _DROPPED.sub("", heading.lower()).replace(" ", "-")


def names_json(volume: SearchedVolume, texts: Mapping[str, SectionText]) -> bytes:
    """Return the list of a volume; `texts` holds what is known of each section's body."""
    data = b""
    for names in (_all_names, _symbols, _no_names):
        data = _encoded(_folders(volume, partial(names, texts)))
        if len(data) <= LIMIT:
            return data
    folders = _folders(volume, partial(_no_names, texts))
    for share in (8, 4, 2, 1, 0):
        data = _encoded([(folder, _some(pages, share)) for folder, pages in folders])
        if len(data) <= LIMIT:
            return data
    return _encoded(folders[: len(folders) * LIMIT // (2 * len(data))])


def _encoded(folders: Folders) -> bytes:
    listed = [(folder, *pages) for folder, pages in folders if pages]
    return msgspec.json.encode({"format": FORMAT, "folders": listed}) + b"\n"


def _some(pages: list[Page], share: int) -> list[Page]:
    """Return pages with at most so many sections each."""
    return [page[: 2 + share] for page in pages]


def _folders(volume: SearchedVolume, names: Names) -> Folders:
    """Return the pages of a volume; those that follow each other in one folder stand together."""
    folders: Folders = []
    for page in volume.pages:
        place = href(page.folder.removeprefix(volume.folder))
        folder, last = _parted(place)
        title = page.title[:LONGEST]
        if not folders or folders[-1][0] != folder:
            folders.append((folder, []))
        sections = (_section(section, names(section)) for section in page.sections)
        address = 0 if last == f"{plain_anchor(title)}/" else last
        folders[-1][1].append((title, address, *(item for item in sections if item)))
    return folders


def _parted(place: str) -> tuple[str, str]:
    """Part the address of a page at the folder that it is in."""
    above, _, last = place.removesuffix("/").rpartition("/")
    return (f"{above}/" if above else "", f"{last}/" if last else "")


def _all_names(texts: Mapping[str, SectionText], section: SearchedSection) -> tuple[str, ...]:
    return (*section.symbols, *texts[section.body].headings)


def _symbols(_texts: Mapping[str, SectionText], section: SearchedSection) -> tuple[str, ...]:
    return section.symbols


def _no_names(_texts: Mapping[str, SectionText], _section: SearchedSection) -> tuple[str, ...]:
    return ()


def _section(section: SearchedSection, names: Iterable[str]) -> Item:
    """Return a section's item; nothing for a lead without names of its own."""
    heading = section.heading[:LONGEST]
    further = tuple(dict.fromkeys(_other(names, heading)))[:_NAMES]
    if not section.anchor:
        return (heading, "", *further) if further else ()
    follows = plain_anchor(heading) == section.anchor
    if follows and not further:
        return heading
    return (heading, 0 if follows else section.anchor, *further)


def _other(names: Iterable[str], heading: str) -> Iterator[str]:
    return (name[:LONGEST] for name in names if name and name not in heading)
