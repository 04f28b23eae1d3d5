"""Where sentences end in the text of a Markdown block.

An abbreviation, a version, a dotted name and whatever stands in a code span end none; the signs of
Chinese and Japanese end one without a space.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CODE_SPAN = re.compile(r"(?<!`)(`{1,9})(?!`)(?:(?!\n\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_LINK_TARGET = re.compile(
    r"\]\([^()\s]{0,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,2000})?[^()]{0,200}\)"
)
_END = re.compile(
    r"(?:[.!?\u2026]+[\"')\]*_`\u2019\u201d]{0,4}(?=\s)|[\u3002\uff01\uff1f\uff0e]+[\u300d\u300f\uff09\"')\]*_]{0,4})"
)
_ABBREVIATION_LIST = """
e.g i.e etc vs cf mr mrs ms dr prof st no nr fig figs eq sec ch vol ver approx incl excl resp al
ed eds inc ltd co corp dept est min max avg temp std misc viz p pp ca c.f eg ie aka
"""
_ABBREVIATIONS = frozenset(_ABBREVIATION_LIST.split())
_WORD_BEFORE = re.compile(r"([A-Za-z][A-Za-z.]*)$")
_ENUMERATED = re.compile(r"^\s*\d{1,3}$")
LEANS = re.compile(
    r"(?:instead|otherwise|then|either way|but|so|however|therefore|this|that|these|those|they"
    r"|such|in (?:this|that|these|those)|the same)\b(?! `)|\.\.\.|(?!see )\w+ (?:it|them|one) "
    r"|[^`]{0,60}\b(?:instead|(?:change|do|does|avoid|prevent|need|want)s? (?:that|this|so))[.!]$",
    re.IGNORECASE,
)
"""How a sentence begins or ends that says nothing without the one before it."""

_LONGEST_WORD = 40
"""Characters before a full stop that are looked at: no abbreviation is as long."""

_LONGEST = 320
"""Characters of sentences that are put together."""

_OPENERS = " \n\t\"'([*_`\u201c\u2018"


def sentences(text: str) -> list[str]:
    """Return the sentences of a block in order, each without blanks at its ends."""
    hidden = _hidden(text)
    parts: list[str] = []
    start = 0
    for end in _END.finditer(hidden):
        if _ends(hidden, start, end):
            parts.append(text[start : end.end()].strip())
            start = end.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def with_what_it_leans_on(found: Sequence[str]) -> list[tuple[str, ...]]:
    """Return sentences, those that say nothing alone together with the one before.

    What leads in to a block goes with that.
    """
    together: list[tuple[str, ...]] = []
    for sentence in found:
        before = together[-1] if together else ()
        leans = LEANS.match(sentence) and not sentence.endswith(":")
        if before and leans and sum(map(len, before)) + len(sentence) <= _LONGEST:
            together[-1] = (*before, sentence)
        else:
            together.append((sentence,))
    return together


def _hidden(text: str) -> str:
    """Return the text with code spans and link targets made unreadable, at the same length."""
    if "`" in text:
        text = CODE_SPAN.sub(lambda span: "x" * len(span[0]), text)
    if "](" in text:
        text = _LINK_TARGET.sub(lambda link: "]" + "x" * (len(link[0]) - 1), text)
    return text


def _ends(text: str, start: int, end: re.Match[str]) -> bool:
    if end[0][0] in "\u3002\uff01\uff1f\uff0e\u2026!?":
        return True
    rest = text[end.end() : end.end() + 8].lstrip(_OPENERS)
    before = text[start : end.start()]
    if _ENUMERATED.match(before):
        return False
    word = _WORD_BEFORE.search(before[-_LONGEST_WORD:])
    if word:
        name = word[1].lower()
        if name in _ABBREVIATIONS or (len(name) == 1 and word[1] != "I" and rest[:1].islower()):
            return False
        if len(word[1]) == 1 and word[1].isupper() and word[1] != "I":
            return False
    return not rest[:1].islower() or len(before.strip()) > 12
