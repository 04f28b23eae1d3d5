"""Where the sections of an imported volume come from, as its provenance.json says."""

from __future__ import annotations

import posixpath
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from doctrove_builder.provenance import read_provenance
from doctrove_schema.sections import section_id

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from doctrove_builder.authoring.pages import PageRequest
    from doctrove_builder.model import Document, PageSource, Passage
    from doctrove_builder.provenance import Provenance


def imported_files(document: Document, requests: Iterable[PageRequest]) -> frozenset[str]:
    """Return the files of a volume that are as an import wrote them.

    A page that a person changed or put in the place of an imported one is none of them.
    """
    provenance = read_provenance(document.text)
    if provenance is None:
        return frozenset()
    folder = posixpath.dirname(document.path)
    return frozenset(
        request.document.path
        for request in requests
        if provenance.files.get(posixpath.relpath(request.document.path, folder))
        == sha256(request.document.text.encode()).hexdigest()
    )


def with_origins(
    pages: Sequence[PageSource], document: Document, imported: Container[str]
) -> tuple[PageSource, ...]:
    """Give the sections of imported files the origins, symbols and addresses recorded for them."""
    provenance = read_provenance(document.text)
    if provenance is None:
        return tuple(pages)
    return tuple(
        replace(
            page,
            passages=tuple(_with_origin(one, page.path, provenance) for one in page.passages),
        )
        if page.file in imported
        else page
        for page in pages
    )


def _with_origin(passage: Passage, page: str, provenance: Provenance) -> Passage:
    name = section_id(page, passage.heading.anchor)
    symbols = (*passage.symbols, *provenance.symbols.get(name, ()))
    origin = provenance.sections.get(name)
    if origin is not None and not origin.repository:
        origin = replace(origin, repository=provenance.repository, commit=provenance.commit)
    return replace(
        passage,
        origin=origin,
        symbols=tuple(dict.fromkeys(symbols)),
        path=provenance.addresses.get(name, passage.path),
    )
