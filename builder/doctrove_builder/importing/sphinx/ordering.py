"""The reading order of documents, as the toctrees name them; parts of other documents left out."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Protocol, TypeVar

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.sphinx.configuration import excluded

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from doctrove_builder.importing.restructured.parsing import Parsed
    from doctrove_builder.importing.sphinx.configuration import Configuration


class Ordered(Protocol):
    """A document that can be put in order."""

    @property
    def name(self) -> str:
        """Below the documentation's folder, without suffix."""
        ...

    @property
    def file(self) -> str:
        """In the source."""
        ...

    @property
    def parsed(self) -> Parsed:
        """What it holds."""
        ...


One = TypeVar("One", bound=Ordered)


def ordered_documents(
    documents: Sequence[One], order: Mapping[str, int], notes: list[Note]
) -> list[One]:
    """Return documents in an order, then the others by name; what others include is left out."""
    included = {file for document in documents for file in document.parsed.inserted}
    kept: list[One] = []
    for document in documents:
        if document.file in included and document.name not in order:
            message = "other documents include it"
            notes.append(Note(kind="part-left-out", place=document.file, message=message))
        else:
            kept.append(document)
    return sorted(kept, key=lambda one: order.get(one.name, len(order)))


def reading_order(first: str, entries: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the place of each document that toctrees lead to from the first one on.

    `entries` is what the toctrees of every document name, as written.
    """
    order: dict[str, int] = {}
    stack = [first]
    while stack:
        name = stack.pop()
        if name in order or name not in entries:
            continue
        order[name] = len(order)
        below: list[str] = []
        for entry in entries[name]:
            below += _named(entry, name, entries)
        stack += reversed(below)
    return order


def first_document(configuration: Configuration) -> str:
    """Return the name of the document that a documentation begins with."""
    return configuration.text("root_doc") or configuration.text("master_doc") or "index"


def _named(entry: str, document: str, known: Iterable[str]) -> list[str]:
    folder = posixpath.dirname(document)
    path = entry.lstrip("/") if entry.startswith("/") else posixpath.join(folder, entry)
    path = re.sub(r"\.(?:rst|md|txt)$", "", posixpath.normpath(path))
    if "*" in path or "?" in path:
        return sorted(name for name in known if excluded(name, (path,)))
    return [path]
