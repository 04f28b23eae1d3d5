"""What the context memory gives back: texts, facts and gists for a query, and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.memory.store import Item, StoreStats
from doctrove_server.compression.shelf import ShownStats

if TYPE_CHECKING:
    from doctrove_server.compression.compressed import Compressed


class Recalled(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What is shown of one remembered text."""

    key: str
    source: str
    score: float
    level: str
    text: str
    tokens: int
    original_tokens: int
    ratio: float
    retention: float


class Retrieved(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the memory has for a query, within a budget."""

    temporal: tuple[Recalled, ...] = ()
    facts: tuple[str, ...] = ()
    gists: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    """Keys of texts that matched and are not shown, best first."""

    tokens: int = 0


class MemoryStats(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How much is remembered and how well it is compressed."""

    store: StoreStats
    retrievals: int
    shown: int
    """Texts shown in all retrievals."""

    mean_ratio: float
    """Of their tokens that were shown."""

    mean_retention: float
    hits: int
    misses: int
    """Of the cache of texts cut into units."""

    answers: ShownStats
    """What `doc_extract` showed under a budget."""

    summaries: int
    """Requests to a language model: its questions, and each further try of one."""

    summaries_failed: int
    """Questions that it gave no answer to."""

    estimated: bool
    """Whether tokens are bounded, not counted."""


def recalled(item: Item, made: Compressed, score: float) -> Recalled:
    """Return what is shown of a text."""
    return Recalled(
        key=item.key,
        source=item.source,
        score=score,
        level=made.level,
        text=made.text,
        tokens=made.tokens,
        original_tokens=made.original_tokens,
        ratio=made.ratio,
        retention=made.retention,
    )
