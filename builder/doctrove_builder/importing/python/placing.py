"""Objects that pages of a documentation place by name, linked to their sections."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.importing.python.names import relative

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.importing.imported import Imported, ImportedPage
    from doctrove_builder.importing.python.names import Names

_NAMED = re.compile(r"^((?:- )?)`([A-Za-z_][\w.]*)`$", re.MULTILINE)
"""What the kind `markdown` leaves of a block that places an object: its name alone on a line."""

_NOTE = "object-unresolved"


def with_placed_objects(
    imported: Imported, names: Names, canonical: Callable[[str], str]
) -> Imported:
    """Make links of the names on lines of their own that have sections; they count as found."""

    def place(name: str) -> tuple[str, str] | None:
        return names.get(name) or names.get(canonical(name))

    missing = [note for note in imported.notes if note.kind == _NOTE]
    unknown = [note for note in missing if place(note.message.partition(" ")[0]) is None]
    if len(unknown) == len(missing):
        return imported
    counts = dict(imported.counts)
    counts["api objects linked"] = len(missing) - len(unknown)
    counts["api objects only named"] = len(unknown)
    return replace(
        imported,
        pages=tuple(_linked(page, place) for page in imported.pages),
        counts=counts,
        notes=tuple(note for note in imported.notes if note.kind != _NOTE or note in unknown),
    )


def _linked(page: ImportedPage, place: Callable[[str], tuple[str, str] | None]) -> ImportedPage:
    def link(found: re.Match[str]) -> str:
        target = place(found[2])
        if target is None:
            return found[0]
        return f"{found[1]}[`{found[2]}`]({relative(page.path, *target)})"

    return replace(page, markdown=_NAMED.sub(link, page.markdown))
