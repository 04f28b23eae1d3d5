"""Pages that several kinds read from one package, put together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.imported import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.importing.imported import Imported, ImportedPage

DOCS = ("docs", "doc", "documentation")
"""Folders that documentation is kept in beside code."""


@dataclass(slots=True)
class Collection:
    """What was found, in reading order."""

    pages: list[ImportedPage] = field(default_factory=list["ImportedPage"])
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
        self.counts.update(imported.counts)
        self.counts[what] += len(pages)


def distinct_pages(pages: Iterable[ImportedPage], notes: list[Note]) -> Iterator[ImportedPage]:
    """Yield pages of different paths; one whose path is taken gets another, which is noted."""
    taken: set[str] = set()
    for page in pages:
        path = page.path
        while path.lower() in taken:
            path = f"{path}-page"
        if path != page.path:
            message = f"another page has its path; it is {path}"
            notes.append(Note(kind="page-renamed", place=page.path, message=message))
        taken.add(path.lower())
        yield replace(page, path=path)


def undocumented(names: Iterable[str], lack: str) -> Iterator[Note]:
    """Yield a note for each object without documentation: as many as the report counts."""
    for name in names:
        yield Note(kind="undocumented", place=name, message=f"it has no {lack}")
