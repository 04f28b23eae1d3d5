"""The connection edge: uvicorn's httptools protocol with bounds and a short way for ready answers.

A request without a body whose response is at hand is answered in one write, without a task of its
own; everything else goes through ASGI as ever. The order of pipelined requests is kept: the short
way is taken only when no earlier request is still being answered and the client keeps reading.
"""

from __future__ import annotations

import re
import socket
import struct
from typing import TYPE_CHECKING, ClassVar

from httptools import HttpParserError, HttpParserInvalidMethodError, HttpParserUpgrade
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from doctrove_server.host.app import IS_GONE
from doctrove_server.host.respond import refuse_method
from doctrove_server.host.response import Fields, Policy, Response, make_message, wire
from doctrove_server.host.target import origin_form

if TYPE_CHECKING:
    import asyncio

    from httptools import HttpRequestParser

    from doctrove_server.host.app import StaticHost
    from doctrove_server.host.limits import Limits

_JOINED = 64 * 1024  # bodies up to this are copied behind their head, to be one write
_LINGER = 1.0
_VERSIONS = ("1.0", "1.1")
_CLOSE: Fields = ((b"connection", b"close"),)
_REQUEST_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ [\x21-\x7e]+ HTTP/1\.[01]\r?\n")
_PART_OF_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: [\x21-\x7e]*){0,2}\r?")
_REFUSALS = {
    400: "The request is malformed.",
    431: "The request has too large a head.",
}


