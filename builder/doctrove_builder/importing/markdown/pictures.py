"""Pictures that pages show: at the address where they are published, or kept with the volume."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote, urljoin

from doctrove_builder.importing.errors import FileRefused

if TYPE_CHECKING:
    from doctrove_builder.importing.markdown.files import Files

FOLDER = "assets"
"""Of the volume, where pictures are kept by their path in the source."""

SUFFIXES = (".avif", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp")
MAX_BYTES = 2 * 1024 * 1024
MAX_TOTAL = 50 * 1024 * 1024
PUBLIC = ("public", "static")
"""Folders whose files a site publishes at its root."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Shown(NamedTuple):
    """What becomes of one picture."""

    address: str = ""
    """Where it is; for a kept one its path in the volume. Empty: its description stays."""

    kept: bool = False
    why: str = ""
    """Why its description alone stays."""


class Pictures:
    """The pictures of one import."""

    def __init__(self, files: Files, *, site_url: str, in_place: bool, licensed: bool) -> None:
        """`in_place`: the site publishes pictures where they stand beside its pages.

        `licensed`: a licence of what is republished is known.
        """
        self._files = files
        self._site_url = site_url
        self._in_place = in_place
        self._licensed = licensed
        self._total = 0
        self.taken: dict[str, bytes] = {}
        """Bytes by path in the volume."""

    def show(self, address: str, *, file: str, url: str) -> Shown:
        """Return what becomes of a picture of a page's file; `url` is the page's folder there."""
        if address.startswith("//"):
            return Shown(f"https:{address}")
        if _SCHEME.match(address):
            is_web = address.startswith(("https:", "http:"))
            return Shown(address) if is_web else Shown(why="is not an address of the web")
        path = self._find(re.split(r"[?#]", address)[0], file)
        if self._site_url and (self._in_place or address.startswith("/") or path is None):
            joined = urljoin(self._site_url if address.startswith("/") else url, address)
            return Shown(joined) if joined.startswith(("https://", "http://")) else Shown()
        if path is None:
            return Shown(why="is not in the source")
        return self._keep(path)

    def _find(self, address: str, file: str) -> str | None:
        found = self._files.find(unquote(address), page=file)
        if found is not None or not address.startswith("/"):
            return found
        around = (self._files.docs, posixpath.dirname(self._files.docs), *self._files.bases)
        for folder in around:
            for public in PUBLIC:
                path = posixpath.normpath(posixpath.join(folder, public, unquote(address[1:])))
                if path in self._files.tree:
                    return path
        return None

    def _keep(self, path: str) -> Shown:
        place = f"{FOLDER}/{path.removeprefix(f'{self._files.docs}/')}"
        if place in self.taken:
            return Shown(place, kept=True)
        if not path.lower().endswith(SUFFIXES):
            return Shown(why="is no picture")
        if not self._licensed:
            return Shown(why="has no known licence, and no address of the site is given")
        try:
            data = self._files.tree.read_bytes(path, limit=MAX_BYTES)
        except FileRefused:
            return Shown(why=f"has more than {MAX_BYTES:,} bytes")
        if self._total + len(data) > MAX_TOTAL:
            return Shown(why=f"and those before it have more than {MAX_TOTAL:,} bytes")
        self._total += len(data)
        self.taken[place] = data
        return Shown(place, kept=True)


def relative(place: str, *, page_file: str) -> str:
    """Return the address of a kept picture in a page of the volume."""
    path = posixpath.relpath(place, posixpath.dirname(page_file) or ".")
    return quote(path, safe="/@~!$&'*+,;=-._")
