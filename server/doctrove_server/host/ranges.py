"""Byte ranges: which parts of a file a Range field asks for (RFC 9110 section 14)."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_SPANS = 16
"""More parts than this in one request, and the whole file is sent."""

_FORM = re.compile(r"bytes\s*=(?P<specs>[0-9,\-\s]+)", re.IGNORECASE)
_SPEC = re.compile(r"(?P<first>[0-9]*)-(?P<last>[0-9]*)")


class Span(NamedTuple):
    """Bytes of a file from `start` up to, not including, `stop`."""

    start: int
    stop: int


def parse_ranges(text: str, *, size: int) -> tuple[Span, ...] | None:
    """Read a Range field for a file of `size` bytes.

    None when the field is to be ignored: another unit, not parsable, or asking for more than the
    whole. No spans when none can be satisfied.
    """
    form = _FORM.fullmatch(text.strip())
    if form is None:
        return None
    spans: list[Span] = []
    specs = [spec.strip() for spec in form["specs"].split(",")]
    for spec in filter(None, specs):
        found = _SPEC.fullmatch(spec)
        if found is None:
            return None
        first, last = _number(found["first"]), _number(found["last"])
        if first is None and last is None:
            return None
        if first is not None and last is not None and last < first:
            return None
        span = _span(first, last, size=size)
        if span.start < span.stop:
            spans.append(span)
    if not any(specs) or len(spans) > MAX_SPANS or sum(b - a for a, b in spans) > size:
        return None
    return tuple(spans)


def _span(first: int | None, last: int | None, *, size: int) -> Span:
    """Cut one range specification to the file; empty when it lies outside."""
    if first is None:
        return Span(max(size - (last or 0), 0), size)
    return Span(first, size if last is None else min(last + 1, size))


def _number(digits: str) -> int | None:
    """Read digits; a number that no file reaches stands for every such number."""
    digits = digits.lstrip("0") or digits[:1]
    return int(digits[:20]) if digits else None
