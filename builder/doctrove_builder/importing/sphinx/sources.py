"""reStructuredText sources to pages without a build: conf.py is not run, nothing is imported."""

from __future__ import annotations

import posixpath
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import Imported, ImportedPage, Note
from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.outline import outline, write_parts
from doctrove_builder.importing.prose.tree import Section
from doctrove_builder.importing.restructured.parsing import Parsed, parse_rst
from doctrove_builder.importing.sphinx.atlas import Atlas, Outlined, PageLinks
from doctrove_builder.importing.sphinx.automatic import Automatic, linked_objects, rendered_objects
from doctrove_builder.importing.sphinx.configuration import (
    Configuration,
    excluded,
    read_configuration,
)
from doctrove_builder.importing.sphinx.ordering import (
    first_document,
    ordered_documents,
    reading_order,
)
from doctrove_builder.importing.sphinx.pictures import Pictures
from doctrove_builder.importing.sphinx.provenance import part_origins, part_symbols
from doctrove_schema.model import Include

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from doctrove_builder.importing.prose.tree import Blocks, Inlines
    from doctrove_builder.importing.python.names import Names
    from doctrove_builder.importing.python.objects import Package
    from doctrove_builder.importing.restructured.session import ReadFile
    from doctrove_builder.importing.source_tree import SourceTree

