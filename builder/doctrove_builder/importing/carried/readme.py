"""The README of a package as a page of its own, in Markdown or reStructuredText."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.carried.markdown import read_markdown
from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.source_tree import tree_of

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import ImportedPage
    from doctrove_builder.importing.source_tree import SourceTree

FRONT = "index"
_NAME = "README.md"
_README = re.compile(r"readme(?:\.(md|markdown|mdx|rst|txt))?", re.IGNORECASE)
_RESTRUCTURED = frozenset({"rst", "txt"})


def find_readme(tree: SourceTree, *, plain: str) -> tuple[str, bool]:
    """Return the README at the top of a source and whether it is reStructuredText.

    `plain` is the suffix that a README without one is read by; the path is empty without README.
    """
    for path in tree.paths:
        if (found := _README.fullmatch(path)) and path in tree:
            return path, (found[1] or plain).lower() in _RESTRUCTURED
    return "", False


def read_readme(tree: SourceTree, path: str, *, restructured: bool) -> Imported | None:
    """Return the README as the page `index`; None where it cannot be read or holds no text."""
    try:
        text = tree.read_text(path)
    except FileRefused:
        return None
    return read_front(text, path, restructured=restructured)


def read_front(text: str, file: str, *, restructured: bool) -> Imported | None:
    """Return a text of a file as the page `index`; None where it holds no text."""
    if restructured:
        from doctrove_builder.importing.sphinx.sources import read_page  # noqa: PLC0415 - a kind of its own

        page = read_page(text, file=file, path=FRONT)
        return Imported(pages=(page,)) if page.markdown.strip() else None
    imported = read_markdown(tree_of({_NAME: text}), Options(), "")
    if imported is None or not imported.pages:
        return None
    notes = tuple(
        replace(note, place=file + note.place.removeprefix(_NAME))
        if note.place.startswith(_NAME)
        else note
        for note in imported.notes
    )
    return Imported(pages=(_of_file(imported.pages[0], file),), notes=notes)


def _of_file(page: ImportedPage, file: str) -> ImportedPage:
    spans = tuple((first, last, replace(origin, file=file)) for first, last, origin in page.origins)
    return replace(page, path=FRONT, origins=spans)
