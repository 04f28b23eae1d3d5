"""Volumes after `extends` is resolved: whole, in reading order, each section knowing its file."""

from __future__ import annotations

import msgspec

from doctrove_builder.model import Library, Passage, Repository
from doctrove_schema.sections import section_id


class BoundSection(msgspec.Struct, frozen=True, kw_only=True):
    """A passage in its place, with where it was written."""

    passage: Passage
    page: str
    file: str
    written_in: str
    """Version of the volume that holds the file."""

    source: Repository

    @property
    def id(self) -> str:
        """Section id: page path, `/`, anchor."""
        return section_id(self.page, self.passage.heading.anchor)

    @property
    def has_text(self) -> bool:
        """Whether it is a section of the index; otherwise it is a step of the outline."""
        return bool(self.passage.body)


class BoundPage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a volume, own and inherited sections together."""

    path: str
    title: str
    title_html: str
    title_anchor: str
    description: str
    order: int | None
    file: str
    sections: tuple[BoundSection, ...]


class BoundVolume(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a library, whole."""

    version: str
    summary: str
    released: str
    order: tuple[str, ...]
    source: Repository
    file: str
    pages: tuple[BoundPage, ...]

    def page(self, path: str) -> BoundPage | None:
        """Return the page of this path."""
        return next((page for page in self.pages if page.path == path), None)


class BoundLibrary(msgspec.Struct, frozen=True, kw_only=True):
    """A library and its whole volumes, newest first."""

    library: Library
    volumes: tuple[BoundVolume, ...]
