"""Conditional requests: what the preconditions of a request decide (RFC 9110 section 13)."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from doctrove_server.host.dates import parse_date

if TYPE_CHECKING:
    from collections.abc import Mapping

_TAG = re.compile(rb'(W/)?("[\x21\x23-\x7e\x80-\xff]*")')


class Verdict(Enum):
    """What the preconditions come to."""

    PROCEED = "proceed"
    UNCHANGED = "unchanged"
    FAILED = "failed"


def weigh_conditions(fields: Mapping[bytes, bytes], *, etag: bytes, modified: int) -> Verdict:
    """Evaluate the preconditions of a GET or HEAD, in the order of RFC 9110 section 13.2.2.

    `modified` is in seconds since 1970. A date that is none is as if it were not there.
    """
    if _has_failed(fields, etag=etag, modified=modified):
        return Verdict.FAILED
    wanted = fields.get(b"if-none-match")
    if wanted is not None:
        unchanged = wanted == etag or _names(wanted, etag, weak=True)
        return Verdict.UNCHANGED if unchanged else Verdict.PROCEED
    since = fields.get(b"if-modified-since")
    if since is not None:
        moment = parse_date(since.decode("latin-1"))
        if moment is not None and modified <= moment:
            return Verdict.UNCHANGED
    return Verdict.PROCEED


def range_stands(fields: Mapping[bytes, bytes], *, etag: bytes, modified: int) -> bool:
    """Tell whether If-Range lets Range count: by strong tag, or by the exact date."""
    condition = fields.get(b"if-range")
    if condition is None:
        return True
    if condition.strip().endswith(b'"'):
        return condition.strip() == etag
    return parse_date(condition.decode("latin-1")) == modified


def _has_failed(fields: Mapping[bytes, bytes], *, etag: bytes, modified: int) -> bool:
    match = fields.get(b"if-match")
    if match is not None:
        return not _names(match, etag, weak=False)
    unmodified = fields.get(b"if-unmodified-since")
    if unmodified is None:
        return False
    moment = parse_date(unmodified.decode("latin-1"))
    return moment is not None and modified > moment


def _names(wanted: bytes, etag: bytes, *, weak: bool) -> bool:
    """Tell whether a field's list of tags, or its `*`, names the tag."""
    if wanted.strip() == b"*":
        return True
    return any(found[2] == etag and (weak or found[1] is None) for found in _TAG.finditer(wanted))
