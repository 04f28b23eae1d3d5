"""Descriptions: all that a request may ask of a file, said once, with its usual answers ready."""

from __future__ import annotations

import msgspec

from doctrove_server.host.dates import format_date
from doctrove_server.host.files import Stamp
from doctrove_server.host.media import has_hashed_name, media_type
from doctrove_server.host.ranges import Span
from doctrove_server.host.response import (
    Fields,
    FileBody,
    Policy,
    Response,
    make_response,
)


class FileFacts(msgspec.Struct, frozen=True, kw_only=True):
    """One representation of a file."""

    parts: tuple[str, ...]
    """Names below the root of the file that holds the bytes."""

    stamp: Stamp
    size: int
    etag: bytes
    modified: int
    """Seconds since 1970."""

    media: bytes
    content: bytes | None
    """The bytes of a small file; a large one is read when it is sent."""

    codings: tuple[str, ...]
    """Codings that it is also there in, precompressed."""

    fields: Fields
    """Header fields that a 200 and a 206 have alike."""

    whole: Response
    unchanged: Response
    """The 304."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """What was read of a file at one moment."""

    parts: tuple[str, ...]
    stamp: Stamp
    size: int
    digest: str
    """SHA-256 of the bytes, in hexadecimal."""

    content: bytes | None
    seen: int
    """When, in seconds since 1970."""


def describe(
    snapshot: Snapshot, *, policy: Policy, coding: str = "", codings: tuple[str, ...] = ()
) -> FileFacts:
    """Describe a file; with `coding` as the precompressed form of the file without its suffix."""
    parts = snapshot.parts
    named = (*parts[:-1], parts[-1].rpartition(".")[0]) if coding else parts
    media = media_type(named[-1]).encode()
    etag = b'"%b"' % snapshot.digest[:32].encode()
    # A date that lies ahead is not said (RFC 9110 section 8.8.2.1).
    modified = max(0, min(snapshot.stamp.mtime_ns // 1_000_000_000, snapshot.seen))
    validators: Fields = (
        (b"etag", etag),
        (b"cache-control", _freshness(named)),
        *(((b"vary", b"accept-encoding"),) if coding or codings else ()),
        *policy.shared,
    )
    fields: Fields = (
        (b"content-type", media),
        *(((b"content-encoding", coding.encode()),) if coding else ()),
        (b"last-modified", format_date(modified).encode()),
        (b"accept-ranges", b"bytes"),
        *validators,
        (b"x-content-type-options", b"nosniff"),
    )
    span = Span(0, snapshot.size)
    stored = FileBody(parts=parts, stamp=snapshot.stamp, pieces=(span,))
    body = stored if snapshot.content is None else snapshot.content
    return FileFacts(
        parts=parts,
        stamp=snapshot.stamp,
        size=snapshot.size,
        etag=etag,
        modified=modified,
        media=media,
        content=snapshot.content,
        codings=codings,
        fields=fields,
        whole=make_response(200, fields, body),
        unchanged=make_response(304, validators),
    )


def _freshness(parts: tuple[str, ...]) -> bytes:
    if has_hashed_name(parts):
        return b"public, max-age=31536000, immutable"
    return b"no-cache"
