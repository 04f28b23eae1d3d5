"""The files for programs at the root of a published tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.writing import Artefact
from doctrove_schema.catalog import split_index, write_catalog
from doctrove_schema.schemas import NAMES, schema_text
from doctrove_schema.writing import write_index

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_schema.model import Index

INDEX = "index.json"
CATALOG = "catalog.json"
SCHEMAS = "_schema"


def root_files(*, full: bool) -> tuple[str, ...]:
    """Return the files at the root that pages link to."""
    return (INDEX, CATALOG) if full else (CATALOG,)


def machine_artefacts(index: Index, *, full: bool) -> Iterator[Artefact]:
    """Yield the index (when `full`), the catalogue with its volumes, and the schemas."""
    if full:
        yield Artefact(path=INDEX, content=write_index(index))
    catalog, volumes = split_index(index)
    yield Artefact(path=CATALOG, content=write_catalog(catalog))
    for path, content in volumes.items():
        yield Artefact(path=path, content=content)
    for name in NAMES:
        yield Artefact(path=f"{SCHEMAS}/{name}.schema.json", content=schema_text(name).encode())
