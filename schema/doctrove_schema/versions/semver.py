"""The semver scheme, read with tolerance: `5.1`, `v5.1.0`, `1.2.3.4`, `1.3.0-pre.5`, not `2.x`.

Precedence is that of https://semver.org/#spec-item-11. Missing numbers are zeros and build
metadata has no weight.
"""

from __future__ import annotations

import re

from doctrove_schema.versions.parsed import Parsed

_IDENTIFIERS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_VERSION = re.compile(rf"[vV]?([0-9]+(?:\.[0-9]+)*)(?:-({_IDENTIFIERS}))?(?:\+{_IDENTIFIERS})?")


def parse_semver(text: str) -> Parsed | None:
    """Read a version, or give None when it is not one; the caller bounds its length."""
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    numbers, prerelease = match.groups()
    release = tuple(int(number) for number in numbers.split("."))
    stable = prerelease is None
    identifiers = () if stable else tuple(_precedence(word) for word in prerelease.split("."))
    order = (_without_trailing_zeros(release), stable, identifiers)
    return Parsed(release=release, stable=stable, plain=stable, order=order)


def _precedence(identifier: str) -> tuple[bool, int, str]:
    """Numbers compare as numbers and come before words, which compare by ASCII."""
    if identifier.isdigit():
        return (False, int(identifier), "")
    return (True, 0, identifier)


def _without_trailing_zeros(release: tuple[int, ...]) -> tuple[int, ...]:
    end = len(release)
    while end and release[end - 1] == 0:
        end -= 1
    return release[:end]
