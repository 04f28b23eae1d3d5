"""Phrases that say what is in the sentences left out: a name or a value with the words around it.

A phrase never hides a denial or a condition: a clause with one is shown whole or not at all.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from doctrove_server.compression.denials import denies, is_denied
from doctrove_server.compression.identifiers import literals, names_in_prose
from doctrove_server.compression.markdown_text import spans_aside
from doctrove_server.compression.trimming import brief

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SPAN = re.compile(r"`[^`\n]+`")
_CLAUSE = re.compile(r"(?:[,;:!?\u3001\u3002]|\.(?=\s|$)| [-\u2013\u2014](?= ))\s?|[()\[\]|]")
_ON_CONDITION = re.compile(r"\b(?:if|until)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.;!?\u3002](?:\s|$)|\n")
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
    for clause in _clauses(text):
        new = [place for place, thing in clause.things if thing not in said]
        if len(new) > most and (phrase := _told_of(clause, new, text)):
            best, most = phrase, len(new)
    return best


class _Clause(NamedTuple):
    words: tuple[str, ...]
    things: tuple[tuple[int, str], ...]
    """The names and values in it, each with the place of its word."""

    is_denied: bool
    """Whether a denial before it in the sentence may mean it, too."""


@lru_cache(maxsize=1 << 12)
def _clauses(text: str) -> tuple[_Clause, ...]:
    """Return the clauses that name something."""
    found: list[_Clause] = []
    hidden, whole = spans_aside(text, _SPAN)
    signs = [*_CLAUSE.finditer(hidden)]
    starts = [0, *(sign.end() for sign in signs)]
    ends = [*(sign.start() for sign in signs), len(hidden)]
    for start, end in zip(starts, ends, strict=True):
        clause = hidden[start:end]
        words = tuple(map(whole, clause.split()))
        things = tuple((place, thing) for place, word in enumerate(words) for thing in _told(word))
        if things:
            before = _SENTENCE_END.split(hidden[:start])[-1]
            found.append(_Clause(words, things, is_denied(before)))
    return tuple(found)


def _told(word: str) -> Iterator[str]:
    """Yield the names, spans and values of a word."""
    yield from names_in_prose(word)
    yield from _SPAN.findall(word)
    yield from literals(word)


def _told_of(told: _Clause, new: Sequence[int], text: str) -> str:
    """Return a clause from its subject to its end, or of a long one the names alone.

    What holds on a condition that stands in another clause, or may be denied there, is told by its
    names, too.
    """
    words = told.words
    clause = " ".join(words)
    first = next((at for at, word in enumerate(words) if word.lower() not in _LEADS), 0)
    elsewhere = len(_CONDITION.findall(_SPAN.sub("", text))) > len(
        _CONDITION.findall(_SPAN.sub("", clause))
    )
    if len(words) - first > _LONGEST or elsewhere or told.is_denied:
        spans = [words[place] for place in new if words[place].startswith("`")]
        qualified = _ON_CONDITION.search(clause) or any(map(denies, words))
        return "" if qualified else ", ".join(dict.fromkeys(spans))
    return brief(" ".join(words[first:]).rstrip("."))
