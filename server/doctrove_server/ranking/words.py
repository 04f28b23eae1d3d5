"""Words: how queries, names and texts are cut for the scores, and the finer terms for ties.

The scores count words as the seed says: by word where a script has spaces, by character where it
has none. Ranking terms also know the parts of identifiers and a word's stem.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from doctrove_server.ranking.stems import stem

# Scripts written without spaces between words, and Hangul: each character is a word.
_CJK = (
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
    "\U00020000-\U0003134f"
)
# Combining marks stay in their word; `\w` leaves them out (UAX 29, rule WB4).
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0971-\u0dff\u0e31-\u0e4e\u0eb1-\u0ece\u0f18-\u0fbc\u102b-\u109d\u135d-\u135f"
    "\u17b4-\u17d3\u1a17-\u1a7f\u1ab0-\u1aff\u1b00-\u1baa\u1dc0-\u1dff\u20d0-\u20ff"
)
_WORD = re.compile(f"[{_CJK}]|(?:[^\\W_{_CJK}]|[{_MARKS}])+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_IDEOGRAPH = re.compile(f"[{_CJK}]")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+|[^\Wa-zA-Z0-9_]+")


def folded(text: str) -> str:
    """Return a text so that two which differ by letter case or Unicode form alone are equal."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def words(text: str) -> tuple[str, ...]:
    """Return the distinct words of a text, folded, in order of appearance."""
    return tuple(dict.fromkeys(_WORD.findall(folded(text))))


def raw_words(text: str) -> list[str]:
    """Return every word of a text in its own letter case, so that `ranking_terms` can cut it."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    return _WORD.findall(unicodedata.normalize("NFKC", text))


@lru_cache(maxsize=1 << 16)
def ranking_terms(word: str) -> tuple[str, ...]:
    """Return the terms that a word is found by: its stem and, of `setLogging`, those of its parts.

    At most 16 parts are cut, so that a long random text costs no more than a word.
    """
    whole = stem(folded(word))
    parts = _PART.findall(word)
    if len(parts) < 2:
        return (whole,)
    return tuple(dict.fromkeys((whole, *(stem(folded(part)) for part in parts[:16]))))


def ends_word(text: str, at: int) -> bool:
    """Tell whether a word ends before position `at` of a text: `at` is its end, or no letter."""
    if at >= len(text):
        return True
    return not text[at].isalnum() or _IDEOGRAPH.match(text, at) is not None
