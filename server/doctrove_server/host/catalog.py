"""The catalogue of files: describes each file once and notices when it is another one.

What is kept is checked by stamps before every use: the folders on the way are still folders, the
file's own folder has gained and lost no names, the file is the same. A file or folder that changed
so lately that its stamp could stay the same through one more change is described but not kept.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import stat
import time
from collections import OrderedDict
from enum import Enum
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.host.description import FileFacts, Snapshot, describe
from doctrove_server.host.encodings import SUFFIXES
from doctrove_server.host.errors import FileChanged
from doctrove_server.host.files import (
    ABSENT,
    Stamp,
    has_stamp,
    list_names,
    open_below,
    path_of,
    read_all,
    read_at,
    stamp_of,
)

if TYPE_CHECKING:
    from doctrove_server.host.response import FileBody, Policy

SMALL = 1024 * 1024
"""Bytes up to which a file is read at once and kept in memory."""

MEMORY = 64 * 1024 * 1024
"""Bytes of file content that are kept."""

MOST_KEPT = 8192
"""Descriptions that are kept."""

MOST_LISTED = 5000
"""Names that a listing shows."""

SETTLED_NS = 2_000_000_000
"""Age of a change, in ns, from which on the next one must show: the coarsest clock of a file
system in use (FAT)."""

_CHUNK = 512 * 1024


class Folder(Enum):
    """The one value that says: a folder is there."""

    FOLDER = "folder"


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    facts: FileFacts
    path: str
    above: tuple[str, ...]
    """Folders between the root and the file's own folder."""

    folder: str
    folder_stamp: Stamp


