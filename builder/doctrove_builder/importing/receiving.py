"""What of a download has arrived: bounded in size and time, continued where it broke off."""

from __future__ import annotations

import re
import time
import zlib
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from doctrove_builder.importing.errors import DownloadFailed, NotThere

if TYPE_CHECKING:
    import httpx2

LONGEST_WAIT = 20
"""Seconds that a busy server may ask for."""

_BUSY = frozenset({429, 502, 503, 504})
_ABSENT = frozenset({404, 410})
_RANGE = re.compile(r"bytes (\d+)-\d+/(?:\d+|\*)")


class Unfinished(Exception):
    """The server asks to come again: `reason` for people, `wait` in seconds."""

    def __init__(self, reason: str, *, wait: float) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait


class Received:
    """The bytes of one download over all tries."""

    def __init__(self, *, url: str, limit: int, deadline: float, seconds: float) -> None:
        """Begin with nothing; `deadline` is of the monotonic clock."""
        self._url = url
        self._limit = limit
        self._deadline = deadline
        self._seconds = seconds
        self._body = bytearray()
        self._validator = ""

    def headers(self) -> dict[str, str]:
        """Return what asks for the rest alone (RFC 9110, sections 13.1.5 and 14.2)."""
        if not self._body or not self._validator:
            return {}
        return {"range": f"bytes={len(self._body)}-", "if-range": self._validator}

    def take(self, response: httpx2.Response) -> bytes:
        """Read an answer to its end and return the whole; raises `DownloadFailed`.

        Raises `Unfinished` for a server that is busy, and lets errors of the transport through:
        what has arrived by then is kept for the next try.
        """
        status = response.status_code
        if status in _BUSY:
            wait = response.headers.get("retry-after", "")
            seconds = float(wait) if wait.isascii() and wait.isdigit() and len(wait) < 5 else 1.0
            raise Unfinished(f"it answered with status {status}", wait=min(seconds, LONGEST_WAIT))
        if status in _ABSENT:
            raise NotThere(f"{shown(self._url)} is not there (status {status})")
        if status == 416:  # what is there now is shorter than what had arrived
            self._body.clear()
            raise Unfinished("the file changed while it was downloaded", wait=0)
        if status not in {200, 206}:
            raise DownloadFailed(f"{shown(self._url)} answered with status {status}")
        if status == 200 or not self._goes_on(response):
            self._body.clear()
        if status == 206 and not self._body:
            raise DownloadFailed(f"{shown(self._url)} gave another part than was asked for")
        etag = response.headers.get("etag", "")
        strong = etag if etag.startswith('"') else ""
        self._validator = strong or response.headers.get("last-modified", "")
        for chunk in response.iter_raw():
            self._body += chunk
            if len(self._body) > self._limit:
                raise self._too_large()
            if time.monotonic() > self._deadline:
                raise DownloadFailed(f"{shown(self._url)} took longer than {self._seconds} seconds")
        return self._decoded(response.headers.get("content-encoding", "identity").lower())

    def _goes_on(self, response: httpx2.Response) -> bool:
        found = _RANGE.fullmatch(response.headers.get("content-range", ""))
        return found is not None and int(found[1]) == len(self._body)

    def _decoded(self, encoding: str) -> bytes:
        """Undo gzip, which some servers use though they are asked not to."""
        if encoding in {"identity", ""}:
            return bytes(self._body)
        if encoding != "gzip":
            raise DownloadFailed(f"{shown(self._url)} comes encoded as {encoding[:40]!r}")
        try:
            plain = zlib.decompressobj(31).decompress(bytes(self._body), self._limit + 1)
        except zlib.error as error:
            raise DownloadFailed(f"{shown(self._url)} is damaged: it cannot be unpacked") from error
        if len(plain) > self._limit:
            raise self._too_large()
        return plain

    def _too_large(self) -> DownloadFailed:
        return DownloadFailed(f"{shown(self._url)} has more than {self._limit:,} bytes")


def shown(url: str) -> str:
    """Return an address without what may be secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"[:300]
