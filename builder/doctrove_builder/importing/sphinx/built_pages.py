"""The pages of a build of Sphinx as they lie on the disk: JSON or HTML, their content found."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.html.parsing import parse_html
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.sphinx.content import content_of, next_link
from doctrove_builder.importing.sphinx.sources import page_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.importing.html.parsing import Element
    from doctrove_builder.importing.source_tree import SourceTree

MAX_PAGES = 10_000
PAGE_BYTES = 16 * 1024 * 1024
_MACHINE = frozenset(
    {"genindex", "search", "py-modindex", "modindex", "404", "searchindex", "globalcontext"}
)
_FOLDERS = ("_modules/", "_sources/", "_static/", "_images/", "_downloads/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """Where a build's output is, and of which form."""

    folder: str
    form: str
    """`json` or `html`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPage:
    """One page."""

    name: str
    file: str
    title: str
    content: Element
    following: str
    """Document that comes next in reading order."""

    base: str
    """Folder that its links begin at."""

    source: str
    """Its source as the build kept it; empty when it did not."""


class _Link(msgspec.Struct, frozen=True):
    link: str = ""


class _JsonPage(msgspec.Struct, frozen=True):
    """A page as the builder `json` writes it."""

    body: str | None = None
    title: str | None = None
    current_page_name: str | None = None
    sourcename: str | None = None
    next: _Link | None = None


def built_pages(tree: SourceTree, built: Built, notes: list[Note]) -> Iterable[BuiltPage]:
    """Yield the pages of a build that are documentation; the others are noted."""
    suffix = ".fjson" if built.form == "json" else ".html"
    read = _of_json if built.form == "json" else _of_html
    count = 0
    for file in tree.under(built.folder):
        inside = file[len(built.folder) + 1 :] if built.folder else file
        name = inside.removesuffix(suffix)
        if not file.endswith(suffix) or name in _MACHINE or inside.startswith(_FOLDERS):
            continue
        if name.startswith("genindex-"):
            continue
        count += 1
        if count > MAX_PAGES:
            message = f"more than {MAX_PAGES:,} pages; the rest is left out"
            notes.append(Note(kind="page-left-out", place=file, message=message))
            return
        try:
            page = read(tree, built, file, name)
        except FileRefused as error:
            notes.append(Note(kind="page-refused", place=file, message=error.message))
            continue
        if page is None:
            notes.append(Note(kind="page-unreadable", place=file, message="it holds no content"))
        else:
            yield page


def _of_json(tree: SourceTree, built: Built, file: str, name: str) -> BuiltPage | None:
    try:
        page = msgspec.json.decode(tree.read_bytes(file, limit=PAGE_BYTES), type=_JsonPage)
    except msgspec.DecodeError:
        return None
    content = parse_html(page.body) if page.body else None
    if content is None:
        return None
    name = page.current_page_name or name
    base = posixpath.dirname(name) if posixpath.basename(name) == "index" else name
    return BuiltPage(
        name=page_path(name),
        file=file,
        title=_title(page.title or ""),
        content=content,
        following=_document(page.next.link, base) if page.next else "",
        base=base,
        source=_source(tree, built.folder, page.sourcename or ""),
    )


def _of_html(tree: SourceTree, built: Built, file: str, name: str) -> BuiltPage | None:
    root = parse_html(tree.read_text(file, limit=PAGE_BYTES))
    content = content_of(root) if root is not None else None
    if root is None or content is None:
        return None
    base = posixpath.dirname(name)
    document = base if posixpath.basename(name) == "index" and base else name
    found = (f"{name}{suffix}" for suffix in (".rst.txt", ".md.txt", ".txt", ".ipynb.txt"))
    sources = (_source(tree, built.folder, one) for one in found)
    return BuiltPage(
        name=document,
        file=file,
        title="",
        content=content,
        following=_document(next_link(root), base),
        base=base,
        source=next(filter(None, sources), ""),
    )


def _title(html: str) -> str:
    root = parse_html(html) if html else None
    return "" if root is None else " ".join("".join(map(str, root.itertext())).split())


def _source(tree: SourceTree, folder: str, name: str) -> str:
    path = posixpath.normpath(posixpath.join(folder, "_sources", name)) if name else ""
    return path if path in tree else ""


def _document(href: str, base: str) -> str:
    """Return the document that an address leads to, from a folder."""
    if not href or "://" in href:
        return ""
    path = posixpath.normpath(posixpath.join(base, href.partition("#")[0]))
    return "index" if path == "." else path.removesuffix(".html").removesuffix("/index")
