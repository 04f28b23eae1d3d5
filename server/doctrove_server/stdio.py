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
from typing import TYPE_CHECKING, NoReturn

from doctrove_server.errors import ConfigError
from doctrove_server.protocol.lines import OpenRequests, serve
from doctrove_server.protocol.server import mcp_server
from doctrove_server.streams import Wire, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_server.desk import Desk
    from doctrove_server.streams import Descriptors

_HANDSHAKE_SECONDS = 0.1
"""How long the local index waits for the first answer to be out."""

_LAST_ANSWERS_SECONDS = 0.6
"""How long a signal or a wrong index leaves for what is open."""

_FORCED_END_SECONDS = 0.9


async def run_stdio(
    desk: Desk, descriptors: Descriptors, *, at_end: Callable[[], None]
) -> NoReturn:
    """Serve until the input ends, a signal comes or the index turns out wrong, then end.

    The process ends here, without waiting for threads: one is blocked in a read that nothing ends.
    """
    wire, requests, stop = Wire(descriptors), OpenRequests(), _signalled()
    wire.start()
    session = asyncio.create_task(serve(mcp_server(desk), wire, requests))
    preload = asyncio.create_task(_preload(desk, wire))
    stopped = asyncio.create_task(_either(stop, wire.broken))
    await asyncio.wait({session, preload, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if preload.done() and not _fault(preload):
        await asyncio.wait({session, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if session.done():
        await asyncio.wait({preload, stopped}, return_when=asyncio.FIRST_COMPLETED)
    elif not wire.broken.is_set():
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(requests.fewer_than(1), _LAST_ANSWERS_SECONDS)
    code = 0
    for task in (preload, session):
        if error := _fault(task):
            is_config = isinstance(error, ConfigError)
            say(f"{'configuration' if is_config else 'internal'} error: {error}")
            code = code or (2 if is_config else 1)
    at_end()
    end_now(code)


def end_now(code: int) -> NoReturn:
    """End the process without cleaning up; what is on disk is whole at any moment."""
    os._exit(code)


async def _preload(desk: Desk, wire: Wire) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(wire.written.wait(), _HANDSHAKE_SECONDS)
    await desk.supply.preload()


async def _either(one: asyncio.Event, other: asyncio.Event) -> None:
    waits = [asyncio.create_task(event.wait()) for event in (one, other)]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)


def _fault(task: asyncio.Task[None]) -> BaseException | None:
    return task.exception() if task.done() and not task.cancelled() else None


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
