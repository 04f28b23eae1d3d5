"""Which listed version a request selects, and why; a request that fits none is refused.

| request | selects | kind |
|---|---|---|
| none, blank, `latest` in any case | the newest stable version, else the newest | `latest` |
| a listed name | that version | `exact` |
| `v5.1.0`, `5.1.0` for `5.1`, `5.1.0+build` | the version that it equals | `exact` |
| `5`, `5.1`, `5.x`, `5.1.X`, `5.1.*` | the newest stable that begins so, else newest | `prefix` |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from doctrove_schema.versions.nearest import nearest
from doctrove_schema.versions.ordering import is_stable, latest, latest_of_ordered, ordered
from doctrove_schema.versions.scheme import MAX_LENGTH, Scheme, is_latest, parse
from doctrove_schema.versions.unavailable import VersionUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_schema.versions.parsed import Parsed

_WILDCARDS = frozenset("xX*")
_FULL = 3
"""A version with this many numbers names one release and not a line of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The version that is given, and why it is this one."""

    version: str
    """As listed."""

    kind: Literal["latest", "exact", "prefix"]
    note: str
    """The reason in words, for people and models."""


def select(requested: str | None, versions: Sequence[str], scheme: Scheme) -> Selection:
    """Select the listed version that `requested` means.

    A full version that is listed only as a prerelease is not given instead of it. Raises
    `VersionUnavailable` with the nearest versions when nothing fits or nothing is listed.
    """
    asked = requested or ""
    wanted = asked.strip()
    if not versions:
        raise VersionUnavailable(asked, (), (), "no version is listed, the index may be damaged")
    if not wanted or is_latest(wanted):
        return _latest(versions, scheme)
    if wanted in versions:
        return Selection(version=wanted, kind="exact", note="exact match")
    newest_first = ordered(versions, scheme)
    found = (
        _label(wanted, newest_first)
        if scheme is Scheme.LABEL
        else _numbered(wanted, newest_first, scheme)
    )
    if found is None:
        reason = _reason(wanted, newest_first, scheme)
        raise VersionUnavailable(asked, nearest(wanted, newest_first, scheme), newest_first, reason)
    return found


def _latest(versions: Sequence[str], scheme: Scheme) -> Selection:
    version = latest(versions, scheme)
    if scheme is Scheme.LABEL:
        note = "first listed version"
    elif is_stable(version, scheme):
        note = "latest stable release"
    else:
        note = "no stable release; latest prerelease"
    return Selection(version=version, kind="latest", note=note)


def _label(wanted: str, versions: tuple[str, ...]) -> Selection | None:
    folded = wanted[: MAX_LENGTH + 1].casefold()
    names = {name for name in versions if name.casefold() == folded}
    if len(names) != 1:
        return None
    return Selection(version=names.pop(), kind="exact", note="exact match but for letter case")


def _numbered(wanted: str, newest_first: tuple[str, ...], scheme: Scheme) -> Selection | None:
    asked = parse(wanted, scheme)
    if asked is None:
        line = _wildcard(wanted, scheme)
        return _newest_of(line, newest_first, scheme) if line else None
    equal = _equal(wanted, asked, newest_first, scheme)
    if equal is not None or not asked.plain:
        return equal
    if len(asked.release) >= _FULL:
        newest_first = tuple(name for name in newest_first if is_stable(name, scheme))
    return _newest_of(asked, newest_first, scheme)


def _wildcard(wanted: str, scheme: Scheme) -> Parsed | None:
    """Read the numbers before `.x`, `.X` or `.*`."""
    numbers, dot, last = wanted.rpartition(".")
    line = parse(numbers, scheme) if dot and last in _WILDCARDS else None
    return line if line and line.plain else None


def _equal(
    wanted: str, asked: Parsed, newest_first: tuple[str, ...], scheme: Scheme
) -> Selection | None:
    """Find a version that compares equal.

    A short request (`5.1`) does not equal a version with more numbers (`5.1.0`): it stands for all
    of its line, of which that one need not be the newest.
    """
    full = not asked.plain or len(asked.release) >= _FULL
    equal = [
        name
        for name in newest_first
        if (parsed := parse(name, scheme))
        and parsed.order == asked.order
        and (full or len(parsed.release) <= len(asked.release))
    ]
    if not equal:
        return None
    same = [name for name in equal if _bare(name) == _bare(wanted)]
    if same:
        return Selection(version=same[0], kind="exact", note="exact match")
    note = f"exact match: {wanted} equals {equal[0]}"
    return Selection(version=equal[0], kind="exact", note=note)


def _bare(version: str) -> str:
    return version.removeprefix("v").removeprefix("V")


def _newest_of(line: Parsed, newest_first: tuple[str, ...], scheme: Scheme) -> Selection | None:
    """Select the newest version that begins with the numbers of `line`."""
    pool = [
        name
        for name in newest_first
        if (parsed := parse(name, scheme)) and parsed.begins_with(line)
    ]
    if not pool:
        return None
    version = latest_of_ordered(pool, scheme)
    epoch = f"{line.epoch}!" if line.epoch else ""
    shown = f"{epoch}{'.'.join(map(str, line.release))}.x"
    if is_stable(version, scheme):
        note = f"prefix match {shown} → latest {shown} release"
    else:
        note = f"prefix match {shown} → no stable release; latest {shown} prerelease"
    return Selection(version=version, kind="prefix", note=note)


def _reason(wanted: str, newest_first: tuple[str, ...], scheme: Scheme) -> str:
    """Say why a version is refused that a reader of the list may take for listed."""
    asked = parse(wanted, scheme)
    if asked is None or not asked.plain:
        return ""
    begun = any(
        parsed.begins_with(asked) for name in newest_first if (parsed := parse(name, scheme))
    )
    return "only prereleases of it are listed" if begun else ""
