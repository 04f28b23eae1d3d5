"""The values that pass between the stages of a build, from files to volumes.

    Tree --parse--> Authoring (Library, VolumeSource, PageSource) --assemble--> Index, Site

Every value is frozen; a stage makes new ones and never fills a field in later.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from doctrove_schema.model import Origin


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """One text file of the authoring tree."""

    path: str
    """Relative to the authoring root, with `/`."""

    text: str
    """Without a BOM, line ends LF, Unicode form C."""


class Asset(msgspec.Struct, frozen=True, kw_only=True):
    """One file that is copied as it is, a picture for instance."""

    path: str
    file: Path
    size: int
    """Bytes."""


class Tree(msgspec.Struct, frozen=True, kw_only=True):
    """What the reading edge found below an authoring root."""

    documents: Mapping[str, Document]
    """By path, in path order."""

    assets: Mapping[str, Asset]


class Repository(msgspec.Struct, frozen=True, kw_only=True):
    """Where a volume's sources are published: `source` in volume.yaml."""

    repository: str = ""
    """URL of the repository, for instance `https://github.com/expressjs/express`."""

    commit: str = ""
    base_url: str = ""
    """Provenance of a section without a link of its own is this + page + `#` + anchor."""


SEARCHED = ("latest", "all", "off")
"""Values of `options.search`."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """`options` in doctrove.yaml: choices that hold for the whole build."""

    split_level: int = 2
    """Headings down to this level start a section, unless a volume says otherwise."""

    full_index: bool = True
    """Write `index.json`."""

    search: str = "latest"
    """Whose text the site's search finds: the `latest` volume of each library, `all`, or `off`."""

    edit_links: bool = True
    branch: str = "main"
    folder: str = "authoring"
    """Where the authoring tree stands in the repository."""


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """`doctrove.yaml`."""

    title: str = "Documentation"
    description: str = ""
    base_url: str = ""
    """Absolute URL that `dist/` is published under, ending in `/`; empty when not known."""

    language: str = "en"
    repository: str = ""
    updated: str = ""
    options: Options = Options()


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A link or picture as its page's author wrote it."""

    href: str
    line: int
    column: int
    image: bool = False


class Heading(msgspec.Struct, frozen=True, kw_only=True):
    """A heading of a page; it starts a section when its level is at most the split level."""

    level: int
    text: str
    """Plain text."""

    html: str
    """The same with its inline markup, sanitised."""

    anchor: str
    line: int


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """One section of a page as parsed: a heading and the text up to the next one."""

    heading: Heading
    """For the text before the first heading: the page's title, anchor empty."""

    trail: tuple[str, ...]
    body: str
    """Markdown without the heading, trimmed, complete in itself; empty when there is no text:
    then this is a step of the outline and not a section."""

    lines: tuple[int, int]
    """First and last line in the file, heading included."""

    symbols: tuple[str, ...] = ()
    since: str = ""
    path: str = ""
    """Provenance link as written by the author."""

    links: tuple[Link, ...] = ()
    inner: tuple[Heading, ...] = ()
    """Headings below the split level, which stay in the body."""

    anchors: tuple[str, ...] = ()
    """Further anchors that a link may point at (explicit ids that are not headings)."""

    origin: Origin | None = None
    """Where an importer took it from; None: it was written in the authoring tree."""


class PageSource(msgspec.Struct, frozen=True, kw_only=True):
    """One Markdown page, parsed."""

    file: str
    path: str
    """Page path in its volume: `routing`, `guide/routing`; `index` for the volume's front page."""

    title: str
    title_html: str
    titled: bool = True
    """Whether its author gave the title; otherwise it is made from the file's name."""

    title_anchor: str = ""
    """Anchor of the `# Title` heading, so that links to it work; it starts no section."""

    description: str = ""
    order: int | None = None
    replace: bool = False
    """Drop the inherited page of this path first."""

    passages: tuple[Passage, ...]


class VolumeSource(msgspec.Struct, frozen=True, kw_only=True):
    """One volume as written, before `extends` is resolved."""

    file: str
    """volume.yaml, the single file, or the folder: where its problems are shown."""

    version: str
    summary: str = ""
    released: str = ""
    extends: str = ""
    extends_at: tuple[int, int] | None = None
    """Line and column of the value, for messages."""

    remove: tuple[str, ...] = ()
    remove_at: tuple[tuple[int, int], ...] = ()
    order: tuple[str, ...] = ()
    """Page paths in reading order; pages that are not named follow by `order`, then by path."""

    order_at: tuple[tuple[int, int], ...] = ()

    source: Repository = Repository()
    pages: tuple[PageSource, ...]
    """In reading order."""

    single_file: bool = False


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """One library as written: library.yaml and its volumes."""

    file: str
    folder: str
    id: str
    name: str
    summary: str = ""
    aliases: tuple[str, ...] = ()
    homepage: str = ""
    repository: str = ""
    license: str = ""
    popularity: float = 0
    version_scheme: str = "semver"
    versions: tuple[str, ...] = ()
    """As declared; empty when left to the files."""

    versions_at: tuple[int, int] | None = None
    superseded_by: str = ""
    volumes: tuple[VolumeSource, ...]


class Authoring(msgspec.Struct, frozen=True, kw_only=True):
    """The whole authoring tree, parsed."""

    project: Project
    libraries: tuple[Library, ...]
    """By id."""
