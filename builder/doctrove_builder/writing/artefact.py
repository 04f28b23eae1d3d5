"""One file of the published tree, and where its content comes from."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Reuse(msgspec.Struct, frozen=True, kw_only=True):
    """Take over the published file of the same path, if its content still has this hash."""

    sha256: str
    stamp: tuple[int, ...] = ()
    """How the file stood when its content was hashed (`listing.stamp`): a file that stands the same
    is not hashed again. Empty: hash it."""


class Artefact(msgspec.Struct, frozen=True, kw_only=True):
    """One file to publish."""

    path: str
    """Relative to the root of the tree, with `/`."""

    content: bytes | Path | Reuse
    """The bytes; or a file to copy; or the file that is published already."""
