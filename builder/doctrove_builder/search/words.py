"""The words of a volume that a typo is repaired with, the most frequent ones, in their order.

A script reads the list only when a word was found nowhere.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING

from doctrove_builder.search.text import WIDE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.search.text import SectionText

MOST = 6_000
"""Words of one volume."""

SMALL = 200
"""In a volume of fewer sections every word counts; in others those of two sections or more."""

_TAG = re.compile(r"<[^<>]*>")
_WORD = re.compile(rf"(?:[^\W\d_{WIDE}]){{4,30}}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words_text(texts: Iterable[SectionText]) -> bytes:
    """Return the words in lower case, one a line; identifiers count by their parts."""
    counted: Counter[str] = Counter()
    sections = 0
    for text in texts:
        sections += 1
        counted.update(_words(unescape(_TAG.sub(" ", text.html))))
    least = 1 if sections < SMALL else 2
    frequent = sorted(((-count, word) for word, count in counted.items() if count >= least))[:MOST]
    return "".join(f"{word}\n" for word in sorted(word for _, word in frequent)).encode()


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(_HUMP.sub(" ", text))}
