"""`manifest.json`: what a published tree holds, and the mark that the tree is ours to replace."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = "doctrove-manifest@1"
MANIFEST = "manifest.json"
MAX_BYTES = 256 * 1024 * 1024


class FileEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One file of the tree."""

    sha256: str
    bytes: int


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Every file of the tree but this one and those that are kept as they are."""

    format: str = FORMAT
    generator: str = ""
    files: dict[str, FileEntry]
    """By path, in path order."""


def write_manifest(manifest: Manifest) -> bytes:
    """Return the manifest as JSON; equal trees give equal bytes."""
    return msgspec.json.encode(manifest) + b"\n"


def read_manifest(dest: Path) -> Manifest | None:
    """Read the manifest of a published tree; None when there is none, or not one of ours."""
    file = dest / MANIFEST
    try:
        status = file.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            return None
        manifest = msgspec.json.decode(file.read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return manifest if manifest.format == FORMAT else None
