"""The HTTP edge: versions, order, bounds, and clients that are slow, silent or hostile."""

from __future__ import annotations

import re
import select
import socket
from http.client import HTTPResponse
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Connect = Callable[[int], socket.socket]
    Exchange = Callable[[int, bytes], bytes]

HOST = b"Host: localhost\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
GET = b"GET /file.json HTTP/1.1\r\n" + HOST + b"\r\n"


def read_one(connection: socket.socket, *, method: str = "GET") -> tuple[int, bytes]:
    """Read one response as the standard library's client does."""
    response = HTTPResponse(connection, method=method)
    response.begin()
    return response.status, response.read()


def rest_of(connection: socket.socket) -> bytes:
    return b"".join(iter(lambda: connection.recv(65536), b""))


def pour(connection: socket.socket) -> None:
    """Send zeros, up to more than any host should ever take."""
    for _ in range(1_000_000):
        connection.sendall(bytes(65536))


def test_http_1_0_is_served_and_closed(connect: Connect, port: int) -> None:
    for line in (b"", b"Connection: keep-alive\r\n"):
        connection = connect(port)
        connection.sendall(b"GET /file.json HTTP/1.0\r\n" + line + b"\r\n")
        reply = rest_of(connection)
        assert reply.startswith(b"HTTP/1.1 200 OK\r\n")
        assert b"\r\nconnection: close\r\n" in reply
        assert reply.endswith(b'\r\n\r\n{"a": 1}')


