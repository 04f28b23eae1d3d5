"""Sources that come over the network: found, downloaded, checked, and kept by their hash.

What a registry has published under a version never changes, so that a package that was downloaded
once is not asked for again: an import of many that was broken off goes on where it stopped.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from doctrove_builder.importing.errors import DownloadFailed, LockRefused, SourceRefused
from doctrove_builder.importing.fetching import NoNetwork
from doctrove_builder.importing.lock import Pin, is_sha256
from doctrove_builder.importing.registry import (
    Archive,
    check_integrity,
    check_locked,
    find_npm,
    find_pypi,
)
from doctrove_builder.importing.source_archive import MAX_PACKED

if TYPE_CHECKING:
    from pathlib import Path

    from doctrove_builder.importing.reach import Reach

_PACKAGES = ("pypi:", "npm:")
_PYPI = re.compile(r"pypi:([^=\s]+)==([^=\s]+)")
_NPM = re.compile(r"npm:(@?[^@\s]+)@([^@\s]+)")


def is_download(source: str) -> bool:
    """Say whether a source comes over the network."""
    return source.startswith((*_PACKAGES, "https://", "http://"))


def download(source: str, reach: Reach) -> tuple[bytes, Pin]:
    """Return a source's bytes and their pin, from what is kept or from the network.

    Raises `LockRefused` for one that must be pinned and is not, `DownloadFailed` for one that
    cannot be had or is not what was pinned, `SourceRefused` for one that names nothing.
    """
    pin = reach.pins.get(source)
    if pin is None and reach.pinned_only:
        raise LockRefused(
            f"{source} is not pinned in doctrove.lock",
            hint="pin it with: doctrove-import --update AUTHORING",
        )
    pin = pin or _remembered(source, reach)
    locked = reach.locked.get(source, ())
    if pin is not None and (stored := _stored(reach, pin.sha256)) is not None:
        check_locked(stored, locked, what=source)
        return stored, pin
    if pin is None:
        archive = _found(source, reach)
    else:
        archive = Archive(url=pin.url, name=pin.name, integrity=f"sha256-{pin.sha256}")
    data = reach.network.get(archive.url, limit=MAX_PACKED)
    if pin is None and not data:
        raise DownloadFailed(f"{source} is empty")
    check_integrity(data, archive.integrity, what=source)
    check_locked(data, locked, what=source)
    pin = pin or Pin(
        source=source,
        url=archive.url,
        name=archive.name,
        sha256=hashlib.sha256(data).hexdigest(),
        bytes=len(data),
        license=archive.license,
    )
    if reach.store is not None:
        reach.keeping.keep(reach.store / pin.sha256, data)
        reach.keeping.keep(_record(reach.store, source, reach), msgspec.json.encode(pin))
    return data, pin


def _found(source: str, reach: Reach) -> Archive:
    """Return where a source can be had, as its registry says."""
    registries = reach.registries
    if found := _PYPI.fullmatch(source):
        return find_pypi(
            found[1],
            found[2],
            network=reach.network,
            index=registries.pypi,
            hashes=reach.locked.get(source, ()),
        )
    if found := _NPM.fullmatch(source):
        return find_npm(found[1], found[2], network=reach.network, registry=registries.npm)
    if source.startswith(_PACKAGES):
        raise SourceRefused(f"{source!r} names no package at a version", hint=_form(source))
    return Archive(url=source, name=posixpath.basename(urlsplit(source).path) or "index")


def _form(source: str) -> str:
    """Return how a package is written whose version is missing."""
    registry, _, name = source.partition(":")
    sign = "==" if registry == "pypi" else "@"
    bare = name[:1] + re.split(r"[=@\s]", name[1:], maxsplit=1)[0]
    return f"write {registry}:{bare.rstrip('=@<>~!') or 'NAME'}{sign}VERSION"


def _remembered(source: str, reach: Reach) -> Pin | None:
    """Return the pin of an earlier download; for an address, which may change, only offline."""
    if reach.store is None:
        return None
    if not source.startswith(_PACKAGES) and not isinstance(reach.network, NoNetwork):
        return None
    try:
        pin = msgspec.json.decode(_record(reach.store, source, reach).read_bytes(), type=Pin)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return pin if is_sha256(pin.sha256) and pin.source == source else None


def _record(store: Path, source: str, reach: Reach) -> Path:
    """Return the file that says what a source of these registries was."""
    parts = (source, reach.registries.pypi, reach.registries.npm)
    return store / f"{hashlib.sha256(msgspec.json.encode(parts)).hexdigest()}.json"


def _stored(reach: Reach, sha256: str) -> bytes | None:
    """Return a kept download; None when it is not there or damaged."""
    if reach.store is None:
        return None
    try:
        data = (reach.store / sha256).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == sha256 else None
