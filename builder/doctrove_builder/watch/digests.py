"""Hashes of files, for a process that asks for those of the same files again and again."""

from __future__ import annotations

import os
import time

from doctrove_builder.authoring.readings import SETTLED_NS
from doctrove_builder.writing.files import digest_file


class Digests:
    """The SHA-256 of files by name; a file that stands as it stood is not read again."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._known: dict[str, tuple[tuple[int, ...], str]] = {}

    def __call__(self, name: str) -> str:
        """Return the SHA-256 (hex) of a regular file's content."""
        status = os.stat(name)  # noqa: PTH116 - one call for each file
        stamp = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        known = self._known.get(name)
        if known and known[0] == stamp:
            return known[1]
        digest = digest_file(name)
        if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > SETTLED_NS:
            self._known[name] = (stamp, digest)
        return digest
