"""Streamable HTTP from outside: who is let in, what is answered, how it ends."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.errors import ConfigError
from doctrove_server.listening import Endpoint, read_endpoint

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HEADERS = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
}


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("127.0.0.1:8731", "127.0.0.1", 8731),
        ("8080", "127.0.0.1", 8080),
        (":8080", "127.0.0.1", 8080),
        ("localhost", "localhost", 8731),
        ("[::1]:9000", "::1", 9000),
        ("[::]", "::", 8731),
        ("0.0.0.0:0", "0.0.0.0", 0),
    ],
)
def test_an_endpoint_is_read(text: str, host: str, port: int) -> None:
    assert read_endpoint(text) == Endpoint(host=host, port=port)


@pytest.mark.parametrize("text", ["h:x", "h:70000", "[::1", "[::1]:", "a:b:c", ":", "h:-1", "h:٣"])
def test_what_is_no_endpoint_is_refused(text: str) -> None:
    if text in ("[::1", "[::1]:", "a:b:c"):
        assert read_endpoint(text).port == 8731
        return
    with pytest.raises(ConfigError, match="is not HOST:PORT"):
        read_endpoint(text)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("docs.example.org", False),
    ],
)
def test_loopback_is_told_from_the_rest(host: str, loopback: bool) -> None:
    assert Endpoint(host=host, port=1).is_loopback is loopback


class Http:
    """A server over HTTP, and requests to it."""

    def __init__(self, server: Any) -> None:
        server.wait_for_error("listening on http://")
        self.server = server
        self.port = int(server.errors().rpartition("/mcp")[0].rpartition(":")[2])

    def request(
        self, method: str = "POST", path: str = "/mcp", body: Any = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None if body is None else json.dumps(body).encode()
        connection.request(method, path, data, {**HEADERS, **named})
        response = connection.getresponse()
        answer = response.read()
        connection.close()
        return response.status, {k.lower(): v for k, v in response.headers.items()}, answer

    def call(self, tool: str, arguments: Any, **headers: str) -> Any:
        params = {"name": tool, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        status, _, answer = self.request(body=body, **headers)
        assert status == 200, answer
        return json.loads(answer)["result"]


PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def open_server(start_session: Callable[..., Any], index_file: Path) -> Http:
    """A server on loopback that accepts one more Host and Origin."""
    names = ["--allowed-host", "docs.example.org", "--allowed-origin", "https://app.example.org"]
    return Http(start_session("--http", "127.0.0.1:0", "--local-index", str(index_file), *names))


@pytest.fixture(scope="module")
def locked_server(start_session: Callable[..., Any], index_file: Path) -> Http:
    """A server that asks for a token."""
    options = ["--http", "0.0.0.0:0", "--local-index", str(index_file), "--token-env", "SECRET"]
    return Http(start_session(*options, env={"SECRET": "t0ken"}))


def test_a_tool_is_called_without_a_session(open_server: Http) -> None:
    result = open_server.call("doc_extract", {"id": "express", "version": "5"})
    assert result["structuredContent"]["version"] == "5.1.0"
    assert open_server.call("doc_extract", {"id": "none"})["isError"] is True


def test_the_answer_is_json_and_names_no_session(open_server: Http) -> None:
    status, headers, _ = open_server.request(body=PING)
    assert status == 200
    assert headers["content-type"] == "application/json"
    assert "mcp-session-id" not in headers
    assert "server" not in headers


def test_it_says_what_it_serves_once_it_listens(open_server: Http) -> None:
    banner, listening = open_server.server.errors().splitlines()[:2]
    assert banner.startswith("[doctrove] doctrove ")
    assert listening.startswith("[doctrove] listening on ")


def test_many_calls_at_a_time_are_answered(open_server: Http) -> None:
    results: list[Any] = []
    threads = [
        threading.Thread(
            target=lambda: results.append(open_server.call("catalog_lookup", {"query": "express"}))
        )
        for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result["structuredContent"]["total"] for result in results] == [1] * 20


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:8731"}, 421),
        ({"host": "localhost.evil.example"}, 421),
        ({"host": "localhost"}, 200),
        ({"host": "docs.example.org"}, 200),
        ({"host": "docs.example.org:443"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:3000"}, 200),
        ({"origin": "https://app.example.org"}, 200),
        ({"origin": "http://app.example.org"}, 403),
    ],
)
def test_host_and_origin_are_checked(
    headers: dict[str, str], status: int, open_server: Http
) -> None:
    assert open_server.request(body=PING, **headers)[0] == status


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
def test_only_posts_are_served_and_the_rest_is_answered_at_once(
    method: str, open_server: Http
) -> None:
    status, headers, _ = open_server.request(method)
    assert (status, headers["allow"]) == (405, "POST")


ASKING_FIRST = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "authorization, content-type, mcp-protocol-version",
}
HEADERS_OF_A_CALL = (
    "authorization",
    "content-type",
    "accept",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
    "mcp-session-id",
)


@pytest.mark.parametrize("name", ["open_server", "locked_server"])
def test_a_browser_may_call_from_an_allowed_origin(
    name: str, request: pytest.FixtureRequest
) -> None:
    server: Http = request.getfixturevalue(name)
    origin = {"open_server": "https://app.example.org"}.get(name, "http://localhost:3000")
    status, headers, body = server.request("OPTIONS", origin=origin, **ASKING_FIRST)
    assert (status, body) == (204, b"")
    assert headers["access-control-allow-origin"] == origin
    assert headers["access-control-allow-methods"] == "POST"
    assert headers["vary"] == "Origin"
    allowed = headers["access-control-allow-headers"].lower().split(", ")
    assert allowed == [*HEADERS_OF_A_CALL]
    token = {"authorization": "Bearer t0ken"}
    for sent, expected in ((token, 200), ({}, 200 if name == "open_server" else 401)):
        status, headers, _ = server.request(body=PING, origin=origin, **sent)
        assert (status, headers["access-control-allow-origin"]) == (expected, origin)
        assert headers["vary"] == "Origin"


@pytest.mark.parametrize(
    "headers",
    [{}, *({"origin": o} for o in ("null", "https://evil.example", "http://localhost:80.evil.eu"))],
    ids=lambda headers: headers.get("origin", "none"),
)
def test_other_origins_are_allowed_nothing(headers: dict[str, str], open_server: Http) -> None:
    status, asked, _ = open_server.request("OPTIONS", **ASKING_FIRST, **headers)
    assert status == 405
    _, called, _ = open_server.request(body=PING, **headers)
    assert not [name for name in (*asked, *called) if name.startswith("access-control-")]


def test_what_libraries_log_is_said_as_all_the_rest(session: Callable[..., Any]) -> None:
    server = Http(session("--http", "127.0.0.1:0"))
    assert server.request(body=PING, host="evil.example\x9b31m")[0] == 421
    server.server.wait_for_error("Invalid Host header: evil.example")
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        raw.sendall(b"garbage\r\n\r\n")
        assert raw.recv(65536).startswith(b"HTTP/1.1 400 ")
    server.server.wait_for_error("Invalid HTTP request received")
    lines = server.server.errors().splitlines()
    assert all(line.startswith("[doctrove] ") for line in lines)
    assert "\x9b" not in "".join(lines)


@pytest.mark.parametrize(
    ("path", "status"), [("/", 404), ("/other", 404), ("/mcp/../etc/passwd", 404)]
)
def test_other_paths_are_not_found(path: str, status: int, open_server: Http) -> None:
    assert open_server.request("GET", path)[0] == status


@pytest.mark.parametrize(
    ("raw", "statuses"),
    [(b"{", {400}), (b"[]", {400}), (b"x" * 5_000_000, {413})],
    ids=["cut", "batch", "large"],
)
def test_a_body_that_is_no_message_is_refused(
    raw: bytes, statuses: set[int], open_server: Http
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", open_server.port, timeout=120)
    connection.request("POST", "/mcp", raw, HEADERS)
    assert connection.getresponse().status in statuses
    connection.close()


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (None, 401),
        ("Bearer wrong", 401),
        ("Bearer t0ke", 401),
        ("Bearer ", 401),
        ("Basic t0ken", 401),
        ("t0ken", 401),
        ("Bearer t0ken", 200),
        ("bearer t0ken", 200),
    ],
)
def test_a_token_is_asked_for(authorization: str | None, status: int, locked_server: Http) -> None:
    headers = {} if authorization is None else {"authorization": authorization}
    got, answer, _ = locked_server.request(body=PING, **headers)
    assert got == status
    assert (answer.get("www-authenticate") == "Bearer") is (status == 401)


def test_without_the_token_nothing_at_all_is_told(locked_server: Http) -> None:
    for method, path in (("GET", "/mcp"), ("GET", "/other"), ("POST", "/other")):
        assert locked_server.request(method, path)[0] == 401


def test_an_open_address_needs_a_token_or_a_word_for_it(session: Callable[..., Any]) -> None:
    refused = session("--http", "0.0.0.0:0")
    assert refused.wait() == 2
    assert "--token-env NAME, or say --insecure" in refused.errors()
    Http(session("--http", "0.0.0.0:0", "--insecure"))


def test_a_taken_port_and_a_wrong_index_are_configuration_errors(
    session: Callable[..., Any], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        blocked = session("--http", f"127.0.0.1:{port}")
        assert blocked.wait() == 2
        assert f"cannot listen on 127.0.0.1:{port}" in blocked.errors()
    missing = session("--http", "127.0.0.1:0", "--local-index", str(tmp_path / "none.json"))
    assert missing.wait() == 2
    assert "none.json" in missing.errors()
    for failed in (blocked, missing):
        (line,) = failed.errors().splitlines()
        assert line.startswith("[doctrove] configuration error: ")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_signal_ends_it_with_0(number: int, session: Callable[..., Any]) -> None:
    server = Http(session("--http", "127.0.0.1:0", "--debug"))
    server.call("doc_extract", {"id": "express"})
    held = socket.create_connection(("127.0.0.1", server.port))
    server.server.process.send_signal(number)
    assert server.server.wait() == 0
    held.close()
    assert "cache: " in server.server.errors()
    assert "Traceback" not in server.server.errors()
