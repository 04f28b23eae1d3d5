"""Remembered sections of several versions: the newest stays whole, older ones become shorter.

Sections that `doc_extract` showed are kept under their address; those that differ in the version
alone are of one kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from doctrove_schema.versions import Scheme, is_version, ordered
from doctrove_server.compression.aging import level_of_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from doctrove_server.compression.compressed import Level

_SCHEME = "doctrove://"


def levels_by_version(keys: Iterable[str], query: str) -> Mapping[str, Level]:
    """Return the level of each key whose section is there in several versions.

    A version that the query names comes before the newest.
    """
    kinds: dict[tuple[str, str], dict[str, str]] = {}
    for key in keys:
        parts = _parts(key)
        if parts is not None:
            library, version, section = parts
            kinds.setdefault((library, section), {})[version] = key
    found: dict[str, Level] = {}
    for versions in kinds.values():
        if len(versions) > 1:
            for place, version in enumerate(_newest_first(list(versions), query)):
                found[versions[version]] = level_of_version(place)
    return found


def _parts(key: str) -> tuple[str, str, str] | None:
    """Return library, version and section of an address; None for another key."""
    parts = key.removeprefix(_SCHEME).split("/", 2)
    if not key.startswith(_SCHEME) or len(parts) != 3:
        return None
    library, version, section = map(unquote, parts)
    return library, version, section


def _newest_first(versions: list[str], query: str) -> list[str]:
    for scheme in (Scheme.SEMVER, Scheme.PEP440):
        if all(is_version(version, scheme) for version in versions):
            versions = list(ordered(versions, scheme))
            break
    words = query.split()
    return sorted(versions, key=lambda version: version not in words)
