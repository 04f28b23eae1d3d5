"""The views of the files beside each page that programs read."""

from __future__ import annotations

import msgspec

from doctrove_schema.model import Section


class PageEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page in its volume's list."""

    page: str
    title: str
    href: str
    """Folder of the page, relative to the volume's."""

    description: str = ""


class PageDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`index.json` beside a page, `doctrove-page@1`."""

    format: str
    library: str
    name: str
    version: str
    page: str
    title: str
    description: str = ""
    sections: tuple[Section, ...]
    """As they stand in the published index."""

    pages: tuple[PageEntry, ...] = ()
    """For the front page of a volume: all its other pages."""


class JsonView(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """`index.json` beside a page."""

    path: str
    document: PageDocument


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One heading of a page as Markdown shows it."""

    level: int
    """0 for the text before the first heading."""

    text: str
    number: int | None
    """Of the section below it, in the page's document."""


class MarkdownView(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """`index.md` beside a page."""

    path: str
    document: PageDocument
    outline: tuple[Step, ...]
