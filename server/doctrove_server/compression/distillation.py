"""Context distillation: to a number of tokens, by importance, and by level.

The seed's three ways, extractive here: what is left stands in the original, word for word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.compressed import (
    RATIOS,
    SMALLEST,
    Compressed,
    Level,
    compressed,
    untouched,
)
from doctrove_server.compression.extractive import extract
from doctrove_server.compression.rendering import render

if TYPE_CHECKING:
    from doctrove_server.compression.concepts import Analysis
    from doctrove_server.compression.shelf import Shelf


def lossy(text: str, level: Level, *, shelf: Shelf, ref: str = "") -> Compressed:
    """Compress by level: at most 0.7, 0.4 or 0.2 of the tokens."""
    prepared = shelf.prepared(text)
    if level == "none" or prepared.tokens < SMALLEST:
        return untouched(text, ref=ref, tokens=prepared.tokens)
    budget = int(prepared.tokens * RATIOS[level])
    return summarised(text, budget, level=level, shelf=shelf, ref=ref)


def progressive(
    text: str, target_tokens: int, *, shelf: Shelf, iterations: int = 3, ref: str = ""
) -> Compressed:
    """Compress to at most `target_tokens` in steps of equal ratio, each from the one before."""
    original = shelf.prepared(text)
    current, tokens = text, original.tokens
    for step in range(iterations):
        if tokens <= target_tokens:
            break
        ratio = (target_tokens / tokens) ** (1 / (iterations - step))
        is_last = step == iterations - 1
        budget = target_tokens if is_last else max(target_tokens, int(tokens * ratio))
        made = summarised(current, budget, level="progressive", shelf=shelf, ref=ref)
        current, tokens = made.text, made.tokens
    if current is text:
        return untouched(text, ref=ref, tokens=tokens)
    return compressed(
        current,
        of=original.analysis,
        ref=ref,
        level="progressive",
        tokens=tokens,
        original_tokens=original.tokens,
    )


def selective(text: str, *, shelf: Shelf, threshold: float = 0.7, ref: str = "") -> Compressed:
    """Keep the units whose importance is at least `threshold`, 0 to 1, in their order."""
    prepared = shelf.prepared(text)
    if prepared.tokens < SMALLEST:
        return untouched(text, ref=ref, tokens=prepared.tokens)
    scores = importances(prepared.analysis)
    kept = [place for place, score in enumerate(scores) if score >= threshold]
    shown = render(prepared.analysis.units, kept)
    return compressed(
        shown,
        of=prepared.analysis,
        ref=ref,
        level="selective",
        tokens=shelf.counts.count(shown),
        original_tokens=prepared.tokens,
    )


def importances(analysis: Analysis) -> tuple[float, ...]:
    """Return the importance of each unit, 0 to 1: the share of units that say less; headings 0."""
    worth = [
        -1.0 if unit.kind == "heading" else own * factor
        for unit, own, factor in zip(analysis.units, analysis.worth, analysis.factors, strict=True)
    ]
    ordered = sorted(score for score in worth if score >= 0)
    last = max(1, len(ordered) - 1)
    ranks = {score: rank / last for rank, score in enumerate(ordered)}
    return tuple(1.0 if len(ordered) == 1 and s >= 0 else ranks.get(s, 0.0) for s in worth)


def summarised(text: str, budget: int, *, level: str, shelf: Shelf, ref: str = "") -> Compressed:
    """Return an extractive summary of at most `budget` tokens."""
    prepared = shelf.prepared(text)
    if prepared.tokens <= budget:
        return untouched(text, ref=ref, tokens=prepared.tokens)
    choice = extract(
        prepared.analysis, budget=budget, count=shelf.counts.count, costs=prepared.costs
    )
    return compressed(
        choice.text,
        of=prepared.analysis,
        ref=ref,
        level=level,
        tokens=choice.tokens,
        original_tokens=prepared.tokens,
    )
