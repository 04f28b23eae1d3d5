"""The README and the documentation that a package carries beside its code."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.markdown.kind import KIND as MARKDOWN
from doctrove_builder.importing.markdown.kind import read as read_markdown
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_tree import tree_of

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Imported, Options
    from doctrove_builder.importing.npm.package import Package
    from doctrove_builder.importing.source_tree import SourceTree

_README = re.compile(r"readme(?:\.(?:md|markdown|mdx))?", re.IGNORECASE)
_DOCS = ("docs", "doc", "documentation")
_PAGES = (".md", ".mdx", ".markdown")


def pages_beside(tree: SourceTree, options: Options, package: Package) -> list[Imported]:
    """Return what the documentation holds, then the README where the documentation has it not."""
    found: list[Imported] = []
    for folder in _DOCS:
        if any(path.lower().endswith(_PAGES) for path in tree.under(folder)):
            docs = _markdown(tree, options, package, folder)
            found += [docs] if docs else []
            break
    files = {origin.file for one in found for page in one.pages for _, _, origin in page.origins}
    readme = next((path for path in tree.paths if _README.fullmatch(path)), "")
    if readme and readme not in files:
        held = tree_of({"README.md": tree.read_bytes(readme)})
        front = _markdown(held, options, package, "")
        if front is not None:
            taken = {page.path for one in found for page in one.pages}
            found.insert(0, _as_front(front, readme, "readme" if "index" in taken else "index"))
    return found


def _markdown(tree: SourceTree, options: Options, package: Package, folder: str) -> Imported | None:
    asked = make_options(
        MARKDOWN,
        {"docs": folder} if folder else {},
        library=options.library or package.name,
        version=options.version,
        open_tree=lambda _: tree,
    )
    asked = replace(
        asked, repository=options.repository or package.repository, commit=options.commit
    )
    try:
        return read_markdown(tree, asked)
    except NothingImported:
        return None


def _as_front(imported: Imported, file: str, path: str) -> Imported:
    pages = tuple(
        replace(
            page,
            path=path,
            origins=tuple(
                (first, last, replace(origin, file=file) if origin.file == "README.md" else origin)
                for first, last, origin in page.origins
            ),
        )
        for page in imported.pages[:1]
    )
    notes = tuple(
        replace(note, place=file + note.place.removeprefix("README.md"))
        if posixpath.basename(note.place).startswith("README.md")
        else note
        for note in imported.notes
    )
    return replace(imported, pages=pages, notes=notes)
