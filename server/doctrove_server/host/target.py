"""Request paths: from the bytes of a request line to names below the root, or a refusal."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from urllib.parse import unquote_to_bytes

import msgspec

MAX_PATH = 4096
"""Bytes of a path before decoding; a longer one names no file that could be there."""

WELL_KNOWN = ".well-known"
"""The one name with a leading dot that is served, at the root (RFC 8615)."""

_BAD_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """Where a request path leads, by its names."""

    parts: tuple[str, ...]
    """Decoded names below the root; none is empty, begins with a dot (but `.well-known`) or holds
    a slash or a backslash."""

    folder: bool
    """The path ended in a slash."""


class Fault(Enum):
    """Why a path leads nowhere."""

    MALFORMED = "malformed"
    ABSENT = "absent"


def split_target(url: bytes) -> tuple[bytes, bytes]:
    """Split the target of a request line into path and query; a fragment is dropped."""
    path, _, query = url.partition(b"#")[0].partition(b"?")
    return path, query


def origin_form(url: bytes) -> bytes:
    """Reduce an absolute-form target to its path and query (RFC 9112 section 3.2.2)."""
    scheme, found, rest = url.partition(b"://")
    if url.startswith(b"/") or not found or not scheme.isalnum():
        return url
    path = re.search(rb"[/?#]", rest)
    local = rest[path.start() :] if path else b"/"
    return local if local.startswith(b"/") else b"/" + local


@lru_cache(maxsize=2048)
def read_target(path: bytes) -> Target | Fault:
    """Decode a request path once, strictly; what could leave the root or is hidden is absent."""
    if len(path) > MAX_PATH:
        return Fault.ABSENT
    if not path.startswith(b"/") or _BAD_ESCAPE.search(path):
        return Fault.MALFORMED
    try:
        text = unquote_to_bytes(path).decode()
    except UnicodeDecodeError:
        return Fault.MALFORMED
    if _CONTROL.search(text):
        return Fault.MALFORMED
    *names, last = text.split("/")[1:]
    parts = (*names, last) if last else tuple(names)
    # An escaped slash would make one name out of two.
    if b"%2f" in path.lower() or not all(parts) or is_hidden(parts) or "\\" in text:
        return Fault.ABSENT
    return Target(parts=parts, folder=not last)


def is_hidden(parts: tuple[str, ...]) -> bool:
    """Tell whether a path has a name with a leading dot, `..` included; `.well-known` is none."""
    return any(
        name.startswith(".") and (place or name != WELL_KNOWN) for place, name in enumerate(parts)
    )
