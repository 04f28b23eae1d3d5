"""What an unquoted YAML scalar is: decided once, so that no version number turns into 5.1.

Sources: YAML 1.2.2, section 10.3.2 (core schema); the YAML 1.1 type repository for bool, int, float
and timestamp, which many readers still follow. Where the two agree the value is settled; where they
part, the author has to write quotes.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple


class Resolved(NamedTuple):
    """The value, what to call it, and whether all YAML readers agree on it."""

    value: str | int | float | bool | None
    read_as: str = ""
    settled: bool = True


_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False}
_BOOLEANS["FALSE"] = False
_NULLS = {"", "~", "null", "Null", "NULL"}
_SWITCHES = {
    form
    for word in ("yes", "no", "on", "off", "y", "n")
    for form in (word, word.capitalize(), word.upper())
}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,17})\Z")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]{1,15}\Z")
_OCTAL = re.compile(r"[-+]?(0[0-9]+|0o[0-7]+)\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_FLOAT_BOTH = re.compile(r"[-+]?[0-9]*\.[0-9]*([eE][-+][0-9]+)?\Z")
_SPECIAL = re.compile(r"([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].{0,40})?\Z")
_SEXAGESIMAL = re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?\Z")
_NUMBER_1_1 = re.compile(
    r"[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|[0-9][0-9_]*(\.[0-9_]*)?([eE][-+][0-9]+)?)\Z"
)
_FIRST = frozenset("-+.0123456789~=<tTfFyYnNoO")
"""No scalar that starts otherwise is anything but text."""


def resolve(text: str) -> Resolved:
    """Say what an unquoted scalar is."""
    if text and (text[0] not in _FIRST or len(text) > 400):
        return Resolved(text)
    return _resolve(text)


@lru_cache(maxsize=4096)
def _resolve(text: str) -> Resolved:
    if text in _NULLS:
        return Resolved(None, "no value")
    if text in _BOOLEANS:
        return Resolved(_BOOLEANS[text], f"the truth value {str(_BOOLEANS[text]).lower()}")
    if text in _SWITCHES:
        return Resolved(text, "true or false in YAML 1.1", settled=False)
    if text in {"=", "<<"}:
        return Resolved(text, "a special key of YAML 1.1", settled=False)
    return _number(text)


def _number(text: str) -> Resolved:
    if _INTEGER.match(text):
        return Resolved(int(text), f"the number {int(text)}")
    if _HEXADECIMAL.match(text):
        return Resolved(int(text, 16), f"the number {int(text, 16)}")
    if _OCTAL.match(text):
        return Resolved(text, "an octal number in some readers", settled=False)
    if _FLOAT.match(text):
        value = float(text)
        settled = math.isfinite(value) and _FLOAT_BOTH.match(text) is not None
        return Resolved(value if settled else text, f"the number {value!r}", settled)
    for pattern, name in (
        (_SPECIAL, "a number that is not finite"),
        (_DATE, "a date in YAML 1.1"),
        (_SEXAGESIMAL, "a number in base 60 in YAML 1.1"),
        (_NUMBER_1_1, "a number in YAML 1.1"),
    ):
        if pattern.match(text):
            return Resolved(text, name, settled=False)
    return Resolved(text)
