"""The views of the pages that say what changed."""

from __future__ import annotations

import msgspec

from doctrove_builder.render.views import Frame, Link, Release, Tally


class ChangeView(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one section. Addresses start at the library's root."""

    kind: str
    """`added`, `removed`, `changed`, `renamed` (on its page) or `moved` (to another one)."""

    id: str
    """HTML id of the entry."""

    text: str
    """Heading; of the old section for one that is gone."""

    href: str
    """The section; the old one for one that is gone."""

    before: Link | None = None
    """The section as it was, for one that is in both versions."""

    old_body: str = ""
    new_body: str = ""
    """Markdown, where it differs and is not too long to be shown."""

    too_long: bool = False


class ChangeGroup(msgspec.Struct, frozen=True, kw_only=True):
    """The changes of one page."""

    title: str
    changes: tuple[ChangeView, ...]


class ChangesView(Frame, frozen=True, kw_only=True):
    """What a version changed, or a sheet of it. Addresses start at the library's root."""

    up: str
    """Leads to the root of the library."""

    here: str
    library: Link
    """Its address starts at the root of the site."""

    license: str
    """Of the library; may be empty."""

    version: Link
    older: Link
    tally: Tally
    groups: tuple[ChangeGroup, ...]
    compare: str
    """Page that compares any two versions."""

    sheets: tuple[Link, ...] = ()
    """All sheets, where there is more than one."""

    earlier: Link | None = None
    """What the older version changed."""

    later: Link | None = None


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One version to compare."""

    version: str
    href: str
    """Folder of the volume, below the library's."""

    older: str = ""
    """The version that it follows."""


class CompareView(Frame, frozen=True, kw_only=True):
    """A page whose script compares any two versions of a library, and lists the neighbours."""

    up: str
    """Leads to the root of the library."""

    id: str
    library: Link
    """Its address starts at the root of the site."""

    license: str
    """Of the library; may be empty."""

    choices: tuple[Choice, ...]
    """Newest first."""

    latest: str
    """The version that `latest` means in an address."""

    releases: tuple[Release, ...]
    """All versions but the oldest; addresses start at the library's root."""
