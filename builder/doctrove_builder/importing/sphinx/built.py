"""The output of a build of Sphinx, JSON or HTML, to pages: the content alone, no theme."""

from __future__ import annotations

import posixpath
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.html.reading import HtmlReader
from doctrove_builder.importing.imported import Imported, ImportedPage, Note
from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.outline import outline, write_parts
from doctrove_builder.importing.sphinx.atlas import Atlas, Outlined, PageLinks
from doctrove_builder.importing.sphinx.built_pages import Built, BuiltPage, built_pages
from doctrove_builder.importing.sphinx.html_objects import special
from doctrove_builder.importing.sphinx.inventory import MAX_INFLATED, Inventory, read_inventory
from doctrove_builder.importing.sphinx.origins import SourceTexts
from doctrove_builder.importing.sphinx.pictures import Pictures
from doctrove_builder.importing.sphinx.provenance import part_symbols
from doctrove_builder.importing.sphinx.sources import (
    OBJECT_LEVEL,
    SPLIT_LEVEL,
    page_path,
    titled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.source_tree import SourceTree


class _Context(msgspec.Struct, frozen=True):
    project: str = ""


def find_built(tree: SourceTree, folder: str, *, form: str) -> Built | None:
    """Find the output of a build below a folder; None when there is none."""
    paths = tree.under(folder)
    if form in {"auto", "json"}:
        contexts = [path for path in paths if posixpath.basename(path) == "globalcontext.json"]
        if contexts:
            return Built(folder=posixpath.dirname(min(contexts, key=_depth)), form="json")
        pages = [path for path in paths if path.endswith(".fjson")]
        if pages:
            return Built(folder=posixpath.dirname(min(pages, key=_depth)), form="json")
    if form in {"auto", "html"}:
        marks = [path for path in paths if posixpath.basename(path) == "objects.inv"]
        with_pages = [
            path for path in marks if posixpath.join(posixpath.dirname(path), "index.html") in tree
        ]
        if with_pages:
            return Built(folder=posixpath.dirname(min(with_pages, key=_depth)), form="html")
        if form == "html" and any(path.endswith(".html") for path in paths):
            return Built(folder=folder, form="html")
    return None


def read_built(tree: SourceTree, built: Built, *, base_url: str = "") -> Imported:
    """Read the pages of a build."""
    notes: list[Note] = []
    inventory = _inventory(tree, built.folder, notes)
    read = _ordered(list(built_pages(tree, built, notes)))
    atlas = Atlas()
    pages = [_outlined(page) for page in read]
    for page in pages:
        atlas.add(page)
    pictures = Pictures(tree, built.folder)
    texts = SourceTexts(tree)
    made: list[ImportedPage] = []
    found = 0
    for page, source in zip(pages, read, strict=True):
        base = posixpath.join(built.folder, page.base)
        places = pictures.of(page.file, page.parts, notes, base=base)
        links = PageLinks(atlas, page, pictures=places)
        written = write_parts(page.parts, links)
        if not written.markdown.strip():
            notes.append(Note(kind="page-empty", place=page.file, message="it holds no content"))
            continue
        notes += links.notes(written)
        found += links.found
        symbols = part_symbols(page.parts)
        made.append(
            ImportedPage(
                path=page.path,
                title=plain_text(page.title) or source.title or posixpath.basename(page.path),
                markdown=written.markdown,
                origins=tuple(texts.origins(page.parts, written, source.source, source.file)),
                symbols=_with_inventory(symbols, page, inventory),
                url=_url(base_url, page.document, built.form),
            )
        )
    counts = Counter({"links between pages": found})
    counts["api objects"] = sum(len(part_symbols(page.parts)) for page in pages)
    project = _project(tree, built.folder)
    return Imported(
        pages=tuple(made),
        assets=pictures.taken,
        name=project or (inventory.project if inventory else ""),
        split_level=OBJECT_LEVEL if counts["api objects"] else SPLIT_LEVEL,
        counts={name: number for name, number in counts.items() if number},
        notes=tuple(notes),
    )


def _depth(path: str) -> tuple[int, str]:
    return path.count("/"), path


def _inventory(tree: SourceTree, folder: str, notes: list[Note]) -> Inventory | None:
    path = posixpath.join(folder, "objects.inv")
    if path not in tree:
        return None
    try:
        inventory = read_inventory(tree.read_bytes(path))
    except FileRefused as error:
        notes.append(Note(kind="inventory-refused", place=path, message=error.message))
        return None
    if inventory is None:
        message = "it is damaged, or not of version 2; symbols come from the pages alone"
        notes.append(Note(kind="inventory-unreadable", place=path, message=message))
    elif inventory.cut:
        message = f"it unpacks to more than {MAX_INFLATED:,} bytes; the names beyond are left out"
        notes.append(Note(kind="inventory-cut", place=path, message=message))
    return inventory


def _project(tree: SourceTree, folder: str) -> str:
    path = posixpath.join(folder, "globalcontext.json")
    try:
        data = tree.read_bytes(path) if path in tree else b"{}"
        return msgspec.json.decode(data, type=_Context).project
    except (FileRefused, msgspec.DecodeError):
        return ""


def _ordered(pages: Sequence[BuiltPage]) -> list[BuiltPage]:
    """Return pages in reading order: along the links to the next page, then by name."""
    by_name = {page.name: page for page in pages}
    order: dict[str, int] = {}
    name = "index" if "index" in by_name else ""
    while name in by_name and name not in order:
        order[name] = len(order)
        name = by_name[name].following
    return sorted(pages, key=lambda page: (order.get(page.name, len(order)), page.name))


def _outlined(page: BuiltPage) -> Outlined:
    reader = HtmlReader(file=page.file, special=special)
    title, names, blocks = titled(reader.page(page.content))
    return Outlined(
        path=page_path(page.name),
        document=page_path(page.name),
        file=page.file,
        base=page.base,
        title=title,
        title_names=names,
        parts=outline(blocks, objects_down_to=OBJECT_LEVEL),
        labels={},
    )


def _with_inventory(
    symbols: dict[str, tuple[str, ...]], page: Outlined, inventory: Inventory | None
) -> dict[str, tuple[str, ...]]:
    """Add the names that the inventory has for the anchors of a page."""
    if inventory is None:
        return symbols
    made = dict(symbols)
    for part in page.parts:
        names = [
            name
            for anchor in part.names
            for address in (f"{page.document}.html#{anchor}", f"{page.document}/#{anchor}")
            for name in inventory.objects.get(address, ())
        ]
        if names:
            made[part.anchor] = tuple(dict.fromkeys((*made.get(part.anchor, ()), *names)))
    return made


def _url(base_url: str, document: str, form: str) -> str:
    if not base_url:
        return ""
    base = base_url if base_url.endswith("/") else f"{base_url}/"
    return f"{base}{document}.html" if form in {"html", "json"} else base
