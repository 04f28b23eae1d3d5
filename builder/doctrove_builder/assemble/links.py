"""Resolve the relative links of every section, and say which lead nowhere.

A link is written as on the author's disk: the path of a Markdown file or a picture, relative to
the file that links to it. An inherited section's links are resolved in the volume that inherits it,
so that they lead to that volume's own pages.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import msgspec

from doctrove_builder.assemble.rules import AssembleRule
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.layout import FRONT_PAGES, address, page_folder
from doctrove_builder.memory import ANEW
from doctrove_builder.model import Link
from doctrove_schema.names import nearest
from doctrove_schema.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.assemble.bound import (
        BoundLibrary,
        BoundPage,
        BoundSection,
        BoundVolume,
    )
    from doctrove_builder.memory import Apply

Addresses = tuple[tuple[str, str], ...]
"""Address as written, address to write; that of a picture may have its size behind a blank."""

_PLAIN = "/@~!$&'()*+,;=:"
_RELATIVE = "write the path of a file, relative to this one"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_MARKDOWN = re.compile(r"\.(md|markdown)$", re.IGNORECASE)
_FRONT_FILE = re.compile(r"(^|/)(index|readme)$", re.IGNORECASE)


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a relative link can lead to, but for the anchors in pages."""

    pages: Mapping[tuple[str, str], frozenset[str]]
    """By library and version: the page paths."""

    folders: Mapping[str, tuple[str, str]]
    """The folder that a volume is written in (or would be, for a single file): library, version."""

    assets: Mapping[str, str]
    """Path in the authoring tree, published file."""

    sizes: Mapping[str, str]
    """Path in the authoring tree, size of the picture, as `640x480`, where it is known."""


class Standpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The volume that a section is read in, own or inherited."""

    library: str
    version: str
    file: str
    """Of the volume."""

    places: Places


Target = tuple[str, str, str]
"""Library, version and path of a page."""

Anchors = Mapping[tuple[str, str], Mapping[str, frozenset[str]]]
"""By library and version: the anchors of each page."""


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """A link to a place in a page."""

    link: Link
    file: str
    """That the link stands in."""

    target: Target
    fragment: str


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Where one section's links go."""

    addresses: Addresses
    assets: frozenset[str]
    """Files of the authoring tree that are shown or linked."""

    aims: tuple[Aim, ...]
    problems: tuple[Problem, ...]


def places(
    libraries: Iterable[BoundLibrary],
    assets: Mapping[str, str],
    sizes: Mapping[str, str] | None = None,
) -> Places:
    """Collect what links can lead to."""
    known = [(bound.library, volume) for bound in libraries for volume in bound.volumes]
    return Places(
        pages={
            (library.id, volume.version): frozenset(page.path for page in volume.pages)
            for library, volume in known
        },
        folders={_folder(volume.file): (library.id, volume.version) for library, volume in known},
        assets=assets,
        sizes=sizes or {},
    )


def anchors(libraries: Iterable[BoundLibrary], *, apply: Apply = ANEW) -> Anchors:
    """Return the anchors of every page."""
    return {
        (bound.library.id, volume.version): apply(_anchors_by_page, volume)
        for bound in libraries
        for volume in bound.volumes
    }


def broken_anchors(aims: Iterable[Aim], known: Anchors) -> Iterator[Problem]:
    """Yield a problem for each link to a place that its page does not have."""
    for aim in aims:
        library, version, page = aim.target
        there = known[library, version][page]
        if aim.fragment not in there:
            yield _broken_anchor(aim, there)


def reach(section: BoundSection, *, written_in: str, at: Standpoint) -> Reach:
    """Resolve the links of one section as it stands in a volume; anchors are left to be checked.

    `written_in` is the file of the volume that the section's own file belongs to.
    """
    here = _relative_folder(section, _folder(written_in))
    start = page_folder(at.library, at.version, section.page)
    found: dict[str, str] = {}
    assets: set[str] = set()
    aims: list[Aim] = []
    problems: list[Problem] = []
    for link in section.passage.links:
        if _SCHEME.match(link.href) or link.href in found:
            continue
        path, fragment = _parts(link.href)
        asset = posixpath.normpath(posixpath.join(_folder(written_in), here, path))
        if path and asset in at.places.assets:
            assets.add(asset)
            size = at.places.sizes.get(asset, "") if link.image else ""
            found[link.href] = f"{address(start, at.places.assets[asset])} {size}".rstrip()
        elif target := _target(path, here, section.page, at):
            if fragment:
                aims.append(Aim(link=link, file=section.file, target=target, fragment=fragment))
            if path:
                found[link.href] = address(start, page_folder(*target), fragment)
        else:
            problems.append(_broken_link(link, section, here=here, written_in=written_in, at=at))
    return Reach(
        addresses=tuple(found.items()),
        assets=frozenset(assets),
        aims=tuple(aims),
        problems=tuple(problems),
    )


