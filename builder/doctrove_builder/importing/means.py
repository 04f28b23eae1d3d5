"""What the imports of a build work with."""

from __future__ import annotations

from pathlib import Path

import msgspec

from doctrove_builder.importing.registry import Registries


class ImportMeans(msgspec.Struct, frozen=True, kw_only=True):
    """Where imports keep what they made, and from where they may take it."""

    cache: Path
    """Folder that keeps downloads and imported volumes."""

    offline: bool = False
    allowed: tuple[Path, ...] = ()
    """Folders outside the project that sources may lie in."""

    registries: Registries = Registries()
