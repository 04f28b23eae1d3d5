"""Addresses of pages: which page one means, and what to write for links between pages."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from doctrove_schema.sections import claim, slug

if TYPE_CHECKING:
    from collections.abc import Sequence

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_SUFFIX = re.compile(r"\.(?:mdx?|markdown|html?|txt)$", re.IGNORECASE)
_UNFIT = re.compile(r"[\s?#%&:*\"<>|\\]+")


class Addresses:
    """The addresses of all pages."""

    def __init__(self, urls: Sequence[str], *, base: str) -> None:
        """Take each page's address as written; `base` is where the site is published."""
        self._base = base if base.startswith(("https://", "http://")) else ""
        self.absolute = tuple(self._joined("", url) for url in urls)
        self._whole: dict[str, int] = {}
        self._routes: dict[str, int] = {}
        for number, url in enumerate(self.absolute):
            if url:
                self._whole.setdefault(_key(url), number)
                self._routes.setdefault(_route(url), number)

    def target(self, number: int, address: str) -> tuple[int | None, str]:
        """Return the page that a link on a page leads to, if any, and its address or fragment."""
        bare, _, fragment = address.partition("#")
        if not bare:
            return None, address
        if _SCHEME.match(bare) and not bare.startswith(("http:", "https:")):
            return None, address
        joined = self._joined(self.absolute[number], bare)
        found = self._whole.get(_key(joined))
        if found is None and not bare.startswith(("http:", "https:")):
            found = self._routes.get(_route(joined))
        if found is not None:
            return found, fragment
        whole = f"{joined}#{fragment}" if fragment else joined
        return None, whole if whole.startswith(("https://", "http://")) else address

    def _joined(self, page: str, url: str) -> str:
        if not url or url.startswith(("https://", "http://")):
            return url
        around = page if page.startswith(("https://", "http://")) else self._base
        try:
            if around:
                return urljoin(around, url)
            return posixpath.normpath(posixpath.join(posixpath.dirname(page), url))
        except ValueError:
            return ""


def page_paths(titles: Sequence[str], urls: Sequence[str]) -> list[str]:
    """Return a path for each page: of its address below what all share, else of its title."""
    routes = [_route(url).strip("/") if url else None for url in urls]
    known = [route.split("/")[:-1] for route in routes if route is not None]
    shared = len(_shared(known)) if len(known) > 1 else 0
    taken: set[str] = set()
    paths: list[str] = []
    for title, route in zip(titles, routes, strict=True):
        parts = [] if route is None else route.split("/")[shared:]
        clean = [_UNFIT.sub("-", part).strip("-._") for part in parts]
        path = "/".join(part for part in clean if part)
        if route is None:
            path = slug(title) or "index"
        free = claim((path or "index").lower(), taken)
        paths.append(path or "index" if free == (path or "index").lower() else free)
    return paths


def _shared(paths: Sequence[Sequence[str]]) -> list[str]:
    shared = list(paths[0])
    for path in paths[1:]:
        same = 0
        while same < min(len(shared), len(path)) and shared[same] == path[same]:
            same += 1
        shared = shared[:same]
    return shared


def _key(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url
    return f"{parts.netloc.lower()}{_route(url)}"


def _route(url: str) -> str:
    """Return the path of an address, as one page may write it in several ways."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        path = url
    path = _SUFFIX.sub("", path.rstrip("/"))
    folder, _, name = path.rpartition("/")
    return "/" + (folder if name.lower() in {"index", "readme"} else path).strip("/")
