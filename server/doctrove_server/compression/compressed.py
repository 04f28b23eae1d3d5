"""A shorter text that knows what it was made from, by how much it is shorter, and what it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from doctrove_server.compression.retention import retention

if TYPE_CHECKING:
    from doctrove_server.compression.concepts import Analysis

Level = Literal["none", "low", "medium", "high"]
LEVELS: tuple[Level, ...] = ("none", "low", "medium", "high")
RATIOS: dict[Level, float] = {"none": 1.0, "low": 0.7, "medium": 0.4, "high": 0.2}
"""Share of the tokens that each level keeps at most (seed: "Lossy Compression")."""

SMALLEST = 60
"""Tokens below which nothing is compressed: there is nothing to win and much to lose."""


class Compressed(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A text in fewer tokens."""

    ref: str
    """Where the original is: a section's address or id, a key of the memory, a hash."""

    level: str
    """What was done: `none`, `low`, `medium`, `high`, `level-1`, `units`, `facts`, `gist`..."""

    text: str
    tokens: int
    original_tokens: int
    ratio: float
    """Tokens of the original that are left, 0 to 1."""

    retention: float
    """Share of names, literals and facts that are left, 0 to 1."""


def compressed(  # noqa: PLR0913 - the fields of the result
    text: str, *, of: Analysis, ref: str, level: str, tokens: int, original_tokens: int
) -> Compressed:
    """Describe a text that was made from an original."""
    return Compressed(
        ref=ref,
        level=level,
        text=text,
        tokens=tokens,
        original_tokens=original_tokens,
        ratio=round(tokens / original_tokens, 4) if original_tokens else 1.0,
        retention=retention(of, text),
    )


def untouched(text: str, *, ref: str, tokens: int) -> Compressed:
    """Describe an original as it is."""
    return Compressed(
        ref=ref,
        level="none",
        text=text,
        tokens=tokens,
        original_tokens=tokens,
        ratio=1.0,
        retention=1.0,
    )
