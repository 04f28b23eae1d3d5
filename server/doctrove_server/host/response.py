"""A response as a value: status, header fields ready to be sent, and where its body is."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.host.files import Stamp
from doctrove_server.host.ranges import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

Fields = tuple[tuple[bytes, bytes], ...]
"""Header fields in order, names in lower case."""

METHODS = b"GET, HEAD, OPTIONS"

_BODILESS = frozenset({204, 304})


class FileBody(msgspec.Struct, frozen=True, kw_only=True):
    """A body that is read from a file while it is sent."""

    parts: tuple[str, ...]
    stamp: Stamp
    pieces: tuple[bytes | Span, ...]
    """Bytes to send as they are, and spans of the file, in order."""


class Response(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent for one request; for HEAD the same without the body."""

    status: int
    fields: Fields
    """With Content-Length where there is a body; Date and Connection are the server's."""

    body: bytes | FileBody
    head: bytes
    """Status line and fields as they go over the wire, each with its line end."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What the host adds to its responses."""

    cors: bool = True
    """Pages of any origin may read what is served."""

    @property
    def fields(self) -> Fields:
        """Fields of every response."""
        return (*self.shared, (b"x-content-type-options", b"nosniff"))

    @property
    def shared(self) -> Fields:
        """Fields that a 304 carries too."""
        if not self.cors:
            return ()
        return (
            (b"access-control-allow-origin", b"*"),
            (b"access-control-expose-headers", b"content-range, etag"),
        )


def make_response(status: int, fields: Fields, body: bytes | FileBody = b"") -> Response:
    """Make a response, with the length of its body among the fields."""
    if status not in _BODILESS:
        fields = (*fields, (b"content-length", str(_length(body)).encode()))
    line = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode()
    return Response(status=status, fields=fields, body=body, head=line + wire(fields))


def make_message(status: int, text: str, policy: Policy, *, fields: Fields = ()) -> Response:
    """Make a response that says one line of plain text."""
    own: Fields = (
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"cache-control", b"no-store"),
    )
    return make_response(status, own + fields + policy.fields, f"{text}\n".encode())


def wire(fields: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Write header fields as they go over the wire."""
    return b"".join(b"%b: %b\r\n" % field for field in fields)


def _length(body: bytes | FileBody) -> int:
    if isinstance(body, bytes):
        return len(body)
    return sum(
        piece.stop - piece.start if isinstance(piece, Span) else len(piece) for piece in body.pieces
    )
