"""Which addresses become links: http, https, mailto and relative ones; everything else is text.

Source of the reading: WHATWG URL, "basic URL parser", which drops controls and blanks.
"""

from __future__ import annotations

import re

from markdown_it.common.normalize_url import normalizeLink

from doctrove_builder.markdown.limits import ADDRESS_LIMIT

_BLANKS = re.compile(r"[\x00-\x20\x7f-\xa0\u200b-\u200f\u2028-\u202f\ufeff]+")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_WEB = frozenset({"http", "https"})


def scheme_of(address: str) -> str:
    """Return the scheme that a browser sees, in lower case; empty for a relative address."""
    found = _SCHEME.match(_BLANKS.sub("", address[:ADDRESS_LIMIT]))
    return found[1].lower() if found else ""


def is_external(address: str) -> bool:
    """Tell whether an address leads to another site."""
    bare = _BLANKS.sub("", address[:ADDRESS_LIMIT]).replace("\\", "/")
    return scheme_of(bare) in _WEB or bare.startswith("//")


def is_safe(address: str) -> bool:
    """Tell whether an address may become a link."""
    return len(address) <= ADDRESS_LIMIT and scheme_of(address) in {"", "http", "https", "mailto"}


def encoded(address: str) -> str:
    """Return a safe address as it stands in HTML, before its characters are escaped."""
    return normalizeLink(_BLANKS.sub(" ", address).strip())
