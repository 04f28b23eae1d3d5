"""Where the pages of a source go: their order, their titles in the navigation, their paths."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.navigation import (
    categories,
    file_order,
    folder_orders,
    named_places,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_builder.importing.markdown.frontmatter import Front
    from doctrove_builder.importing.markdown.site import Site
    from doctrove_builder.importing.source_tree import SourceTree

_NUMBER = re.compile(r"^\d+[-_.](?=\S)")
_GROUP = re.compile(r"\([^()/]+\)")
_FRONT = frozenset({"index", "readme", "_index", "home"})


def in_order(tree: SourceTree, site: Site, docs: str, fronts: Mapping[str, Front]) -> list[str]:
    """Return the files in reading order: as the navigation names them, then as folders stand."""
    files = file_order(
        list(fronts),
        fronts,
        docs=docs,
        folders=folder_orders(tree, docs),
        positions=categories(tree, docs),
    )
    named = _named_files(tree, site, docs, files)
    order = {file: number for number, file in enumerate(dict.fromkeys(named))}
    front = next((file for file in files if _place_name(_inside(file, docs)) == "index"), "")
    order.setdefault(front, -1)  # a front page that the navigation does not name comes first
    return sorted(files, key=lambda file: order.get(file, len(order)))


def _named_files(tree: SourceTree, site: Site, docs: str, files: Sequence[str]) -> list[str]:
    by_name: dict[str, str] = {}
    for file in files:
        for name in _names(file, docs):
            by_name.setdefault(name, file)
    places = named_places(tree, site, docs, files=sorted(files))
    wanted = (_place_name(place.path) for place in places)
    return [by_name[name] for name in wanted if name in by_name]


def navigation_titles(
    tree: SourceTree, site: Site, docs: str, files: Sequence[str]
) -> dict[str, str]:
    """Return the titles that the navigation gives to files."""
    by_name = {name: file for file in reversed(files) for name in _names(file, docs)}
    titles: dict[str, str] = {}
    for place in named_places(tree, site, docs, files=sorted(files)):
        file = by_name.get(_place_name(place.path))
        if file and place.title:
            titles.setdefault(file, place.title)
    return titles


def _place_name(path: str) -> str:
    bare = path.partition("#")[0].removeprefix("./").strip("/")
    bare = re.sub(r"\.(?:mdx?|markdown|html)$", "", bare)
    folder, _, name = bare.rpartition("/")
    return (folder if name.lower() in _FRONT else bare).lower() or "index"


def _names(file: str, docs: str) -> tuple[str, ...]:
    """Return what a navigation may call a file."""
    plain = _place_name(_inside(file, docs))
    numbered = "/".join(_NUMBER.sub("", part) for part in plain.split("/"))
    return plain, numbered, _place_name(file)


def page_paths(files: Sequence[str], docs: str, site: Site) -> dict[str, str]:
    """Return the page path of every file, no two alike."""
    taken: set[str] = set()
    paths: dict[str, str] = {}
    for file in files:
        parts = posixpath.splitext(_inside(file, docs))[0].split("/")
        if site.generator == "docusaurus":
            parts = [_NUMBER.sub("", part) for part in parts]
        if site.generator == "fumadocs":  # `(group)` stands in no address
            parts = [part for part in parts if not _GROUP.fullmatch(part)] or parts[-1:]
        if parts[-1].lower() in _FRONT:
            parts = parts[:-1] or ["index"]
        parts = [_clean(part) for part in parts]
        path = free = "/".join(parts)
        number = 1
        while free.lower() in taken:
            number += 1
            free = f"{path}-{number}"
        taken.add(free.lower())
        paths[file] = free
    return paths


def _inside(file: str, docs: str) -> str:
    """Return a file's path below the folder of the pages."""
    return file[len(docs) + 1 :] if docs and file.startswith(f"{docs}/") else file


def _clean(part: str) -> str:
    """Make a file's name one that a page can have."""
    bare = re.sub(r"[\s?#%&:*\"<>|\\]+", "-", part.strip()).strip("-._") or "page"
    return f"{bare}-page" if bare.lower() in {"index.html", "index.json", "index.md"} else bare
