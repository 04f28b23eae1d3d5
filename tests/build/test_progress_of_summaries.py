"""What a build says while a slow model writes, and what is left when it is interrupted."""

from __future__ import annotations

import http.server
import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.cli.progress import SELDOM, Lines
from doctrove_builder.pipeline.summing_up import standing_in_words
from doctrove_server.compression.abstractive import question
from doctrove_server.compression.summaries import Standing

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMAND = Path(sys.executable).with_name("doctrove-build")
TEXT = """\
`Server({n})` listens on one port and answers each request in its own task. It reads its settings
once, when it starts; a change of them needs a restart.

- `port`: Where it listens, a number. Defaults to `{n}8730`.
- `host`: The address. Defaults to `"127.0.0.1"`.
- `timeout` (seconds): How long a request may take before it ends.

`Server.run` raises `PortInUse` when the port is taken. It does not retry by itself. Set the
environment variable `SERVER_PORT` to override `port`.
"""


HEEDING = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Starts a command that heeds Ctrl C, even where a shell had the tests ignore it."""


class Model:
    """A loopback endpoint that answers so many questions, and holds the others until its end.

    `holds` is set when it holds two: then both threads of a build are done with what was answered.
    """

    def __init__(self, answers: int) -> None:
        self.asked: list[str] = []
        self.holds = threading.Event()
        self._released = threading.Event()
        self._turn = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked: dict[str, Any] = json.loads(
                    self.rfile.read(int(self.headers["Content-Length"]))
                )
                text = asked["messages"][0]["content"].partition("<documentation>\n")[2]
                with outer._turn:
                    outer.asked.append(text)
                    held = len(outer.asked) - answers
                if held > 0:
                    if held == 2:
                        outer.holds.set()
                    outer._released.wait()
                    return
                message = {"choices": [{"message": {"content": text.split(". ")[0] + "."}}]}
                body = json.dumps({**message, "usage": {"total_tokens": 1_000}}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
                """Say nothing."""

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._released.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def model(request: pytest.FixtureRequest) -> Iterator[Model]:
    made = Model(request.param)
    yield made
    made.close()


@pytest.fixture
def authoring(tmp_path: Path) -> Path:
    folder = tmp_path / "authoring" / "acme" / "1.0.0"
    folder.mkdir(parents=True)
    for n in range(5):
        (folder / f"page{n}.md").write_text(f"# Page {n}\n\n{TEXT.replace('{n}', str(n))}")
    (tmp_path / "authoring" / "acme" / "library.yaml").write_text("id: acme\nname: Acme\n")
    options = "format: doctrove-authoring@1\ntitle: T\noptions:\n  search: 'off'\n"
    (tmp_path / "authoring" / "doctrove.yaml").write_text(options)
    return tmp_path


def building(folder: Path, model: Model, **popen: Any) -> subprocess.Popen[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DOCTROVE_")}
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            HEEDING,
            COMMAND,
            "authoring",
            "dist",
            "--no-html",
            "--jobs",
            "1",
            "--summaries-dir",
            "kept",
        ],
        cwd=folder,
        env={**kept, "DOCTROVE_LLM_URL": model.url, "TERM": "xterm", "COLUMNS": "160"},
        text=True,
        **popen,
    )


def kept_in(folder: Path) -> list[Path]:
    return [file for file in (folder / "kept").rglob("*") if file.is_file()]


@pytest.mark.parametrize("model", [3], indirect=True)
def test_ctrl_c_keeps_what_was_answered_and_the_next_build_asks_for_the_rest(
    model: Model, authoring: Path
) -> None:
    build = building(authoring, model, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    assert model.holds.wait(120)
    build.send_signal(signal.SIGINT)
    _, errors = build.communicate(timeout=120)
    assert build.returncode == 130
    assert "3 of the model's answers are kept in kept; the next build asks for the rest" in errors
    assert "interrupted; the destination is as it was" in errors
    assert "Traceback" not in errors
    files = kept_in(authoring)
    assert len([file for file in files if file.suffix == ".md"]) == 3
    assert not [file for file in files if file.name.startswith(".")]
    assert not (authoring / "dist").exists()
    first = set(model.asked[:3])
    other = Model(5)
    try:
        later = building(authoring, other, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
        said, _ = later.communicate(timeout=120)
    finally:
        other.close()
    assert later.returncode == 0
    assert (
        "summaries: 5 of 5 texts; 0 refused by the checks, 2 questions to the model, 2,000 tokens;"
        " 3 answers kept before" in said
    )
    assert not first & set(other.asked)


@pytest.mark.parametrize("model", [5], indirect=True)
def test_a_terminal_shows_one_line_that_says_how_far_it_is(model: Model, authoring: Path) -> None:
    ours, theirs = pty.openpty()
    build = building(authoring, model, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = bytearray()
    with suppress(OSError):  # so a terminal ends on Linux
        while data := os.read(ours, 65_536):
            shown += data
    os.close(ours)
    assert build.wait(120) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert re.search(r"0 of 5, 0 from the cache, now acme 1\.0\.0 page\d", text)
    assert re.search(r"[34] of 5, 0 from the cache, \d,000 tokens, now acme 1\.0\.0 page\d", text)
    assert "\n" not in text.partition("0 of 5")[2].partition("4 of 5")[0]


def test_lines_say_seldom_what_is_done_now(capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    lines = Lines(clock=lambda: now[0])
    lines.step("sum up sections", 1_200)
    for seconds in range(70):
        now[0] = 100.0 + seconds
        lines.note(f"{seconds} of 1,200, now \x1b[2J")
        lines.advance(1)
    assert SELDOM == 30
    assert capsys.readouterr().err.splitlines() == [
        "sum up sections: 1,200",
        "  30 of 1,200, now \\x1b[2J",
        "  60 of 1,200, now \\x1b[2J",
    ]


def test_a_standing_says_what_was_reused_what_failed_and_what_it_took() -> None:
    begun = question("text", 10, tokens=100, model="m")
    standing = Standing(total=48, done=12, kept=9, failed=1, tokens=61_000, begun=begun)
    assert (
        standing_in_words(standing, {"text": "acme 1.0.0 guide/start"})
        == "12 of 48, 9 from the cache, 1 failed, 61,000 tokens, now acme 1.0.0 guide/start"
    )
    standing = Standing(total=2, done=2, kept=2, failed=0, tokens=0)
    assert standing_in_words(standing, {}) == "2 of 2, 2 from the cache"
