"""The kind `devdocs`: `index.json` and `db.json` of DevDocs to pages, symbols by their anchors.

The origin of a section is `db.json#PAGE` with the hash of the page's HTML: the file has one line.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.html.parsing import classes, hide, parse_html, text_of
from doctrove_builder.importing.html.reading import HtmlReader
from doctrove_builder.importing.imported import (
    Imported,
    ImportedPage,
    Kind,
    Note,
    Option,
    Options,
    split_level_option,
)
from doctrove_builder.importing.json_values import as_list, as_mapping, as_text, decode_json
from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.outline import outline, write_parts
from doctrove_builder.importing.source_tree import MIB, SourceTree
from doctrove_builder.importing.sphinx.atlas import Atlas, Outlined, PageLinks
from doctrove_builder.importing.sphinx.sources import page_path, titled
from doctrove_schema.model import Origin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from doctrove_builder.importing.html.parsing import Element

DATABASE, INDEX, META = "db.json", "index.json", "meta.json"
MAX_BYTES = 256 * MIB
MAX_PAGES = 50_000
_UNFIT = re.compile(r"[\s?#%&:*\"<>|\\]+")
_BEFORE_LICENCE = re.compile(r"\s*(?:©|\(c\)|copyright|licensed under)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    outlined: Outlined
    title: str
    url: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class _Attribution:
    """What DevDocs says below every page of where it is from."""

    url: str
    text: str


def read(tree: SourceTree, options: Options) -> Imported:
    """Read a documentation set; raises `NothingImported` when the source is none."""
    file = _file(tree)
    folder = posixpath.dirname(file)
    database = as_mapping(decode_json(tree.read_bytes(file, limit=MAX_BYTES)))
    entries = _entries(tree, posixpath.join(folder, INDEX))
    meta = _json(tree, posixpath.join(folder, META))
    only = options.texts("include")
    names = [name for name in database if not only or name.startswith(only)]
    notes: list[Note] = []
    if len(names) > MAX_PAGES:
        message = f"more than {MAX_PAGES:,} pages; the rest is left out"
        notes.append(Note(kind="page-left-out", place=file, message=message))
    licences: dict[str, None] = {}
    pages = list(_pages(names[:MAX_PAGES], database, file, entries, licences, notes))
    pages.sort(key=lambda page: page.outlined.document != "index")
    atlas = Atlas()
    for page in pages:
        atlas.add(page.outlined)
    counts: Counter[str] = Counter()
    made = [_written(page, atlas, entries, counts, notes) for page in pages]
    empty = [page.path for page in made if not page.markdown.strip()]
    notes += [Note(kind="page-empty", place=path, message="it has no text") for path in empty]
    if len(empty) == len(made):
        raise NothingImported(f"{file} holds no pages")
    links = as_mapping(meta.get("links"))
    return Imported(
        pages=tuple(page for page in made if page.markdown.strip()),
        licenses={"ATTRIBUTION.txt": "\n\n".join(licences) + "\n"} if licences else {},
        name=as_text(meta.get("name")),
        homepage=as_text(links.get("home")),
        repository=as_text(links.get("code")),
        split_level=options.number("split-level"),
        counts={name: number for name, number in counts.items() if number},
        notes=tuple(notes),
    )


def _file(tree: SourceTree) -> str:
    found = [path for path in tree.paths if posixpath.basename(path) == DATABASE]
    if not found:
        raise NothingImported(f"{tree.name} holds no {DATABASE}")
    return min(found, key=lambda path: (path.count("/"), path))


def _json(tree: SourceTree, path: str) -> Mapping[str, object]:
    return as_mapping(decode_json(tree.read_bytes(path, limit=MAX_BYTES))) if path in tree else {}


def _entries(tree: SourceTree, path: str) -> dict[str, dict[str, list[str]]]:
    """Return the names that the index lists, by page and anchor."""
    found: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for entry in map(as_mapping, as_list(_json(tree, path).get("entries"))):
        page, _, anchor = as_text(entry.get("path")).partition("#")
        name = as_text(entry.get("name"))
        if page and name:
            found[page][anchor].append(name)
    return {page: dict(anchors) for page, anchors in found.items()}


def _pages(  # noqa: PLR0913, PLR0917 - what is known of the whole set
    names: Iterable[str],
    database: Mapping[str, object],
    file: str,
    entries: Mapping[str, Mapping[str, list[str]]],
    licences: dict[str, None],
    notes: list[Note],
) -> Iterable[_Page]:
    taken: set[str] = set()
    for name in names:
        text = database[name]
        root = parse_html(text) if isinstance(text, str) else None
        if root is None or not isinstance(text, str):
            notes.append(Note(kind="page-unreadable", place=name, message="it holds no content"))
            continue
        attribution = _attribution(root)
        if attribution.text:
            licences[attribution.text] = None
        origin = Origin(file=f"{file}#{name}", sha256=hashlib.sha256(text.encode()).hexdigest())
        title, title_names, blocks = titled(HtmlReader(file=name).page(root))
        plain = "/".join(_UNFIT.sub("-", part).strip("-._") or "page" for part in name.split("/"))
        path, number = page_path(plain), 1
        while path.lower() in taken:
            number += 1
            path = f"{page_path(plain)}-{number}"
        taken.add(path.lower())
        known = entries.get(name, {}).get("", [])
        yield _Page(
            outlined=Outlined(
                path=path,
                document=page_path(name),
                file=name,
                base=posixpath.dirname(name),
                title=title,
                title_names=title_names,
                parts=outline(blocks),
                labels={},
            ),
            title=plain_text(title) or (known[0] if known else posixpath.basename(name)),
            url=attribution.url,
            origin=origin,
        )


def _attribution(root: Element) -> _Attribution:
    """Take the attribution out of a page and return it."""
    text, url = "", ""
    for one in list(root.iter()):
        if "_attribution" in classes(one):
            link = next(iter(one.iter("a")), None)
            url = url or (link.get("href") or "" if link is not None else "")
            said = " ".join(text_of(one).split())
            text = said.removesuffix(url).strip() if _BEFORE_LICENCE.match(said) else text
            hide(one)
    return _Attribution(url if url.startswith(("https://", "http://")) else "", text)


def _written(
    page: _Page,
    atlas: Atlas,
    entries: Mapping[str, Mapping[str, list[str]]],
    counts: Counter[str],
    notes: list[Note],
) -> ImportedPage:
    parts = page.outlined.parts
    links = PageLinks(atlas, page.outlined, pictures={})
    written = write_parts(parts, links)
    counts["links between pages"] += links.found
    notes += links.notes(written)
    symbols: defaultdict[str, list[str]] = defaultdict(list)
    for anchor, names in entries.get(page.outlined.file, {}).items():
        known = atlas.anchors.get((page.outlined.path, anchor), "") if anchor else ""
        symbols[known] += names
        counts["names of the index"] += len(names)
    last = max(1, written.markdown.count("\n"))
    return ImportedPage(
        path=page.outlined.path,
        title=page.title,
        markdown=written.markdown,
        origins=((1, last, page.origin),),
        symbols={anchor: tuple(dict.fromkeys(names)) for anchor, names in symbols.items()},
        url=page.url,
    )


KIND = Kind(
    name="devdocs",
    summary="a documentation set of DevDocs: index.json and db.json, with their names as symbols",
    sources="a folder or archive that holds db.json and index.json",
    options=(
        Option(
            name="include",
            type="list",
            default=(),
            help="what the paths of the pages to read begin with; all if empty",
        ),
        split_level_option(3),
    ),
    read=read,
)
