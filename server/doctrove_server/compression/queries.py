"""What a query asks for: its words as ranking terms, without those that say nothing."""

from __future__ import annotations

from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.ranking.words import ranking_terms, raw_words


def query_terms(query: str) -> frozenset[str]:
    """Return the ranking terms of a query; of one made of stop words alone, all of them."""
    words = raw_words(query)
    telling = [word for word in words if word.lower() not in STOP_WORDS]
    return frozenset(term for word in telling or words for term in ranking_terms(word))
