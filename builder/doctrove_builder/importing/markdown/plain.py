"""Data from files of others, taken by its type: what is none of a type is empty."""

from __future__ import annotations

from typing import cast


def mapping_of(value: object) -> dict[str, object]:
    """Return a mapping with its keys as text; empty for anything else."""
    if not isinstance(value, dict):
        return {}
    return {str(key): item for key, item in cast("dict[object, object]", value).items()}


def list_of(value: object) -> list[object]:
    """Return a list or tuple as a list; empty for anything else."""
    return list(cast("list[object]", value)) if isinstance(value, list | tuple) else []


def texts_of(value: object) -> list[str]:
    """Return the texts of a list, or the one that stands in its place."""
    items = [value] if isinstance(value, str) else list_of(value)
    return [item for item in items if isinstance(item, str)]


def text_of(value: object) -> str:
    """Return a text; empty for anything else."""
    return value if isinstance(value, str) else ""


def number_of(value: object) -> float | None:
    """Return a number; None for anything else, true and false included."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
