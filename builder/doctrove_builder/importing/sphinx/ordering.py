"""The reading order of documents, as the toctrees name them; parts of other documents left out."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Protocol, TypeVar

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.sphinx.configuration import excluded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    documents: Sequence[One], configuration: Configuration, notes: list[Note]
) -> list[One]:
    """Return documents in the order of the toctrees from the first one on, then by name."""
    by_name = {document.name: document for document in documents}
    first = configuration.text("root_doc") or configuration.text("master_doc") or "index"
    order = {name: at for at, name in enumerate(_walk(first, by_name))}
    included = {file for document in documents for file in document.parsed.inserted}
    kept: list[One] = []
    for document in documents:
        if document.file in included and document.name not in order:
            message = "other documents include it"
            notes.append(Note(kind="part-left-out", place=document.file, message=message))
        else:
            kept.append(document)
    return sorted(kept, key=lambda one: (order.get(one.name, len(order)), one.name != first))


def _walk(first: str, by_name: Mapping[str, Ordered]) -> Iterator[str]:
    """Yield names in reading order: a document, then what its toctrees name, one after another."""
    stack, seen = [first], set[str]()
    while stack:
        name = stack.pop()
        if name in seen or name not in by_name:
            continue
        seen.add(name)
        yield name
        below: list[str] = []
        for entry in by_name[name].parsed.entries:
            below += _named(entry, name, by_name)
        stack += reversed(below)


def _named(entry: str, document: str, by_name: Mapping[str, Ordered]) -> list[str]:
    folder = posixpath.dirname(document)
    path = entry.lstrip("/") if entry.startswith("/") else posixpath.join(folder, entry)
    path = re.sub(r"\.(?:rst|md|txt)$", "", posixpath.normpath(path))
    if "*" in path or "?" in path:
        return sorted(name for name in by_name if excluded(name, (path,)))
    return [path]
