"""JSON from elsewhere, taken apart without trust: what is not of the form asked for is empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import msgspec


def decode_json(data: bytes) -> object:
    """Return a JSON document; None when it is none, or nested too deeply to be read."""
    try:
        return cast("object", msgspec.json.decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def is_object(value: object) -> bool:
    """Say whether a value is an object."""
    return isinstance(value, dict)


def as_mapping(value: object) -> Mapping[str, object]:
    """Return an object's members; none for another value."""
    if not isinstance(value, Mapping):
        return {}
    return {str(key): inner for key, inner in cast("Mapping[object, object]", value).items()}


def as_list(value: object) -> Sequence[object]:
    """Return a list's values; none for another value."""
    return cast("list[object]", value) if isinstance(value, list) else ()


def as_text(value: object) -> str:
    """Return a text without blanks at its ends; empty for another value."""
    return value.strip() if isinstance(value, str) else ""
