"""The documentation that a distribution carries beside its code: README, docs, agent skills."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.carried.collection import DOCS, Collection
from doctrove_builder.importing.carried.markdown import read_markdown
from doctrove_builder.importing.carried.readme import FRONT, find_readme, read_front, read_readme
from doctrove_builder.importing.python.placing import with_placed_objects
from doctrove_builder.importing.source_tree import SourceTree, tree_of
from doctrove_schema.model import Origin

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from doctrove_builder.importing.imported import Imported, ImportedPage, Options
    from doctrove_builder.importing.python.metadata import Metadata
    from doctrove_builder.importing.python.names import Names

_NO_TITLE = re.compile(r"index|overview|readme|home|project", re.IGNORECASE)
_SKILL = re.compile(r"(?:.*/)?\.agents/skills/([^/]+)/SKILL\.md")
_PROJECT = "project"
"""Path of the README's page where the documentation has a front page."""

MAX_SKILLS = 100


def pages_beside(
    tree: SourceTree,
    options: Options,
    *,
    metadata: Metadata,
    names: Names,
    canonical: Callable[[str], str],
) -> Collection:
    """Return the pages of a source's documentation.

    `names` are the objects that have sections, by their names; `canonical` gives the name under
    which an object is defined.
    """
    beside = Collection()
    folder = next((one for one in DOCS if tree.under(one)), "")
    readme, restructured = find_readme(tree, plain="txt")
    asked = replace(options, repository=options.repository or metadata.repository)
    front = None
    if folder:
        from doctrove_builder.importing.sphinx.mixed import read_mixed  # noqa: PLC0415 - a kind of its own

        linked = "" if restructured else readme
        mixed = read_mixed(tree, folder, asked, front=linked, names=names, canonical=canonical)
        if mixed.restructured is not None:
            beside.add(mixed.restructured, "pages of reStructuredText")
        if mixed.markdown is not None:
            placed = with_placed_objects(mixed.markdown, names, canonical)
            front, rest = _taken_apart(placed, mixed.front)
            beside.add(rest, "pages of Markdown")
        beside.pages.sort(key=mixed.rank)
    if front is None and not _is_included(readme, beside):
        front = _front(tree, readme, metadata, restructured=restructured)
    if front is not None:
        _add_front(front, metadata.name or options.library, beside)
    for skill in _skills(tree):
        _add_skill(tree, options, skill, beside)
    return beside


def _has_front(beside: Collection) -> bool:
    return any(page.path == FRONT for page in beside.pages)


def _is_included(readme: str, beside: Collection) -> bool:
    """Say whether pages of the documentation hold the README already."""
    return any(note.kind == "part-left-out" and note.place == readme for note in beside.notes)


def _taken_apart(imported: Imported, readme: str) -> tuple[Imported | None, Imported]:
    """Return the README, if it was read too, and the pages of the documentation."""
    own = [page for page in imported.pages if _is_of(page, readme)]
    rest = tuple(page for page in imported.pages if page not in own)
    front = replace(imported, pages=tuple(own), notes=(), counts={}) if own else None
    return front, replace(imported, pages=rest)


def _is_of(page: ImportedPage, file: str) -> bool:
    return bool(file) and any(origin.file == file for _, _, origin in page.origins[:1])


def _front(
    tree: SourceTree, readme: str, metadata: Metadata, *, restructured: bool
) -> Imported | None:
    """Return the README, else the description in the metadata."""
    front = read_readme(tree, readme, restructured=restructured) if readme else None
    if front is not None or not metadata.description.strip():
        return front
    is_rst = "markdown" not in metadata.description_type.lower()
    described = read_front(metadata.description, metadata.file, restructured=is_rst)
    if described is None:
        return None
    shift = metadata.description_line - 1
    page = described.pages[0]
    spans = tuple((one, end, _shifted(origin, shift)) for one, end, origin in page.origins)
    return replace(described, pages=(replace(page, origins=spans),))


def _shifted(origin: Origin, shift: int) -> Origin:
    if origin.lines is None or shift < 0:
        return Origin(file=origin.file)
    return Origin(file=origin.file, lines=(origin.lines[0] + shift, origin.lines[1] + shift))


def _add_front(front: Imported, name: str, beside: Collection) -> None:
    """Put the README first, under the package's name where its own title says nothing."""
    page = front.pages[0]
    title = name if name and _NO_TITLE.fullmatch(page.title) else page.title
    path = _PROJECT if _has_front(beside) else FRONT
    beside.pages.insert(0, replace(page, path=path, title=title))
    beside.notes += front.notes
    beside.counts["readme"] = 1


def _skills(tree: SourceTree) -> list[tuple[str, str]]:
    """Return the name and the folder of each agent skill."""
    found: dict[str, str] = {}
    for path in tree.paths:
        if matched := _SKILL.fullmatch(path):
            found.setdefault(matched[1], posixpath.dirname(path))
    return sorted(found.items())[:MAX_SKILLS]


def _add_skill(
    tree: SourceTree, options: Options, skill: tuple[str, str], beside: Collection
) -> None:
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
