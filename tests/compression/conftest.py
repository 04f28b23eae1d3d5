"""What the compression tests share: documentation, a running server, a model's endpoint."""

from __future__ import annotations

import http.server
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_schema.model import Entry, Index, Section, Volume
from doctrove_schema.writing import write_index
from doctrove_server.compression.shelf import Shelf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SERVER = Path(sys.executable).with_name("doctrove-server")
SHARED = Path(__file__).parents[3] / "shared" / "corpora"

SECTION = """\
The server listens on one port and answers each request in its own task. It reads its settings once,
when it starts; a change of them needs a restart.

- `port`: Where it listens, a number. Defaults to `8730`.
- `host`: The address. Defaults to `"127.0.0.1"`.
- `timeout` (seconds): How long a request may take.

| Option | Type | Default |
|--------|------|---------|
| `retries` | `int` | `3` |
| `backoff` | `float` | `0.5` |

```python
server = Server(port=8730, host="127.0.0.1")
server.run()
```

### Errors

`Server.run` raises `PortInUse` when the port is taken. It does not retry by itself. Deprecated
since version 2.1: use `Server.serve` instead. Set the environment variable `SERVER_PORT` to
override `port`.

For more details see the guide. The weather was fine on the day this was written, and everyone went
for a walk along the river, which says nothing about servers at all.

```python
def serve(self, *, retries: int = 3) -> None: ...
```
"""

STORY = "\n\n".join(
    f"Chapter {n} tells how the `module_{n}` was made. It has {n} parts and the function"
    f" `build_{n}()` returns `{n * 7}`. Nobody knows why the old name was kept for so long."
    for n in range(1, 15)
)


@pytest.fixture
def section() -> str:
    """A section with prose, items, a table, code, and a paragraph that says nothing."""
    return SECTION


@pytest.fixture
def story() -> str:
    """A long section of prose with a name in each paragraph."""
    return STORY


@pytest.fixture(scope="session")
def shelf() -> Shelf:
    """A shelf that counts exactly."""
    return Shelf()


@pytest.fixture(scope="session")
def real_sections() -> tuple[str, ...]:
    """Sections of real documentation, spread over the corpora."""
    if not SHARED.is_dir():
        pytest.skip("shared material is not here")
    found: list[str] = []
    for file in sorted((*SHARED.rglob("*.md"), *SHARED.rglob("*.mdx"))):
        text = file.read_text("utf-8")
        found += [text[at : at + 9_000] for at in range(0, len(text), 9_000)]
    found = [text for text in found if len(text) >= 200]
    return tuple(found[:: max(1, len(found) // 60)])


class Session:
    """A server over stdio, initialised."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("DOCTROVE_")}
        self.process = subprocess.Popen(
            [SERVER, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**kept, **(env or {})},
        )
        self._number = 0
        self.request(
            "initialize",
            protocolVersion="2025-11-25",
            capabilities={},
            clientInfo={"name": "test", "version": "0"},
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, **params: Any) -> dict[str, Any]:
        return self.answer(self.ask(method, **params))

    def ask(self, method: str, **params: Any) -> int:
        """Ask without waiting; return the number of the request."""
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int) -> dict[str, Any]:
        """Wait for the answer to a request; fails where one to a request before it comes first."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line)
            if "id" in message:
                assert message["id"] == number
                result: dict[str, Any] = message["result"]
                return result
        raise AssertionError("the server is gone")

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return self.request("tools/call", name=tool, arguments=arguments)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def end(self) -> str:
        _, errors = self.process.communicate(timeout=60)
        return errors


@pytest.fixture
def start() -> Iterator[Callable[..., Session]]:
    open_sessions: list[Session] = []

    def started(*arguments: str, env: dict[str, str] | None = None) -> Session:
        open_sessions.append(Session(*arguments, env=env))
        return open_sessions[-1]

    yield started
    for one in open_sessions:
        one.end()


@pytest.fixture
def index(tmp_path: Path, section: str, story: str) -> str:
    sections = (
        Section(id="server", heading="Server", body=section, tokens=267),
        Section(id="story", heading="Story", body=story, tokens=600),
        Section(id="huge", heading="Huge table", body="word " * 30_000, tokens=30_000),
    )
    volume = Volume(sections=sections)
    entry = Entry(id="library", name="Library", versions=("1.0.0",), volumes={"1.0.0": volume})
    path = tmp_path / "index.json"
    path.write_bytes(write_index(Index(entries=(entry,))))
    return str(path)


released = threading.Event()


class Endpoint:
    """A loopback endpoint that answers as it is told, and counts what it was asked."""

    def __init__(self, answer: Callable[[http.server.BaseHTTPRequestHandler, int], None]) -> None:
        self.asked: list[dict[str, Any]] = []
        self.was_asked = threading.Event()
        self.keys: list[str | None] = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                outer.asked.append(json.loads(self.rfile.read(length)))
                outer.keys.append(self.headers["Authorization"])
                outer.was_asked.set()
                answer(self, len(outer.asked))

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def endpoint(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    """An endpoint that answers with the function that the test names; what hangs ends with it."""
    released.clear()
    made = Endpoint(request.param)
    yield made
    released.set()
    made.close()


def says(text: str) -> Callable[[http.server.BaseHTTPRequestHandler, int], None]:
    def answer(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
        send(handler, 200, json.dumps({"choices": [{"message": {"content": text}}]}).encode())

    return answer


def send(handler: http.server.BaseHTTPRequestHandler, status: int, body: bytes) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def hangs(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    released.wait()
    handler.close_connection = True


def drips(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    while not released.wait(0.05):
        try:
            handler.wfile.write(b" ")
            handler.wfile.flush()
        except OSError:
            return


def drips_headers(handler: http.server.BaseHTTPRequestHandler, _number: int) -> None:
    try:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not released.wait(0.05):
            handler.wfile.write(b"x")
            handler.wfile.flush()
    except OSError:
        return


def always(status: int, body: bytes) -> Callable[[http.server.BaseHTTPRequestHandler, int], None]:
    return lambda handler, _number: send(handler, status, body)
