"""The levels of a remembered text: shorter forms of it, by the method that the block sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.abstractive import abstractive
from doctrove_server.compression.compressed import SMALLEST, Compressed
from doctrove_server.compression.distillation import summarised
from doctrove_server.compression.hierarchy import hierarchy

if TYPE_CHECKING:
    from doctrove_server.compression.abstractive import Summaries
    from doctrove_server.compression.completing import Completer
    from doctrove_server.compression.memory.store import Item
    from doctrove_server.compression.settings import Summarization
    from doctrove_server.compression.shelf import Shelf


def extractive_levels(
    item: Item, settings: Summarization, *, shelf: Shelf
) -> tuple[Compressed, ...]:
    """Return all levels, the longest first; with `hierarchical` each is made of the one above."""
    if item.tokens < SMALLEST:
        return ()
    ratios = settings.compression_ratios[: settings.levels]
    if settings.method == "hierarchical":
        return hierarchy(item.text, shelf=shelf, levels=len(ratios), ratios=ratios, ref=item.key)
    return tuple(
        summarised(
            item.text,
            _budget(item, number, settings),
            level=f"level-{number}",
            shelf=shelf,
            ref=item.key,
        )
        for number in range(1, len(ratios) + 1)
    )


def abstractive_level(  # noqa: PLR0913 - what one level is made of, each named
    item: Item,
    number: int,
    settings: Summarization,
    *,
    shelf: Shelf,
    completer: Completer | None,
    kept: Summaries,
) -> Compressed | None:
    """Return one level as a model writes it, else in the text's own words; None of a small text."""
    if item.tokens < SMALLEST:
        return None
    number = min(number, settings.levels)
    made = abstractive(
        item.text,
        _budget(item, number, settings),
        completer=completer,
        shelf=shelf,
        ref=item.key,
        kept=kept,
    ).summary
    way = "abstractive" if made.level == "abstractive" else "extractive"
    return msgspec.structs.replace(made, level=f"level-{number}, {way}")


def of_the_whole(made: Compressed, part: Item, item: Item) -> Compressed:
    """Describe what was made of a part of a text against all of it; the rest counts as lost."""
    if part.tokens >= item.tokens:
        return made
    return msgspec.structs.replace(
        made,
        original_tokens=item.tokens,
        ratio=round(made.tokens / item.tokens, 4),
        retention=round(made.retention * part.tokens / item.tokens, 4),
    )


def _budget(item: Item, number: int, settings: Summarization) -> int:
    """Return the tokens of a level: each ratio is of the level above."""
    tokens = float(item.tokens)
    for ratio in settings.compression_ratios[:number]:
        tokens *= ratio
    return int(tokens)
