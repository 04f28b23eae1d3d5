"""The schemes that a library's versions can follow, and which text is a version in each."""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from doctrove_schema.versions.pep440 import parse_pep440
from doctrove_schema.versions.semver import parse_semver

if TYPE_CHECKING:
    from doctrove_schema.versions.parsed import Parsed

MAX_LENGTH = 128
"""Longest version, in code points. It keeps hostile numbers small and file names legal."""

LATEST = "latest"
"""What asks for the newest version, in any letter case; never a version's name."""


class Scheme(Enum):
    """How a library's versions are read; the value is what authors write as `version_scheme`."""

    SEMVER = "semver"
    PEP440 = "pep440"
    LABEL = "label"
    """Free names, ordered as the author lists them."""


def is_version(text: str, scheme: Scheme) -> bool:
    """Tell whether `text` can name a version: within `MAX_LENGTH` and the scheme's grammar.

    A label is any printable text without blanks around it, except `latest`.
    """
    if scheme is Scheme.LABEL:
        fits = 0 < len(text) <= MAX_LENGTH and text.isprintable() and text == text.strip()
        return fits and not is_latest(text)
    return parse(text, scheme) is not None


def is_latest(text: str) -> bool:
    """Tell whether `text` is the reserved word `latest`, in any letter case."""
    return len(text) == len(LATEST) and text.lower() == LATEST


def parse(text: str, scheme: Scheme) -> Parsed | None:
    """Read a version of a numbered scheme; None for labels and for what is not a version."""
    if len(text) > MAX_LENGTH:
        return None
    return _parse(text, scheme)


@lru_cache(maxsize=8192)
def _parse(text: str, scheme: Scheme) -> Parsed | None:
    match scheme:
        case Scheme.SEMVER:
            return parse_semver(text)
        case Scheme.PEP440:
            return parse_pep440(text)
        case Scheme.LABEL:
            return None