def test_http_1_1_without_a_host_is_malformed(exchange: Exchange, port: int) -> None:
    assert exchange(port, b"GET / HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_a_connection_is_kept(connect: Connect, port: int) -> None:
    connection = connect(port)
    with connection.makefile("rb") as stream:
        for _ in range(3):
            connection.sendall(GET)
            head = b"".join(iter(stream.readline, b"\r\n"))
            assert head.startswith(b"HTTP/1.1 200 OK\r\n")
            assert stream.read(8) == b'{"a": 1}'


def test_pipelined_requests_are_answered_in_order(exchange: Exchange, port: int) -> None:
    """Answers at hand, files from the disk, refusals and requests with bodies take turns."""
    requests = [
        (b"GET /file.json HTTP/1.1\r\n" + HOST + b"\r\n", 200),
        (b"HEAD /big.bin HTTP/1.1\r\n" + HOST + b"\r\n", 200),
        (b"GET /notes.txt HTTP/1.1\r\n" + HOST + b"Range: bytes=1-2\r\n\r\n", 206),
        (b"GET /big.bin HTTP/1.1\r\n" + HOST + b"Range: bytes=0-2000000\r\n\r\n", 206),
        (b"GET /missing HTTP/1.1\r\n" + HOST + b"\r\n", 404),
        (b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\nGET / HTT", 405),
        (
            b"GET / HTTP/1.1\r\n"
            + HOST
            + b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            200,
        ),
        (b"GET /guide HTTP/1.1\r\n" + HOST + b"\r\n", 301),
        (b"OPTIONS * HTTP/1.1\r\n" + HOST + b"\r\n", 204),
        (b"GET /file.json HTTP/1.1\r\n" + HOST + b"If-None-Match: *\r\n\r\n", 304),
    ]
    reply = exchange(port, b"".join(data for data, _ in requests) * 5)
    statuses: list[int] = []
    while reply:
        head, _, reply = reply.partition(b"\r\n\r\n")
        statuses.append(int(head[9:12]))
        length = re.search(rb"content-length: (\d+)", head)
        head_only = statuses[-1] == 200 and b"content-length: 3145731" in head
        reply = reply[0 if head_only or length is None else int(length[1]) :]
    assert statuses == [status for _, status in requests] * 5


def test_what_follows_a_request_to_close_is_not_answered(exchange: Exchange, port: int) -> None:
    reply = exchange(port, b"GET / HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n" + GET)
    assert reply.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("upgrade", ["h2c", "websocket"])
def test_an_upgrade_is_answered_as_what_it_asks_for(
    connect: Connect, port: int, upgrade: str
) -> None:
    connection = connect(port)
    fields = f"Connection: Upgrade\r\nUpgrade: {upgrade}\r\n\r\n".encode()
    connection.sendall(b"GET /file.json HTTP/1.1\r\n" + HOST + fields)
    reply = rest_of(connection)
    assert reply.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\nconnection: close\r\n" in reply


def test_silent_and_unfinished_clients_do_not_block_others(connect: Connect, port: int) -> None:
    held = [connect(port) for _ in range(80)]
    for connection in held[:40]:
        connection.sendall(b"GET /file.json HTTP/1.1\r\nHo")
    other = connect(port)
    other.sendall(GET)
    assert read_one(other) == (200, b'{"a": 1}')
    for connection in held[:40]:
        connection.sendall(b"st: localhost\r\n\r\n")
        assert read_one(connection) == (200, b'{"a": 1}')


def test_a_request_may_come_byte_by_byte(connect: Connect, port: int) -> None:
    connection = connect(port)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for place in range(len(GET)):
        connection.sendall(GET[place : place + 1])
    assert read_one(connection) == (200, b'{"a": 1}')


def test_clients_that_read_slowly_block_no_one_and_get_everything(
    connect: Connect, serve: Callable[..., int], new_site: Path
) -> None:
    size = 32 * 1024 * 1024
    with (new_site / "large").open("wb") as file:
        file.truncate(size)
    port = serve(new_site)
    slow = [connect(port) for _ in range(10)]
    for connection in slow:
        connection.sendall(b"GET /large HTTP/1.1\r\n" + HOST + b"\r\n")
    for _ in range(20):
        other = connect(port)
        other.sendall(GET)
        assert read_one(other) == (200, b'{"a": 1}')
    for connection in slow:
        status, body = read_one(connection)
        assert (status, len(body)) == (200, size)


def test_a_client_that_asks_and_never_reads_takes_little_memory(
    connect: Connect, new_site: Path, serve_process: Callable[[Path], tuple[int, int]]
) -> None:
    """100,000 requests for a megabyte in one go: the host stops reading long before."""
    (new_site / "mega.bin").write_bytes(bytes(1024 * 1024))
    pid, port = serve_process(new_site)
    greedy = connect(port)
    greedy.setblocking(False)
    request = b"GET /mega.bin HTTP/1.1\r\n" + HOST + b"\r\n"
    data, sent = request * 100_000, 0
    while sent < len(data) and select.select([], [greedy], [], 1.0)[1]:
        sent += greedy.send(data[sent : sent + 65536])
    assert sent < len(data)
    other = connect(port)
    other.sendall(GET)
    assert read_one(other) == (200, b'{"a": 1}')
    status = Path(f"/proc/{pid}/status").read_text()
    resident = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert resident is not None
    assert int(resident[1]) < 400_000


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"garbage\r\n\r\n", 400),
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"GET /file.json\r\n\r\n", 400),
        (b"GET /file.json\r\n" + HOST + b"\r\n", 400),
        (b"GET /file.json HTTP/0.9\r\n" + HOST + b"\r\n", 400),
        (b"GET /file.json HTTP/2.0\r\n" + HOST + b"\r\n", 400),
        (b"FOO /file.json\r\n\r\n", 400),
        (b"FOO / HTTP/9.9\r\n\r\n", 400),
        (b"FOO  HTTP/1.1\r\n\r\n", 400),
        (b"F(O / HTTP/1.1\r\n\r\n", 400),
        (b"FOO /\x00 HTTP/1.1\r\n\r\n", 400),
        (b"FOO /" + b"x" * 40_000, 431),
        (b"GET  HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n" + HOST + b"Content-Length: x\r\n\r\n", 400),
        (
            b"POST / HTTP/1.1\r\n"
            + HOST
            + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n",
            400,
        ),
        (b"CONNECT evil.example:443 HTTP/1.1\r\n" + HOST + b"\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\n" + HOST + b"\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 40_000 + b"\r\n\r\n", 431),
        (b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + HOST + b"X: x\r\n" * 101 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + HOST + b"X: " + b"x" * 4_000_000, 431),
        (b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 500_000, 431),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else None,
)
def test_what_is_no_request_or_too_much_of_one_is_refused(
    connect: Connect, port: int, data: bytes, status: int
) -> None:
    connection = connect(port)
    connection.sendall(data)
    assert read_one(connection)[0] == status
    assert rest_of(connection) == b""


