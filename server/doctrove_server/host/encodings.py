"""Content codings: which precompressed form of a file a client wants (RFC 9110 section 12.5.3)."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType

SUFFIXES = MappingProxyType({"br": ".br", "zstd": ".zst", "gzip": ".gz"})
"""Suffix of the file that holds a coding; the order is the host's own preference."""

_ITEM = re.compile(r"(?P<name>[!#$%&'*+.^_`|~0-9a-z-]+)(?:\s*;\s*q=(?P<q>[01](?:\.[0-9]{0,3})?))?")
_ALIASES = {"x-gzip": "gzip"}


@lru_cache(maxsize=512)
def choose_coding(accept: bytes, available: tuple[str, ...]) -> str:
    """Return the coding of those available that the Accept-Encoding field likes best.

    Empty when the file is to be sent as it is: nothing is accepted, or identity is liked better.
    """
    weights = _weights(accept.decode("latin-1"))
    other = weights.get("*", 0.0)
    ranked = [
        (weights.get(coding, other), -place, coding) for place, coding in enumerate(available)
    ]
    weight, _, coding = max(ranked, default=(0.0, 0, ""))
    return coding if weight > 0 and weight >= weights.get("identity", 0.0) else ""


def _weights(text: str) -> dict[str, float]:
    weights: dict[str, float] = {}
    for item in text.lower().split(","):
        found = _ITEM.fullmatch(item.strip())
        if found is not None:
            name = _ALIASES.get(found["name"], found["name"])
            weights[name] = min(float(found["q"] or 1), 1.0)
    return weights
