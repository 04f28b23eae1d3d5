"""What an endpoint of a model may do wrong, each as an answer of the loopback endpoint."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from tests.compression.conftest import (
    always,
    drips,
    drips_headers,
    hangs,
    released,
    says,
)

if TYPE_CHECKING:
    import http.server
    from collections.abc import Callable

    Answer = Callable[[http.server.BaseHTTPRequestHandler, int], None]

LIE = "`port` defaults to `9999`."


def _completion(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}}]}).encode()


def closes_at_once(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    handler.close_connection = True
    handler.connection.close()


def closes_midway(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    body = _completion(LIE)
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[:-20])
    handler.close_connection = True


def closes_midway_without_a_length(
    handler: http.server.BaseHTTPRequestHandler, _number: int
) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n" + _completion(LIE)[:-20])
    handler.close_connection = True


def sends_100_mb(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(100_000_000))
    handler.end_headers()
    with suppress(OSError):  # it is hung up on
        for _ in range(100):
            handler.wfile.write(b" " * 1_000_000)
    handler.close_connection = True


def sends_chunks_for_ever(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    with suppress(OSError):
        while not released.is_set():
            handler.wfile.write(b"8000\r\n" + b" " * 0x8000 + b"\r\n")
    handler.close_connection = True


def sends_headers_for_ever(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    with suppress(OSError):
        while not released.is_set():
            handler.wfile.write(b"X-More: " + b"x" * 8_000 + b"\r\n")
    handler.close_connection = True


def says_continue_for_ever(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    with suppress(OSError):
        while not released.wait(0.001):
            handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    handler.close_connection = True


def zips_100_mb(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    body = gzip.compress(b" " * 100_000_000, 1)
    handler.send_response(200)
    handler.send_header("Content-Encoding", "gzip")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    with suppress(OSError):
        handler.wfile.write(body)


def speaks_no_http(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.9\r\n")
    handler.close_connection = True


def goes_byte_by_byte(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    """A right answer that takes half a minute."""
    body = _completion("`port` is a number and defaults to `8730`.")
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    for place in range(len(body)):
        if released.wait(0.3):
            return
        try:
            handler.wfile.write(body[place : place + 1])
            handler.wfile.flush()
        except OSError:
            return


def redirects_elsewhere(handler: http.server.BaseHTTPRequestHandler, number: int) -> None:
    """Lead to the same endpoint, where a second question would be answered."""
    if number > 1:
        return says("`port` is a number and defaults to `8730`.")(handler, number)
    handler.send_response(307)
    handler.send_header("Location", "/elsewhere/chat/completions")
    handler.send_header("Content-Length", "0")
    handler.end_headers()
    return None


# What answers may be tried again for, which are so many questions; None where time decides.
MISBEHAVING: dict[str, tuple[Answer, int | None]] = {
    "500": (always(500, b"broken"), 3),
    "401": (always(401, b"who"), 1),
    "redirects elsewhere": (redirects_elsewhere, 1),
    "a page": (always(200, b"<html>"), 1),
    "no UTF-8": (always(200, b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'), 1),
    "half a character": (always(200, b'{"choices": [{"message": {"content": "\\ud800"}}]}'), 1),
    "half a document": (always(200, _completion(LIE)[:-20]), 1),
    "deep JSON": (always(200, b'{"usage": ' + b"[" * 100_000), 1),
    "no choices": (always(200, b'{"choices": []}'), 1),
    "a failure as an answer": (always(200, b'{"error": {"message": "no such model"}}'), 1),
    "a list for a text": (always(200, b'{"choices": [{"message": {"content": ["a"]}}]}'), 1),
    "nothing": (always(200, b""), 1),
    "blanks": (says("   "), 1),
    "500 kB": (always(200, b'"' + b"x" * 500_000 + b'"'), 1),
    "100 MB": (sends_100_mb, 1),
    "100 MB zipped": (zips_100_mb, 1),
    "chunks for ever": (sends_chunks_for_ever, 1),
    "headers for ever": (sends_headers_for_ever, None),
    "continues for ever": (says_continue_for_ever, None),
    "no HTTP": (speaks_no_http, 3),
    "closes at once": (closes_at_once, 3),
    "closes midway": (closes_midway, 3),
    "closes midway without a length": (closes_midway_without_a_length, None),
    "hangs": (hangs, None),
    "drips blanks": (drips, None),
    "drips headers": (drips_headers, None),
    "byte by byte": (goes_byte_by_byte, None),
}