class FileCatalog:
    """The files below one root by their names; the root may be absent, or exchanged at any time."""

    def __init__(
        self, root: str, *, policy: Policy, memory: int = MEMORY, settled_ns: int = SETTLED_NS
    ) -> None:
        self._root = root
        self._policy = policy
        self._memory = memory
        self._settled_ns = settled_ns
        self._used = 0
        self._kept: OrderedDict[tuple[tuple[str, ...], str], _Kept] = OrderedDict()
        self._digests: OrderedDict[Stamp, str] = OrderedDict()
        self._hashing = asyncio.Lock()

    async def find(self, parts: tuple[str, ...], *, coding: str = "") -> FileFacts | Folder | None:
        """Describe what is at a path; with `coding` the precompressed form beside it.

        Waits only where a large file is read for the first time. Raises OSError when the system
        cannot tell (out of descriptors, a broken disk).
        """
        key = (parts, coding)
        kept = self._kept.get(key)
        if kept is not None:
            if _is_current(kept):
                self._kept.move_to_end(key)
                return kept.facts
            self._forget(key)
        name = parts[-1] + SUFFIXES[coding] if coding else parts[-1]
        try:
            return await self._describe((*parts[:-1], name), coding, key=key)
        except OSError as error:
            if error.errno in ABSENT:
                return None
            raise

    def keeps(self, facts: FileFacts) -> bool:
        """Tell whether a description is kept that nothing but its own file and folder decides.

        That of a precompressed form is not: whether it is sent is decided by the file beside it.
        """
        kept = self._kept.get((facts.parts, ""))
        return kept is not None and kept.facts is facts

    def is_current(self, facts: FileFacts) -> bool:
        """Tell whether a description that `keeps` held to still describes what is there."""
        kept = self._kept.get((facts.parts, ""))
        return kept is not None and kept.facts is facts and _is_current(kept)

    def names(self, parts: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return the names to list in a folder, None when there is no such folder."""
        try:
            return list_names(self._root, parts, most=MOST_LISTED)
        except OSError as error:
            if error.errno in ABSENT:
                return None
            raise

    def open(self, body: FileBody) -> int:
        """Open the described file for reading; raises FileChanged when another one is there."""
        try:
            descriptor, _ = open_below(self._root, body.parts)
        except OSError as error:
            if error.errno in ABSENT:
                raise FileChanged from error
            raise
        if stamp_of(os.fstat(descriptor)) != body.stamp:
            os.close(descriptor)
            raise FileChanged
        return descriptor

    async def _describe(
        self, parts: tuple[str, ...], coding: str, *, key: tuple[tuple[str, ...], str]
    ) -> FileFacts | Folder | None:
        folder = path_of(self._root, parts[:-1])
        folder_stamp = stamp_of(os.stat(folder))  # noqa: PTH116 - paths are plain text here
        try:
            descriptor, linked = open_below(self._root, parts)
        except IsADirectoryError:
            return Folder.FOLDER
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return Folder.FOLDER if stat.S_ISDIR(status.st_mode) else None
            settled = self._is_settled(stamp_of(status)) and self._is_settled(folder_stamp)
            snapshot = await self._read(descriptor, parts)
        finally:
            os.close(descriptor)
        codings = () if coding else _codings(path_of(folder, parts[-1:]))
        facts = describe(snapshot, policy=self._policy, coding=coding, codings=codings)
        if settled and not linked:
            above = [path_of(self._root, parts[:end]) for end in range(1, len(parts) - 1)]
            self._keep(
                key,
                _Kept(
                    facts=facts,
                    path=path_of(folder, parts[-1:]),
                    above=tuple(above),
                    folder=folder,
                    folder_stamp=folder_stamp,
                ),
            )
        return facts

    async def _read(self, descriptor: int, parts: tuple[str, ...]) -> Snapshot:
        stamp = stamp_of(os.fstat(descriptor))
        content: bytes | None = None
        if stamp.size <= SMALL:
            content = read_all(descriptor, stamp.size)
            digest = hashlib.sha256(content).hexdigest()
        else:
            digest = await self._digest(descriptor, stamp)
        return Snapshot(
            parts=parts,
            stamp=stamp,
            size=stamp.size if content is None else len(content),
            digest=digest,
            content=content,
            seen=int(time.time()),
        )

    async def _digest(self, descriptor: int, stamp: Stamp) -> str:
        """Hash a large file piece by piece, one file at a time, letting others be served."""
        async with self._hashing:
            known = self._digests.get(stamp)
            if known is not None:
                return known
            settled = self._is_settled(stamp)
            digest, offset = hashlib.sha256(), 0
            while data := read_at(descriptor, min(_CHUNK, stamp.size - offset), offset):
                digest.update(data)
                offset += len(data)
                await asyncio.sleep(0)
            if settled:
                self._digests[stamp] = digest.hexdigest()
                if len(self._digests) > MOST_KEPT:
                    self._digests.popitem(last=False)
            return digest.hexdigest()

    def _is_settled(self, stamp: Stamp) -> bool:
        """Tell whether a change from now on must show in the stamp."""
        changed = stamp.ctime_ns if os.name == "posix" else max(stamp.mtime_ns, stamp.ctime_ns)
        return time.time_ns() - changed > self._settled_ns

    def _keep(self, key: tuple[tuple[str, ...], str], kept: _Kept) -> None:
        self._forget(key)
        self._kept[key] = kept
        self._used += len(kept.facts.content or b"")
        while self._used > self._memory or len(self._kept) > MOST_KEPT:
            self._forget(next(iter(self._kept)))

    def _forget(self, key: tuple[tuple[str, ...], str]) -> None:
        kept = self._kept.pop(key, None)
        if kept is not None:
            self._used -= len(kept.facts.content or b"")


def _is_current(kept: _Kept) -> bool:
    try:
        for path in kept.above:
            if not stat.S_ISDIR(os.lstat(path).st_mode):
                return False
        look = os.lstat if len(kept.facts.parts) > 1 else os.stat  # the root itself may be a link
        folder = look(kept.folder)
        return has_stamp(folder, kept.folder_stamp) and has_stamp(
            os.lstat(kept.path), kept.facts.stamp
        )
    except OSError:
        return False


def _codings(path: str) -> tuple[str, ...]:
    """Return the codings that a file is also there in."""
    return tuple(coding for coding, suffix in SUFFIXES.items() if os.path.lexists(path + suffix))
