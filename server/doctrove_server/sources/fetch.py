"""The edge to the network: one bounded HTTP GET. Decides nothing about caching.

Bounds: the time of the whole exchange, the bytes of the decoded body, the number and direction of
redirects. Credentials go to the origin of the first URL alone.
"""

from __future__ import annotations

import asyncio
import zlib
from typing import TYPE_CHECKING, Protocol

import msgspec

from doctrove_server.about import VERSION
from doctrove_server.errors import NetworkError, SourceTimeout
from doctrove_server.sources.address import redirected, same_origin

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx2

MAX_BODY = 256 * 1024 * 1024
"""Bytes of a decoded index."""

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_CHUNK = 1 << 16
_GZIP = 31
"""zlib's window bits for a gzip stream (zlib manual, inflateInit2)."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What to get."""

    url: str
    authorization: str = ""
    etag: str = ""
    """Of the copy at hand; sent as `If-None-Match`."""

    modified: str = ""
    """`Last-Modified` of the copy at hand, sent when there is no ETag."""


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """What came back: a body, or None when the copy at hand is still good (304)."""

    body: bytes | None
    etag: str = ""
    modified: str = ""


class Fetch(Protocol):
    """Gets one URL; raises `NetworkError` or `SourceTimeout`."""

    async def __call__(self, wanted: Wanted, /) -> Fetched:
        """Get it."""
        ...


class HttpFetch:
    """A `Fetch` over one pool of connections, opened when first used.

    `timeout` is in seconds, for everything, the body included; `max_body` in decoded bytes.
    """

    def __init__(self, *, timeout: float, max_body: int = MAX_BODY) -> None:
        self._timeout = timeout
        self._max_body = max_body
        self._client: httpx2.AsyncClient | None = None

    async def __call__(self, wanted: Wanted, /) -> Fetched:
        """Get one URL, over the redirects that `redirected` allows."""
        import httpx2  # noqa: PLC0415 - needed by those with a remote index alone

        if self._client is None:
            self._client = httpx2.AsyncClient(timeout=None, follow_redirects=False)
        try:
            async with asyncio.timeout(self._timeout):
                return await self._follow(self._client, wanted)
        except TimeoutError:
            raise SourceTimeout(f"no complete answer within {self._timeout:g} seconds") from None
        except httpx2.HTTPError as error:
            raise NetworkError(f"{type(error).__name__}: {error}".rstrip(": ")) from None
        except httpx2.InvalidURL:
            raise NetworkError("a redirect to what is not an http(s) address") from None

    async def aclose(self) -> None:
        """Close the pool."""
        if self._client is not None:
            await self._client.aclose()

    async def _follow(self, client: httpx2.AsyncClient, wanted: Wanted) -> Fetched:
        url, hops = wanted.url, 0
        while True:
            async with client.stream("GET", url, headers=_headers(wanted, url)) as response:
                if response.status_code in _REDIRECTS:
                    url = redirected(url, response.headers.get("location", ""), hops=hops)
                    hops += 1
                    continue
                return await _read(response, wanted, max_body=self._max_body)


def _headers(wanted: Wanted, url: str) -> dict[str, str]:
    headers = {
        "accept": "application/json",
        "accept-encoding": "gzip",
        "user-agent": f"doctrove/{VERSION}",
    }
    if wanted.etag:
        headers["if-none-match"] = wanted.etag
    elif wanted.modified:
        headers["if-modified-since"] = wanted.modified
    if wanted.authorization and same_origin(wanted.url, url):
        headers["authorization"] = wanted.authorization
    return headers


async def _read(response: httpx2.Response, wanted: Wanted, *, max_body: int) -> Fetched:
    status = response.status_code
    etag = response.headers.get("etag", "")
    modified = response.headers.get("last-modified", "")
    if status == 304 and (wanted.etag or wanted.modified):
        return Fetched(body=None, etag=etag, modified=modified)
    if not 200 <= status < 300:
        raise NetworkError(f"HTTP {status}")
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in ("", "identity", "gzip", "x-gzip"):
        raise NetworkError(f"a content coding that was not asked for: {coding[:40]}")
    chunks = response.aiter_raw(_CHUNK)
    body = await (_inflated if coding.endswith("gzip") else _plain)(chunks, max_body)
    return Fetched(body=body, etag=etag, modified=modified)


async def _plain(chunks: AsyncIterator[bytes], max_body: int) -> bytes:
    body = bytearray()
    async for chunk in chunks:
        body += chunk
        _bounded(body, max_body)
    return bytes(body)


async def _inflated(chunks: AsyncIterator[bytes], max_body: int) -> bytes:
    """Inflate a gzip stream, never by more than a byte above the bound."""
    inflate = zlib.decompressobj(_GZIP)
    body = bytearray()
    async for chunk in chunks:
        try:
            body += inflate.decompress(chunk, max_body + 1 - len(body))
        except zlib.error:
            raise NetworkError("the body is not the gzip stream that it says it is") from None
        _bounded(body, max_body)
    if not inflate.eof:
        raise NetworkError("the compressed body ends too early")
    return bytes(body)


def _bounded(body: bytearray, max_body: int) -> None:
    if len(body) > max_body:
        raise NetworkError(f"the index is larger than {max_body:,} bytes")
