"""From a request and what was found for it to a response: every decision, and no disk or socket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from doctrove_server.host.conditions import Verdict, range_stands, weigh_conditions
from doctrove_server.host.description import FileFacts
from doctrove_server.host.hosts import has_real_port
from doctrove_server.host.listing import render_listing
from doctrove_server.host.ranges import Span, parse_ranges
from doctrove_server.host.response import (
    METHODS,
    Fields,
    FileBody,
    Policy,
    Response,
    make_message,
    make_response,
)
from doctrove_server.host.target import Fault, Target, read_target

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_server.host.hosts import HostCheck

_READ = frozenset(
    {
        b"accept-encoding",
        b"host",
        b"if-match",
        b"if-modified-since",
        b"if-none-match",
        b"if-range",
        b"if-unmodified-since",
        b"range",
    }
)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What the host reads of a request."""

    method: str
    target: Target | Fault
    query: bytes
    fields: Mapping[bytes, bytes]
    """By name in lower case, only those that count here; repeated ones joined by a comma."""

    version: str
    """Of HTTP: `1.0`, `1.1`."""


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """Nothing is there; `page` is the site's own 404 page."""

    page: FileFacts | None = None


class Elsewhere(msgspec.Struct, frozen=True, kw_only=True):
    """A folder was asked for without its slash."""

    name: str


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """The names in a folder that has no page of its own."""

    parts: tuple[str, ...]
    names: tuple[str, ...]


Found = FileFacts | Missing | Elsewhere | Listing


def read_request(
    method: str,
    path: bytes,
    query: bytes,
    fields: Iterable[tuple[bytes, bytes]],
    *,
    version: str = "1.1",
) -> Request:
    """Read a request from its raw path, query and header fields (names in lower case)."""
    kept: dict[bytes, bytes] = {}
    for name, value in fields:
        if name in _READ:
            kept[name] = kept[name] + b", " + value if name in kept else value
    return Request(
        method=method, target=read_target(path), query=query, fields=kept, version=version
    )


def refuse(request: Request, hosts: HostCheck, *, policy: Policy) -> Response | None:
    """Answer what needs no file: a wrong Host, a method or path that is not served, OPTIONS."""
    host = request.fields.get(b"host")
    if host is not None and not has_real_port(host):
        return make_message(400, "The request names a port that cannot be.", policy)
    if not hosts.admits(host):
        return make_message(421, "This host does not serve that name.", policy)
    if host is None and request.version == "1.1":
        return make_message(400, "The request names no host.", policy)
    if request.method not in ("GET", "HEAD"):
        return _options(policy) if request.method == "OPTIONS" else refuse_method(policy)
    if request.target is Fault.MALFORMED:
        return make_message(400, "The request path is malformed.", policy)
    return None


def respond(request: Request, found: Found, *, policy: Policy) -> Response:
    """Answer a GET or HEAD with what was found; for HEAD the body is not to be sent."""
    if isinstance(found, FileFacts):
        return _file(request, found, policy)
    own: Fields = ((b"cache-control", b"no-cache"),)
    if isinstance(found, Elsewhere):
        # Relative, with a dot in front, so that no name is taken for a scheme or a host.
        query = b"?" + request.query if request.query else b""
        location = b"./" + quote(found.name, safe="").encode() + b"/" + query
        return make_message(
            301, "The folder ends in a slash.", policy, fields=((b"location", location),)
        )
    page: Fields = ((b"content-type", b"text/html; charset=utf-8"),)
    if isinstance(found, Listing):
        body = render_listing(found.parts, found.names)
        return make_response(200, page + own + policy.fields, body)
    if found.page is not None and found.page.content is not None:
        return make_response(404, page + own + policy.fields, found.page.content)
    return make_message(404, "Not found.", policy)


def refuse_method(policy: Policy, *, fields: Fields = ()) -> Response:
    """Answer a method that is not served, known or not."""
    allow: Fields = ((b"allow", METHODS),)
    return make_message(405, "Files are read with GET and HEAD.", policy, fields=allow + fields)


def _options(policy: Policy) -> Response:
    allow: Fields = ((b"allow", METHODS),)
    if policy.cors:
        allow += (
            (b"access-control-allow-methods", METHODS),
            (b"access-control-allow-headers", b"*"),
            (b"access-control-max-age", b"86400"),
        )
    return make_response(204, allow + policy.fields)


def _file(request: Request, facts: FileFacts, policy: Policy) -> Response:
    fields = request.fields
    verdict = weigh_conditions(fields, etag=facts.etag, modified=facts.modified)
    if verdict is Verdict.UNCHANGED:
        return facts.unchanged
    if verdict is Verdict.FAILED:
        return make_message(
            412, "The file is another one.", policy, fields=((b"etag", facts.etag),)
        )
    wanted = fields.get(b"range")
    if (
        wanted is None
        or request.method != "GET"
        or not range_stands(fields, etag=facts.etag, modified=facts.modified)
    ):
        return facts.whole
    spans = parse_ranges(wanted.decode("latin-1"), size=facts.size)
    if spans is None:
        return facts.whole
    if not spans:
        unit = b"bytes */%d" % facts.size
        return make_message(416, "No such bytes.", policy, fields=((b"content-range", unit),))
    return _partial(facts, spans)


def _partial(facts: FileFacts, spans: tuple[Span, ...]) -> Response:
    if len(spans) == 1:
        fields: Fields = (*facts.fields, (b"content-range", _content_range(spans[0], facts.size)))
        return make_response(206, fields, _body(facts, spans))
    # The boundary comes from the hash of the content, which the content cannot hold.
    boundary = b"doctrove-" + facts.etag.strip(b'"')
    pieces: list[bytes | Span] = []
    for span in spans:
        place = _content_range(span, facts.size)
        part = (boundary, facts.media, place)
        pieces += [b"--%b\r\nContent-Type: %b\r\nContent-Range: %b\r\n\r\n" % part, span, b"\r\n"]
    pieces.append(b"--%b--\r\n" % boundary)
    media = (b"content-type", b"multipart/byteranges; boundary=" + boundary)
    others = tuple(field for field in facts.fields if field[0] != b"content-type")
    return make_response(206, (media, *others), _body(facts, pieces))


def _body(facts: FileFacts, pieces: Iterable[bytes | Span]) -> bytes | FileBody:
    content = facts.content
    if content is None:
        return FileBody(parts=facts.parts, stamp=facts.stamp, pieces=tuple(pieces))
    return b"".join(
        content[piece.start : piece.stop] if isinstance(piece, Span) else piece for piece in pieces
    )


def _content_range(span: Span, size: int) -> bytes:
    return b"bytes %d-%d/%d" % (span.start, span.stop - 1, size)
