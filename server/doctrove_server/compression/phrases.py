"""Phrases that say what is in the sentences left out: a name or a value with the words around it.

A phrase never hides a denial or a condition: a clause with one is shown whole or not at all.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from doctrove_server.compression.identifiers import literals, names_in_prose
from doctrove_server.compression.trimming import brief

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SPAN = re.compile(r"`[^`\n]+`")
_CLAUSE = re.compile(r"(?:[,;:!?\u3001\u3002]|\.(?=\s|$)| [-\u2013\u2014](?= ))\s?|[()\[\]|]")
_QUALIFIED = re.compile(
    r"n't\b|\b(?:not|never|no|none|cannot|without|unless|except|only|if|until|instead)\b",
    re.IGNORECASE,
)
_HELD = re.compile(r"\x00(\d{1,4})\x00")
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|while|before|after|once|except|without|where|whether"
    r"|although|instead|rather|unlike)\b",
    re.IGNORECASE,
)
_LEADS_LIST = "a an the it is are this that these those there also just and or"
_LEADS = frozenset(_LEADS_LIST.split())
_LONGEST = 12
"""Words of a phrase."""


def phrase_of(text: str, *, said: str) -> str:
    """Return the phrase that tells most of a sentence beyond what is `said`, or nothing."""
    best, most = "", 0
    for words, things in _clauses(text):
        new = [place for place, thing in things if thing not in said]
        if len(new) > most and (phrase := _told_of(words, new, text)):
            best, most = phrase, len(new)
    return best


@lru_cache(maxsize=1 << 12)
def _clauses(text: str) -> tuple[tuple[tuple[str, ...], tuple[tuple[int, str], ...]], ...]:
    """Return the clauses that name something: their words, and the place of each name and value."""
    spans: list[str] = []

    def put_aside(span: re.Match[str]) -> str:
        spans.append(span[0])
        return f"\x00{len(spans) - 1}\x00"

    found: list[tuple[tuple[str, ...], tuple[tuple[int, str], ...]]] = []
    for clause in _CLAUSE.split(_SPAN.sub(put_aside, text.replace("\x00", ""))):
        words = tuple(_HELD.sub(lambda held: spans[int(held[1])], w) for w in clause.split())
        things = tuple((place, thing) for place, word in enumerate(words) for thing in _told(word))
        if things:
            found.append((words, things))
    return tuple(found)


def _told(word: str) -> Iterator[str]:
    """Yield the names, spans and values of a word."""
    yield from names_in_prose(word)
    yield from _SPAN.findall(word)
    yield from literals(word)


def _told_of(words: Sequence[str], new: Sequence[int], text: str) -> str:
    """Return a clause from its subject to its end, or of a long one the names alone.

    What holds on a condition that stands in another clause is told by its names, too.
    """
    clause = " ".join(words)
    first = next((at for at, word in enumerate(words) if word.lower() not in _LEADS), 0)
    elsewhere = len(_CONDITION.findall(_SPAN.sub("", text))) > len(
        _CONDITION.findall(_SPAN.sub("", clause))
    )
    if len(words) - first > _LONGEST or elsewhere:
        spans = [words[place] for place in new if words[place].startswith("`")]
        return "" if _QUALIFIED.search(clause) else ", ".join(dict.fromkeys(spans))
    return brief(" ".join(words[first:]).rstrip("."))
