"""What the tests of the host share: a site, real processes that serve it, raw sockets to them."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

COMMAND = (
    sys.executable,
    "-c",
    "import sys; from doctrove_server.host.cli import main; sys.exit(main())",
)
TIMEOUT = 30.0  # seconds that nothing here takes
BIG = bytes(range(256)) * (3 * 1024 * 1024 // 256) + b"end"


def make_site(folder: Path) -> Path:
    """Write a site with one file for every rule, and beside it what must never be served."""
    site = folder / "site"
    files = {
        "index.html": b"<p>front</p>",
        "index.json": b'{"front": true}',
        "404.html": b"<p>lost</p>",
        "file.json": b'{"a": 1}',
        "notes.txt": b"0123456789",
        "empty.txt": b"",
        "a b.txt": b"spaced",
        "\u00fcn\u00ef.txt": b"named",
        "100%.txt": b"percent",
        "guide/index.html": b"<p>guide</p>",
        "guide/page.html": b"<p>page</p>",
        "bare/data.bin": b"data",
        "app.3f2a91bc77.css": b"p {}",
        "_volumes/5.1.0.0123456789.json": b"{}",
        "report.20260801.json": b"{}",
        "big.bin": BIG,
        "app.js": b"identity",
        "app.js.br": b"coded-br",
        "app.js.zst": b"coded-zstd",
        "app.js.gz": b"coded-gzip",
        "only.css": b"identity",
        "only.css.gz": b"coded-gzip",
        ".secret": b"SECRET",
        ".git/config": b"SECRET",
        ".well-known/security.txt": b"Contact: x",
        ".well-known/.hidden": b"SECRET",
        "guide/.well-known/x.txt": b"SECRET",
    }
    for name, content in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "outside").mkdir()
    (folder / "outside" / "secret.txt").write_bytes(b"SECRET")
    (folder / "site-too").mkdir()
    (folder / "site-too" / "secret.txt").write_bytes(b"SECRET")
    links = {
        "out.txt": folder / "outside" / "secret.txt",
        "out": folder / "outside",
        "beside": folder / "site-too",
        "up": folder,
        "hidden.txt": site / ".secret",
        "loop": site / "loop",
        "inside.json": site / "file.json",
        "manual": site / "guide",
    }
    for name, target in links.items():
        (site / name).symlink_to(target)
    os.mkfifo(site / "pipe")
    return site


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_site(tmp_path_factory.mktemp("host"))


@pytest.fixture
def new_site(tmp_path: Path) -> Path:
    return make_site(tmp_path)


def started(command: tuple[str, ...]) -> tuple[subprocess.Popen[str], int]:
    """Start a host; return it and the port that it says."""
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://\S+:(\d+)/", line)
    assert found is not None, line + process.stderr.read()
    return process, int(found[1])


def ended(process: subprocess.Popen[str]) -> str:
    """Kill a host that is still there; return what more it had said."""
    process.kill()
    _, talk = process.communicate(timeout=TIMEOUT)
    return talk


@pytest.fixture
def serve() -> Iterator[Callable[..., int]]:
    """Serve a folder with the command's options; none of them says a word more than its URL."""
    processes: list[subprocess.Popen[str]] = []

    def start(folder: Path, *options: str) -> int:
        process, port = started((*COMMAND, str(folder), "--port", "0", *options))
        processes.append(process)
        return port

    yield start
    assert [ended(process) for process in processes] == [""] * len(processes)


@pytest.fixture
def serve_process() -> Iterator[Callable[[Path], tuple[int, int]]]:
    """Serve a folder; give the number of the process too."""
    processes: list[subprocess.Popen[str]] = []

    def start(folder: Path) -> tuple[int, int]:
        process, port = started((*COMMAND, str(folder), "--port", "0"))
        processes.append(process)
        return process.pid, port

    yield start
    assert [ended(process) for process in processes] == [""] * len(processes)


@pytest.fixture
def serve_bounded() -> Iterator[Callable[..., int]]:
    """Serve a folder with bounds of its own."""
    processes: list[subprocess.Popen[str]] = []

    def start(folder: Path, limits: str) -> int:
        program = f"""
import sys
from doctrove_server.host import StaticHost
from doctrove_server.host.limits import Limits
from doctrove_server.host.serving import Running, listen, url_of
with listen("127.0.0.1", 0) as listener:
    running = Running(StaticHost(sys.argv[1]), limits=Limits({limits}))
    print(url_of(listener), file=sys.stderr, flush=True)
    running.serve_on(listener)
"""
        process, port = started((sys.executable, "-c", program, str(folder)))
        processes.append(process)
        return port

    yield start
    assert [ended(process) for process in processes] == [""] * len(processes)


@pytest.fixture(scope="session")
def port(site: Path) -> Iterator[int]:
    """Serve the site for every test that changes nothing."""
    process, number = started((*COMMAND, str(site), "--port", "0"))
    yield number
    assert process.poll() is None
    assert ended(process) == ""


@pytest.fixture(scope="session")
def connect() -> Iterator[Callable[[int], socket.socket]]:
    """Connect to a host."""
    made: list[socket.socket] = []

    def open_one(port: int) -> socket.socket:
        made.append(socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT))
        return made[-1]

    yield open_one
    for connection in made:
        connection.close()


@pytest.fixture(scope="session")
def exchange() -> Callable[[int, bytes], bytes]:
    """Send bytes as they are, and no more; return everything that comes until the host closes."""

    def send(port: int, data: bytes) -> bytes:
        with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    return send


@pytest.fixture(params=["at once", "through the app"])
def ask(
    request: pytest.FixtureRequest, exchange: Callable[[int, bytes], bytes]
) -> Callable[..., tuple[int, dict[str, str], bytes]]:
    """Ask for a target both ways that the host has; return status, fields and body.

    On a connection that is kept a request is answered at once where it can be; on one that is to
    be closed it goes through the app.
    """
    connection = "close" if request.param == "through the app" else "keep-alive"

    def send(
        port: int,
        target: str,
        *,
        method: str = "GET",
        fields: Mapping[str, str] | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        given = {"Host": "127.0.0.1", "Connection": connection, **(fields or {})}
        lines = [f"{method} {target} HTTP/1.1", *(f"{key}: {given[key]}" for key in given)]
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        return parsed(exchange(port, head), bodiless=method == "HEAD")

    return send


def parsed(reply: bytes, *, bodiless: bool) -> tuple[int, dict[str, str], bytes]:
    """Take a response apart, by its length; hold it to what any response must have."""
    head, found, rest = reply.partition(b"\r\n\r\n")
    assert found, reply
    line, *lines = head.decode("latin-1").split("\r\n")
    split = (one.partition(":") for one in lines)
    pairs = [(name.lower(), value.strip()) for name, _, value in split]
    fields = dict(pairs)
    assert len(fields) == len(pairs), pairs
    assert "date" in fields
    status = int(line.split()[1])
    empty = bodiless or status in (204, 304)
    assert len(rest) == (0 if empty else int(fields["content-length"]))
    return status, fields, rest
