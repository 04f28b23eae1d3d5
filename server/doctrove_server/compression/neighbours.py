"""Whether names, values and words of a claim stand beside each other as in one of an original.

A sentence that says two things of two names has all words that exchange them.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.claims import claims
from doctrove_server.compression.keys import key, plain_words
from doctrove_server.compression.quantities import Quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.claims import Claim

_CONNECTIVES = frozenset(
    ("to", "into", "from", "with", "over", "than", "of", "after", "before", "as", "in", "on")
)
_SPAN = re.compile(r"(`+).+?\1")
_APART = re.compile(r"[;:,()\u2014]|\b(?:and|or|but|while|whereas|nor)\b", re.IGNORECASE)


class _Fragment(msgspec.Struct, frozen=True):
    """What stands between two commas, brackets or conjunctions."""

    things: frozenset[str]
    values: tuple[Quantity, ...]
    words: frozenset[str]
    order: tuple[str, ...]


def scattered(claim: Claim, own: Claim) -> str:
    """A name, or without one a value, must stand with the words that the original has beside it."""
    things, words = frozenset(claim.things), plain_words(claim)
    parts = _fragments(own.text)
    if things:
        with_things = [part for part in parts if things <= part.things]
        if with_things and all(_strays(words, part, parts, things) for part in with_things):
            return "the original says that of something else"
        return ""
    for piece in _fragments(claim.text):
        for value in piece.values if not piece.things and piece.words & words else ():
            holding = [part for part in parts if any(value.same(v, ()) for v in part.values)]
            if holding and not any(piece.words & part.words for part in holding):
                return "the original says that of something else"
    return ""


def _strays(
    words: frozenset[str], part: _Fragment, parts: Sequence[_Fragment], things: frozenset[str]
) -> bool:
    """Tell whether a word comes from what the sentence says of other things."""
    foreign = [one for one in parts if one is not part and one.things - things]
    near = [one for one in parts if one is part or not one.things - things]
    return any(
        any(word in one.words for one in foreign) and not any(word in one.words for one in near)
        for word in words
    )


def exchanged(claim: Claim, own: Claim) -> str:
    """What stands before a connective and what stands after it must not have changed sides."""
    order, things = tuple(map(key, claim.order)), frozenset(claim.things)
    sources = [tuple(key(word) for one in claims(own.text) for word in one.order)]
    sources += [part.order for part in _fragments(own.text) if things and things <= part.things]
    for source in sources:
        for at, word in enumerate(order):
            if word not in _connectives() or word not in source:
                continue
            place = source.index(word)
            left, right = set(source[:place]), set(source[place + 1 :])
            if set(order[:at]) & (right - left) and set(order[at + 1 :]) & (left - right):
                return "it exchanges what the original says"
    return ""


def inverted(claim: Claim, own: Claim) -> str:
    """Words, names or values that do not stand side by side must stand in the original's order."""
    if claim.passive:
        return ""
    source = [key(word) for one in claims(own.text) for word in one.order]
    once = {word: place for place, word in enumerate(source) if source.count(word) == 1}
    things, values = {*map(key, claim.things)}, {key(value.value) for value in claim.values}
    words = plain_words(claim)
    for kind in (words, things, values):
        order = [word for word in map(key, claim.order) if word in kind and word in once]
        for at, word in enumerate(order):
            if any(once[later] < once[word] for later in order[at + (2 if kind is words else 1) :]):
                return "it turns round what the original says"
    return ""


@lru_cache(maxsize=2_048)
def _fragments(text: str) -> tuple[_Fragment, ...]:
    hidden = _SPAN.sub(lambda span: "`" * len(span[0]), text)
    ends = [match.span() for match in _APART.finditer(hidden)]
    begins = [0, *(end for _, end in ends)]
    stops = [*(begin for begin, _ in ends), len(text)]
    found: list[_Fragment] = []
    for begin, end in zip(begins, stops, strict=True):
        read = claims(text[begin:end])
        part = _Fragment(
            frozenset(name for one in read for name in one.things),
            tuple(value for one in read for value in one.values),
            frozenset(word for one in read for word in one.words),
            tuple(key(word) for one in read for word in one.order),
        )
        if not (part.things or part.values or part.words):
            continue
        lone = found and not found[-1].words and not found[-1].values
        if found and (lone or not (part.words or part.values)):
            before = found.pop()
            part = _Fragment(
                before.things | part.things,
                before.values + part.values,
                before.words | part.words,
                before.order + part.order,
            )
        found.append(part)
    return tuple(found)


@lru_cache(maxsize=1)
def _connectives() -> frozenset[str]:
    return frozenset(map(key, _CONNECTIVES))
