"""What earlier builds wrote, remembered in the cache: from the key of a file to its content's hash.

A key is a digest of all that decides a file's bytes. A file of the published tree whose content has
the remembered hash need not be made again. The memory is never part of the tree, and losing it, or
finding it damaged, costs time and nothing else.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.writing.errors import disk_failed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FORMAT = "doctrove-memory@1"
MAX_BYTES = 256 * 1024 * 1024
_NAME = "written.msgpack"
_ROOM = 20_000
"""Keys of earlier builds that are always kept beside this one's, for other destinations."""


class _Stored(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    digests: dict[str, str]


def read_memory(cache: Path) -> Mapping[str, str]:
    """Return content hashes by key; empty when there is no memory, or a damaged one."""
    file = cache / _NAME
    try:
        if file.stat().st_size > MAX_BYTES:
            return {}
        stored = msgspec.msgpack.decode(file.read_bytes(), type=_Stored)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}
    return stored.digests if stored.format == FORMAT else {}


def write_memory(cache: Path, used: Mapping[str, str], *, earlier: Mapping[str, str]) -> None:
    """Store the keys of this build and, behind them, the newest of the earlier ones.

    The number kept is at most 20,000 or the size of this build, whichever is more, above this
    build's own. Replaces the file at once; raises `DiskFailed`.
    """
    room = max(_ROOM, len(used))
    digests = dict(used)
    for key, digest in earlier.items():
        if len(digests) >= len(used) + room:
            break
        digests.setdefault(key, digest)
    file = cache / _NAME
    draft = cache / f".{_NAME}.{secrets.token_hex(4)}"
    try:
        cache.mkdir(parents=True, exist_ok=True)
        try:
            draft.write_bytes(msgspec.msgpack.encode(_Stored(format=FORMAT, digests=digests)))
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise disk_failed(error, what="write", file=file) from error
