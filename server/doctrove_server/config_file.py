"""The configuration file, read (this is an edge): one JSON object, each key in it once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec

from doctrove_server.errors import ConfigError

_BYTE = re.compile(r" \(byte (\d+)\)$")


def read_file(path: str) -> dict[str, object]:
    """Read a configuration file; raises `ConfigError`, with line and column of what is no JSON."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigError(f"configuration file {path}: cannot be read: {reason}") from None
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        read = msgspec.json.decode(data, type=dict[str, object])
        json.loads(data, object_pairs_hook=_refuse_twice)
    except _Twice as error:
        raise ConfigError(f"configuration file {path}: {error}") from None
    except (ValueError, RecursionError) as error:
        reason = _reason(data, error)
        raise ConfigError(f"configuration file {path}: is not a JSON object: {reason}") from None
    return read


class _Twice(Exception):
    """A key that stands twice in an object."""


def _refuse_twice(pairs: list[tuple[str, object]]) -> None:
    keys = [key for key, _ in pairs]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise _Twice(f'"{twice[:60]}" stands twice in one object. Keep one of them')


def _reason(data: bytes, error: Exception) -> str:
    """Say what is wrong, after line and column (of characters, both from 1) where it is one place.

    The standard library names the place and what it expects there; what it lets pass, such as NaN,
    is said as the strict reader has it.
    """
    try:
        json.loads(data.decode())
    except json.JSONDecodeError as found:
        return f"line {found.lineno}, column {found.colno}: {found.msg}"
    except UnicodeDecodeError as found:
        return f"{_place(data, found.start)}: this is not UTF-8"
    except (ValueError, RecursionError):
        return str(error)
    text = str(error)
    byte = _BYTE.search(text)
    return f"{_place(data, int(byte[1]))}: {text[: byte.start()]}" if byte else text


def _place(data: bytes, byte: int) -> str:
    before = data[:byte].decode("utf-8", "replace")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f"line {line}, column {column}"
