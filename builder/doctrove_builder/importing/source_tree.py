"""One read-only view of a source: a folder, an archive or a file; bounded, links refused."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Mapping
from typing import Protocol

import msgspec

from doctrove_builder.importing.errors import FileRefused

MIB = 1024 * 1024
FILE_BYTES = 8 * MIB
"""Of one file, unless a kind asks for more."""


class Opened(Protocol):
    """Where the bytes of a source's files come from."""

    def sizes(self) -> Mapping[str, int]:
        """Return the size of every file by its path, in path order."""
        ...

    def content(self, path: str, limit: int) -> bytes:
        """Return a file's bytes, at most one more than `limit`."""
        ...


class SourceTree:
    """The files of one source by their paths: relative, with `/`, never with `..`."""

    def __init__(
        self, opened: Opened, *, name: str, skipped: tuple[tuple[str, str], ...] = ()
    ) -> None:
        """Take an opened source; `name` is how its user wrote it.

        `skipped` are entries that are left out, each with why.
        """
        self._opened = opened
        self._sizes = opened.sizes()
        self.name = name
        self.skipped = skipped
        self.paths: tuple[str, ...] = tuple(sorted(self._sizes))

    def __contains__(self, path: str) -> bool:
        """Say whether there is a file of this path."""
        return path in self._sizes

    def under(self, folder: str) -> tuple[str, ...]:
        """Return the paths below a folder, in path order; `` is the whole tree."""
        if not folder:
            return self.paths
        start = bisect_left(self.paths, f"{folder}/")
        return self.paths[start : bisect_left(self.paths, f"{folder}0")]  # "0" follows "/"

    def size(self, path: str) -> int:
        """Return a file's size in bytes."""
        return self._sizes[self._known(path)]

    def read_bytes(self, path: str, *, limit: int = FILE_BYTES) -> bytes:
        """Return a file's bytes; raises `FileRefused` when it is not there or too large."""
        data = self._opened.content(self._known(path), limit)
        if len(data) > limit:
            raise FileRefused(f"{path} has more than {limit:,} bytes")
        return data

    def read_text(self, path: str, *, limit: int = FILE_BYTES) -> str:
        """Return a text: UTF-8 without a BOM, wrong bytes replaced, line ends LF."""
        text = self.read_bytes(path, limit=limit).decode("utf-8-sig", errors="replace")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _known(self, path: str) -> str:
        if path not in self._sizes:
            raise FileRefused(f"{path} is not in {self.name}")
        return path


class MemoryFiles(msgspec.Struct, frozen=True, kw_only=True):
    """Files that are held in memory: small archives, downloads, tests."""

    files: Mapping[str, bytes]

    def sizes(self) -> Mapping[str, int]:
        """Return the size of every file."""
        return {path: len(data) for path, data in self.files.items()}

    def content(self, path: str, limit: int) -> bytes:
        """Return a file's bytes, at most one more than `limit`."""
        return self.files[path][: limit + 1]


def tree_of(files: Mapping[str, bytes | str], *, name: str = "memory") -> SourceTree:
    """Return a tree of files in memory; texts are UTF-8."""
    held = {path: c.encode() if isinstance(c, str) else c for path, c in files.items()}
    return SourceTree(MemoryFiles(files=held), name=name)


def resolve_path(path: str, *, folder: str = "") -> str | None:
    """Resolve a relative path as written in a file of `folder`; None when it leaves the tree."""
    if path.startswith("/") or "\\" in path or "\0" in path:
        return None
    joined = posixpath.normpath(posixpath.join(folder, path))
    return None if joined == ".." or joined.startswith("../") else joined
