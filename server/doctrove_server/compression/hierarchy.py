"""Hierarchical summaries: each level a share of the tokens of the one above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.compressed import SMALLEST, Compressed, compressed
from doctrove_server.compression.selection import choose

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.shelf import Shelf

RATIOS = (0.5, 0.4, 0.25)
"""Of the previous level (seed: "Hierarchical Summarization")."""


def hierarchy(
    text: str, *, shelf: Shelf, levels: int = 3, ratios: Sequence[float] = RATIOS, ref: str = ""
) -> tuple[Compressed, ...]:
    """Return the levels below the original, the longest first; none of a text under `SMALLEST`.

    A level that nothing fits into is empty, and so are those below it.
    """
    original = shelf.prepared(text)
    if original.tokens < SMALLEST:
        return ()
    made: list[Compressed] = []
    current, tokens = text, original.tokens
    for number, ratio in enumerate(ratios[:levels], start=1):
        above = shelf.prepared(current)
        choice = choose(
            above.analysis,
            budget=int(tokens * ratio),
            count=shelf.counts.count,
            costs=above.costs,
        )
        current, tokens = choice.text, choice.tokens
        made.append(
            compressed(
                current,
                of=original.analysis,
                ref=ref,
                level=f"level-{number}",
                tokens=tokens,
                original_tokens=original.tokens,
            )
        )
    return tuple(made)
