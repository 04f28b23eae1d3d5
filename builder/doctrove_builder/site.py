"""What the site shows: the assembled libraries in the form that the pages are planned from.

Everything is resolved here: order, inheritance, links. Nothing is HTML yet but titles and headings;
the body of a section is rendered once for each `SectionSource`.
"""

from __future__ import annotations

import msgspec

from doctrove_builder.model import Heading
from doctrove_schema.model import Section


class SectionSource(msgspec.Struct, frozen=True, kw_only=True):
    """All that decides the HTML of one section's body: its digest names a cached rendering."""

    body: str
    anchors: tuple[str, ...] = ()
    """Ids of the headings inside the body, in order."""

    links: tuple[tuple[str, str], ...] = ()
    """Address as written, address to write; for those that change (pages, pictures)."""

    prefix: str = ""
    """Makes ids of footnotes and tabs unique in the page."""

    targets: tuple[str, ...] = ()
    """Ids that raw HTML in the body gives to places in it and keeps: `Passage.anchors`."""


class SiteSection(msgspec.Struct, frozen=True, kw_only=True):
    """One heading of a page and, unless it has no text of its own, its section."""

    id: str
    """Section id, for instance `routing/route-parameters`."""

    heading: Heading
    source: SectionSource | None
    """None: a heading without text of its own; it is shown, and is not in the index."""

    inner: tuple[Heading, ...] = ()
    published: Section | None = None
    """The section as it stands in the index; None where `source` is."""

    source_url: str = ""
    """Link to the file and lines in the repository."""

    edit_url: str = ""

    @property
    def tokens(self) -> int:
        """Size of the section; 0 for a heading alone."""
        return self.published.tokens if self.published else 0

    @property
    def since(self) -> str:
        """First version that has the section, where it is known."""
        return self.published.since if self.published else ""

    @property
    def provenance(self) -> str:
        """Link to the upstream documentation."""
        return self.published.path if self.published else ""


class SitePage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of a volume. The volume's own front page has the path `index`."""

    path: str
    title: str
    title_html: str
    title_anchor: str = ""
    description: str = ""
    sections: tuple[SiteSection, ...]
    """In reading order; the first has anchor `` when there is text before the first heading."""


class SiteVolume(msgspec.Struct, frozen=True, kw_only=True):
    """One version of a library."""

    version: str
    summary: str = ""
    released: str = ""
    stable: bool = True
    pages: tuple[SitePage, ...]
    """In reading order; `index`, where there is one, first."""


class SiteLibrary(msgspec.Struct, frozen=True, kw_only=True):
    """One library with its versions."""

    id: str
    name: str
    summary: str = ""
    aliases: tuple[str, ...] = ()
    homepage: str = ""
    repository: str = ""
    license: str = ""
    superseded_by: str = ""
    latest: str
    """The version that `latest` selects."""

    volumes: tuple[SiteVolume, ...]
    """Newest first."""


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the pages show."""

    title: str
    description: str = ""
    base_url: str = ""
    language: str = "en"
    repository: str = ""
    updated: str = ""
    """ISO 8601; the index's `updatedAt`."""

    libraries: tuple[SiteLibrary, ...]
    """In the order of the catalogue."""
