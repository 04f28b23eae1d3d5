"""The pages of one volume as folders of links, which navigation and contents are made of."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.layout import FRONT_PAGES
from doctrove_builder.render.urls import href, page_place
from doctrove_builder.render.views import Link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from doctrove_builder.site import SitePage

LONGEST = 80
"""So many characters of a title are shown in a list."""


class Folders(msgspec.Struct, frozen=True, kw_only=True):
    """Links are relative to the volume's root; the folder of the top level is empty."""

    links: Mapping[str, Link]
    """By page path."""

    pages: Mapping[str, tuple[Link, ...]]
    """By folder, in reading order; a page with others below it is the first of its own folder."""

    folder_of: Mapping[str, str]
    """By page path."""

    titles: Mapping[str, str]
    """By folder: the title of its own page, else its name; the top level has none."""


def sort_folders(pages: Sequence[SitePage], *, overview: str) -> Folders:
    """Sort pages into folders, keeping their order; `overview` names the front page."""
    above = {folder for page in pages for folder in folders_above(page.path)}
    own = {page.path: shortened(page.title) for page in pages}
    links: dict[str, Link] = {}
    folder_of: dict[str, str] = {}
    sorted_: dict[str, list[Link]] = {"": []}
    for page in pages:
        path = page.path
        front = path in FRONT_PAGES
        folder = "" if front else path if path in above else path.rpartition("/")[0]
        links[path] = Link(text=overview if front else own[path], href=href(page_place(path)))
        folder_of[path] = folder
        sorted_.setdefault(folder, []).append(links[path])
    if not FRONT_PAGES & links.keys():
        sorted_[""].insert(0, Link(text=overview))
    return Folders(
        links=links,
        pages={folder: tuple(inside) for folder, inside in sorted_.items()},
        folder_of=folder_of,
        titles={folder: _title(folder, own) for folder in above | sorted_.keys()},
    )


INITIALS = frozenset(
    {"api", "cli", "css", "faq", "html", "http", "json", "sdk", "sql", "ui", "url"}
)
"""Names of folders that are read letter by letter."""


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders that a page is in, outermost first."""
    yield from list(accumulate(path.split("/"), "{}/{}".format))[:-1]


def spoken(name: str) -> str:
    """Turn a folder's name into a title: `error-handling` gives `Error handling`, `api` `API`."""
    words = name.replace("-", " ").replace("_", " ").split()
    text = " ".join(word.upper() if word in INITIALS else word for word in words)
    return text[:1].upper() + text[1:]


def shortened(text: str, *, longest: int = LONGEST) -> str:
    """Cut a text for a list, at a word where one ends near."""
    text = " ".join(text.split())
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    head, _, tail = cut.rpartition(" ")
    return (head if head and len(tail) < longest // 3 else cut).rstrip() + "…"


def _title(folder: str, own: Mapping[str, str]) -> str:
    if not folder:
        return ""
    name = own.get(folder) or shortened(spoken(folder.rpartition("/")[2]))
    above = _title(folder.rpartition("/")[0], own)
    return shortened(f"{above} / {name}") if above else name
