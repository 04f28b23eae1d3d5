"""The address of a remote index: what to fetch, what to send along, and where it may lead.

Credentials stay with the origin that they were given for, and out of every text that is shown.
"""

from __future__ import annotations

import base64
from urllib.parse import SplitResult, unquote, urljoin, urlsplit, urlunsplit

import msgspec

from doctrove_server.errors import NetworkError

INDEX_NAME = "index.json"
MAX_REDIRECTS = 5

_PORTS = {"http": 80, "https": 443}


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """The folder of a published index."""

    base: str
    """URL without credentials, query and trailing slash: safe to show."""

    query: str = ""
    authorization: str = ""
    """Value of the `Authorization` header for this origin alone; a secret."""

    @property
    def label(self) -> str:
        """The name of this source in answers."""
        return f"remote:{self.base}"

    def url(self, name: str = INDEX_NAME) -> str:
        """Return the URL of a file in the folder."""
        return f"{self.base}/{name}" + (f"?{self.query}" if self.query else "")


def read_address(text: str) -> Address:
    """Read `--index-url`: http or https, a host, maybe credentials and a query.

    Raises `ValueError` saying what is wrong with it, without repeating its credentials.
    """
    if any(ord(c) <= 0x20 or ord(c) == 0x7F for c in text):
        raise ValueError("it holds a blank or a control character")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise ValueError(f"it is not a URL: {error}") from None
    if parts.scheme.lower() not in _PORTS:
        raise ValueError("it does not begin with http:// or https://")
    if not parts.hostname:
        raise ValueError("it names no host")
    if parts.fragment:
        raise ValueError("it has a fragment (#...)")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    netloc = host if port is None else f"{host}:{port}"
    path = parts.path.removesuffix(f"/{INDEX_NAME}").rstrip("/")
    return Address(
        base=urlunsplit((parts.scheme.lower(), netloc, path, "", "")),
        query=parts.query,
        authorization=_basic(parts),
    )


def redirected(url: str, location: str, *, hops: int) -> str:
    """Return where a redirect leads; `hops` counts the redirects before it.

    Raises `NetworkError` for one that leads away from http(s), from https to http, in too many
    steps, or nowhere.
    """
    if hops >= MAX_REDIRECTS:
        raise NetworkError(f"more than {MAX_REDIRECTS} redirects")
    if not location:
        raise NetworkError("a redirect without a target")
    try:
        target = urlsplit(urljoin(url, location))
        usable = target.scheme in _PORTS and bool(target.hostname) and _port(target) > 0
    except ValueError:
        usable, target = False, urlsplit("")
    if not usable:
        raise NetworkError("a redirect to what is not an http(s) address")
    if urlsplit(url).scheme == "https" and target.scheme == "http":
        raise NetworkError("a redirect from https to http")
    bare = target.netloc.rpartition("@")[2]
    return urlunsplit((target.scheme, bare, target.path, target.query, ""))


def same_origin(one: str, other: str) -> bool:
    """Tell whether two URLs share scheme, host and port (RFC 6454, section 5)."""
    return _origin(urlsplit(one)) == _origin(urlsplit(other))


def _origin(parts: SplitResult) -> tuple[str, str, int]:
    return parts.scheme, parts.hostname or "", _port(parts)


def _port(parts: SplitResult) -> int:
    return parts.port or _PORTS[parts.scheme]


def _basic(parts: SplitResult) -> str:
    if parts.username is None:
        return ""
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode()
