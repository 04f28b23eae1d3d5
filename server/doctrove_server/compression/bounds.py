"""What a text says of its numbers beside their names: bounds, ranges, and since when or until when.

`at least 3`, `3.8 to 3.12`, `deprecated since 4.0`: the number stays the same when the words around
it are exchanged, and says something else.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_server.compression.original import Original

_NUMBER = r"`?v?(\d+(?:[._]\d+)*)`?"
_UNIT = r"(?:\s?(?:%|[a-z]{1,12}))?"
_BEFORE = {
    "gt": r"(?<!no )(?<!not )(?:more|greater|larger|longer|higher|later|newer) than"
    r"|above|over|exceed(?:s|ing)?|beyond",
    "lt": r"(?<!no )(?<!not )(?:less|fewer|smaller|shorter|lower|earlier|older) than|below|under",
    "ge": r"at (?:the )?least|no (?:less|fewer) than|not less than|minimum(?: of)?|min|from",
    "le": r"at (?:the )?most|no (?:more|longer|greater|larger) than|not more than|up to|within"
    r"|maximum(?: of)?|max|limit(?:s|ed)?(?: \S+){0,3} to",
}
_AFTER = {
    "ge": r"(?:or|and) (?:later|newer|more|above|higher|greater|up|longer)|at (?:the )?least"
    r"|minimum|\+",
    "le": r"(?:or|and) (?:earlier|older|less|fewer|below|lower|shorter)|at (?:the )?most|maximum",
}
_BOUNDS = [
    *((kind, re.compile(rf"(?:{words})\s+(?:version\s+)?{_NUMBER}", re.IGNORECASE))
      for kind, words in _BEFORE.items()),
    *((kind, re.compile(rf"{_NUMBER}{_UNIT},?\s*(?:{words})(?![\w+])", re.IGNORECASE))
      for kind, words in _AFTER.items()),
]  # fmt: skip
_RANGE = re.compile(
    rf"{_NUMBER}{_UNIT}\s*(?:to|through|until|and|-|\u2013|\.\.\.?)\s*{_NUMBER}", re.IGNORECASE
)
_LIFE = {
    "added": "added|introduced|new|available|appeared|arrived",
    "deprecated": "deprecated|obsolete|discouraged",
    "removed": "removed|dropped|gone|deleted",
    "changed": "changed|renamed|fixed",
}
_STAGE = re.compile(
    "|".join(rf"(?P<{kind}>\b(?:{words})\b)" for kind, words in _LIFE.items()), re.IGNORECASE
)
_VERSION = re.compile(
    rf"\b(?:since|in|from|with|as of|until|before|after|by)\s+(?:version\s+|v\.?\s*)?{_NUMBER}",
    re.IGNORECASE,
)


def wrong_bounds(sentence: str, stated: Original) -> Iterator[str]:
    """Yield what a sentence says around a number that the original does not say around it."""
    ranges, bounds = _ranges(stated.text), _bounds(stated.text)
    for one in _ranges(sentence) - ranges:
        if one[0] != one[1] and (one[1], one[0]) in ranges:
            yield f"the range {one[0]} to {one[1]} is the other way round in the original"
    starts, ends = {one for one, _ in ranges}, {one for _, one in ranges}
    for kind, number in _bounds(sentence) - bounds:
        within = number in (starts if kind == "ge" else ends if kind == "le" else ())
        if not within:
            yield f"the original does not bound {number} like that"
    stages = _stages(stated.text)
    for stage, number in _stages(sentence) - stages:
        yield f"the original does not say {stage} of {number}"


@lru_cache(maxsize=512)
def _ranges(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((match[1], match[2]) for match in _RANGE.finditer(text))


@lru_cache(maxsize=512)
def _bounds(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((kind, match[1]) for kind, form in _BOUNDS for match in form.finditer(text))


@lru_cache(maxsize=512)
def _stages(text: str) -> frozenset[tuple[str, str]]:
    """Return the versions of a text, each with the stage that is named last before it."""
    found: set[tuple[str, str]] = set()
    for version in _VERSION.finditer(text):
        begin = max(text.rfind(". ", 0, version.start()), text.rfind("\n", 0, version.start()))
        stages = list(_STAGE.finditer(text, begin + 1, version.start()))
        if stages:
            found.add((str(stages[-1].lastgroup), version[1]))
    return frozenset(found)
