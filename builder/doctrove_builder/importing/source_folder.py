"""A folder on disk as a source: regular files below it, links left out, bounded."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.importing.errors import SourceRefused
from doctrove_builder.importing.source_tree import SourceTree

if TYPE_CHECKING:
    from collections.abc import Iterator

SKIPPED = frozenset(
    {
        *(".doctrove", ".git", ".hg", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".svn"),
        *(".tox", ".venv", "__pycache__", "bower_components", "node_modules", "venv"),
    }
)
"""Folders that hold no documentation of the project they are in."""

MAX_FILES = 200_000
MAX_DEPTH = 40


class FolderFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The regular files below a folder."""

    root: Path
    found: Mapping[str, int]

    def sizes(self) -> Mapping[str, int]:
        """Return the size of every file."""
        return self.found

    def content(self, path: str, limit: int) -> bytes:
        """Return a file's bytes, at most one more than `limit`; follows no link."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            descriptor = os.open(self.root / path, flags | getattr(os, "O_BINARY", 0))
            with open(descriptor, "rb") as file:  # noqa: PTH123 - opened with flags
                return file.read(limit + 1)
        except OSError as error:
            raise SourceRefused(f"{path} cannot be read: {error.strerror}") from error


def open_folder(folder: Path, *, name: str = "") -> SourceTree:
    """Open a folder; raises `SourceRefused` when it cannot be listed or is too large."""
    root = Path(os.path.realpath(folder))
    found: dict[str, int] = {}
    skipped: list[tuple[str, str]] = []
    try:
        for path, size in _files(root, "", 0, skipped):
            found[path] = size
            if len(found) > MAX_FILES:
                raise SourceRefused(
                    f"{folder} holds more than {MAX_FILES:,} files",
                    hint="name the folder of the documentation alone",
                )
    except OSError as error:
        reason = error.strerror if error.errno != errno.ENOTDIR else "it is not a folder"
        raise SourceRefused(f"{folder} cannot be read: {reason}") from error
    opened = FolderFiles(root=root, found=found)
    return SourceTree(opened, name=name or str(folder), skipped=tuple(skipped))


def _files(
    folder: Path, path: str, depth: int, skipped: list[tuple[str, str]]
) -> Iterator[tuple[str, int]]:
    if depth > MAX_DEPTH:
        skipped.append((path, f"folders are nested more than {MAX_DEPTH} deep"))
        return
    with os.scandir(folder) as entries:
        listed = sorted(entries, key=lambda entry: entry.name)
    for entry in listed:
        inside = f"{path}/{entry.name}" if path else entry.name
        if not entry.name.isprintable():
            skipped.append((ascii(inside)[1:-1], "the name holds bytes that are no text"))
        elif entry.is_symlink():
            skipped.append((inside, "it is a link; links are not followed"))
        elif entry.is_dir():
            if entry.name not in SKIPPED:
                yield from _files(Path(entry.path), inside, depth + 1, skipped)
        elif stat.S_ISREG((status := entry.stat()).st_mode):
            yield inside, status.st_size
        else:
            skipped.append((inside, "it is a pipe, a socket or a device"))
