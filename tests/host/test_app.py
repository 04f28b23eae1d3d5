"""The app inside another program: routes in front, no CORS, any ASGI server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.host import Policy, StaticHost
from doctrove_server.host.catalog import FileCatalog
from doctrove_server.host.description import FileFacts
from doctrove_server.host.recall import MOST, MOST_BYTES, Recall

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
    no_port = [(b"host", b"localhost:99999")]
    assert call(host, path="/live", headers=no_port)[0]["status"] == 400
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


def test_a_file_is_checked_once_in_a_turn_of_the_loop(new_site: Path) -> None:
    async def recalled() -> list[tuple[bool, int]]:
        facts = await FileCatalog(str(new_site), policy=Policy()).find(("notes.txt",))
        assert isinstance(facts, FileFacts)
        checks: list[FileFacts] = []

        def holds_once(checked: FileFacts) -> bool:
            checks.append(checked)
            return len(checks) < 2

        recall = Recall(holds_once)
        question = ("GET", b"/notes.txt", ())
        seen: list[tuple[bool, int]] = []
        recall.put(question, facts.whole, facts)
        for turn in (0, 0, 1, 0, 1, 0):
            if turn:
                await asyncio.sleep(0)
            seen.append((recall.get(question) is facts.whole, len(checks)))
        return seen

    known = [(True, 0), (True, 0), (True, 1), (True, 1), (False, 2), (False, 2)]
    assert asyncio.run(recalled()) == known


def make_change(site: Path, change: tuple[str, str, str]) -> None:
    what, name, text = change
    if what == "write":
        (site / name).write_text(text)
    elif what == "remove":
        (site / name).unlink()
    else:  # and put a link to it in its place
        (site / name).rename(site.parent / "moved")
        (site / name).symlink_to(site.parent / "moved")


BR, NONE = (b"accept-encoding", b"br, zstd"), (b"accept-encoding", b"identity")


@pytest.mark.parametrize(
    ("url", "field", "change", "status", "body"),
    [
        (
            "/notes.txt",
            NONE,
            ("write", "notes.txt", "other"),
            200,
            b"other",
        ),
        ("/notes.txt", NONE, ("remove", "notes.txt", ""), 404, b"<p>lost</p>"),
        ("/notes.txt", NONE, ("move out", "notes.txt", ""), 404, b"<p>lost</p>"),
        ("/guide/page.html", NONE, ("move out", "guide", ""), 404, b"<p>lost</p>"),
        ("/guide", NONE, ("move out", "guide", ""), 404, b"<p>lost</p>"),
        ("/missing", NONE, ("write", "missing", "here"), 200, b"here"),
        ("/missing", NONE, ("write", "404.html", "no"), 404, b"no"),
        ("/", NONE, ("remove", "index.html", ""), 200, b'{"front": true}'),
        ("/app.js", BR, ("remove", "app.js.br", ""), 200, b"coded-zstd"),
        ("/app.js", BR, ("write", "app.js.br", "more"), 200, b"more"),
        ("/app.js", BR, ("remove", "app.js", ""), 404, b"<p>lost</p>"),
        ("/only.css", BR, ("write", "only.css.br", "br"), 200, b"br"),
    ],
)
def test_what_changed_is_answered_as_it_is_in_the_next_turn(
    new_site: Path,
    url: str,
    field: tuple[bytes, bytes],
    change: tuple[str, str, str],
    status: int,
    body: bytes,
) -> None:
    """Files count as settled here at once, so that everything that may be kept is kept."""
    host = StaticHost(str(new_site))
    host._catalog._settled_ns = 0  # pyright: ignore[reportPrivateUsage] # a clock is no option
    fields = ((b"host", b"localhost"), field)

    async def before_and_after() -> list[tuple[int, object]]:
        seen: list[tuple[int, object]] = []
        for _ in range(3):
            response = host.ready("GET", url.encode(), fields)
            assert response is not None
            seen.append((response.status, response.body))
            await asyncio.sleep(0)
        make_change(new_site, change)
        response = host.ready("GET", url.encode(), fields)
        assert response is not None
        return [*seen, (response.status, response.body)]

    first, *again, last = asyncio.run(before_and_after())
    assert again == [first, first]
    assert last == (status, body)
    assert last != first


def test_what_is_recalled_is_bounded(new_site: Path) -> None:
    async def recalled() -> tuple[bool, bool, bool]:
        facts = await FileCatalog(str(new_site), policy=Policy()).find(("notes.txt",))
        assert isinstance(facts, FileFacts)
        recall = Recall(lambda _: True)
        long = ("GET", b"/", ((b"x", b"x" * MOST_BYTES),))
        recall.put(long, facts.whole, facts)
        for number in range(MOST + 1):
            recall.put(("GET", b"/%d" % number, ()), facts.whole, facts)
        answers = (recall.get(("GET", url, ())) for url in (b"/0", b"/%d" % MOST))
        first, last = (answer is not None for answer in answers)
        return recall.get(long) is not None, first, last

    assert asyncio.run(recalled()) == (False, False, True)


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
