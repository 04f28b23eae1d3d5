"""Read and write single files; a link is never followed, and what exists is never written over.

Names are plain texts here: making ten thousand `Path` objects costs as much as the reading.
"""

from __future__ import annotations

import hashlib
import os

_CHUNK = 1 << 16
_BINARY = getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | _BINARY | _NO_LINK | getattr(os, "O_NONBLOCK", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY | _NO_LINK


def read_file(name: str) -> bytes:
    """Return the content of a regular file."""
    handle = os.open(name, _READ)
    try:
        chunks: list[bytes] = []
        while chunk := os.read(handle, _CHUNK):
            chunks.append(chunk)
    finally:
        os.close(handle)
    return b"".join(chunks)


def read_head(name: str, size: int) -> bytes:
    """Return the first bytes of a regular file, at most `size`."""
    handle = os.open(name, _READ)
    try:
        return os.read(handle, size)
    finally:
        os.close(handle)


def digest_file(name: str) -> str:
    """Return the SHA-256 (hex) of a regular file's content."""
    hasher = hashlib.sha256()
    handle = os.open(name, _READ)
    try:
        while chunk := os.read(handle, _CHUNK):
            hasher.update(chunk)
    finally:
        os.close(handle)
    return hasher.hexdigest()


def create_file(name: str, content: bytes) -> None:
    """Write a file that does not exist yet."""
    handle = os.open(name, _CREATE, 0o666)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


def copy_file(source: str, name: str) -> tuple[str, int]:
    """Copy a file to one that does not exist yet; return the copy's SHA-256 (hex) and bytes."""
    hasher, size = hashlib.sha256(), 0
    with open(source, "rb") as opened, open(name, "xb") as file:  # noqa: PTH123 - see above
        while chunk := opened.read(_CHUNK):
            file.write(chunk)
            hasher.update(chunk)
            size += len(chunk)
    return hasher.hexdigest(), size
