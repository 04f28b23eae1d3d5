"""The words of claims and sentences in a form that they can be compared in."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from doctrove_server.compression.opposites import plainly, pole, verbs
from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_server.compression.claims import Claim

_NEUTRAL_LIST = """
option parameter argument setting default set use call specify mean give provide have make version
instead replace own following listed documented named called
"""
_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")


def plain_words(claim: Claim) -> frozenset[str]:
    """Return the telling words of a claim, without neutral ones and verbs that are compared."""
    return claim.words - silent()


@lru_cache(maxsize=1)
def silent() -> frozenset[str]:
    """Return words that say nothing by themselves, and verbs that are compared as such."""
    return frozenset(key(word) for word in (*_NEUTRAL_LIST.split(), *verbs()))


def keys_of(claim: Claim) -> Iterator[str]:
    """Yield what a claim says: stems, names, values, and opposites as `axis=end`."""
    for word in claim.order:
        if word.lower() not in STOP_WORDS or word in claim.things:
            yield key(word)
    for axis, end in claim.poles:
        yield f"{axis}={end}"


@lru_cache(maxsize=2_048)
def keys_in(text: str) -> frozenset[str]:
    """Return the same of a text, with the parts of names and every word as it is written."""
    plain = plainly(text)
    words = raw_words(plain)
    known = {term for word in words for term in ranking_terms(word)}
    found = filter(None, (pole(word.lower()) for word in _WORD.findall(plain)))
    return frozenset(known | {f"{axis}={end}" for axis, end in found} | set(map(str.lower, words)))


@lru_cache(maxsize=8_192)
def terms_of(word: str) -> tuple[str, ...]:
    """Return the stems of the parts of a word."""
    return tuple(term for part in raw_words(word) for term in ranking_terms(part)[:1])


@lru_cache(maxsize=8_192)
def key(word: str) -> str:
    """Return the stem of a word, or what is no word in lower case."""
    return ranking_terms(word)[0] if word.isalpha() else word.lower()
