"""The reading order and the titles of pages, from the navigation that a source was written with."""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.markdown.frontmatter import load_any_yaml
from doctrove_builder.importing.markdown.inline import wiki_links
from doctrove_builder.importing.markdown.plain import list_of, mapping_of, number_of, texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from doctrove_builder.importing.markdown.frontmatter import Front
    from doctrove_builder.importing.markdown.site import Site
    from doctrove_builder.importing.source_tree import SourceTree

MAX_DEPTH = 30

_MARKDOWN_LINK = re.compile(r"\[(?P<title>[^\[\]]*)\]\(\s*<?(?P<path>[^()<>\s]+)>?[^()]*\)")
_STRING = re.compile(r"""(?<![\w\\])(["'`])((?:[^"'`\\\n]|\\.){1,300})\1""")
_LINK_KEY = re.compile(r"""\b(?:link|slug):\s*(["'`])([^"'`\n]+)\1""")
_TOCTREE = re.compile(
    r"^(?:`{3,}|:{3,})\{toctree\}[^\n]*\n(.*?)^(?:`{3,}|:{3,})\s*$", re.DOTALL | re.MULTILINE
)
_PREFIX = re.compile(r"^(\d+)[-_. ]+(?=\S)")


class Place(NamedTuple):
    """A page as the navigation names it."""

    path: str
    """As written: a file, a page path or an address."""

    title: str = ""


def named_places(tree: SourceTree, site: Site, docs: str, *, files: Sequence[str]) -> list[Place]:  # noqa: PLR0911 - one a dialect
    """Return what the navigation names, in its order; empty where there is none."""
    if site.generator == "mkdocs":
        return list(_nav(site.settings.get("nav")))
    if site.generator in {"vitepress", "vuepress", "starlight"}:
        at = site.text.find("sidebar")
        text = site.text[at:] if at >= 0 else ""
        found = [Place(one[2]) for one in _LINK_KEY.finditer(text)]
        if site.generator == "starlight":
            found += [Place(one[2]) for one in _STRING.finditer(text)]
        return found
    if site.generator == "docusaurus":
        folder = posixpath.dirname(site.config)
        for name in ("sidebars.js", "sidebars.ts", "sidebars.json", "sidebars.cjs", "sidebars.mjs"):
            path = f"{folder}/{name}" if folder else name
            if path in tree:
                return [Place(one[2]) for one in _STRING.finditer(_text(tree, path))]
        return []
    if site.generator == "sphinx":
        return list(_toctrees(tree, docs, files))
    for name in ("SUMMARY.md", "_sidebar.md", "_Sidebar.md"):
        path = f"{docs}/{name}" if docs else name
        if path in tree:
            text = wiki_links(_text(tree, path))
            return [Place(one["path"], one["title"]) for one in _MARKDOWN_LINK.finditer(text)]
    return []


def folder_orders(tree: SourceTree, docs: str) -> dict[str, tuple[str, ...]]:
    """Return the names in their order by folder, where a file of the folder says it.

    Read are `meta.json` (Fumadocs), `_meta.json|js|ts` (Nextra) and `.pages` (awesome-pages).
    """
    found: dict[str, tuple[str, ...]] = {}
    for path in tree.under(docs):
        folder, _, name = path.rpartition("/")
        if name in {"meta.json", "_meta.json"}:
            found[folder] = _meta_names(_text(tree, path))
        elif name in {"_meta.js", "_meta.ts", "_meta.tsx"}:
            keys = re.findall(r"""^\s*["']?([\w.-]+)["']?\s*:""", _text(tree, path), re.MULTILINE)
            found[folder] = tuple(keys)
        elif name in {".pages", ".nav.yml"}:
            loaded = mapping_of(load_any_yaml(_text(tree, path)))
            nav = loaded.get("nav", loaded.get("arrange"))
            found[folder] = tuple(place.path for place in _nav(nav))
    return found


def categories(tree: SourceTree, docs: str) -> dict[str, float]:
    """Return the place of each folder that a Docusaurus `_category_` file gives."""
    found: dict[str, float] = {}
    for path in tree.under(docs):
        folder, _, name = path.rpartition("/")
        if name in {"_category_.json", "_category_.yml", "_category_.yaml"}:
            position = number_of(mapping_of(load_any_yaml(_text(tree, path))).get("position"))
            if position is not None:
                found[folder] = position
    return found


