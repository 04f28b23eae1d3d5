"""The report card as values; `report.json` is these, `doctrove-report@1`."""

from __future__ import annotations

import msgspec

FORMAT = "doctrove-report@1"

LISTED = 40
"""So many places of one kind are named; the count says how many there are."""


LARGE = 500
"""No section with at most so many tokens is told to be large, however short the others are."""

SHORTEST_COPY = 200
"""Characters from which on the same text in two files is told."""


class Place(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something to look at."""

    file: str
    line: int | None = None
    what: str
    """One line of text."""

    value: int = 0
    """What the places of a list are ordered by, where they are."""


class Places(msgspec.Struct, frozen=True, kw_only=True):
    """All of one kind, the first `LISTED` by name."""

    count: int
    listed: tuple[Place, ...] = ()


class VolumeFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One volume."""

    library: str
    version: str
    released: str
    newest: bool
    days_behind: int | None
    """Days between its release and that of the newest volume; null where a date is missing, 0 for a
    prerelease that is newer."""

    behind: int
    """Sections of the newest volume that it does not have, by id."""

    sections: int
    inherited: int
    """Sections that another volume's files hold."""

    tokens: int
    with_symbols: int
    with_provenance: int


class TokenFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes of sections in tokens, each text counted where it is written."""

    median: int
    upper: int
    """Above this a section is an outlier: third quartile and 1.5 interquartile ranges (Tukey), but
    never below `LARGE`."""

    largest: int
    bins: tuple[tuple[int, int], ...]
    """Upper bound of each bin, a power of two, and the sections in it."""

    outliers: Places


class CodeFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The code blocks of one language."""

    language: str
    blocks: int
    method: str
    """`parsed`, `brackets` (only their balance), or `none`."""

    broken: int


class SizeFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The published tree against the limits of GitHub Pages and of git on GitHub."""

    files: int
    total: int
    """Bytes."""

    limit: int
    largest: Places
    """Files near or past what GitHub takes."""

    file_limit: int


class Card(msgspec.Struct, frozen=True, kw_only=True, tag_field="format", tag=FORMAT):
    """Everything on the card."""

    generator: str
    volumes: tuple[VolumeFigures, ...]
    tokens: TokenFigures
    code: tuple[CodeFigures, ...]
    broken_code: Places
    broken_links: Places
    without_provenance: Places
    duplicates: Places
    """Texts of `SHORTEST_COPY` characters or more that stand in several files."""

    rules: tuple[tuple[str, str, int], ...]
    """Severity, rule and count of the problems."""

    size: SizeFigures | None = None
    """Null for a tree that is not built."""
