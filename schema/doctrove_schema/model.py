"""The index, `doctrove-index@1`: what the builder writes and the servers read.

Field names in JSON are camel case. What `doctrove-index@1` requires is required here; the rest is
additive and left out of the JSON when it is empty.
"""

from __future__ import annotations

import msgspec

FORMAT = "doctrove-index@1"


class Include(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """A file whose lines an importer placed into a section."""

    file: str
    lines: tuple[int, int] | None = None
    sha256: str = ""


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """Where a section was written: a file and lines of the upstream tree."""

    file: str
    lines: tuple[int, int] | None = None
    """First and last line, both counted from 1 and both included."""

    sha256: str = ""
    """Of the named lines, joined by LF, in UTF-8."""

    includes: tuple[Include, ...] = ()
    repository: str = ""
    commit: str = ""


class Section(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """One ranked, addressable piece of documentation."""

    id: str = ""
    """Page path, `/`, anchor; never empty once read (`doctrove_schema.sections`)."""

    heading: str
    path: str = ""
    """Provenance link for people; empty where there is none."""

    body: str
    """Markdown without its own heading, complete in itself (link definitions included)."""

    page: str = ""
    trail: tuple[str, ...] = ()
    """Headings above this one, outermost first."""

    symbols: tuple[str, ...] = ()
    since: str = ""
    tokens: int = 0
    """By the estimator that the index names in `tokensBy`."""

    sha256: str = ""
    """Of the UTF-8 `body`."""

    source: Origin | None = None
    summary: str = ""
    """Markdown that a language model wrote of `body` and that passed the checks; else empty."""

    summary_by: str = ""
    """Name of that model."""


class Volume(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """The documentation of one version of one library."""

    summary: str = ""
    released: str = ""
    """ISO 8601 date."""

    sections: tuple[Section, ...]


class LibraryFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """What an index and a catalogue say of a library, apart from its documentation."""

    id: str
    name: str
    summary: str = ""
    aliases: tuple[str, ...] = ()
    homepage: str = ""
    popularity: int | float = 0
    license: str = ""
    version_scheme: str = ""
    """`semver` (also when empty), `pep440` or `label`."""

    superseded_by: str = ""
    versions: tuple[str, ...]
    """In the publisher's order, newest first by habit."""


class Entry(LibraryFacts, frozen=True, kw_only=True):
    """One library."""

    volumes: dict[str, Volume]


class Publication(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, rename="camel"):
    """When and by what an index or a catalogue was written."""

    updated_at: str = ""
    generator: str = ""
    tokens_by: str = ""


class Index(Publication, frozen=True, kw_only=True, tag_field="format", tag=FORMAT):
    """Every library that one publisher documents."""

    entries: tuple[Entry, ...]
