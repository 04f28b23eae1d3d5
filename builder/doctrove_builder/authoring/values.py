"""Values that mean more than their type: addresses and dates."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.rules import BuildRule

if TYPE_CHECKING:
    from doctrove_builder.authoring.marked import MarkedMapping
    from doctrove_schema.problem import Problem

_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)


def address(mapping: MarkedMapping, key: str) -> str:
    """Return the http or https address under a key; what else stands there never goes on."""
    text = mapping.text(key)
    return text if _ADDRESS.match(text) else ""


def date(mapping: MarkedMapping, key: str, *, source: str) -> tuple[str, tuple[Problem, ...]]:
    """Return the ISO 8601 date under a key, and a problem for a day that no calendar has."""
    text = mapping.text(key)
    if not _DATE.match(text):
        return "", ()
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        message = f"`{key}` is {shown(text)}, a day that does not exist"
        hint = "write the year, the month and the day: YYYY-MM-DD"
        at = mapping.place(key)
        return "", (fault(BuildRule.NOT_A_DATE, message, source=source, at=at, hint=hint),)
    return text, ()
