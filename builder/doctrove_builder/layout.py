"""Where things stand in a published tree, and the relative addresses between them."""

from __future__ import annotations

import posixpath
from urllib.parse import quote

from doctrove_schema.names import encode_name

FRONT_PAGES = ("", "index")
"""Page paths whose text stands on the volume's own front page."""

ASSETS = "_assets"


def library_folder(library: str) -> str:
    """Return the folder of a library below the root, with a final `/`."""
    return f"{encode_name(library)}/"


def volume_folder(library: str, version: str) -> str:
    """Return the folder of a volume below the root, with a final `/`."""
    return f"{library_folder(library)}{encode_name(version)}/"


def page_folder(library: str, version: str, page: str) -> str:
    """Return the folder of a page below the root, with a final `/`."""
    volume = volume_folder(library, version)
    if page in FRONT_PAGES:
        return volume
    return f"{volume}{'/'.join(encode_name(part) for part in page.split('/'))}/"


def asset_file(path: str, sha256: str) -> str:
    """Return the published name of a copied file: its own with the hash of its content in it."""
    stem, suffix = posixpath.splitext(posixpath.basename(path))
    return f"{ASSETS}/{encode_name(stem)}.{sha256[:16]}{suffix.lower()}"


def address(folder: str, target: str, fragment: str = "") -> str:
    """Return the relative URL that leads from a page in `folder` to `target`, both below the root.

    Both are file names; every segment is quoted (RFC 3986), so a `%` in a name becomes `%25`.
    """
    if folder == target and fragment:
        return f"#{quote(fragment)}"
    path = posixpath.relpath(f"/{target}", f"/{folder}")
    slash = "/" if target.endswith("/") or not target else ""
    quoted = quote(path, safe="/@~") + slash
    return f"{quoted}#{quote(fragment)}" if fragment else quoted
