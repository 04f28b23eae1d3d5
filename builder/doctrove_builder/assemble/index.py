"""Whole volumes to the index, `doctrove-index@1`. Pure: no clock, no disk, no environment."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from doctrove_builder.assemble.ages import with_ages
from doctrove_builder.layout import FRONT_PAGES
from doctrove_builder.memory import ANEW
from doctrove_schema.model import Entry, Index, Origin, Section, Volume
from doctrove_schema.tokens import ESTIMATOR, estimate_tokens
from doctrove_schema.versions import Scheme

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from doctrove_builder.assemble.bound import (
        BoundLibrary,
        BoundPage,
        BoundSection,
        BoundVolume,
    )
    from doctrove_builder.memory import Apply
    from doctrove_builder.model import Document, Library


def index_of(
    libraries: Iterable[BoundLibrary],
    *,
    documents: Mapping[str, Document],
    updated_at: str,
    generator: str,
    apply: Apply = ANEW,
) -> Index:
    """Make the index; `documents` are the sources that sections name lines of."""
    return Index(
        updated_at=updated_at,
        generator=generator,
        tokens_by=ESTIMATOR,
        entries=tuple(_entry(bound, documents, apply) for bound in libraries),
    )


def section_of(section: BoundSection, base_url: str, lines: Sequence[str]) -> Section:
    """Make the published form of one section; `lines` are those of its whole file."""
    passage = section.passage
    tokens, sha256 = _measured(passage.body)
    return Section(
        id=section.id,
        heading=passage.heading.text,
        path=passage.path or _provenance(section, base_url),
        body=passage.body,
        page=section.page,
        trail=passage.trail,
        symbols=passage.symbols,
        since=passage.since,
        tokens=tokens,
        sha256=sha256,
        source=_origin(section, lines),
    )


def _entry(bound: BoundLibrary, documents: Mapping[str, Document], apply: Apply) -> Entry:
    library = bound.library
    volumes = {
        volume.version: apply(_volume, volume, _written_in(apply(_files, volume), documents), apply)
        for volume in bound.volumes
    }
    return Entry(
        id=library.id,
        name=library.name,
        summary=library.summary,
        aliases=library.aliases,
        homepage=library.homepage,
        popularity=_whole(library.popularity),
        license=library.license,
        version_scheme=_scheme(library),
        superseded_by=library.superseded_by,
        versions=tuple(volume.version for volume in bound.volumes),
        volumes=with_ages(
            volumes, library=library.id, scheme=Scheme(library.version_scheme), apply=apply
        ),
    )


def _volume(volume: BoundVolume, written_in: tuple[Document, ...], apply: Apply) -> Volume:
    base_url = volume.source.base_url
    documents = {document.path: document for document in written_in}
    pages = [
        apply(_sections, page, base_url, _written_in(_files_of(page), documents))
        for page in volume.pages
    ]
    return apply(
        Volume,
        summary=volume.summary,
        released=volume.released,
        sections=tuple(section for sections in pages for section in sections),
    )


def _files(volume: BoundVolume) -> tuple[str, ...]:
    """Return the files that a volume's sections are written in, inherited ones too."""
    return tuple(dict.fromkeys(file for page in volume.pages for file in _files_of(page)))


def _files_of(page: BoundPage) -> tuple[str, ...]:
    return tuple(dict.fromkeys(section.file for section in page.sections))


def _written_in(files: tuple[str, ...], documents: Mapping[str, Document]) -> tuple[Document, ...]:
    return tuple(documents[file] for file in files)


def _sections(
    page: BoundPage, base_url: str, documents: tuple[Document, ...]
) -> tuple[Section, ...]:
    lines = {document.path: document.text.split("\n") for document in documents}
    return tuple(
        section_of(section, base_url, lines[section.file])
        for section in page.sections
        if section.has_text
    )


def _origin(section: BoundSection, lines: Sequence[str]) -> Origin:
    """Return where a section is written: upstream where it was imported, else in its own file."""
    passage, source = section.passage, section.source
    if passage.origin is not None:
        return passage.origin
    return Origin(
        file=section.file,
        lines=passage.lines,
        sha256=_lines_digest(lines, passage.lines),
        repository=source.repository,
        commit=source.commit,
    )


def _provenance(section: BoundSection, base: str) -> str:
    """Return the volume's base address, the page and the anchor; empty without a base address."""
    if not base:
        return ""
    page = "" if section.page in FRONT_PAGES else section.page
    anchor = section.passage.heading.anchor
    return f"{base.rstrip('/')}/{page}{'#' if anchor else ''}{anchor}"


def _scheme(library: Library) -> str:
    """Leave out the default, as every empty field."""
    return "" if library.version_scheme == "semver" else library.version_scheme


def _whole(number: float) -> int | float:
    return int(number) if number == int(number) else number


@lru_cache(maxsize=65_536)
def _measured(body: str) -> tuple[int, str]:
    return estimate_tokens(body), hashlib.sha256(body.encode()).hexdigest()


def _lines_digest(lines: Sequence[str], named: tuple[int, int]) -> str:
    first, last = named
    return hashlib.sha256("\n".join(lines[first - 1 : last]).encode()).hexdigest()
