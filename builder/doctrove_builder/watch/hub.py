"""The event stream: tells each open page when it is old, and what is wrong with the sources.

Server-sent events (WHATWG HTML, section 9.2). A page says which version of itself it shows, so that
one that was loaded a moment before a change, or before the preview started again, is told too.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

import msgspec

from doctrove_builder.watch.remarks import State

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    from doctrove_builder.watch.served import Served

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

BEAT_SECONDS = 20.0
"""A sign of life after so long, so that a connection that is gone is noticed."""

RETRY_MS = 400


class Hub:
    """The pages that are open, and what they are told; `publish` may be called by any thread."""

    def __init__(self, served: Served) -> None:
        """Begin with no page and nothing to tell."""
        self._served = served
        self._state = State()
        self._listeners: dict[asyncio.Event, tuple[asyncio.AbstractEventLoop, str]] = {}

    def publish(self, state: State | None = None) -> None:
        """Tell all pages: a new state, or only that files changed."""
        if state is not None:
            self._state = state
        for event, (loop, _) in list(self._listeners.items()):
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(event.set)

    def open_pages(self) -> frozenset[str]:
        """Return the addresses that browsers show, as they name them."""
        return frozenset(address for _, address in list(self._listeners.values()))

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one stream."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        address, version = (query.get(name, [""])[0] for name in ("page", "version"))
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream"),
                    (b"cache-control", b"no-store"),
                    (b"x-content-type-options", b"nosniff"),
                ],
            }
        )
        changed = asyncio.Event()
        self._listeners[changed] = (asyncio.get_running_loop(), address)
        gone = asyncio.create_task(_until_gone(receive))
        try:
            await self._tell(address, version, changed, gone, send)
        finally:
            del self._listeners[changed]
            gone.cancel()

    async def _tell(
        self,
        address: str,
        version: str,
        changed: asyncio.Event,
        gone: asyncio.Task[None],
        send: Send,
    ) -> None:
        said: State | None = None
        message = b"retry: %d\n\n" % RETRY_MS
        while not gone.done():
            changed.clear()
            state = self._state
            current = self._served.version_at(address)
            if current != version:
                version = current
                message += b"event: reload\ndata:\n\n"
            if state != said:
                said = state
                message += b"event: state\ndata: %b\n\n" % msgspec.json.encode(state)
            if message:
                await send({"type": "http.response.body", "body": message, "more_body": True})
            message = b""
            waiting = asyncio.create_task(changed.wait())
            done, _ = await asyncio.wait(
                {waiting, gone}, timeout=BEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            waiting.cancel()
            if not done:
                message = b": still here\n\n"


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
