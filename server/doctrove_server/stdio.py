"""The server's life over standard streams: who waits for whom, and how it ends.

The handshake is answered before the index is read. The end of the input answers what is open and
then ends; a signal ends within a second; a reader that is gone ends at once and in silence.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING

from doctrove_server.errors import ConfigError
from doctrove_server.protocol.lines import OpenRequests, serve
from doctrove_server.protocol.server import mcp_server
from doctrove_server.streams import Wire, say

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from doctrove_server.desk import Desk
    from doctrove_server.streams import Descriptors

_HANDSHAKE_SECONDS = 0.1
"""How long the local index waits for the first answer to be out."""

_LAST_ANSWERS_SECONDS = 0.6
"""How long a signal or a wrong index leaves for what is open."""

_FORCED_END_SECONDS = 0.9


async def run_stdio(desk: Desk, descriptors: Descriptors) -> int:
    """Serve until the input ends, a signal comes or the index turns out wrong; return the code."""
    wire, requests = Wire(descriptors), OpenRequests()
    stop = _signalled()
    wire.start()
    session = asyncio.create_task(serve(mcp_server(desk), wire, requests))
    preload = asyncio.create_task(_preload(desk, wire))
    session_ends = {session, _task(stop.wait()), _task(wire.broken.wait())}
    code = 0
    done, _ = await asyncio.wait({*session_ends, preload}, return_when=asyncio.FIRST_COMPLETED)
    if done == {preload} and not preload.exception():
        await asyncio.wait(session_ends, return_when=asyncio.FIRST_COMPLETED)
    if preload.done() and isinstance(error := preload.exception(), ConfigError):
        say(f"configuration error: {error}")
        code = 2
    if not session.done() and not wire.broken.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(requests.fewer_than(1), _LAST_ANSWERS_SECONDS)
    return code


async def _preload(desk: Desk, wire: Wire) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(wire.written.wait(), _HANDSHAKE_SECONDS)
    await desk.supply.preload()


def end_now(code: int) -> None:
    """End the process without waiting for threads: one is blocked in a read that nothing ends."""
    os._exit(code)


def _signalled() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set; a second one, or a stuck loop, ends at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def receive(_number: int, _frame: object) -> None:
        if stop.is_set():
            end_now(0)
        forced = threading.Timer(_FORCED_END_SECONDS, end_now, (0,))
        forced.daemon = True
        forced.start()
        loop.call_soon_threadsafe(stop.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, receive)
    return stop


def _task(coroutine: Coroutine[object, object, object]) -> asyncio.Task[object]:
    return asyncio.create_task(coroutine)
