"""How a server process lives and dies, seen from outside: real processes, pipes and signals."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

EXTRACT = {"name": "doc_extract", "arguments": {"id": "express"}}
NOT_ON_WINDOWS = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and pipes")


def line(number: int, method: str, params: dict[str, Any]) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


HELLO = line(
    0,
    "initialize",
    {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "0"},
    },
)


def test_the_end_of_the_input_answers_what_is_open_and_ends_with_0(
    session: Callable[..., Any], index_file: Path
) -> None:
    server = session("--local-index", str(index_file))
    server.write(HELLO + b"".join(line(n, "tools/call", EXTRACT) for n in range(1, 31)))
    server.end_input()
    assert sorted(message["id"] for message in server.rest()) == list(range(31))
    assert server.wait() == 0
    assert "Traceback" not in server.errors()


def test_an_empty_input_ends_with_0_in_silence(session: Callable[..., Any]) -> None:
    server = session()
    server.end_input()
    assert server.rest() == []
    assert server.wait() == 0
    assert server.errors().count("\n") == 1


def test_the_end_of_the_input_waits_for_a_remote_that_hangs(
    session: Callable[..., Any], scripted: Callable[[], Any], reply: Any
) -> None:
    remote = scripted()
    remote.serve(reply(hang="headers"))
    server = session("--index-url", remote.url, "--timeout-ms", "1500")
    server.write(HELLO + line(1, "tools/call", EXTRACT))
    server.end_input()
    answers = {message["id"]: message for message in server.rest()}
    assert answers[1]["result"]["structuredContent"]["source"] == "local:built-in"
    assert "within 1.5 seconds" in answers[1]["result"]["structuredContent"]["notices"][0]
    assert server.wait() == 0
    assert len(remote.requests) == 1


@NOT_ON_WINDOWS
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "hung remote"])
def test_a_signal_ends_it_at_once_although_the_input_is_open(
    number: int, busy: bool, session: Callable[..., Any], scripted: Callable[[], Any], reply: Any
) -> None:
    remote = scripted()
    remote.serve(reply(hang="headers"))
    server = session(*(["--index-url", remote.url] if busy else []), "--debug")
    server.initialize()
    if busy:
        server.write(line(9, "tools/call", EXTRACT))
        assert remote.asked.wait(120)
    server.process.send_signal(number)
    assert server.wait() == 0
    assert "Traceback" not in server.errors()
    assert "cache: " in server.errors() or busy


@NOT_ON_WINDOWS
def test_a_signal_during_the_start_ends_it_without_a_traceback(session: Callable[..., Any]) -> None:
    server = session()
    server.wait_for_error("built-in index")
    server.process.send_signal(signal.SIGINT)
    assert server.wait() == 0
    assert "Traceback" not in server.errors()


@NOT_ON_WINDOWS
def test_a_broken_pipe_ends_it_in_silence(session: Callable[..., Any]) -> None:
    server = session()
    server.initialize()
    server.process.stdout.close()
    server.write(line(5, "tools/list", {}))
    assert server.wait() == 0
    assert server.errors().count("\n") == 1


def test_answers_to_a_reader_that_stalls_all_arrive(
    session: Callable[..., Any], index_file: Path
) -> None:
    server = session("--local-index", str(index_file))
    server.initialize()
    calls = {"name": "doc_extract", "arguments": {"id": "many", "maxSections": 12}}
    # More than a pipe holds, so that the server has to wait for its reader.
    server.write(b"".join(line(n, "tools/call", calls) for n in range(100, 220)))
    server.end_input()
    assert sorted(message["id"] for message in server.rest()) == list(range(100, 220))
    assert server.wait() == 0


def test_the_handshake_is_answered_although_the_index_is_wrong(
    session: Callable[..., Any], tmp_path: Path
) -> None:
    path = tmp_path / "index.json"
    path.write_text('{"format": "other"}')
    server = session("--local-index", str(path))
    assert server.initialize()["result"]["serverInfo"]["name"] == "doctrove"
    assert server.wait() == 2
    assert f"[doctrove] configuration error: local index {path} is not a valid" in server.errors()
    assert "Traceback" not in server.errors()


@pytest.mark.parametrize("silent", ["closed", "open"])
def test_a_wrong_index_ends_it_with_2_although_nobody_speaks(
    silent: str, session: Callable[..., Any], tmp_path: Path
) -> None:
    server = session("--local-index", str(tmp_path / "none.json"))
    if silent == "closed":
        server.end_input()
    assert server.wait() == 2
    assert "cannot be read: No such file" in server.errors()


def test_a_large_index_does_not_delay_the_handshake(
    session: Callable[..., Any], tmp_path: Path
) -> None:
    fifo = tmp_path / "index.json"
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo(fifo)  # an index that takes for ever to read
    server = session("--local-index", str(fifo))
    assert "result" in server.initialize()
    assert len(server.request("tools/list")["result"]["tools"]) == 3
    server.write(line(50, "tools/call", EXTRACT))
    empty = '{"format": "doctrove-index@1", "entries": []}'
    fifo.write_text(empty)
    answer = server.read()
    assert answer["id"] == 50
    assert answer["result"]["structuredContent"]["error"]["code"] == "not-found"


def test_windows_line_ends_blank_lines_and_a_byte_order_mark_are_read(
    session: Callable[..., Any],
) -> None:
    server = session()
    server.write(b"\xef\xbb\xbf" + HELLO.rstrip() + b"\r\n\r\n  \r\n")
    assert server.read()["id"] == 0
    server.write(line(1, "ping", {}).rstrip() + b"\r\n")
    assert server.read() == {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert all(raw.endswith(b"}\n") for raw in server.received)


def test_text_of_every_script_goes_in_and_out(session: Callable[..., Any]) -> None:
    server = session(env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"})
    server.initialize()
    result = server.call("catalog_lookup", {"query": "日期 ☃ \U0001f600 é"})
    assert "日期 ☃ \U0001f600 é" in result["content"][0]["text"]


def test_the_last_line_may_lack_its_end(session: Callable[..., Any]) -> None:
    server = session()
    server.write(HELLO.rstrip())
    server.end_input()
    assert [message["id"] for message in server.rest()] == [0]
    assert server.wait() == 0


STRAY = """
import os, subprocess, sys
import doctrove_server.streams as streams
claimed = streams.claimed
def noisy():
    descriptors = claimed()
    print("printed after the claim", flush=True)
    os.write(1, b"written to the descriptor\\n")
    child = "print('printed by a child'); import sys; sys.stdin.read()"
    subprocess.run([sys.executable, "-c", child])
    return descriptors
