"""Ids and addresses of sections: one function each, for builder, server and indexes without ids."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DROPPED = re.compile(r"[^\w\- ]")
_PART_BREAK = re.compile(r"[\s]+")


def slug(text: str) -> str:
    """Turn a heading into an anchor as GitHub does: lower case, no punctuation, hyphens for spaces.

    A heading of punctuation alone gives `section`.
    """
    lowered = unicodedata.normalize("NFC", text).strip().lower()
    spaced = _PART_BREAK.sub(" ", lowered)
    return _DROPPED.sub("", spaced).replace(" ", "-").strip("-") or "section"


def claim(anchor: str, taken: set[str]) -> str:
    """Return `anchor`, or `anchor-1`, `anchor-2` ... when it is taken, and record the result.

    The number is one whose predecessor is taken, found in logarithmic time: thousands of equal
    headings cost no more than as many different ones.
    """
    free = anchor
    if anchor in taken:
        low, high = 0, 1  # low is taken, high is free once the first loop ends
        while f"{anchor}-{high}" in taken:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if f"{anchor}-{middle}" in taken else (low, middle)
        free = f"{anchor}-{high}"
    taken.add(free)
    return free


def section_id(page: str, anchor: str) -> str:
    """Join a page path and an anchor; either may be empty, not both."""
    return f"{page}/{anchor}" if page and anchor else page or anchor


def complete_ids(sections: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield an id for each `(id, page, heading)` of a volume, unique in it.

    An id that is there stays; the first of two equal ones keeps it. Where there is none, it is made
    from the page and the heading's slug.
    """
    known = list(sections)
    taken = {given for given, _, _ in known if given}
    seen: set[str] = set()
    for given, page, heading in known:
        if given and given not in seen:
            seen.add(given)
            yield given
        else:
            yield claim(given or section_id(page, slug(heading)), taken)


def section_uri(library: str, version: str = "", section: str = "") -> str:
    """Return the `doctrove://` address of a library, a volume or a section, each part encoded."""
    parts = [quote(part, safe="") for part in (library, version, section) if part]
    return f"doctrove://{'/'.join(parts)}"
