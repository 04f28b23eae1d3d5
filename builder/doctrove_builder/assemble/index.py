"""Whole volumes to the index, `doctrove-index@1`. Pure: no clock, no disk, no environment."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING

from doctrove_builder.layout import FRONT_PAGES
from doctrove_schema.model import Entry, Index, Origin, Section, Volume
from doctrove_schema.tokens import ESTIMATOR, estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from doctrove_builder.assemble.bound import BoundLibrary, BoundSection, BoundVolume
    from doctrove_builder.model import Document, Library


def index_of(
    libraries: Iterable[BoundLibrary],
    *,
    documents: Mapping[str, Document],
    updated_at: str,
    generator: str,
) -> Index:
    """Make the index; `documents` are the sources that sections name lines of."""
    return Index(
        updated_at=updated_at,
        generator=generator,
        tokens_by=ESTIMATOR,
        entries=tuple(_entry(bound, documents) for bound in libraries),
    )


def section_of(
    section: BoundSection, volume: BoundVolume, documents: Mapping[str, Document]
) -> Section:
    """Make the published form of one section."""
    passage = section.passage
    tokens, sha256 = _measured(passage.body)
    return Section(
        id=section.id,
        heading=passage.heading.text,
        path=passage.path or _provenance(section, volume),
        body=passage.body,
        page=section.page,
        trail=passage.trail,
        symbols=passage.symbols,
        since=passage.since,
        tokens=tokens,
        sha256=sha256,
        source=Origin(
            file=section.file,
            lines=passage.lines,
            sha256=_lines_digest(documents[section.file], passage.lines),
            repository=section.source.repository,
            commit=section.source.commit,
        ),
    )


def _entry(bound: BoundLibrary, documents: Mapping[str, Document]) -> Entry:
    library = bound.library
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
        volumes={volume.version: _volume(volume, documents) for volume in bound.volumes},
    )


def _volume(volume: BoundVolume, documents: Mapping[str, Document]) -> Volume:
    return Volume(
        summary=volume.summary,
        released=volume.released,
        sections=tuple(
            section_of(section, volume, documents)
            for page in volume.pages
            for section in page.sections
            if section.has_text
        ),
    )


def _provenance(section: BoundSection, volume: BoundVolume) -> str:
    """Return the volume's base address, the page and the anchor; empty without a base address."""
    base = volume.source.base_url
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


def _lines_digest(document: Document, lines: tuple[int, int]) -> str:
    first, last = lines
    text = "\n".join(document.text.split("\n")[first - 1 : last])
    return hashlib.sha256(text.encode()).hexdigest()