import doctrove_server.cli as cli
cli.claimed = noisy
sys.argv = ["doctrove-server"]
sys.exit(cli.main())
"""


def test_what_others_print_goes_to_stderr() -> None:
    run = subprocess.run(
        [sys.executable, "-c", STRAY],
        input=HELLO,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert [json.loads(row)["id"] for row in run.stdout.splitlines()] == [0]
    for stray in (b"printed after the claim", b"written to the descriptor", b"printed by a child"):
        assert stray in run.stderr


@NOT_ON_WINDOWS
@pytest.mark.parametrize(
    ("closed", "answers"), [("2>&-", 1), ("<&-", 0), (">&-", 0)], ids=["stderr", "stdin", "stdout"]
)
def test_a_closed_standard_stream_is_no_reason_to_fail(closed: str, answers: int) -> None:
    program = Path(sys.executable).with_name("doctrove-server")
    run = subprocess.run(
        ["/bin/sh", "-c", f'exec "{program}" {closed}'],
        input=HELLO,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0
    assert [json.loads(row)["id"] for row in run.stdout.splitlines()] == [0] * answers
    assert b"Traceback" not in run.stderr


def test_debug_counts_the_cache_at_the_end(session: Callable[..., Any], index_file: Path) -> None:
    server = session("--local-index", str(index_file), "--debug")
    server.initialize()
    for _ in range(3):
        server.call("doc_extract", {"id": "express"})
    server.end_input()
    assert server.wait() == 0
    assert "[doctrove] cache: 2 hits, 1 misses, 0 evictions, 1 entries" in server.errors()


def test_the_banner_holds_no_credentials(session: Callable[..., Any]) -> None:
    server = session("--index-url", "http://me:s3cret@127.0.0.1:9/x?key=hidden", "--debug")
    server.initialize()
    text = json.dumps(server.call("doc_extract", {"id": "express"}))
    text += json.dumps(server.call("doc_extract", {"id": "none"}))
    server.end_input()
    assert server.wait() == 0
    for shown in (text, server.errors()):
        assert "remote:http://127.0.0.1:9/x" in shown
        assert "s3cret" not in shown
        assert "hidden" not in shown