def _parts(href: str) -> tuple[str, str]:
    """Return path and fragment, percent-decoded (RFC 3986); a query is left out."""
    path, _, fragment = href.partition("#")
    return unquote(path.partition("?")[0]), unquote(fragment)


def _target(path: str, here: str, page: str, at: Standpoint) -> Target | None:
    """Find the page that a relative path leads to; an empty path is the page itself."""
    if path.startswith("/"):
        return None
    inside = posixpath.normpath(posixpath.join(here, path))
    owner = (at.library, at.version)
    if inside.startswith(".."):
        outside = posixpath.normpath(posixpath.join(_folder(at.file), inside))
        folder = next((f for f in _ancestors(outside) if f in at.places.folders), None)
        if folder is None:
            return None
        owner, inside = at.places.folders[folder], posixpath.relpath(outside, folder)
    found = _page_at(inside, at.places.pages[owner]) if path else page
    return None if found is None else (*owner, found)


def _page_at(path: str, pages: frozenset[str]) -> str | None:
    bare = _FRONT_FILE.sub("", _MARKDOWN.sub("", path))
    wanted = FRONT_PAGES if bare in {"", "."} else (bare,)
    return next((page for page in wanted if page in pages), None)


def _anchors_by_page(volume: BoundVolume) -> dict[str, frozenset[str]]:
    return {page.path: _anchors(page) for page in volume.pages}


def _anchors(page: BoundPage) -> frozenset[str]:
    return frozenset(_each_anchor(page)) - {""}


def _each_anchor(page: BoundPage) -> Iterator[str]:
    yield page.title_anchor
    for section in page.sections:
        yield section.passage.heading.anchor
        yield from (heading.anchor for heading in section.passage.inner)
        yield from section.passage.anchors


def _folder(volume_file: str) -> str:
    """Return the folder that a volume's file stands for: its own, or its name without `.yaml`."""
    if posixpath.basename(volume_file) in {"volume.yaml", "volume.yml"}:
        return posixpath.dirname(volume_file)
    return re.sub(r"\.ya?ml$", "", volume_file)


def _relative_folder(section: BoundSection, volume_folder: str) -> str:
    """Return the folder of the section's file below its volume's folder."""
    if section.file.startswith(f"{volume_folder}/"):
        return posixpath.dirname(posixpath.relpath(section.file, volume_folder))
    return posixpath.dirname(section.page)


def _ancestors(path: str) -> Iterator[str]:
    while path and path not in {".", "/", ".."}:
        yield path
        path = posixpath.dirname(path)


def _broken_link(
    link: Link, section: BoundSection, *, here: str, written_in: str, at: Standpoint
) -> Problem:
    path, _ = _parts(link.href)
    written = Standpoint(
        library=at.library, version=section.written_in, file=written_in, places=at.places
    )
    is_inherited = at.version != section.written_in
    if is_inherited and _target(path, here, section.page, written):
        where = f" in {at.version}, which inherits it"
        hint = f"write this section anew in {at.version}, or keep the page there"
    else:
        where = ""
        near = nearest(path.removeprefix("/"), _candidates(path, here, written, link.image))
        hint = f"do you mean {shown(quote(near, safe=_PLAIN))}?" if near else _RELATIVE
    kind = "picture" if link.image else "link"
    return Problem(
        rule=AssembleRule.BROKEN_LINK,
        source=section.file,
        line=link.line,
        column=link.column,
        message=f"the {kind} {shown(link.href)} leads to no file of the authoring tree{where}",
        hint=hint,
    )


def _candidates(path: str, here: str, at: Standpoint, is_image: bool) -> list[str]:
    """Return what a wrong path may have meant, relative to the file that it stands in.

    Only files whose names begin alike are looked at, so that many wrong links stay cheap.
    """
    folder = posixpath.join(_folder(at.file), here)
    files = [] if is_image else list(_page_files(at.places))
    initial = posixpath.basename(path.rstrip("/"))[:1].casefold()
    return [
        posixpath.relpath(file, folder)
        for file in (*files, *at.places.assets)
        if posixpath.basename(file)[:1].casefold() == initial
    ]


def _page_files(places: Places) -> Iterator[str]:
    """Yield every page's path in the authoring tree, as a link would name it."""
    for folder, owner in places.folders.items():
        yield from (f"{folder}/{page or 'index'}.md" for page in sorted(places.pages[owner]))


def _broken_anchor(aim: Aim, there: frozenset[str]) -> Problem:
    link = aim.link
    near = nearest(aim.fragment, sorted(there))
    return Problem(
        rule=AssembleRule.BROKEN_ANCHOR,
        source=aim.file,
        line=link.line,
        column=link.column,
        message=f"the link {shown(link.href)} names no heading of the page that it leads to",
        hint=f"do you mean {shown(f'#{near}')}?" if near else "give the heading an `{#id}`",
    )
