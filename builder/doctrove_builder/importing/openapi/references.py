"""`$ref` followed within the source: in the same file, or in another file of it."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from doctrove_builder.importing.errors import SourceRefused
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.json_values import as_list, as_mapping, as_text, is_object
from doctrove_builder.importing.openapi.document import Document, read_document
from doctrove_builder.importing.source_tree import MIB, SourceTree, resolve_path

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_BYTES = 64 * MIB
MAX_STEPS = 32
"""From one reference to the next."""

MAX_FILES = 2000


class Found(NamedTuple):
    """A value and where it stands."""

    value: Mapping[str, object]
    file: str
    keys: tuple[str, ...]
    """Of the pointer that led here last; empty where no reference was followed."""


class References:
    """The documents of a source by file, read when something refers to them."""

    def __init__(self, tree: SourceTree) -> None:
        """Read nothing yet."""
        self._tree = tree
        self._documents: dict[str, Document | None] = {}
        self.notes: list[Note] = []

    def document(self, file: str) -> Document:
        """Return a file's document; raises `SourceRefused` when it is none."""
        known = self._documents.get(file)
        if known is None:
            known = read_document(self._tree.read_text(file, limit=MAX_BYTES), name=file)
            self._documents[file] = known
        return known

    def follow(self, value: object, file: str) -> Found:
        """Return what a value is once its reference is followed, its own text beside it kept."""
        found = Found(as_mapping(value), file, ())
        said: dict[str, object] = {}
        for _ in range(MAX_STEPS):
            reference = as_text(found.value.get("$ref"))
            if not reference:
                return found._replace(value={**found.value, **said}) if said else found
            for key in ("description", "summary"):
                if as_text(found.value.get(key)):
                    said.setdefault(key, found.value[key])
            step = self._step(reference, found.file)
            if step is None:
                return Found({}, found.file, ())
            found = step
        self._note("reference-endless", file, f"{value!r:.80} refers to itself")
        return Found({}, file, ())

    def _step(self, reference: str, file: str) -> Found | None:
        path, _, pointer = reference.partition("#")
        target = file
        if path:
            resolved = resolve_path(unquote(path), folder=posixpath.dirname(file))
            if "://" in path or resolved is None or resolved not in self._tree:
                self._note("reference-missing", file, f"{reference[:200]} is not in the source")
                return None
            target = resolved
        document = self._read(target)
        if document is None:
            return None
        keys = tuple(
            unquote(part).replace("~1", "/").replace("~0", "~")
            for part in pointer.strip("/").split("/")
            if part
        )
        value = document.value
        for key in keys:
            value = _member(value, key)
        if not is_object(value):
            self._note("reference-missing", file, f"{reference[:200]} leads to nothing")
            return None
        return Found(as_mapping(value), target, keys or (posixpath.splitext(target)[0],))

    def _read(self, file: str) -> Document | None:
        if file not in self._documents and len(self._documents) >= MAX_FILES:
            return None
        try:
            return self.document(file)
        except SourceRefused as error:
            self._documents[file] = None
            self._note("file-refused", file, error.message)
            return None

    def _note(self, kind: str, place: str, message: str) -> None:
        note = Note(kind=kind, place=place, message=message)
        if note not in self.notes:
            self.notes.append(note)


def _member(value: object, key: str) -> object:
    items = as_list(value)
    if key.isdigit() and items:
        return items[int(key)] if len(key) < 9 and int(key) < len(items) else None
    return as_mapping(value).get(key)
