"""The ASGI app: finds what a request asks for, lets `respond` decide, and sends the response."""

from __future__ import annotations

import asyncio
import os
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from doctrove_server.host.catalog import FileCatalog, Folder
from doctrove_server.host.description import FileFacts
from doctrove_server.host.encodings import choose_coding
from doctrove_server.host.errors import FileChanged
from doctrove_server.host.files import is_unwritten, read_at
from doctrove_server.host.hosts import HostCheck
from doctrove_server.host.ranges import Span
from doctrove_server.host.recall import Recall
from doctrove_server.host.respond import (
    Elsewhere,
    Found,
    Listing,
    Missing,
    Request,
    read_request,
    refuse,
    respond,
)
from doctrove_server.host.response import FileBody, Policy, Response, make_message
from doctrove_server.host.target import Fault, split_target

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping, Sequence

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    Application = Callable[[Message, Receive, Send], Awaitable[None]]

IS_GONE = "doctrove.is-gone"
"""Name in the state of a scope: a function that tells whether the client has gone."""

_OF_BODIES = frozenset({b"content-length", b"transfer-encoding", b"expect"})
_CHUNK = 256 * 1024
_TRIES = 5


class StaticHost:
    """Serves the files below a root.

    `routes` are ASGI apps for exact paths, asked before any file; `listing` shows what a folder
    without a page holds. The root may be absent, changed or exchanged at any time.
    """

    def __init__(
        self,
        root: str,
        *,
        hosts: HostCheck | None = None,
        policy: Policy | None = None,
        listing: bool = False,
        routes: Mapping[str, Application] = MappingProxyType({}),
    ) -> None:
        self._hosts = hosts or HostCheck()
        self.policy = policy or Policy()
        self._listing = listing
        self._routes = {path.encode(): route for path, route in routes.items()}
        self._catalog = FileCatalog(root, policy=self.policy)
        self._recall = Recall(self._catalog.is_current)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one connection or request."""
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        path = scope.get("raw_path") or scope["path"].encode()
        request = read_request(
            scope.get("method", "GET"),
            path,
            scope["query_string"],
            scope["headers"],
            version=scope["http_version"],
        )
        route = self._routes.get(path)
        if route is not None and self._hosts.admits(request.fields.get(b"host")):
            await route(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            state: Mapping[str, Any] = scope.get("state") or {}
            await self._serve(request, send, is_gone=state.get(IS_GONE, _unknown))

    async def answer(self, request: Request) -> Response:
        """Return the response to a request; waits only for a large file that is new."""
        response, _ = await self._decide(request)
        return response

    def ready(
        self, method: str, url: bytes, fields: Sequence[tuple[bytes, bytes]]
    ) -> Response | None:
        """Return the response to an HTTP/1.1 request if its body is at hand, without waiting.

        None where the app itself has to be asked: a request with a body, a route, a large file. To
        be called from the callbacks of a running event loop.
        """
        question = (method, url, tuple(fields))
        response = self._recall.get(question)
        if response is not None:
            return response
        path, query = split_target(url)
        if path in self._routes or any(name in _OF_BODIES for name, _ in fields):
            return None
        request = read_request(method, path, query, fields)
        step = self._decide(request)
        try:
            step.send(None)
        except StopIteration as done:
            decided: tuple[Response, FileFacts | None] = done.value
            response, facts = decided
            if method != "HEAD" and not isinstance(response.body, bytes):
                return None
            if facts is not None and self._catalog.keeps(facts):
                self._recall.put(question, response, facts)
            return response
        step.close()  # it would wait
        return None

    async def _decide(self, request: Request) -> tuple[Response, FileFacts | None]:
        """Return the response to a request, and the file that alone it follows from."""
        refusal = refuse(request, self._hosts, policy=self.policy)
        if refusal is not None:
            return refusal, None
        try:
            found = await self._find(request)
        except OSError:
            return self._unable(), None
        response = respond(request, found, policy=self.policy)
        return response, found if isinstance(found, FileFacts) else None

    async def _find(self, request: Request) -> Found:
        target = request.target
        if isinstance(target, Fault):
            return await self._missing()
        accept = request.fields.get(b"accept-encoding")
        parts = target.parts
        if not target.folder:
            found = await self._representation(parts, accept)
            if isinstance(found, FileFacts):
                return found
            return Elsewhere(name=parts[-1]) if found else await self._missing()
        for page in ("index.html",) if parts else ("index.html", "index.json"):
            found = await self._representation((*parts, page), accept)
            if isinstance(found, FileFacts):
                return found
        names = self._catalog.names(parts) if self._listing else None
        return await self._missing() if names is None else Listing(parts=parts, names=names)

    async def _representation(
        self, parts: tuple[str, ...], accept: bytes | None
    ) -> FileFacts | Folder | None:
        found = await self._catalog.find(parts)
        if accept is None or not isinstance(found, FileFacts) or not found.codings:
            return found
        coding = choose_coding(accept, found.codings)
        if not coding:
            return found
        encoded = await self._catalog.find(parts, coding=coding)
        return encoded if isinstance(encoded, FileFacts) else found

    async def _missing(self) -> Missing:
        page = await self._catalog.find(("404.html",))
        return Missing(page=page if isinstance(page, FileFacts) else None)

    def _unable(self) -> Response:
        retry = ((b"retry-after", b"1"),)
        return make_message(503, "The file cannot be read now.", self.policy, fields=retry)

    async def _serve(self, request: Request, send: Send, *, is_gone: Callable[[], bool]) -> None:
        for _ in range(_TRIES):
            response = await self.answer(request)
            if request.method == "HEAD" or isinstance(response.body, bytes):
                await _send(response, send, head=request.method == "HEAD")
                return
            try:
                descriptor = self._catalog.open(response.body)
            except FileChanged:
                continue
            except OSError:
                break
            try:
                await _send_file(response, response.body, descriptor, send, is_gone=is_gone)
            finally:
                os.close(descriptor)
            return
        await _send(self._unable(), send, head=False)


async def _send(response: Response, send: Send, *, head: bool) -> None:
    body = b"" if head or not isinstance(response.body, bytes) else response.body
    await send(
        {"type": "http.response.start", "status": response.status, "headers": response.fields}
    )
    await send({"type": "http.response.body", "body": body})


async def _send_file(
    response: Response,
    body: FileBody,
    descriptor: int,
    send: Send,
    *,
    is_gone: Callable[[], bool],
) -> None:
    """Send a file that is read meanwhile; stop short, and so break off, where it changes."""
    await send(
        {"type": "http.response.start", "status": response.status, "headers": response.fields}
    )
    for piece in body.pieces:
        start, stop = piece if isinstance(piece, Span) else (0, len(piece))
        for offset in range(start, stop, _CHUNK):
            size = min(_CHUNK, stop - offset)
            data = read_at(descriptor, size, offset) if isinstance(piece, Span) else piece
            if len(data) != size or is_gone() or not is_unwritten(descriptor, body.stamp):
                return
            await send({"type": "http.response.body", "body": data, "more_body": True})
            await asyncio.sleep(0)  # others too, where the client takes all at once
    await send({"type": "http.response.body", "body": b""})


def _unknown() -> bool:
    return False


async def _live(receive: Receive, send: Send) -> None:
    """Answer the lifespan protocol; there is nothing to set up or to take down."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
