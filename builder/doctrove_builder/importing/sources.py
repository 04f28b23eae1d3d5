"""What a user may name as a source, and how it is opened: folder, archive, registry, address.

PATH                  a folder, an archive or a single file below the project's root
pypi:NAME==VERSION    an archive from PyPI
npm:NAME@VERSION      a tarball from npm
https://HOST/FILE     a file from a host that the configuration allows
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.importing.downloads import download, is_download
from doctrove_builder.importing.errors import SourceRefused
from doctrove_builder.importing.reach import Opened
from doctrove_builder.importing.source_archive import MAX_PACKED, is_archive, open_archive
from doctrove_builder.importing.source_folder import open_folder
from doctrove_builder.importing.source_tree import FILE_BYTES, MIB, SourceTree, tree_of

if TYPE_CHECKING:
    from doctrove_builder.importing.reach import Reach

SINGLE_FILE_BYTES = 100 * MIB
"""Of a source that is one file (an OpenAPI description, an index, `db.json`)."""


def open_source(source: str, reach: Reach) -> Opened:
    """Open a source; raises an `ImportingError` that says what is wrong with it."""
    if not is_download(source):
        return _local(source, reach)
    data, pin = download(source, reach)
    return Opened(tree=_tree(data, pin.name), digest=lambda: pin.sha256, pin=pin)


def local_place(source: str, reach: Reach) -> Path:
    """Return where a source lies on this disk; raises `SourceRefused` when it must not be there."""
    if "\0" in source:
        raise SourceRefused(f"{source!r} is not a path")
    path = Path(os.path.realpath(reach.base / source))
    inside = (Path(os.path.realpath(folder)) for folder in (reach.root, *reach.allowed))
    if not any(path.is_relative_to(folder) for folder in inside):
        raise SourceRefused(
            f"{source} lies outside {reach.root}",
            hint="name its folder with --allow-source",
        )
    return path


def _local(source: str, reach: Reach) -> Opened:
    path = local_place(source, reach)
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


def _tree(data: bytes, name: str) -> SourceTree:
    return open_archive(data, name=name) if is_archive(name) else tree_of({name: data}, name=name)


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