SPLIT_LEVEL = 3
OBJECT_LEVEL = 4
SUFFIXES = (".rst", ".rest")
MAX_PAGES = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One parsed source."""

    name: str
    """Below the documentation's folder, without suffix."""

    file: str
    length: int
    """Lines."""

    parsed: Parsed


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The sources of a folder before their links are resolved."""

    tree: SourceTree
    folder: str
    configuration: Configuration
    automatic: Automatic
    names: Names
    documents: tuple[Document, ...]
    notes: tuple[Note, ...]

    @property
    def first(self) -> str:
        """Name of the document that comes first."""
        return first_document(self.configuration)

    @property
    def entries(self) -> dict[str, tuple[str, ...]]:
        """What the toctrees of each document name."""
        return {document.name: document.parsed.entries for document in self.documents}


def read_sources(
    tree: SourceTree,
    folder: str,
    *,
    names: Names | None = None,
    canonical: Callable[[str], str] = str,
    package: Package | None = None,
) -> Imported:
    """Read the sources below a folder alone: `gather_sources`, then `write_sources`."""
    gathered = gather_sources(tree, folder, names=names, canonical=canonical, package=package)
    return write_sources(gathered, reading_order(gathered.first, gathered.entries))


def gather_sources(
    tree: SourceTree,
    folder: str,
    *,
    names: Names | None = None,
    canonical: Callable[[str], str] = str,
    package: Package | None = None,
) -> Gathered:
    """Parse the sources below a folder.

    Autodoc directives become the objects of `package`; else links to the sections that `names`
    knows, where `canonical` gives the name under which an object is defined; else their names.
    """
    configuration = read_configuration(tree, folder)
    automatic = _automatic(configuration, names or {}, canonical, package)
    notes: list[Note] = []
    documents = _documents(tree, folder, configuration, automatic, notes)
    return Gathered(
        tree=tree,
        folder=folder,
        configuration=configuration,
        automatic=automatic,
        names=dict(names or {}),
        documents=tuple(documents),
        notes=tuple(notes),
    )


def _automatic(
    configuration: Configuration,
    names: Names,
    canonical: Callable[[str], str],
    package: Package | None,
) -> Automatic:
    if package is not None:
        found = rendered_objects(package, configuration)
        return Automatic(found, lack="the package's source does not hold it; its name stays")
    lack = "no section describes it" if names else "the option `package` names no source of it"
    return Automatic(linked_objects(names, canonical), lack=f"{lack}; its name stays")


def write_sources(
    gathered: Gathered, order: Mapping[str, int], *, beside: Iterable[Outlined] = ()
) -> Imported:
    """Resolve the links of documents and write them in an order by their names.

    `beside` are pages of the same documentation that another reader writes.
    """
    notes = list(gathered.notes)
    documents = ordered_documents(gathered.documents, order, notes)
    atlas = Atlas(objects=dict(gathered.names))
    pages = [outlined(document) for document in documents]
    for page in (*pages, *beside):
        atlas.add(page)
    pictures = Pictures(gathered.tree, gathered.folder)
    lengths = {document.file: document.length for document in documents}
    written = [
        _page(page, document, atlas, pictures, lengths, notes)
        for page, document in zip(pages, documents, strict=True)
    ]
    notes += gathered.automatic.notes
    notes += [
        Note(kind="page-empty", place=document.file, message="it has no text")
        for (page, _), document in zip(written, documents, strict=True)
        if not page.markdown.strip()
    ]
    counts = Counter(gathered.automatic.counts)
    counts["links between pages"] = sum(found for _, found in written)
    counts["files included"] = sum(len(document.parsed.included) for document in documents)
    return Imported(
        pages=tuple(page for page, _ in written if page.markdown.strip()),
        assets=pictures.taken,
        name=gathered.configuration.text("project"),
        split_level=OBJECT_LEVEL if _describes(pages) else SPLIT_LEVEL,
        counts={name: number for name, number in counts.items() if number},
        notes=tuple(notes),
    )


def read_page(text: str, *, file: str, path: str) -> ImportedPage:
    """Read one text that stands for itself, a README for instance."""
    parsed = parse_rst(text, file=file)
    lengths = {file: text.count("\n") + 1}
    page = outlined(Document(name=path, file=file, length=text.count("\n") + 1, parsed=parsed))
    atlas = Atlas()
    atlas.add(page)
    links = PageLinks(atlas, page, pictures={})
    written = write_parts(page.parts, links)
    return ImportedPage(
        path=path,
        title=plain_text(page.title) or "Overview",
        markdown=written.markdown,
        origins=tuple(part_origins(page.parts, written, file, lengths)),
    )


def titled(blocks: Blocks) -> tuple[Inlines, tuple[str, ...], Blocks]:
    """Return a page's title, the names that lead to it, and the page below it.

    The first heading is the title; further headings of its level stand below it like its own.
    """
    for at, block in enumerate(blocks):
        if isinstance(block, Section):
            before = blocks[:at]
            return block.title, block.anchors, (*before, *block.inside, *blocks[at + 1 :])
    return (), (), blocks


def page_path(document: str) -> str:
    """Return the page path of a document: a folder's index is the folder's page."""
    folder, _, name = document.rpartition("/")
    return folder if name == "index" and folder else document


def _documents(
    tree: SourceTree,
    folder: str,
    configuration: Configuration,
    automatic: Automatic,
    notes: list[Note],
) -> list[Document]:
    setting = configuration.setting()
    patterns = configuration.texts("exclude_patterns")
    read_file = _reader(tree)
    found: list[Document] = []
    for file in tree.under(folder):
        inside = file[len(folder) + 1 :] if folder else file
        hidden = any(part.startswith((".", "_")) for part in inside.split("/"))
        if not file.lower().endswith(SUFFIXES) or hidden or excluded(inside, patterns):
            continue
        if len(found) == MAX_PAGES:
            message = f"more than {MAX_PAGES:,} documents; the rest is left out"
            notes.append(Note(kind="page-left-out", place=file, message=message))
            break
        try:
            text = tree.read_text(file)
        except FileRefused as error:
            notes.append(Note(kind="page-refused", place=file, message=error.message))
            continue
        automatic.file = file
        parsed = parse_rst(
            text, file=file, read_file=read_file, setting=setting, automatic=automatic
        )
        for kind, line, message in parsed.notes:
            notes.append(Note(kind=kind, place=f"{file}:{line}" if line else file, message=message))
        name = posixpath.splitext(inside)[0]
        length = text.count("\n") + 1
        found.append(Document(name=name, file=file, length=length, parsed=parsed))
    return found


def _reader(tree: SourceTree) -> ReadFile:
    def read(path: str) -> str | None:
        try:
            return tree.read_text(path)
        except FileRefused:
            return None

    return read


def outlined(document: Document) -> Outlined:
    """Return a document in parts."""
    title, names, blocks = titled(document.parsed.blocks)
    return Outlined(
        path=page_path(document.name),
        document=document.name,
        file=document.file,
        base=posixpath.dirname(document.name),
        title=title,
        title_names=names,
        parts=outline(blocks, objects_down_to=OBJECT_LEVEL),
        labels=document.parsed.labels,
    )


def _page(  # noqa: PLR0913, PLR0917 - a page and all that it hangs in
    page: Outlined,
    document: Document,
    atlas: Atlas,
    pictures: Pictures,
    lengths: Mapping[str, int],
    notes: list[Note],
) -> tuple[ImportedPage, int]:
    links = PageLinks(atlas, page, pictures=pictures.of(document.file, page.parts, notes))
    written = write_parts(page.parts, links)
    notes += links.notes(written)
    included = [
        (line, Include(file=file, lines=span)) for line, file, span in document.parsed.included
    ]
    made = ImportedPage(
        path=page.path,
        title=page.shown_title,
        markdown=written.markdown,
        origins=tuple(part_origins(page.parts, written, document.file, lengths, includes=included)),
        symbols=part_symbols(page.parts),
    )
    return made, links.found


def _describes(pages: list[Outlined]) -> bool:
    return any(part_symbols(page.parts) for page in pages)