UNKNOWN = [b"FOO", b"get", b"GETS", b"Get", b"M-SEARCHES", b"x!#$%&'*+.^_`|~9"]


@pytest.mark.parametrize("method", UNKNOWN)
@pytest.mark.parametrize("cut", [0, 1, 2, 5, 12], ids=lambda cut: f"cut at {cut}")
def test_an_unknown_method_is_refused_with_those_allowed(
    connect: Connect, port: int, method: bytes, cut: int
) -> None:
    """On a new connection, and on one that was used before."""
    for earlier in (0, 1):
        connection = connect(port)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(earlier):
            connection.sendall(GET)
            assert read_one(connection) == (200, b'{"a": 1}')
        data = method + b" /file.json HTTP/1.1\r\n" + HOST + b"\r\n"
        connection.sendall(data[:cut])
        connection.sendall(data[cut:])
        reply = rest_of(connection)
        assert reply.startswith(b"HTTP/1.1 405 Method Not Allowed\r\n")
        assert b"\r\nallow: GET, HEAD, OPTIONS\r\n" in reply
        assert b"\r\naccess-control-allow-origin: *\r\n" in reply
        assert b"\r\nconnection: close\r\n" in reply


def test_an_unknown_method_may_come_byte_by_byte(connect: Connect, port: int) -> None:
    connection = connect(port)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in b"\r\nget / HTTP/1.1\r\n":
        connection.sendall(bytes([byte]))
    assert read_one(connection)[0] == 405


def test_a_body_without_end_is_not_read_to_its_end(connect: Connect, port: int) -> None:
    connection = connect(port)
    connection.sendall(b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 99999999999\r\n\r\n")
    assert read_one(connection)[0] == 405
    with pytest.raises(ConnectionError):
        pour(connection)


def test_garbage_behind_a_download_does_not_get_into_it(exchange: Exchange, port: int) -> None:
    reply = exchange(port, b"GET /big.bin HTTP/1.1\r\n" + HOST + b"\r\ngarbage\r\n\r\n")
    assert reply.count(b"HTTP/1.1 ") <= 1


@pytest.mark.parametrize(
    ("data", "answers"),
    [(b"", 0), (b"GET / HT", 0), (GET, 1), (GET + b"G", 1), (GET + GET, 2)],
    ids=["silent", "part", "idle", "idle with a part", "idle after two"],
)
@pytest.mark.parametrize("field", [b"", b"Content-Length: 0\r\n"], ids=["at once", "app"])
def test_a_client_that_does_not_go_on_is_dropped(
    connect: Connect,
    serve_bounded: Callable[..., int],
    site: Path,
    data: bytes,
    answers: int,
    field: bytes,
) -> None:
    connection = connect(serve_bounded(site, "request_seconds=0.4, idle_seconds=0.4"))
    connection.sendall(data.replace(HOST, HOST + field))
    assert rest_of(connection).count(b"HTTP/1.1 200 OK") == answers


def test_a_client_that_takes_nothing_is_dropped(
    connect: Connect, serve_bounded: Callable[..., int], new_site: Path
) -> None:
    with (new_site / "large").open("wb") as file:
        file.truncate(64 * 1024 * 1024)
    connection = connect(serve_bounded(new_site, "stall_seconds=0.4"))
    connection.sendall(b"GET /large HTTP/1.1\r\n" + HOST + b"\r\n")
    watch = select.poll()
    watch.register(connection, select.POLLERR)
    assert watch.poll(30_000)
