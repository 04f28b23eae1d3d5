"""Summaries that came with an index: used when they pass the checks here too, else not at all.

An index may come from anywhere and be edited by anyone, so that it was checked once proves nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from doctrove_server.compression.abstractive import LONGEST, MOST_DRIFT
from doctrove_server.compression.checking import faults
from doctrove_server.compression.embedding import LexicalEmbedder, drift

if TYPE_CHECKING:
    from doctrove_server.compression.shelf import Shelf

MOST_OF_BODY, LONGEST_SUMMARY = 0.5, 12_000
"""Share of a body's characters, and characters, above which a text is no summary."""


def stored_summary(body: str, summary: str, room: int, shelf: Shelf) -> tuple[str, int] | None:
    """Return a section's stored summary and its tokens, at most `room`; None where it cannot serve.

    What it leaves out is no fault here: that was weighed when it was made.
    """
    if not summary or len(body) > LONGEST:
        return None
    if len(summary) > min(LONGEST_SUMMARY, MOST_OF_BODY * len(body)):
        return None
    tokens = shelf.counts.count(summary)
    return (summary, tokens) if tokens <= room and _holds(body, summary, shelf) else None


@lru_cache(maxsize=64)
def _holds(body: str, summary: str, shelf: Shelf) -> bool:
    """Tell whether a summary says what its body says; one answer asks for the same ones often."""
    if summary.count("```") % 2 or drift(body, summary, embedder=LexicalEmbedder()) > MOST_DRIFT:
        return False
    return not faults(summary, shelf.prepared(body).analysis, expected="")
