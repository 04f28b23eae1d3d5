"""The documentation that a distribution carries beside its code: README, docs, agent skills."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import ImportedPage, Note, Options
from doctrove_builder.importing.source_tree import SourceTree, tree_of
from doctrove_builder.importing.sphinx.markdown import has_markdown, read_markdown
from doctrove_schema.model import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from doctrove_builder.importing.imported import Imported
    from doctrove_builder.importing.python.metadata import Metadata
    from doctrove_builder.importing.python.names import Names

_README = re.compile(r"readme(?:\.(md|markdown|rst|txt))?", re.IGNORECASE)
_NO_TITLE = re.compile(r"index|overview|readme|home|project", re.IGNORECASE)
_SKILL = re.compile(r"(?:.*/)?\.agents/skills/([^/]+)/SKILL\.md")
_DOCS = ("docs", "doc", "documentation")
MAX_SKILLS = 100


@dataclass(slots=True)
class Beside:
    """What was found beside the code."""

    pages: list[ImportedPage] = field(default_factory=list[ImportedPage])
    assets: dict[str, bytes] = field(default_factory=dict[str, bytes])
    notes: list[Note] = field(default_factory=list[Note])
    counts: Counter[str] = field(default_factory=Counter[str])

    def add(self, imported: Imported, what: str) -> None:
        """Take over what a kind read; a page of a path that is taken stays out."""
        taken = {page.path for page in self.pages}
        pages = [page for page in imported.pages if page.path not in taken]
        self.pages += pages
        self.assets |= imported.assets
        self.notes += imported.notes
        self.counts[what] += len(pages)


def pages_beside(
    tree: SourceTree,
    options: Options,
    *,
    metadata: Metadata,
    names: Names,
    canonical: Callable[[str], str],
) -> Beside:
    """Return the pages of a source's documentation.

    `names` are the objects that have sections, by their names; `canonical` gives the name under
    which an object is defined.
    """
    beside = Beside()
    folder = next((one for one in _DOCS if tree.under(one)), "")
    if folder:
        for what, imported in _docs(tree, options, folder, names, canonical):
            beside.add(imported, what)
    readme = _readme(tree, metadata)
    if readme is not None:
        taken = any(page.path == "index" for page in beside.pages)
        title = (metadata.name or options.library) if _NO_TITLE.fullmatch(readme.title) else ""
        page = replace(readme, path="project" if taken else "index", title=title or readme.title)
        beside.pages.insert(0, page)
        beside.counts["readme"] = 1
    for skill in _skills(tree):
        _add_skill(tree, options, skill, beside)
    return beside


def _docs(
    tree: SourceTree, options: Options, folder: str, names: Names, canonical: Callable[[str], str]
) -> Iterator[tuple[str, Imported]]:
    """Yield what the kinds for reStructuredText and for Markdown read in a folder."""
    files = [path.lower() for path in tree.under(folder)]
    if any(path.endswith(".rst") for path in files):
        from doctrove_builder.importing.sphinx.sources import read_sources  # noqa: PLC0415 - a kind of its own

        read = read_sources(tree, folder, names=names, canonical=canonical)
        yield "pages of reStructuredText", read
    if has_markdown(files) and (imported := read_markdown(tree, options, folder)):
        yield "pages of Markdown", imported


def _readme(tree: SourceTree, metadata: Metadata) -> ImportedPage | None:
    """Return the front page: the README, else the description in the metadata."""
    for path in tree.paths:
        if "/" not in path and (found := _README.fullmatch(path)):
            try:
                text = tree.read_text(path)
            except FileRefused:
                continue
            is_rst = (found[1] or "txt").lower() in {"rst", "txt"}
            if page := _front_page(text, path, is_rst=is_rst):
                return page
    if not metadata.description.strip():
        return None
    is_rst = "markdown" not in metadata.description_type.lower()
    page = _front_page(metadata.description, metadata.file, is_rst=is_rst)
    if page is None:
        return None
    shift = metadata.description_line - 1
    spans = tuple(
        (first, last, _shifted(origin, metadata.file, shift))
        for first, last, origin in page.origins
    )
    return replace(page, origins=spans)


def _shifted(origin: Origin, file: str, shift: int) -> Origin:
    if origin.lines is None or shift < 0:
        return Origin(file=file)
    return Origin(file=file, lines=(origin.lines[0] + shift, origin.lines[1] + shift))


def _front_page(text: str, file: str, *, is_rst: bool) -> ImportedPage | None:
    if is_rst:
        from doctrove_builder.importing.sphinx.sources import read_page  # noqa: PLC0415 - a kind of its own

        page = read_page(text, file=file, path="index")
        return page if page.markdown.strip() else None
    imported = read_markdown(tree_of({"README.md": text}), Options(), "")
    if imported is None or not imported.pages:
        return None
    page = imported.pages[0]
    spans = tuple((first, last, replace(origin, file=file)) for first, last, origin in page.origins)
    return replace(page, path="index", origins=spans)


def _skills(tree: SourceTree) -> list[tuple[str, str]]:
    """Return the name and the folder of each agent skill."""
    found: dict[str, str] = {}
    for path in tree.paths:
        if matched := _SKILL.fullmatch(path):
            found.setdefault(matched[1], posixpath.dirname(path))
    return sorted(found.items())[:MAX_SKILLS]


def _add_skill(tree: SourceTree, options: Options, skill: tuple[str, str], beside: Beside) -> None:
    name, folder = skill
    files: Mapping[str, bytes | str] = {
        path.removeprefix(f"{folder}/"): tree.read_bytes(path)
        for path in tree.under(folder)
        if path.lower().endswith((".md", ".markdown")) and tree.size(path) < 1_000_000
    }
    imported = read_markdown(tree_of(files), options, "")
    if imported is None:
        return
    pages = tuple(
        replace(
            page,
            path=f"skills/{name}/{page.path}",
            origins=tuple(
                (first, last, replace(origin, file=f"{folder}/{origin.file}"))
                for first, last, origin in page.origins
            ),
        )
        for page in imported.pages
    )
    beside.add(replace(imported, pages=pages, assets={}), "pages of agent skills")
