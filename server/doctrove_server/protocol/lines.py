"""An MCP session over a wire of lines: what is JSON-RPC goes in, every open request is answered.

The SDK drops what is in flight when its input ends, so the input's end is kept from it until the
last open request is settled.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NoReturn

import anyio
import mcp_types as t
import msgspec
from mcp.shared.message import ServerMessageMetadata, SessionMessage

from doctrove_server.streams import MAX_LINE, TooLong

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.server.lowlevel import Server

    from doctrove_server.streams import Wire

MAX_OPEN = 256
"""Requests at a time; beyond that the input waits."""


class OpenRequests:
    """Which requests still wait for an answer."""

    def __init__(self) -> None:
        self._open: Counter[t.RequestId] = Counter()
        self._changed = asyncio.Event()

    def opened(self, request: t.RequestId) -> None:
        """Record a request that came in."""
        self._open[request] += 1

    def settled(self, request: t.RequestId) -> None:
        """Record that a request was answered, or cancelled and never will be."""
        self._open[request] -= 1
        if self._open[request] <= 0:
            del self._open[request]
        self._changed.set()

    async def fewer_than(self, count: int) -> None:
        """Wait until fewer than `count` requests are open."""
        while self._open.total() >= count:
            self._changed.clear()
            await self._changed.wait()


async def serve(server: Server[Any], wire: Wire, requests: OpenRequests) -> None:
    """Serve one session until the wire's input ends and everything open is answered."""
    to_server, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_pump_in, wire, to_server, requests)
        tasks.start_soon(_pump_out, from_server, wire, requests)
        await server.run(read, write, server.create_initialization_options())


async def _pump_in(
    wire: Wire,
    to_server: MemoryObjectSendStream[SessionMessage | Exception],
    requests: OpenRequests,
) -> None:
    async with to_server:
        async for line in wire.lines():
            message = parsed(line)
            if isinstance(message, Refusal):
                await wire.write(_encoded(message.answer))
                continue
            metadata = None
            if isinstance(message, t.JSONRPCRequest):
                await requests.fewer_than(MAX_OPEN)
                requests.opened(message.id)
                unanswered = _settling(requests, message.id)
                metadata = ServerMessageMetadata(on_request_unanswered=unanswered)
            await to_server.send(SessionMessage(message, metadata))
        await requests.fewer_than(1)


async def _pump_out(
    from_server: MemoryObjectReceiveStream[SessionMessage], wire: Wire, requests: OpenRequests
) -> None:
    async with from_server:
        async for item in from_server:
            message = item.message
            await wire.write(_encoded(message))
            if isinstance(message, t.JSONRPCResponse | t.JSONRPCError) and message.id is not None:
                requests.settled(message.id)


class Refusal(msgspec.Struct, frozen=True):
    """A line that is no message, and the answer to it."""

    answer: t.JSONRPCError


def parsed(line: bytes | TooLong) -> t.JSONRPCMessage | Refusal:
    """Return a line's message, or the error to answer with (JSON-RPC 2.0, sections 4 and 5.1)."""
    if isinstance(line, TooLong):
        return _refused(t.INVALID_REQUEST, f"the message is longer than {MAX_LINE:,} bytes")
    try:
        message = t.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return _explained(line)
    # The SDK reads a request whose id is no string or whole number as a notification.
    if isinstance(message, t.JSONRPCNotification) and b'"id"' in line and "id" in _members(line):
        return _refused(t.INVALID_REQUEST, "the id must be a string or a whole number")
    return message


def _explained(line: bytes) -> Refusal:
    try:
        members = _members(line)
    except (ValueError, RecursionError):
        return _unreadable(line)
    given = members.get("id")
    known = given if isinstance(given, int | str) and not isinstance(given, bool) else None
    message = "the message is no JSON-RPC 2.0 request or notification"
    return _refused(t.INVALID_REQUEST, message, request=known)


def _unreadable(line: bytes) -> Refusal:
    """Answer half a surrogate pair, which JSON can write and no text has, with the request's id."""
    try:
        document: object = json.loads(line, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return _refused(t.PARSE_ERROR, "the message is not valid JSON")
    members = msgspec.convert(document, dict[str, object]) if isinstance(document, dict) else {}
    given = members.get("id")
    known: t.RequestId | None = None
    if isinstance(given, int) and not isinstance(given, bool):
        known = given
    if isinstance(given, str) and given.isascii():
        known = given
    message = "the message has a string that is not valid Unicode: half a surrogate pair"
    return _refused(t.INVALID_REQUEST, message, request=known)


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _members(line: bytes) -> dict[str, object]:
    document: object = msgspec.json.decode(line)
    return msgspec.convert(document, dict[str, object]) if isinstance(document, dict) else {}


def _refused(code: int, message: str, *, request: t.RequestId | None = None) -> Refusal:
    error = t.ErrorData(code=code, message=message)
    return Refusal(t.JSONRPCError(jsonrpc="2.0", id=request, error=error))


def _settling(requests: OpenRequests, request: t.RequestId) -> Callable[[], Awaitable[None]]:
    async def settle() -> None:
        requests.settled(request)

    return settle


def _encoded(message: t.JSONRPCMessage) -> bytes:
    if isinstance(message, t.JSONRPCResponse):
        # Three times as fast as the model's own way; the result is plain JSON already.
        return msgspec.json.encode({"jsonrpc": "2.0", "id": message.id, "result": message.result})
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode()
