"""One view for each file of the site: frozen, picklable, and holding all that decides its bytes.

Addresses in a view are relative references ready for an attribute; those of a volume's pages start
at its root, those of versions at the library's, and an empty one is that root itself. `root` leads
from the page to the root of the site, `up` to the root of its volume. A section's HTML is not here:
a view names it by the digest of its `SectionSource`.
"""

from __future__ import annotations

import msgspec


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A text that leads somewhere; an empty `href` is a text alone."""

    text: str
    href: str = ""


class Shell(msgspec.Struct, frozen=True, kw_only=True):
    """What every page of the site shares."""

    title: str
    language: str
    direction: str
    """`ltr` or `rtl`, from the language."""

    repository: str = ""
    files: tuple[str, ...] = ()
    """Machine-readable files at the root of the site that pages may link to."""

    feed: bool = False
    search: str = ""
    """`names` or `text`: what the site's search finds; empty: there is none."""


class Frame(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What every HTML page has."""

    path: str
    """Artefact path in `dist/`."""

    look: str
    """Fingerprint of the templates and assets that it is rendered with."""

    shell: Shell
    root: str
    title: str
    description: str = ""
    canonical: str = ""
    """Absolute address; empty when the site's address is not known."""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """One library on the home page."""

    id: str
    name: str
    href: str
    summary: str = ""
    latest: str = ""
    latest_href: str = ""
    versions: int = 0
    sections: int = 0
    aliases: tuple[str, ...] = ()
    superseded_by: str = ""


class HomeView(Frame, frozen=True, kw_only=True):
    """The front page of the site."""

    lede: str = ""
    address: str = ""
    """Absolute address of the site, for the line that connects an agent."""

    cards: tuple[Card, ...]
    versions: int
    sections: int


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """How many sections a version changed."""

    older: str
    """The version that it is compared with."""

    href: str
    """Page of the changes, relative to the library's root."""

    added: int
    removed: int
    changed: int
    moved: int
    """Under another id; their text may have changed too."""

    unchanged: int


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """One version in a library's timeline."""

    version: str
    href: str
    released: str = ""
    summary: str = ""
    latest: bool = False
    stable: bool = True
    pages: int = 0
    sections: int = 0
    tokens: int = 0
    changes: Tally | None = None
    """What it changed; None for the oldest version."""


class LibraryView(Frame, frozen=True, kw_only=True):
    """One library: what it is, and its versions newest first."""

    id: str
    name: str
    summary: str = ""
    aliases: tuple[str, ...] = ()
    homepage: str = ""
    repository: str = ""
    license: str = ""
    superseded: Link | None = None
    latest: str
    releases: tuple[Release, ...]
    compare: str = ""
    """Page that compares any two versions, relative to the library's root; none for one version."""


class NavGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Some pages of one folder of a volume; addresses are relative to the volume's root."""

    title: str
    pages: tuple[Link, ...]
    earlier: Link | None = None
    """The page before the first one shown."""

    later: Link | None = None


class TocItem(msgspec.Struct, frozen=True, kw_only=True):
    """One heading in the table of contents of a page."""

    text: str
    anchor: str
    depth: int
    """1 or 2."""


class SectionView(msgspec.Struct, frozen=True, kw_only=True):
    """One heading of a page with what stands below it."""

    id: str
    anchor: str
    level: int
    """2 to 6, never more than one below the heading before."""

    text: str
    html: str
    key: str
    """Digest of its `SectionSource`; empty for a heading without text of its own."""

    number: int = 0
    """Place among the sections of the page's `index.json`."""

    since: str = ""
    since_href: str = ""
    """Among the changes of that version, relative to the library's root; empty without a page."""

    changed: str = ""
    """The last version that changed its heading or text, where that is known."""

    changed_href: str = ""
    tokens: int = 0
    provenance: str = ""
    source_url: str = ""
    edit_url: str = ""


class VersionLink(msgspec.Struct, frozen=True, kw_only=True):
    """One version in the switcher."""

    version: str
    href: str
    same: bool
    """It has this page; otherwise the link leads to its front page."""

    label: str = ""
    """`latest`, `prerelease` or nothing."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """Why the reader may want another version than this one."""

    kind: str
    """`old` or `prerelease`."""

    version: str
    """The one to read instead."""

    href: str
    same: bool


class ContentsGroup(msgspec.Struct, frozen=True, kw_only=True):
    """Pages of one folder in a volume's table of contents."""

    title: str
    folder: str
    pages: tuple[Link, ...]
    count: int
    more: str = ""
    """Where the rest of them is listed."""


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """What the front page of a volume says about the volume."""

    summary: str = ""
    released: str = ""
    pages: int
    sections: int
    tokens: int
    changes: Tally | None = None


class PageView(Frame, frozen=True, kw_only=True):
    """One page of a volume: of its text, its front page, or a sheet of its list of pages."""

    up: str
    library: Link
    """Its address starts at the root of the site."""

    license: str = ""
    """SPDX expression; empty when the library does not say it."""

    version: str
    stable: bool
    page: str
    """Page path; empty for the front page and for sheets."""

    crumbs: tuple[Link, ...] = ()
    """The folders above the page."""

    heading_html: str = ""
    heading_anchor: str = ""
    lede: str = ""
    sections: tuple[SectionView, ...] = ()
    toc: tuple[TocItem, ...] = ()
    here: str
    """This page's address as it stands in `nav`."""

    nav: tuple[NavGroup, ...]
    all_pages: Link | None = None
    """Where the whole list is, when `nav` shows a part of it."""

    previous: Link | None = None
    next: Link | None = None
    versions: tuple[VersionLink, ...]
    more_versions: int = 0
    """How many versions the switcher leaves to the library's page."""

    notice: Notice | None = None
    report: str = ""
    """Where a problem of the page is reported; empty without a repository."""

    front: Front | None = None
    """None for all pages but a volume's front page."""

    contents: tuple[ContentsGroup, ...] = ()
    """The pages that a front page or a sheet lists."""

    sheets: tuple[Link, ...] = ()
    """All sheets, where the volume has some."""


class MissingView(Frame, frozen=True, kw_only=True):
    """What a host shows in place of a page that is not there, at whatever depth that is."""

    alone: bool
    """Whether the site's address is not known: then the page holds all that it needs."""

    libraries: tuple[Link, ...]


class RedirectView(Frame, frozen=True, kw_only=True):
    """A small page that leads to another."""

    target: str


class AssetView(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A style sheet, script or icon, under a name that holds its hash."""

    path: str
    look: str
    name: str


class TextView(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A file whose text is settled already."""

    path: str
    text: str
