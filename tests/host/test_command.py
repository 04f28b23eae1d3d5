"""The command: options, exit codes, what it says, and how it ends."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

from doctrove_server.host.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Ask = Callable[..., tuple[int, dict[str, str], bytes]]

COMMAND = [sys.executable, "-c", "import sys; from doctrove_server.host.cli import main; main()"]


def test_help_has_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    printed = capsys.readouterr()
    assert "doctrove-host site --port 0" in printed.out
    assert printed.err == ""


def test_version_is_the_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"doctrove-host {version('doctrove')}\n"


@pytest.mark.parametrize(
    "argv",
    [
        ["--port", "65536"],
        ["--port", "-1"],
        ["--port", ""],
        ["--port", "abc"],
        ["--port", "1.5"],
        ["--port", "9" * 5000],
        ["--port"],
        ["--list"],
        ["--allowed-host", "docs.test:8730"],
        ["--allowed-host", "http://docs.test"],
        ["--allowed-host", ""],
        ["one", "two"],
    ],
)
def test_wrong_usage_is_2(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("usage: doctrove-host")


def test_a_missing_folder_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "dist")]) == 1
    said = capsys.readouterr().err
    assert said == (
        f"doctrove-host: {tmp_path}/dist is not there; build it with doctrove-build, "
        "or name another folder\n"
    )


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dist").write_bytes(b"")
    assert main([str(tmp_path / "dist")]) == 1
    assert "dist is not a folder; " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "no.such.host.invalid"], "no.such.host.invalid is no address here; "),
        (["--host", "a" * 70], " is no address here; "),
        (["--host", "192.0.2.1", "--port", "0"], "192.0.2.1 is no address of this machine; "),
    ],
)
def test_an_address_that_is_none_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    assert main([str(tmp_path), *options]) == 1
    assert words in capsys.readouterr().err


def test_a_port_that_is_taken_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main([str(tmp_path), "--port", str(port)]) == 1
    said = capsys.readouterr().err
    assert said == (
        f"doctrove-host: port {port} on 127.0.0.1 is taken; name another with --port, "
        "or 0 for a free one\n"
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_quietly_although_clients_are_there(
    tmp_path: Path, number: signal.Signals
) -> None:
    with (tmp_path / "large").open("wb") as file:
        file.truncate(64 * 1024 * 1024)
    process = subprocess.Popen(
        [*COMMAND, str(tmp_path), "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    port = int(line.rstrip("/\n").rpartition(":")[2])
    assert line == f"Serving {tmp_path} at http://127.0.0.1:{port}/\n"
    with (
        socket.create_connection(("127.0.0.1", port), timeout=30),
        socket.create_connection(("127.0.0.1", port), timeout=30) as slow,
    ):
        slow.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert slow.recv(9) == b"HTTP/1.1 "
        process.send_signal(number)
        assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 0


def test_it_listens_on_ipv6_loopback(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_bytes(b"six")
    process = subprocess.Popen(
        [*COMMAND, str(tmp_path), "--host", "::1", "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        assert " at http://[::1]:" in line
        port = int(line.rstrip("/\n").rpartition(":")[2])
        for host, status in (("[::1]", 200), ("localhost", 200), ("evil.example", 421)):
            with socket.create_connection(("::1", port), timeout=30) as connection:
                connection.sendall(f"GET / HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
                assert int(connection.recv(65536)[9:12]) == status
    finally:
        process.kill()
        process.communicate()


def test_names_that_are_allowed_are_served(
    ask: Ask, serve: Callable[..., int], new_site: Path
) -> None:
    port = serve(new_site, "--allowed-host", "docs.test", "--allowed-host", "Other.Test")
    expected = {
        "docs.test": 200,
        "DOCS.test:80": 200,
        "other.test": 200,
        "localhost": 200,
        "x.docs.test": 421,
        "evil.example": 421,
    }
    given = {host: ask(port, "/", fields={"Host": host})[0] for host in expected}
    assert given == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ([], {"any.example": 200, "127.0.0.1": 200}),
        (["--allowed-host", "docs.test"], {"docs.test": 200, "any.example": 421}),
    ],
    ids=["any name", "names"],
)
def test_on_every_address_any_name_is_served_unless_some_are_named(
    ask: Ask,
    serve: Callable[..., int],
    new_site: Path,
    options: list[str],
    expected: dict[str, int],
) -> None:
    port = serve(new_site, "--host", "0.0.0.0", *options)
    given = {host: ask(port, "/", fields={"Host": host})[0] for host in expected}
    assert given == expected