class HostProtocol(HttpToolsProtocol):
    """One connection to a `StaticHost`; made by a subclass from `protocol_for`."""

    host: ClassVar[StaticHost]
    limits: ClassVar[Limits]
    parser: HttpRequestParser

    _unfinished = True  # a request is under way or awaited
    _in_head = True
    _at_once = False  # the request under way has been answered already
    _deaf = False  # refused: what still comes is dropped
    _refusal = 400
    url = b""
    _line = b""  # of the request under way, while nothing of its target has come
    _is_strange = False  # its method is none that the parser knows
    _ended_one = False  # among the latest bytes a request came to its end
    _received = 0  # since the bytes that the request began in
    _latest = 0
    _begun = 0.0
    _buffered = 0
    _moved = 0.0
    _dated: list[tuple[bytes, bytes]] | None = None
    _date = b""
    _watch: asyncio.TimerHandle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to watch the connection."""
        super().connection_made(transport)
        self._begun = self.loop.time()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop watching it."""
        self._watch.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what came; refuse a request that is none or grows beyond its bounds."""
        if self._deaf:
            return
        self._unset_keepalive_if_required()
        self._latest = len(data)
        self._received += self._latest
        self._line += data
        if self._is_strange:
            self._refuse_method()
            return
        self._ended_one = False
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade:
            return  # answered like any other, see `_start_app`
        except HttpParserInvalidMethodError:
            self._refuse_method()
            return
        except HttpParserError:
            self._refuse(self._refusal)
            return
        if self._ended_one or not self._unfinished or self.url:
            self._line = b""
        if self._unfinished and self._received > self.limits.head_bytes:
            if self._in_head:
                self._refuse(431)
            elif self._received > self.limits.body_bytes:
                self._leave()  # it has its response

    def eof_received(self) -> bool:  # type: ignore[override] # as asyncio has it
        """Finish the responses under way to a client that will send no more, then close."""
        if self._is_busy():
            self.cycle.keep_alive = False
            return True
        return False

    def on_message_begin(self) -> None:
        """Note when a request began."""
        self.url = b""
        self.headers = []
        self.expect_100_continue = False
        self._unfinished = self._in_head = True
        self._received = 0
        self._begun = self.loop.time()

    def on_headers_complete(self) -> None:
        """Answer at once where that is possible, else start the app."""
        self._in_head = False
        if self.parser.get_http_version() not in _VERSIONS:
            raise ValueError(_REFUSALS[400])  # it stops the parser, see `data_received`
        if self._is_too_much():
            self._refusal = 431
            raise ValueError(_REFUSALS[431])  # the same
        if not self.url.startswith(b"/"):
            self.url = origin_form(self.url)
        response = None if self._must_wait() else self._ready()
        if response is None:
            self._start_app()
        else:
            self._at_once = True
            self._write(response)
            self.server_state.total_requests += 1

    def on_message_complete(self) -> None:
        """Note that the request has come whole."""
        self._unfinished = False
        self._ended_one = True
        self._received = 0
        if self._at_once:
            self._at_once = False
        else:
            super().on_message_complete()

    def _is_too_much(self) -> bool:
        limits = self.limits
        if len(self.headers) > limits.fields:
            return True
        if self._received + self._latest <= limits.head_bytes:
            return False
        fields = sum(len(name) + len(value) for name, value in self.headers)
        return len(self.url) + fields > limits.head_bytes

    def _must_wait(self) -> bool:
        parser = self.parser
        return (
            self._is_busy()
            or self.flow.write_paused
            or parser.should_upgrade()
            or not parser.should_keep_alive()
            or parser.get_http_version() != "1.1"
        )

    def _ready(self) -> Response | None:
        return self.host.ready(self.parser.get_method().decode("ascii"), self.url, self.headers)

    def _start_app(self) -> None:
        """Hand the request to the app, as uvicorn does from the request's first byte on."""
        url, headers, expects = self.url, self.headers, self.expect_100_continue
        super().on_message_begin()
        self.url, self.headers, self.expect_100_continue = url, headers, expects
        self.scope["headers"] = headers
        self.scope.setdefault("state", {})[IS_GONE] = self.transport.is_closing
        super().on_headers_complete()
        if self.parser.should_upgrade():
            # The parser drops what follows such a request.
            self.cycle.keep_alive = False

    def _is_busy(self) -> bool:
        """Tell whether an earlier request is still being answered; there is no cycle at first."""
        return not getattr(self.cycle, "response_complete", True)

    def _write(self, response: Response) -> None:
        dated = self.server_state.default_headers
        if dated is not self._dated:
            self._dated, self._date = dated, wire(dated) + b"\r\n"
        head = response.head + self._date
        body = response.body
        if self.parser.get_method() == b"HEAD" or not isinstance(body, bytes):
            body = b""
        if len(body) <= _JOINED:
            self.transport.write(head + body)
        else:
            self.transport.writelines((head, body))

    def _refuse_method(self) -> None:
        """Refuse a method that the parser does not know, once its line has come whole.

        What follows other requests in the same bytes cannot be found in them: it is malformed.
        """
        self._is_strange = True
        line = self._line.lstrip(b"\r\n")
        if self._ended_one:
            self._refuse(400)
        elif _REQUEST_LINE.match(line):
            self._close_with(refuse_method(self.host.policy, fields=_CLOSE))
        elif len(line) > self.limits.head_bytes:
            self._refuse(431)
        elif not _PART_OF_LINE.fullmatch(line):
            self._refuse(400)

    def _refuse(self, status: int) -> None:
        policy = Policy(cors=False)
        self._close_with(make_message(status, _REFUSALS[status], policy, fields=_CLOSE))

    def _close_with(self, response: Response) -> None:
        """Say why and close; in the middle of another response there is nothing to say."""
        if self._is_busy():
            self.transport.close()
            return
        head = response.head + wire(self.server_state.default_headers) + b"\r\n"
        self.transport.write(head + (response.body if isinstance(response.body, bytes) else b""))
        self._leave()

    def _leave(self) -> None:
        """Close, but take what the client still sends for a while, so that it can read first."""
        if self._is_busy():
            self.transport.close()
            return
        self._deaf = True
        self._unset_keepalive_if_required()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(_LINGER, self.transport.close)

    def _look(self) -> None:
        """Drop the connection when its client neither goes on asking nor takes a response."""
        now = self.loop.time()
        if self.flow.read_paused or self._is_busy():
            self._begun = now
        buffered = self.transport.get_write_buffer_size()
        if not buffered or buffered != self._buffered:
            self._buffered, self._moved = buffered, now
        limits = self.limits
        most = limits.request_seconds if self._unfinished else limits.idle_seconds
        if now - self._moved > limits.stall_seconds:
            # The system drops what it still holds for the client, too.
            peer: socket.socket = self.transport.get_extra_info("socket")
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.transport.abort()
        elif now - self._begun > most:
            self.transport.close()
        pause = min(limits.request_seconds, limits.stall_seconds, limits.idle_seconds) / 2
        self._watch = self.loop.call_later(pause, self._look)


def protocol_for(host: StaticHost, limits: Limits) -> type[HostProtocol]:
    """Return the protocol class for one host, as uvicorn's option `http` takes it."""
    return type("BoundHostProtocol", (HostProtocol,), {"host": host, "limits": limits})
