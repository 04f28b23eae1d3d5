"""Pictures of a documentation: which of them its pages show, and where they stand in the volume."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING
from urllib.parse import unquote

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.prose.tree import (
    Admonition,
    Definitions,
    Described,
    Image,
    Link,
    Listing,
    Paragraph,
    Quote,
    Reference,
    Section,
    Styled,
    Table,
    Tabs,
)
from doctrove_builder.importing.prose.tree import (
    Note as FootNote,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.importing.prose.outline import Part
    from doctrove_builder.importing.prose.tree import Block, Inlines
    from doctrove_builder.importing.source_tree import SourceTree

FOLDER = "_images"
SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".avif")
MAX_BYTES = 2 * 1024 * 1024
MAX_TOTAL = 50 * 1024 * 1024


class Pictures:
    """Takes over the pictures that pages show, as long as there is room."""

    def __init__(self, tree: SourceTree, folder: str) -> None:
        """Take the source and the folder that `/` begins at."""
        self._tree = tree
        self._folder = folder
        self._total = 0
        self.taken: dict[str, bytes] = {}
        """Bytes by path in the volume."""

    def of(
        self, file: str, parts: Iterable[Part], notes: list[Note], *, base: str | None = None
    ) -> dict[str, str]:
        """Return the places of a page's pictures, by address as written.

        Addresses begin at the folder `base`, the file's own as a rule.
        """
        folder = posixpath.dirname(file) if base is None else base
        places: dict[str, str] = {}
        for part in parts:
            for image in _images(part.blocks):
                source = image.source
                if "://" in source or source.startswith("data:") or source in places:
                    continue
                place = self._take(self._path(unquote(source), folder))
                if place:
                    places[source] = place
                else:
                    message = f"the picture {source} is not in the source"
                    notes.append(Note(kind="picture-missing", place=file, message=message))
        return places

    def _path(self, source: str, folder: str) -> str:
        if source.startswith("/"):
            return posixpath.normpath(posixpath.join(self._folder, source.lstrip("/")))
        return posixpath.normpath(posixpath.join(folder, source))

    def _take(self, path: str) -> str:
        if path.endswith(".*"):
            found = (f"{path[:-2]}{suffix}" for suffix in SUFFIXES)
            path = next((one for one in found if one in self._tree), path)
        if path not in self._tree or not path.lower().endswith(SUFFIXES):
            return ""
        place = f"{FOLDER}/{path.removeprefix(f'{self._folder}/')}"
        if place in self.taken:
            return place
        try:
            data = self._tree.read_bytes(path, limit=MAX_BYTES)
        except FileRefused:
            return ""
        if self._total + len(data) > MAX_TOTAL:
            return ""
        self._total += len(data)
        self.taken[place] = data
        return place


def _images(blocks: Iterable[Block]) -> Iterator[Image]:
    for block in blocks:
        match block:
            case Paragraph(inside):
                yield from _shown(inside)
            case (
                Quote(inside)
                | Admonition(_, _, inside)
                | FootNote(_, inside)
                | Section(_, _, inside)
                | Described(inside=inside)
            ):
                yield from _images(inside)
            case Listing(items):
                for item in items:
                    yield from _images(item)
            case Definitions(items):
                for term, means in items:
                    yield from _shown(term)
                    yield from _images(means)
            case Tabs(items):
                for _, inside in items:
                    yield from _images(inside)
            case Table(head, rows):
                for cell in (*head, *(one for row in rows for one in row)):
                    yield from _images(cell)
            case _:
                pass


def _shown(inlines: Inlines) -> Iterator[Image]:
    for one in inlines:
        if isinstance(one, Image):
            yield one
        elif isinstance(one, Styled | Link | Reference):
            yield from _shown(one.inside)
