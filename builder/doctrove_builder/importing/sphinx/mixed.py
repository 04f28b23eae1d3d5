"""A documentation in reStructuredText and Markdown: both are read, then linked and put in order."""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.carried.markdown import has_markdown, markdown_options
from doctrove_builder.importing.errors import FileRefused, NothingImported
from doctrove_builder.importing.markdown.atlas import NO_OBJECTS, Objects, objects_of
from doctrove_builder.importing.markdown.draft import Draft
from doctrove_builder.importing.markdown.frontmatter import Front
from doctrove_builder.importing.markdown.headings import title_text
from doctrove_builder.importing.markdown.kind import drafted, imported_from
from doctrove_builder.importing.markdown.navigation import toctree_entries
from doctrove_builder.importing.prose.outline import Part
from doctrove_builder.importing.prose.tree import Section, Text
from doctrove_builder.importing.sphinx.atlas import Outlined
from doctrove_builder.importing.sphinx.ordering import reading_order
from doctrove_builder.importing.sphinx.provenance import part_symbols
from doctrove_builder.importing.sphinx.sources import (
    SUFFIXES,
    gather_sources,
    outlined,
    page_path,
    write_sources,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from doctrove_builder.importing.imported import Imported, ImportedPage, Options
    from doctrove_builder.importing.markdown.kind import Drafted
    from doctrove_builder.importing.python.names import Names
    from doctrove_builder.importing.python.objects import Package
    from doctrove_builder.importing.source_tree import SourceTree

FRONT = "index"
BESIDE = "project"
"""Path of a README beside a front page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixed:
    """What was read, by markup; None where there is nothing of it."""

    restructured: Imported | None = None
    markdown: Imported | None = None
    front: str = ""
    """The file outside the folder that was read as the first page; empty where it was not."""

    order: Mapping[str, int] = field(default_factory=dict[str, int])
    """Place in the toctrees by page path."""

    def rank(self, page: ImportedPage) -> tuple[int, bool]:
        """Return what a page is sorted by: the toctrees' order, the others behind."""
        return self.order.get(page.path, len(self.order)), page.path != FRONT

    def together(self) -> Imported | None:
        """Return both as one, in reading order."""
        rst, other = self.restructured, self.markdown
        if rst is None or other is None:
            return rst or other
        return replace(
            rst,
            pages=tuple(sorted((*rst.pages, *other.pages), key=self.rank)),
            assets={**other.assets, **rst.assets},
            name=rst.name or other.name,
            counts=dict(Counter(rst.counts) + Counter(other.counts)),
            notes=(*rst.notes, *other.notes),
        )


def read_mixed(  # noqa: PLR0913 - a folder and all that its texts may lead to
    tree: SourceTree,
    folder: str,
    options: Options,
    *,
    front: str = "",
    names: Names | None = None,
    canonical: Callable[[str], str] = str,
    package: Package | None = None,
) -> Mixed:
    """Read the pages of a folder; a Markdown page whose path reStructuredText has stays out.

    `front` is a Markdown file outside the folder: the first page, or one beside it where the
    documentation has a front page. For the others see `gather_sources`.
    """
    files = tree.under(folder)
    objects = Objects(names or {}, canonical)
    if not any(path.lower().endswith(SUFFIXES) for path in files):
        only = _drafted(tree, folder, options, front)
        return (
            Mixed(markdown=imported_from(only, objects=objects), front=front) if only else Mixed()
        )
    gathered = gather_sources(tree, folder, names=names, canonical=canonical, package=package)
    paths = {page_path(document.name) for document in gathered.documents}
    read = _drafted(tree, folder, options, front) if front or has_markdown(files) else None
    all_drafts = [_beside(draft, front, paths) for draft in read.drafts] if read else []
    drafts = [draft for draft in all_drafts if draft.path not in paths]
    of_draft = {_document(draft.file, folder): draft for draft in drafts}
    entries = {**dict(_toctrees(tree, of_draft)), **gathered.entries}
    order = reading_order(gathered.first, entries)
    beside = [_outlined(draft, document) for document, draft in of_draft.items()]
    parts = [_draft(outlined(document)) for document in gathered.documents]
    return Mixed(
        restructured=write_sources(gathered, order, beside=beside),
        markdown=_linked(read._replace(drafts=tuple(drafts)), parts, objects) if read else None,
        front=front,
        order={
            of_draft[name].path if name in of_draft else page_path(name): at
            for name, at in order.items()
        },
    )


def _beside(draft: Draft, front: str, paths: Collection[str]) -> Draft:
    """Return the README under a path of its own where there is a front page."""
    is_second = front and draft.file == front and draft.path in paths
    return draft._replace(path=BESIDE) if is_second else draft


def _linked(read: Drafted, beside: Sequence[Draft], objects: Objects) -> Imported:
    return imported_from(read, beside=beside, objects=objects)


def _drafted(tree: SourceTree, folder: str, options: Options, front: str) -> Drafted | None:
    try:
        return drafted(tree, markdown_options(tree, options, folder), front=front)
    except NothingImported:
        return None


def _document(file: str, folder: str) -> str:
    return posixpath.splitext(posixpath.relpath(file, folder or "."))[0]


def _toctrees(
    tree: SourceTree, drafts: Mapping[str, Draft]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for document, draft in drafts.items():
        try:
            yield document, tuple(toctree_entries(tree.read_text(draft.file)))
        except FileRefused:
            yield document, ()


def _outlined(draft: Draft, document: str) -> Outlined:
    """Return a page of Markdown as links from reStructuredText find it."""
    places: dict[str, list[str]] = {}
    for name, anchor in draft.places.items():
        places.setdefault(anchor, []).append(name)
    parts = tuple(
        _part(anchor, draft.headings.get(anchor, ""), places.get(anchor, ()))
        for anchor in sorted(draft.anchors - {draft.title_anchor})
    )
    return Outlined(
        path=draft.path,
        document=document,
        file=draft.file,
        base=posixpath.dirname(document),
        title=(Text(draft.title),),
        title_names=(draft.title_anchor, *places.get(draft.title_anchor, ())),
        parts=parts,
        labels={label: anchor or draft.title_anchor for label, anchor in draft.labels.items()},
        objects={name: at[1] for name, at in objects_of((draft,), NO_OBJECTS).names.items()},
    )


def _part(anchor: str, heading: str, places: Iterable[str]) -> Part:
    head = Section((Text(title_text(heading)),), (anchor,), ())
    return Part(head=head, level=2, anchor=anchor, names=(anchor, *places), blocks=())


def _draft(page: Outlined) -> Draft:
    """Return a page of reStructuredText as links from Markdown find it."""
    anchors = {name: part.anchor for part in page.parts for name in part.names}
    return Draft(
        file=page.file,
        path=page.path,
        title=page.shown_title,
        title_anchor="",
        lines=[],
        anchors=frozenset(part.anchor for part in page.parts if part.anchor),
        headings={part.anchor: part.title for part in page.parts if part.anchor},
        labels={label: anchors.get(name, "") for label, name in page.labels.items()},
        places=anchors,
        symbols=part_symbols(page.parts),
        front=Front({}, 0),
        used=frozenset(),
        counts={},
        notes=(),
    )
