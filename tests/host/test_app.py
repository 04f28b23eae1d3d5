"""The app inside another program: routes in front, no CORS, any ASGI server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.host import Policy, StaticHost

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from pathlib import Path

    Message = MutableMapping[str, Any]


def call(host: StaticHost, *incoming: Message, **scope: Any) -> list[Message]:
    """Call the app as a server would, without `raw_path` or any extension; return what it sent."""
    sent: list[Message] = []
    waiting = list(incoming)
    whole: Message = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "http_version": "1.1",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        **scope,
    }

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(host(whole, receive, send))
    return sent


def test_without_cors_no_origin_is_told_anything(new_site: Path) -> None:
    host = StaticHost(str(new_site), policy=Policy(cors=False))
    for scope in (
        {"path": "/file.json"},
        {"path": "/big.bin"},
        {"path": "/missing"},
        {"path": "/guide"},
        {"path": "/", "method": "OPTIONS"},
        {"path": "/", "method": "POST"},
        {"path": "/app.js", "headers": [(b"host", b"localhost"), (b"if-none-match", b"*")]},
    ):
        start, *_ = call(host, **scope)
        assert [name for name, _ in start["headers"] if name.startswith(b"access-")] == []


def route(text: bytes) -> Callable[..., Awaitable[None]]:
    async def app(_scope: Message, _receive: object, send: Callable[..., Awaitable[None]]) -> None:
        await send({"type": "said", "text": text})

    return app


def test_routes_are_asked_before_files(new_site: Path) -> None:
    host = StaticHost(str(new_site), routes={"/file.json": route(b"mine")})
    assert call(host, path="/file.json") == [{"type": "said", "text": b"mine"}]
    assert call(host, path="/notes.txt")[1]["body"] == b"0123456789"

    async def is_left_to_the_app(url: bytes) -> bool:
        return host.ready("GET", url, ((b"host", b"localhost"),)) is None

    assert asyncio.run(is_left_to_the_app(b"/file.json?x"))
    assert not asyncio.run(is_left_to_the_app(b"/notes.txt?x"))


def test_a_foreign_host_reaches_no_route(new_site: Path) -> None:
    host = StaticHost(str(new_site), routes={"/live": route(b"mine")})
    foreign = [(b"host", b"evil.example")]
    assert call(host, path="/live", headers=foreign)[0]["status"] == 421
    refused = call(host, path="/live", headers=foreign, type="websocket")
    assert refused == [{"type": "websocket.close", "code": 1008}]


def test_the_lifespan_is_answered(new_site: Path) -> None:
    events: list[Message] = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent = call(StaticHost(str(new_site)), *events, type="lifespan")
    assert [message["type"] for message in sent] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]


@pytest.mark.parametrize("target", ["/notes.txt", "/big.bin"])
def test_a_client_that_has_gone_is_not_read_for(new_site: Path, target: str) -> None:
    host = StaticHost(str(new_site))
    sent = call(host, path=target, state={"doctrove.is-gone": lambda: True})
    body = b"".join(message.get("body", b"") for message in sent)
    assert body == (b"0123456789" if target == "/notes.txt" else b"")


def test_equal_requests_of_one_turn_are_answered_once_and_no_longer(new_site: Path) -> None:
    async def ask_thrice() -> tuple[object, object, object]:
        host = StaticHost(str(new_site))
        fields = ((b"host", b"localhost"),)
        first = host.ready("GET", b"/notes.txt", fields)
        (new_site / "notes.txt").write_bytes(b"new")
        second = host.ready("GET", b"/notes.txt", fields)
        await asyncio.sleep(0)
        third = host.ready("GET", b"/notes.txt", fields)
        assert third is not None
        return first, second, third.body

    first, second, body = asyncio.run(ask_thrice())
    assert second is first
    assert body == b"new"


def test_a_system_without_descriptors_left_is_said_to_be_busy(new_site: Path) -> None:
    resource = pytest.importorskip("resource")
    host = StaticHost(str(new_site))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    async def starve(scope: Message, sent: list[Message]) -> None:
        async def send(message: Message) -> None:
            sent.append(message)

        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            await host(scope, None, send)  # type: ignore[arg-type] # it receives nothing  # pyright: ignore[reportArgumentType]
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    sent: list[Message] = []
    scope = {"type": "http", "method": "GET", "path": "/file.json", "http_version": "1.1"}
    scope_rest = {"query_string": b"", "headers": [(b"host", b"localhost")]}
    asyncio.run(starve({**scope, **scope_rest}, sent))
    assert sent[0]["status"] == 503
