"""What a user may name as a source, and how it is opened: folder, archive, registry, address.

PATH                  a folder, an archive or a single file below the project's root
pypi:NAME==VERSION    an archive from PyPI
npm:NAME@VERSION      a tarball from npm
https://HOST/FILE     a file from a host that the configuration allows
"""

from __future__ import annotations

import hashlib
import os
import posixpath
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from doctrove_builder.importing.errors import LockRefused, SourceRefused
from doctrove_builder.importing.fetching import Network
from doctrove_builder.importing.lock import Pin
from doctrove_builder.importing.registry import (
    NPM_REGISTRY,
    PYPI_INDEX,
    Archive,
    check_integrity,
    find_npm,
    find_pypi,
)
from doctrove_builder.importing.source_archive import MAX_PACKED, is_archive, open_archive
from doctrove_builder.importing.source_folder import open_folder
from doctrove_builder.importing.source_tree import FILE_BYTES, MIB, SourceTree, tree_of

SINGLE_FILE_BYTES = 100 * MIB
"""Of a source that is one file (an OpenAPI description, an index, `db.json`)."""

_PYPI = re.compile(r"pypi:([^=\s]+)==([^=\s]+)")
_NPM = re.compile(r"npm:(@?[^@\s]+)@([^@\s]+)")


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A source that is open."""

    tree: SourceTree
    digest: Callable[[], str]
    """Gives the SHA-256 of all that can be read from it."""

    pin: Pin | None = None
    """Of a download; None for what lies on this disk."""


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """From where sources may come."""

    base: Path
    """Relative paths begin here."""

    root: Path
    """Local sources lie below it, or below one of `allowed`."""

    allowed: tuple[Path, ...] = ()
    network: Network
    store: Path | None = None
    """Folder that keeps downloads by their hash; None keeps none."""

    pins: Mapping[str, Pin] = msgspec.field(default_factory=dict[str, Pin])
    """By source as written."""

    pinned_only: bool = False
    """Refuse what is not pinned (builds), instead of pinning it (imports)."""

    pypi: str = PYPI_INDEX
    npm: str = NPM_REGISTRY


def is_download(source: str) -> bool:
    """Say whether a source comes over the network."""
    return source.startswith(("pypi:", "npm:", "https://", "http://"))


def open_source(source: str, reach: Reach, *, prefer: str = "sdist") -> Opened:
    """Open a source; raises an `ImportingError` that says what is wrong with it."""
    if is_download(source):
        return _download(source, reach, prefer=prefer)
    return _local(source, reach)


def project_root(folder: Path, *, otherwise: Path | None = None) -> Path:
    """Return the nearest folder around `folder`, itself included, that is a repository's top.

    Where none is, that is `otherwise`, or else the folder itself.
    """
    real = Path(os.path.realpath(folder))
    tops = (around for around in (real, *real.parents) if (around / ".git").exists())
    return next(tops, otherwise or real)


def _local(source: str, reach: Reach) -> Opened:
    path = Path(os.path.realpath(reach.base / source))
    inside = (Path(os.path.realpath(folder)) for folder in (reach.root, *reach.allowed))
    if not any(path.is_relative_to(folder) for folder in inside):
        raise SourceRefused(
            f"{source} lies outside {reach.root}",
            hint="name its folder with --allow-source",
        )
    if path.is_dir():
        tree = open_folder(path, name=source)
        return Opened(tree=tree, digest=lambda: _tree_digest(tree))
    if not path.is_file():
        raise SourceRefused(f"{source} is neither a folder nor a file")
    limit = MAX_PACKED if is_archive(path.name) else SINGLE_FILE_BYTES
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise SourceRefused(f"{source} cannot be read: {error.strerror}") from error
    if len(data) > limit:
        raise SourceRefused(f"{source} has more than {limit:,} bytes")
    return Opened(tree=_tree(data, path.name), digest=lambda: hashlib.sha256(data).hexdigest())


def _download(source: str, reach: Reach, *, prefer: str) -> Opened:
    pin = reach.pins.get(source)
    if pin is None and reach.pinned_only:
        raise LockRefused(
            f"{source} is not pinned in doctrove.lock",
            hint="pin it with: doctrove-import --update AUTHORING",
        )
    if pin is not None and (stored := _stored(reach, pin.sha256)) is not None:
        data = stored
    else:
        archive = _found(source, reach, pin, prefer=prefer)
        data = reach.network.get(archive.url, limit=MAX_PACKED)
        check_integrity(data, archive.integrity, what=source)
        digest = hashlib.sha256(data).hexdigest()
        if pin is None:
            pin = Pin(
                source=source,
                url=archive.url,
                name=archive.name,
                sha256=digest,
                bytes=len(data),
                license=archive.license,
            )
        _keep(reach, data, digest)
    sha256 = pin.sha256
    return Opened(tree=_tree(data, pin.name), digest=lambda: sha256, pin=pin)


def _found(source: str, reach: Reach, pin: Pin | None, *, prefer: str) -> Archive:
    """Return where a source can be had: as pinned, else as its registry says."""
    if pin is not None:
        return Archive(url=pin.url, name=pin.name, integrity=f"sha256-{pin.sha256}")
    if found := _PYPI.fullmatch(source):
        return find_pypi(found[1], found[2], network=reach.network, index=reach.pypi, prefer=prefer)
    if found := _NPM.fullmatch(source):
        return find_npm(found[1], found[2], network=reach.network, registry=reach.npm)
    if source.startswith(("pypi:", "npm:")):
        raise SourceRefused(
            f"{source!r} names no package at a version",
            hint="write pypi:NAME==VERSION or npm:NAME@VERSION",
        )
    return Archive(url=source, name=posixpath.basename(urlsplit(source).path) or "index")


def _tree(data: bytes, name: str) -> SourceTree:
    return open_archive(data, name=name) if is_archive(name) else tree_of({name: data}, name=name)


def _stored(reach: Reach, sha256: str) -> bytes | None:
    """Return a kept download; None when it is not there or damaged."""
    if reach.store is None:
        return None
    try:
        data = (reach.store / sha256).read_bytes()
    except OSError:
        return None
    return data if hashlib.sha256(data).hexdigest() == sha256 else None


def _keep(reach: Reach, data: bytes, digest: str) -> None:
    if reach.store is None:
        return
    reach.store.mkdir(parents=True, exist_ok=True)
    partial = reach.store / f"{digest}.{os.getpid()}.part"
    partial.write_bytes(data)
    partial.replace(reach.store / digest)


def _tree_digest(tree: SourceTree) -> str:
    """Hash every file's path and content; what is too large to be read counts by its size."""
    whole = hashlib.sha256()
    for path in tree.paths:
        size = tree.size(path)
        content = (
            hashlib.sha256(tree.read_bytes(path, limit=SINGLE_FILE_BYTES)).digest()
            if size <= FILE_BYTES
            else str(size).encode()
        )
        whole.update(f"{len(path)} {path} ".encode("utf-8", "surrogatepass") + content)
    return whole.hexdigest()
