"""Values in prose: numbers in digits and in words with their units, quoted texts, constants."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_DIGITS = re.compile(
    r"([-+]?)v?(\d[\d_]*(?:,\d{3})*(?:\.\w+)*)(?:[\s-]?(%|[a-z]+))?", re.IGNORECASE
)
_CONSTANTS = frozenset(("true", "false", "none", "null", "undefined", "nil"))
_UNITS = {
    form: unit
    for unit, forms in {
        "ms": "ms msec millisecond milliseconds",
        "s": "s sec secs second seconds",
        "min": "min mins minute minutes",
        "h": "h hr hrs hour hours",
        "d": "d day days",
        "w": "week weeks",
        "y": "year years",
        "b": "byte bytes",
        "kb": "kb kilobyte kilobytes",
        "mb": "mb megabyte megabytes",
        "gb": "gb gigabyte gigabytes",
        "kib": "kib",
        "mib": "mib",
        "gib": "gib",
        "%": "% percent",
        "px": "px pixel pixels",
        "em": "em",
        "rem": "rem",
    }.items()
    for form in forms.split()
}
_SECONDS = {"ms": 0.001, "s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800}
_SMALL_LIST = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
"""
_SMALL = _SMALL_LIST.split()
_TENS = "thirty forty fifty sixty seventy eighty ninety"
_WORDS = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * number
    for number, word in enumerate(
        ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], 3
    )
}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}


_LONGEST = 8
"""Words of a number."""


class Quantity(msgspec.Struct, frozen=True):
    """A value: a number with its unit, or another one as it is written."""

    value: str
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.value} {self.unit}".strip()

    def same(self, stated: Quantity, units: Collection[str]) -> bool:
        """Tell whether what is stated is this; `units` are those named around it."""
        if self.unit in _SECONDS and stated.unit in _SECONDS:
            return self._seconds() == stated._seconds()
        if self.value != stated.value:
            return False
        return self.unit in ("", stated.unit) or (not stated.unit and self.unit in units)

    def _seconds(self) -> float | str:
        try:
            return round(float(self.value) * _SECONDS[self.unit], 6)
        except ValueError:
            return self.value


def unit_of(word: str) -> str:
    """Return the unit that a word names, or nothing."""
    return _UNITS.get(word.lower(), "")


def quantity(text: str) -> Quantity | None:
    """Return the value that a text is as a whole, without backticks; None for another text."""
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        inner = bare[1:-1]
        return quantity(inner) or Quantity(inner)
    if bare.lower() in _CONSTANTS:
        return Quantity(bare.lower())
    found = _DIGITS.fullmatch(bare)
    if found and (not found[3] or unit_of(found[3])):
        number = re.sub(r"[_,]", "", found[2])
        return Quantity(f"{found[1].strip('+')}{number}", unit_of(found[3] or ""))
    return None


def in_words(words: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """Return the number that begins at a word, and how many words it has; None where none does.

    `one` alone counts as a number before a unit only.
    """
    total, current, length = 0, 0, 0
    for place in range(at, min(at + _LONGEST, len(words))):
        word = words[place].lower()
        parts = word.split("-")
        if all(part in _WORDS for part in parts):
            current += sum(_WORDS[part] for part in parts)
        elif word in _SCALES:
            current = max(1, current) * _SCALES[word]
            if word != "hundred":
                total, current = total + current, 0
        elif not (word == "and" and length and words[place - 1].lower() in _SCALES
                  and place + 1 < len(words) and words[place + 1].lower() in _WORDS):  # fmt: skip
            break
        length += 1
    if not length:
        return None
    unit = unit_of(words[at + length]) if at + length < len(words) else ""
    if words[at].lower() == "one" and length == 1 and not unit:
        return None
    return Quantity(str(total + current), unit), length
