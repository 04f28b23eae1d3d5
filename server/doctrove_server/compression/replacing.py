"""What a text says to use instead of what: `Use a, not b`, where the original says the same."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = r"`([^`\n]{1,80})`"
_OLD_FIRST = (
    rf"(?:do not|don't|never|avoid)\s+(?:(?:use|using|call|calling)\s+)?{_NAME}[;,.:]\s*(?:but\s+)?"
    rf"(?:please\s+)?(?:use|call|prefer)\s+{_NAME}(?:\s+instead)?",
    rf"{_NAME}\s+(?:is|was|has been)\s+(?:deprecated|removed|obsolete)"
    rf"(?:\s+(?:since|in|and|removed|deprecated|version|v?[\d.]*\d)\b){{0,8}}[;,:.]\s*"
    rf"(?:please\s+)?use\s+{_NAME}(?:\s+instead)?",
)
_NEW_FIRST = (
    rf"use\s+{_NAME},?\s+(?:instead of|rather than|not|in place of)\s+{_NAME}",
    rf"prefer\s+{_NAME}\s+(?:over|to)\s+{_NAME}",
)
_BEGIN, _END = r"(?:^|(?<=[.;:!]\s)|(?<=\n))(?:please\s+)?", r"(?=\s*(?:[.;!\n]|$))"
_FORMS = [
    *(
        (re.compile(_BEGIN + form + _END, re.IGNORECASE | re.MULTILINE), False)
        for form in _OLD_FIRST
    ),
    *(
        (re.compile(_BEGIN + form + _END, re.IGNORECASE | re.MULTILINE), True)
        for form in _NEW_FIRST
    ),
]
_SAID = re.compile(
    rf"(?:use|prefer)\s+{_NAME},?\s+(?:instead of|rather than|not|in place of|over)\s+{_NAME}",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"(?:please\s+)?{_SAID.pattern}[.!]?", re.IGNORECASE)


def says_the_same_to_use(sentence: str, original: str) -> bool:
    """Tell whether a sentence says only what to use instead of what, and the original says so too.

    It must say so without a condition, and nowhere the reverse.
    """
    said = _ALONE.fullmatch(sentence.strip())
    if said is None:
        return False
    known = _pairs(original)
    return (said[1], said[2]) in known and (said[2], said[1]) not in known


def wrong_replacements(sentence: str, original: str) -> Iterator[str]:
    """Yield what a sentence says to use instead of what, and the original does not.

    What stands so word for word is left to the other checks.
    """
    known = _pairs(original)
    for said in _SAID.finditer(sentence):
        new, old = said[1], said[2]
        word_for_word = said[0].lower() in original.lower()
        if (old, new) in known or ((new, old) not in known and not word_for_word):
            yield f"the original does not say to use `{new}` instead of `{old}`"


@lru_cache(maxsize=64)
def _pairs(text: str) -> frozenset[tuple[str, str]]:
    """Return what to use, and instead of what."""
    found: set[tuple[str, str]] = set()
    for form, new_first in _FORMS:
        for match in form.finditer(text):
            one, other = match[1], match[2]
            found.add((one, other) if new_first else (other, one))
    return frozenset(found)