def file_order(
    files: Sequence[str],
    fronts: Mapping[str, Front],
    *,
    docs: str,
    folders: Mapping[str, tuple[str, ...]],
    positions: Mapping[str, float],
) -> list[str]:
    """Sort files as a site without navigation shows them: front page, positions, names."""

    def key(file: str) -> tuple[tuple[bool, float, str], ...]:
        inside = file[len(docs) + 1 :] if docs and file.startswith(f"{docs}/") else file
        parts = inside.split("/")
        made: list[tuple[bool, float, str]] = []
        folder = docs
        for number, part in enumerate(parts):
            is_file = number == len(parts) - 1
            made.append(_rank(part, folder, file, is_file, fronts, folders, positions))
            folder = f"{folder}/{part}" if folder else part
        return tuple(made)

    return sorted(files, key=key)


def _rank(  # noqa: PLR0913, PLR0917 - the parts of one key
    part: str,
    folder: str,
    file: str,
    is_file: bool,
    fronts: Mapping[str, Front],
    folders: Mapping[str, tuple[str, ...]],
    positions: Mapping[str, float],
) -> tuple[bool, float, str]:
    stem = posixpath.splitext(part)[0] if is_file else part
    if is_file and stem.lower() in {"index", "readme", "_index", "home"}:
        return False, -1, ""
    listed = folders.get(folder, ())
    for candidate in (stem, part):
        if candidate in listed:
            return False, listed.index(candidate), ""
    position: float | None
    if is_file:
        position = fronts[file].number(
            "sidebar_position", "nav_order", "weight", "order", "position"
        )
        if position is None:
            position = number_of(mapping_of(fronts[file].values.get("sidebar")).get("order"))
    else:
        position = positions.get(f"{folder}/{part}" if folder else part)
    if position is None and (found := _PREFIX.match(part)):
        position = float(found[1][:9])
    return position is None, position or 0, part.lower()


def _nav(value: object, title: str = "", depth: int = 0) -> Iterator[Place]:
    """Walk MkDocs' `nav`: texts, one-key mappings and lists of them."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, str):
        if "://" not in value:
            yield Place(value, title)
        return
    for item in list_of(value):
        yield from _nav(item, "", depth + 1)
    for key, item in mapping_of(value).items():
        yield from _nav(item, "" if key == "None" else key, depth + 1)


def _toctrees(tree: SourceTree, docs: str, files: Sequence[str]) -> Iterator[Place]:
    """Walk the toctrees of MyST pages from the front page on."""
    known = set(files)
    seen: set[str] = set()
    waiting = [f"{docs}/index.md" if docs else "index.md"]
    while waiting:
        file = waiting.pop()
        if file in seen or file not in known:
            continue
        seen.add(file)
        yield Place(file)
        below: list[str] = []
        for entry in toctree_entries(_text(tree, file)):
            folder = docs if entry.startswith("/") else posixpath.dirname(file)
            path = posixpath.normpath(posixpath.join(folder, entry.lstrip("/")))
            below.append(path if path in known else f"{path}.md")
        waiting += reversed(below)


def toctree_entries(text: str) -> Iterator[str]:
    """Yield the documents that the toctrees of a page name, as written."""
    for block in _TOCTREE.finditer(text):
        for line in block[1].split("\n"):
            entry = line.strip()
            if entry and not entry.startswith((":", "---")):
                found = re.fullmatch(r".*<([^<>]+)>", entry)
                yield found[1] if found else entry


def _meta_names(text: str) -> tuple[str, ...]:
    try:
        loaded = mapping_of(json.loads(text))
    except (ValueError, RecursionError):
        return ()
    if "pages" in loaded:
        return tuple(page.rstrip("/") for page in texts_of(loaded["pages"]))
    return tuple(loaded)


def _text(tree: SourceTree, path: str) -> str:
    try:
        return tree.read_text(path, limit=1 << 20)
    except FileRefused:
        return ""
