"""The PEP 440 scheme: the grammar and order of the `packaging` library, nothing of our own."""

from __future__ import annotations

from packaging.version import InvalidVersion, Version

from doctrove_schema.versions.parsed import Parsed


def parse_pep440(text: str) -> Parsed | None:
    """Read a version, or give None when it is not one; the caller bounds its length."""
    if not text.isascii() or text != text.strip():
        return None
    try:
        version = Version(text)
    except InvalidVersion:
        return None
    suffixes = (version.pre, version.post, version.dev, version.local)
    return Parsed(
        epoch=version.epoch,
        release=version.release,
        stable=not version.is_prerelease,
        plain=all(suffix is None for suffix in suffixes),
        order=version,
    )
