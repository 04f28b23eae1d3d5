"""What was read of each text file, so that the next reading of a tree opens only what changed.

A file counts as unchanged when its size, times and number are those of the last reading and its
last change was not so short before that one that another could have the same time. One that was
written again with the same content gives the same document.
"""

from __future__ import annotations

import time
from hashlib import sha256
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring.decoding import decode
from doctrove_builder.model import Document
from doctrove_schema.problem import Problem

if TYPE_CHECKING:
    import os

SETTLED_NS = 2_000_000_000
"""Age of a change, in ns, from which on the next one has another time on every file system."""

Stamp = tuple[int, int, int, int, int]


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """One file as it was read."""

    stamp: Stamp | None
    """None: it had changed too lately to be known again by its times."""

    digest: bytes
    size: int
    document: Document
    problems: tuple[Problem, ...]


class Readings:
    """The last reading of every file, by its path in the tree."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._readings: dict[str, Reading] = {}

    def unchanged(self, path: str, status: os.stat_result) -> Reading | None:
        """Return the last reading of a file, if the file is as it was then."""
        known = self._readings.get(path)
        return known if known and known.stamp == _stamp(status) else None

    def read(self, data: bytes, *, path: str, status: os.stat_result) -> Reading:
        """Decode a file's bytes, unless they are those of the last time, and keep the result.

        `status` is from before the bytes were read.
        """
        digest = sha256(data).digest()
        known = self._readings.get(path)
        if known and known.digest == digest:
            document, problems = known.document, known.problems
        else:
            document, problems = decode(data, path=path)
        settled = time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > SETTLED_NS
        reading = Reading(
            stamp=_stamp(status) if settled else None,
            digest=digest,
            size=len(data),
            document=document,
            problems=tuple(problems),
        )
        self._readings[path] = reading
        return reading

    def keep_only(self, paths: set[str]) -> None:
        """Forget all other files."""
        for path in self._readings.keys() - paths:
            del self._readings[path]


def _stamp(status: os.stat_result) -> Stamp:
    return (
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        status.st_ino,
        status.st_dev,
    )
