"""What the tests of the server share: indexes, scripted HTTP servers, servers as processes."""

from __future__ import annotations

import contextlib
import gzip
import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from doctrove_schema.model import Entry, Index, Section, Volume
from doctrove_schema.writing import write_index

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Json = dict[str, Any]
SERVER = Path(sys.executable).with_name("doctrove-server")


def _section(heading: str, body: str, **fields: Any) -> Section:
    return Section(heading=heading, body=body, **fields)


@pytest.fixture(scope="session")
def index() -> Index:
    """An index of two libraries with what results have to show."""
    routing = _section(
        "Route parameters",
        "Named segments: `/users/:id`.",
        id="routing/route-parameters",
        path="https://docs.example.org/routing#route-parameters",
        trail=("Routing",),
        symbols=("app.get",),
        since="5.0.0",
    )
    wildcard = _section("Wildcard routes", "A wildcard has a name.", id="routing/wildcard-routes")
    many = tuple(_section(f"Topic {n}", "Common text.", id=f"topics/{n}") for n in range(40))
    return Index(
        entries=(
            Entry(
                id="express",
                name="Express",
                summary="Web framework",
                aliases=("expressjs",),
                popularity=1200,
                versions=("5.1.0", "5.2.0-rc.1", "4.21.2"),
                volumes={
                    "5.1.0": Volume(summary="Fifth line", sections=(routing, wildcard)),
                    "5.2.0-rc.1": Volume(sections=()),
                    "4.21.2": Volume(released="2024-12-05", sections=(wildcard,)),
                },
            ),
            Entry(
                id="@scope/many",
                name="Many",
                superseded_by="express",
                versions=("1.0.0",),
                volumes={"1.0.0": Volume(sections=many)},
            ),
        )
    )


@pytest.fixture(scope="session")
def index_bytes(index: Index) -> bytes:
    """The same as JSON."""
    return write_index(index)


@pytest.fixture(scope="session")
def index_file(index_bytes: bytes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same in a file."""
    path = tmp_path_factory.mktemp("index") / "index.json"
    path.write_bytes(index_bytes)
    return path


class Reply(msgspec.Struct, kw_only=True):
    """One scripted answer of an HTTP server."""

    status: int = 200
    headers: dict[str, str] = {}
    body: bytes = b""
    hang: str = ""
    """`headers`: never answer; `body`: send half and no more; until the server is closed."""

    slow: float = 0
    """Seconds before the answer."""


class ScriptedServer:
    """A real HTTP server on loopback that answers by script and keeps what it was asked."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.reply: Callable[[str, dict[str, str]], Reply] = lambda _path, _headers: Reply()
        self.asked = threading.Event()
        self.closing = threading.Event()
        script = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                script.answer(self)

            def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, handler: http.server.BaseHTTPRequestHandler) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.requests.append((handler.path, headers))
        self.asked.set()
        reply = self.reply(handler.path, headers)
        if reply.slow:
            self.closing.wait(reply.slow)
        if reply.hang == "headers":
            self.closing.wait()
            return
        handler.send_response(reply.status)
        for name, value in reply.headers.items():
            handler.send_header(name, value)
        if "content-length" not in reply.headers and reply.status != 304:
            handler.send_header("content-length", str(len(reply.body)))
        handler.end_headers()
        try:
            if reply.hang == "body":
                handler.wfile.write(reply.body[: len(reply.body) // 2])
                handler.wfile.flush()
                self.closing.wait()
                return
            handler.wfile.write(reply.body)
        except OSError:
            pass  # the client went away, which some tests are about

    def serve(self, *replies: Reply) -> None:
        """Answer with these in turn, and with the last one from then on."""
        left = list(replies)

        def next_reply(_path: str, _headers: dict[str, str]) -> Reply:
            return left.pop(0) if len(left) > 1 else left[0]

        self.reply = next_reply

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def scripted() -> Iterator[Callable[[], ScriptedServer]]:
    """Start scripted HTTP servers."""
    servers: list[ScriptedServer] = []

    def start() -> ScriptedServer:
        servers.append(ScriptedServer())
        return servers[-1]

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def reply() -> type[Reply]:
    """Make a scripted answer."""
    return Reply


@pytest.fixture
def zipped() -> Callable[[bytes], bytes]:
    """Compress a body."""
    return lambda data: gzip.compress(data, mtime=0)


class Session:
    """A server process spoken to over its standard streams, a JSON object a line."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None, **popen: Any) -> None:
        clean = {k: v for k, v in os.environ.items() if not k.startswith("DOCTROVE_")}
        self.process = subprocess.Popen(
            [str(SERVER), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**clean, **(env or {})},
            **popen,
        )
        self._number = 0
        self.received: list[bytes] = []
        self._errors = bytearray()
        self._silent = False
        self._heard = threading.Condition()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self._heard:
                self._errors += line
                self._heard.notify_all()
        with self._heard:
            self._silent = True
            self._heard.notify_all()

    def send(self, message: Json) -> None:
        self.write(json.dumps(message).encode() + b"\n")

    def write(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self) -> Json:
        """Return the next message; every line of stdout must be one."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"stdout ended; stderr: {self.errors()}"
        self.received.append(line)
        message: Json = json.loads(line)
        return message

    def request(self, method: str, params: Json | None = None) -> Json:
        """Send a request and return the whole answer to it."""
        self._number += 1
        number = self._number
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}})
        while (message := self.read()).get("id") != number:
            pass
        return message

    def initialize(self, version: str = "2025-11-25") -> Json:
        info = {"name": "test", "version": "0"}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": info}
        answer = self.request("initialize", params)
        with contextlib.suppress(BrokenPipeError):  # it may have ended since
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, tool: str, arguments: Any) -> Json:
        """Call a tool and return its result."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        result: Json = answer["result"]
        return result

    def end_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def rest(self) -> list[Json]:
        """Read every message up to the end of stdout."""
        assert self.process.stdout is not None
        return [json.loads(line) for line in self.process.stdout]

    def wait(self, timeout: float = 120) -> int:
        return self.process.wait(timeout)

    def errors(self) -> str:
        """Return what stands on stderr, all of it once the process has ended."""
        if self.process.poll() is not None:
            self._listener.join()
        return self._errors.decode("utf-8", "replace")

    def wait_for_error(self, text: str) -> None:
        """Wait until a text stands on stderr."""
        with self._heard:
            said = self._heard.wait_for(lambda: text.encode() in self._errors or self._silent, 120)
        assert said, self.errors()
        assert text in self.errors()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self._listener.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with contextlib.suppress(BrokenPipeError):  # unsent input of one that is gone
                stream.close()


def _sessions() -> Iterator[Callable[..., Session]]:
    sessions: list[Session] = []

    def start(*arguments: str, **options: Any) -> Session:
        sessions.append(Session(*arguments, **options))
        return sessions[-1]

    yield start
    for one in sessions:
        one.close()


@pytest.fixture
def session() -> Iterator[Callable[..., Session]]:
    """Start server processes; they are gone at the end of the test."""
    yield from _sessions()


@pytest.fixture(scope="module")
def start_session() -> Iterator[Callable[..., Session]]:
    """Start server processes; they are gone at the end of the module."""
    yield from _sessions()


@pytest.fixture(scope="module")
def shared_session(start_session: Callable[..., Session], index_file: Path) -> Session:
    """One initialised server for the tests of a module that leave it as it was."""
    one = start_session("--local-index", str(index_file))
    one.initialize()
    return one
