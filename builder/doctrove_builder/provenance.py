"""provenance.json, beside a volume's pages: where an importer took each of its sections from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from doctrove_schema.model import Origin

PROVENANCE = "provenance.json"
FORMAT: Literal["doctrove-provenance@1"] = "doctrove-provenance@1"


class Provenance(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The origins of an imported volume."""

    format: Literal["doctrove-provenance@1"]
    kind: str = ""
    source: str = ""
    """As its user wrote it."""

    sha256: str = ""
    """Of the source."""

    license: str = ""
    repository: str = ""
    """That holds the source; for origins that name none."""

    commit: str = ""
    sections: Mapping[str, Origin] = msgspec.field(default_factory=dict[str, Origin])
    """By section id."""

    symbols: Mapping[str, tuple[str, ...]] = msgspec.field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """By section id: identifiers that it explains."""

    addresses: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """By section id: its address in the upstream documentation."""

    files: Mapping[str, str] = msgspec.field(default_factory=dict[str, str])
    """SHA-256 of each file as it was written, by path in the volume's folder."""


def read_provenance(text: str | bytes) -> Provenance | None:
    """Read provenance.json; None when it is damaged or of another format."""
    try:
        return msgspec.json.decode(text, type=Provenance)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
