"""Volumes that were imported before, kept in the cache by the key of all that decides them."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.provenance import PROVENANCE, read_provenance

if TYPE_CHECKING:
    from doctrove_builder.importing.materialise import VolumeFiles

LIBRARY = ".library.json"
"""Beside the volume's files: what the source knows of its library."""


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """An imported volume on disk."""

    folder: Path
    texts: dict[str, str]
    """Pages and settings by path below the folder."""

    assets: dict[str, int]
    """Sizes of its other files."""

    library: dict[str, str]


def read_kept(cache: Path, key: str) -> Kept | None:
    """Return a volume that was kept; None when it is not there or not as it was written."""
    folder = cache / key
    return _read(folder, key) if (folder / PROVENANCE).is_file() else None


def keep(cache: Path, key: str, volume: VolumeFiles) -> Kept | None:
    """Write a volume to the cache and return it; None when the disk refuses."""
    try:
        cache.mkdir(parents=True, exist_ok=True)
        partial = Path(tempfile.mkdtemp(prefix=f"{key[:16]}.", suffix=".part", dir=cache))
        for path, data in volume.files.items():
            (partial / path).parent.mkdir(parents=True, exist_ok=True)
            (partial / path).write_bytes(data)
        (partial / LIBRARY).write_bytes(msgspec.json.encode(dict(volume.library)))
        shutil.rmtree(cache / key, ignore_errors=True)
        partial.replace(cache / key)
    except OSError:
        return None
    _read.cache_clear()
    return read_kept(cache, key)


@lru_cache(maxsize=128)
def _read(folder: Path, key: str) -> Kept | None:
    del key
    try:
        data = (folder / PROVENANCE).read_bytes()
        provenance = read_provenance(data)
        if provenance is None:
            return None
        texts = {PROVENANCE: data.decode()}
        assets: dict[str, int] = {}
        for path, digest in provenance.files.items():
            content = (folder / path).read_bytes()
            if hashlib.sha256(content).hexdigest() != digest:
                return None
            if path.endswith((".md", ".yaml")):
                texts[path] = content.decode()
            else:
                assets[path] = len(content)
        library = msgspec.json.decode((folder / LIBRARY).read_bytes(), type=dict[str, str])
    except (OSError, ValueError, msgspec.DecodeError):
        return None
    return Kept(folder=folder, texts=texts, assets=assets, library=library)
