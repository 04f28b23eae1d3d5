"""Why a reader gave up on a file, in words for those who import it, and what they can do."""

from __future__ import annotations


def why_unread(error: Exception, *, reader: str) -> str:
    """Return what follows `it is not read:`; `reader` is the library that raised the error."""
    if isinstance(error, MemoryError | RecursionError):  # Python's own parser raises the first
        return "nested too deeply; split it where it is deepest"
    if isinstance(error, UnicodeError):
        return "it holds characters that are none; save it as UTF-8"
    if isinstance(error, ValueError) and "null byte" in str(error):
        return "it holds null bytes; save it as text"
    return f"{reader} fails on what it holds; the rest of the source is read"
