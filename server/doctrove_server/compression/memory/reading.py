"""How a remembered text is read: whole, at a level, in parts where it is too long for an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.compressed import Compressed, untouched
from doctrove_server.compression.memory.excerpts import parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_server.compression.memory.memory import Memory
    from doctrove_server.compression.memory.store import Item

WHOLE = "whole"


def parts_of(item: Item, most_tokens: int, count: Callable[[str], int]) -> list[str]:
    """Return a text in the parts that a ceiling leaves room for; 0 is none."""
    if not _above(item, most_tokens):
        return [item.text]
    return parts(item.text, _room(most_tokens), count)


def part_shown(
    item: Item, cut: Sequence[str], number: int, count: Callable[[str], int]
) -> Compressed:
    """Return one of the parts, from 1; what it keeps is its share of the text."""
    text = cut[number - 1]
    tokens = count(text)
    return Compressed(
        ref=item.key,
        level=f"part {number} of {len(cut)}",
        text=text,
        tokens=tokens,
        original_tokens=item.tokens,
        ratio=round(min(1.0, tokens / max(1, item.tokens)), 4),
        retention=round(len(text) / len(item.text), 4),
    )


def shown_of(memory: Memory, item: Item, level: int, most_tokens: int) -> Compressed:
    """Return a text, whole or at a level; above the ceiling at the first level that fits.

    Where no level does, its first part.
    """
    whole = untouched(item.text, ref=item.key, tokens=item.tokens)
    if not level and not _above(item, most_tokens):
        return msgspec.structs.replace(whole, level=WHOLE)
    made = memory.level(item, level) if level else None
    if made is not None and made.text and not _above(made, most_tokens):
        return made
    for made in memory.levels(item):
        if made.text and not _above(made, most_tokens):
            return made
    if _above(item, most_tokens):
        cut = parts_of(item, most_tokens, memory.shelf.counts.count)
        return part_shown(item, cut, 1, memory.shelf.counts.count)
    return msgspec.structs.replace(whole, level=WHOLE)


def _above(shown: Item | Compressed, most_tokens: int) -> bool:
    return bool(most_tokens) and shown.tokens > _room(most_tokens)


def _room(most_tokens: int) -> int:
    """Return the tokens that a text may have; a tenth is for what stands around."""
    return most_tokens * 9 // 10
