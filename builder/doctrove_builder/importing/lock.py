"""doctrove.lock: for each download that `imports:` names, the very file that is meant.

It is written by `doctrove-import` and required by `doctrove-build`, so that the same tree builds to
the same bytes on every machine, and without a network once the downloads are kept.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Literal

import msgspec

from doctrove_builder.importing.errors import LockRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

FILE_NAME = "doctrove.lock"
FORMAT = "doctrove-lock@1"
MAX_BYTES = 16 * 1024 * 1024

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Pin(msgspec.Struct, frozen=True, kw_only=True):
    """One download, pinned."""

    source: str
    """As it is written in doctrove.yaml."""

    url: str
    name: str
    """File name, which says how the file is read."""

    sha256: str
    bytes: int
    license: str = ""


class _Lock(msgspec.Struct, frozen=True, kw_only=True):
    format: Literal["doctrove-lock@1"]
    imports: tuple[Pin, ...] = ()


def read_lock(file: Path) -> dict[str, Pin]:
    """Return the pins by source; none when there is no lock. Raises `LockRefused` when damaged."""
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise LockRefused(f"{file} cannot be read: {error.strerror}") from error
    return parse_lock(data, name=str(file))


def parse_lock(data: bytes, *, name: str) -> dict[str, Pin]:
    """Return the pins by source; raises `LockRefused` for a lock that is damaged."""
    if len(data) > MAX_BYTES:
        raise LockRefused(f"{name} has more than {MAX_BYTES:,} bytes")
    try:
        lock = msgspec.json.decode(data, type=_Lock)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LockRefused(
            f"{name} is not a lock: {error}",
            hint="delete it and write it anew with: doctrove-import --update AUTHORING",
        ) from error
    for pin in lock.imports:
        if not is_sha256(pin.sha256):
            raise LockRefused(f"{name} pins {pin.source} by {pin.sha256[:80]!r}, no SHA-256")
    return {pin.source: pin for pin in lock.imports}


def write_lock(file: Path, data: bytes) -> None:
    """Write a lock as a whole; raises `LockRefused` when the disk refuses."""
    partial = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(data)
        partial.replace(file)
    except OSError as error:
        raise LockRefused(f"{file} cannot be written: {error.strerror}") from error


def is_sha256(text: str) -> bool:
    """Say whether a text is a SHA-256 in lower-case hexadecimal digits."""
    return _SHA256.fullmatch(text) is not None


def lock_bytes(pins: Mapping[str, Pin], *, kept: Iterable[str]) -> bytes:
    """Write the pins of the sources in `kept`, ordered, one key a line for readable changes."""
    chosen = tuple(pins[source] for source in sorted(set(kept)) if source in pins)
    lock = _Lock(format="doctrove-lock@1", imports=chosen)
    return msgspec.json.format(msgspec.json.encode(lock), indent=2) + b"\n"
