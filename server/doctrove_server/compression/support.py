"""Whether one sentence of an original says all that a claim says: its words, of the same things.

Names and values are compared elsewhere. This looks at the plain words, which a swap of neighbours
leaves as they are: none may be new, none may come from what the sentence says of something else,
none may change sides, and what the sentence says under a condition is not said without it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from doctrove_server.compression.claims import claims
from doctrove_server.compression.keys import key, keys_in, keys_of, plain_words, silent, terms_of
from doctrove_server.compression.neighbours import exchanged, inverted, scattered
from doctrove_server.compression.opposites import denies, pole, verbs
from doctrove_server.ranking.words import raw_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from doctrove_server.compression.claims import Claim
    from doctrove_server.compression.original import Original

_MOST, _MOST_LOOKED_AT = 24, 200
"""Sentences of an original that one claim is compared with, and of which these are the best."""

_COUNTING = {"all": "all", "each": "each", "every": "each", "any": "any", "both": "both",
             "some": "some", "once": "once", "twice": "twice", "always": "always",
             "several": "several", "few": "few", "many": "many", "most": "most"}  # fmt: skip
"""Words that say how many, or how often; those that say the same stand for each other."""

_MODALS = {
    **dict.fromkeys(("must", "shall", "required", "require", "requires", "mandatory"), "must"),
    **dict.fromkeys(("need", "needs"), "must"),
    **dict.fromkeys(("may", "can", "might", "could"), "may"),
    "should": "should",
}
_DIGIT = re.compile(r"\d")
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|unless|until|while|except)\b((?:`[^`]*`|[^`,;:()\u2014])*)",
    re.IGNORECASE,
)
_FRAMED = re.compile(
    r"(?:on|in|for|with|without|under|during|since|from|before|after|inside|outside)\s"
    r"([^,.;:]{2,80}),\s",
    re.IGNORECASE,
)
"""A sentence that begins by saying where it holds: `On Windows, ...`."""

_DEEDS = frozenset(
    number
    for word in ("raise", "return", "accept", "call", "extend", "log", "catch", "override")
    for number in [verbs()[word]]
)
_PRONOUN = re.compile(r"(?:it|its|this|they|their|these|that)\b", re.IGNORECASE)


def unsupported(sentence: Sequence[Claim], stated: Original) -> Iterator[str]:
    """Yield what is wrong with the claims of a sentence of a summary, for each its first fault."""
    said = frozenset(one for claim in sentence for one in keys_of(claim))
    for claim in sentence:
        if not (claim.things or claim.values or claim.words):
            continue
        wrong = ""
        for own in _candidates(claim, stated):
            fault = _fault(claim, own, said, stated)
            if not fault:
                break
            wrong = wrong or fault
        else:
            yield f"{wrong or 'no sentence of the original is about it'}: {claim.text[:80]}"


def _candidates(claim: Claim, stated: Original) -> list[Claim]:
    """Return claims of the sentences that may say it, those with the most of it first."""
    _, near = stated.nearest(claim)
    about = (own for name in claim.about for own in stated.about(name))
    found = [*near, *islice(about, _MOST_LOOKED_AT)]
    by_sentence = {own.sentence: own for own in reversed(found)}
    said = frozenset((*claim.words, *claim.things, *(value.value for value in claim.values)))

    def shared(own: Claim) -> int:
        values = (value.value for value in own.values)
        return len(said & own.words) + len(said.intersection((*own.things, *values)))

    return sorted(by_sentence.values(), key=lambda own: -shared(own))[:_MOST]


def _fault(claim: Claim, own: Claim, said: frozenset[str], stated: Original) -> str:
    fault = _new_words(claim, own, stated) or exchanged(claim, own)
    if fault or own.free:
        return fault
    fault = inverted(claim, own) or _otherwise_bound(claim, own)
    if fault:
        return fault
    if not stated.item(own):
        fault = _another_deed(claim, own) or scattered(claim, own)
    return fault or _denied(claim, own) or _unconditional(claim, own, said)


def _new_words(claim: Claim, own: Claim, stated: Original) -> str:
    known = _known(own, stated)
    text = _whole(own, stated)
    for name in claim.things:
        if name not in text:
            return f"the original does not say it of `{name}`"
    for word in claim.order:
        counting = _COUNTING.get(word, "")
        if counting and counting not in _counted(own.text):
            return f"the original does not say {word!r} there"
    plain, named = plain_words(claim), {*claim.things, *(value.value for value in claim.values)}
    for word in claim.order:
        found = pole(word)
        same = found and f"{found[0]}={found[1]}" in known
        fresh = (term for term in terms_of(word) if term in plain or _DIGIT.search(term))
        if not same and word not in named and any(term not in known for term in fresh):
            return f"the original does not say {word!r} there"
    return ""


def _another_deed(claim: Claim, own: Claim) -> str:
    deeds = claim.verbs & _DEEDS
    if deeds and not deeds & {number for one in claims(own.text) for number in one.verbs}:
        return "the original says that something else is done"
    return ""


def _denied(claim: Claim, own: Claim) -> str:
    """What the original names only to deny something of it must not be said plainly."""
    if claim.denies:
        return ""
    parts = claims(own.text)
    plain = {word for one in parts if not one.denies for word in keys_of(one)}
    denied = {word for one in parts if one.denies for word in keys_of(one)} - plain - silent()
    said = {*plain_words(claim), *map(key, claim.things)}
    return "the original denies it" if denied & said else ""


def _otherwise_bound(claim: Claim, own: Claim) -> str:
    """What must be is not what may be; and a denial more is another thing."""
    said, stated = _modals(claim.order), _modals(word.lower() for word in raw_words(own.text))
    if said - {"may"} - stated or ("may" in said and stated and "may" not in stated):
        return "the original does not say that it must or may be"
    counts = {one.words: sum(map(denies, one.order)) for one in claims(own.text)}
    count = sum(map(denies, claim.order))
    if count > max(counts.values(), default=0) or (
        claim.words and counts.get(claim.words, count) != count
    ):
        return "the original does not deny it, or denies it otherwise"
    keys = {*claim.words, *claim.things}
    denied = [{*one.words, *one.things} for one in claims(own.text) if one.denies]
    if claim.denies and keys and not any(len(keys & one) * 2 >= len(keys) for one in denied):
        return "the original denies something else"
    return ""


def _modals(words: Iterable[str]) -> frozenset[str]:
    return frozenset(_MODALS[word] for word in words if word in _MODALS)


def _unconditional(claim: Claim, own: Claim, said: frozenset[str]) -> str:
    """A condition of the sentence must be named in the summary's sentence."""
    keys = set(keys_of(claim))
    best = max(_halves(own.text) or [own.text], key=lambda part: len(keys & keys_in(part)))
    framed = _FRAMED.match(best)
    frame = {word for one in claims(framed[1]) for word in keys_of(one)} if framed else set[str]()
    for wanted in (frame, *_conditions(best)):
        if len(wanted & said) * 2 < len(wanted):
            return "it leaves out the condition under which the original says it"
    return ""


@lru_cache(maxsize=2_048)
def _conditions(text: str) -> tuple[frozenset[str], ...]:
    found = (match[1] for match in _CONDITION.finditer(text))
    return tuple(frozenset(word for one in claims(part) for word in keys_of(one)) for part in found)


def _halves(text: str) -> list[str]:
    """Return the parts of a sentence between semicolons, if it has any."""
    parts = text.split(";")
    return [part.strip() for part in parts if part.strip()] if len(parts) > 1 else []


def _known(own: Claim, stated: Original) -> frozenset[str]:
    """Return the words of a sentence, with its heading, its table's head and what it leans on."""
    return keys_in(_whole(own, stated))


def _whole(own: Claim, stated: Original) -> str:
    before = stated.before(own) if _PRONOUN.match(own.text) else own.subject
    return f"{before} {stated.head(own)} {stated.item(own)} {own.text}"


@lru_cache(maxsize=2_048)
def _counted(text: str) -> frozenset[str]:
    return frozenset(
        _COUNTING[word.lower()] for word in raw_words(text) if word.lower() in _COUNTING
    )
