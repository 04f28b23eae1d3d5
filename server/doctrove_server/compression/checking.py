"""Whether a summary that a model wrote says only what the original says.

That a name exists is not enough: each value must stand beside the same name, a denial must stay
one, and who does what to whom must stay so. What is in doubt is a fault: the extractive text is
used instead.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from doctrove_server.compression.bounds import wrong_bounds
from doctrove_server.compression.claims import LONGEST, Claim, claims, poles, subject_of, thing
from doctrove_server.compression.identifiers import names_in_prose
from doctrove_server.compression.opposites import STRONG, plainly
from doctrove_server.compression.original import OUTDATED, Original
from doctrove_server.compression.quantities import quantity
from doctrove_server.compression.replacing import says_the_same_to_use, wrong_replacements
from doctrove_server.compression.sentences import CODE_SPAN, sentences
from doctrove_server.compression.stop_words import STOP_WORDS
from doctrove_server.compression.support import unsupported
from doctrove_server.ranking.words import ranking_terms, raw_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from doctrove_server.compression.concepts import Analysis

MOST_LOST = 0.5
"""Share of the names that the extractive text has and the summary may lack."""

_ALIKE, _CLOSE = 0.3, 0.5
"""Share of what a claim says that another says, above which both are about the same, and nearly
the same."""

_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n(.*?)^\1[^\n]*$", re.MULTILINE | re.DOTALL)
_MARKER = re.compile(r"^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+")
_RULE = re.compile(r"[\s|:-]+")


def faults(summary: str, original: Analysis, *, expected: str) -> tuple[str, ...]:
    """Return what is wrong with a summary; `expected` is the extractive one of the same size."""
    stated = Original(original)
    prose = _FENCE.sub("\n", summary)
    if any(len(line) > LONGEST for block in prose.split("\n") for line in sentences(block)):
        return ("a sentence is too long",)
    found = list(_claims_of(prose, stated))
    return (
        *_unknown_names(summary, stated),
        *_lost_names(summary, expected),
        *_unknown_code(summary, stated),
        *(fault for claim in found for fault in _wrong_values(claim, stated)),
        *(fault for claim in found for fault in _turned(claim, stated)),
        *(fault for claim in found for fault in _wrong_roles(claim, stated)),
        *(fault for sentence in _by_sentence(found) for fault in _as_a_whole(sentence, stated)),
    )


def _as_a_whole(sentence: Sequence[Claim], stated: Original) -> Iterator[str]:
    text = sentence[0].text
    yield from unsupported(sentence, stated)
    yield from wrong_bounds(text, stated)
    yield from wrong_replacements(text, stated.text)


def _by_sentence(found: Sequence[Claim]) -> Iterator[list[Claim]]:
    for _, sentence in groupby(found, key=lambda claim: claim.sentence):
        yield list(sentence)


def _claims_of(prose: str, stated: Original) -> Iterator[Claim]:
    """Yield the claims of a summary; an item or a row begins anew."""
    number = 0
    for block in prose.split("\n"):
        before = ""
        for line in () if _RULE.fullmatch(block) else sentences(_MARKER.sub("", block)):
            found = claims(line, number=number, before=before)
            before = subject_of(found, before)
            number += 1
            if not says_the_same_to_use(line, stated.text):
                yield from found


def _unknown_names(summary: str, stated: Original) -> Iterable[str]:
    for name in names_in_prose(summary):
        if name not in stated.text:
            yield f"`{name}` is not in the original"


def _lost_names(summary: str, expected: str) -> Iterable[str]:
    wanted = names_in_prose(expected)
    lost = [name for name in wanted if name not in summary]
    if wanted and len(lost) > MOST_LOST * len(wanted):
        yield f"{len(lost)} of {len(wanted)} names are lost"


def _unknown_code(summary: str, stated: Original) -> Iterable[str]:
    """What stands as code must stand in the original, a call without its arguments, too."""
    for block in _FENCE.finditer(summary):
        for line in block[2].splitlines():
            bare = " ".join(line.split())
            if bare.strip("#/.-* ") and bare not in stated.flat:
                yield f"the code {bare[:60]} is not in the original"
    for span in CODE_SPAN.finditer(_FENCE.sub("\n", summary)):
        bare = " ".join(span[0].strip("`").split())
        if not quantity(bare) and bare not in stated.flat and thing(bare) not in stated.flat:
            yield f"`{bare[:60]}` is not in the original"
        called = bare.endswith(")") and not bare.endswith("()")
        if called and bare not in stated.flat:
            yield f"`{bare[:60]}` is not in the original"


def _wrong_values(claim: Claim, stated: Original) -> Iterable[str]:
    """A value must be said of the name nearest to it, or stand with a neighbouring word."""
    for value in dict.fromkeys(claim.values):
        holders = stated.holders(value)
        near = [name for name, own in claim.pairs if own == value]
        loose = [name for name, own in claim.loose if own == value]
        if not holders:
            yield f"{value} is not in the original"
        elif "default" in claim.words and any(stated.defaults_differ(n, value) for n in near):
            yield f"{value} is not the default in the original"
        elif near:
            if not all(stated.says(name, value) for name in near) and not any(
                stated.says(name, value) for name in loose
            ):
                yield f"{value} stands beside other words in the original"
        elif claim.words and not any(
            len(claim.words & _terms(stated.around(held))) * 2 >= len(claim.words)
            for held in holders
        ):
            yield f"{value} stands beside other words in the original"


def _turned(claim: Claim, stated: Original) -> Iterable[str]:
    """A claim must deny, limit and qualify as that which says the same in the original."""
    share, near = stated.nearest(claim)
    strong = any(axis in STRONG for axis, _ in claim.poles)
    if share < _ALIKE:
        if claim.denies or claim.limited or strong:
            yield f"the original says nothing like it: {claim.text[:80]}"
        return
    wrong = [_difference(claim, own, stated) for own in near]
    if all(wrong) and (share >= _CLOSE or claim.denies or claim.limited or strong):
        yield f"{wrong[0]}: {claim.text[:80]}"


def _difference(claim: Claim, own: Claim, stated: Original) -> str:
    """Return how a claim contradicts one of the original, or nothing."""
    if claim.denies != own.denies:
        return "it denies what the original says, or the reverse"
    if claim.limited != own.limited:
        return "it limits what the original does not, or the reverse"
    if claim.verbs and own.verbs and not claim.verbs & own.verbs:
        return "it says that something else is done"
    if ("valid", 1) in own.poles - claim.poles:
        return "it leaves out what decides"
    around = _poles(stated.around(own))
    for axis, end in claim.poles:
        ends = {other for known, other in own.poles if known == axis}
        if (ends and end not in ends) or (
            not ends and axis in STRONG and (axis, end) not in around
        ):
            return "it says the opposite of the original, or what it does not say"
    return ""


def _wrong_roles(claim: Claim, stated: Original) -> Iterable[str]:
    """Things that a claim joins must be joined in the original, in the same order."""
    for name in claim.about if OUTDATED.search(claim.text) else ():
        if stated.replaces(name) and _is_outdated(name, claim.text):
            yield f"`{name}` is what to use instead in the original"
    joined = list(claim.joined)
    if claim.subject and claim.things and claim.subject != claim.things[0]:
        joined.append((claim.subject, claim.things[0]))
    for first, second in joined:
        if not any(_joins(own, claim, first, second) for own in stated.about(first)):
            yield f"`{first}` and `{second}` are not said of each other like that"


def _is_outdated(name: str, text: str) -> bool:
    """Tell whether a text calls a name outdated, in the words right after it."""
    said = rf"{re.escape(name)}(?:\([^()]*\))?`?\s+(?:[\w']+\s+){{0,2}}{OUTDATED.pattern}"
    return bool(re.search(said, text, re.IGNORECASE))


def _joins(own: Claim, claim: Claim, first: str, second: str) -> bool:
    if first not in own.about or second not in own.about:
        return False
    if own.free:
        return True
    if claim.verbs and own.verbs and not claim.verbs & own.verbs:
        return False
    ordered = own.about.index(first) < own.about.index(second)
    return ordered != (own.passive != claim.passive)


_WORD = re.compile(r"[^\W\d_][\w'\u2019-]*")


@lru_cache(maxsize=4_096)
def _poles(text: str) -> frozenset[tuple[str, int]]:
    return poles([word.lower() for word in _WORD.findall(plainly(text))])


@lru_cache(maxsize=4_096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(
        ranking_terms(word)[0]
        for word in raw_words(text)
        if len(word) > 2 and word.lower() not in STOP_WORDS
    )
