"""Ctrl C and a reader that has left end every command without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = sorted(
    tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"].items()
)
NOT_ON_WINDOWS = pytest.mark.skipif(
    os.name == "nt", reason="there Ctrl C is no signal and a pipe breaks in another way"
)

BUSY_IMPORT = """
import sys
print("importing", flush=True)
sys.stdin.read()
"""
BUSY_MAIN = """
import sys
def main():
    print("running", flush=True)
    sys.stdin.read()
"""
TALKING = """
import sys
def main():
    print("said", file=getattr(sys, sys.argv[1]))
    return 0
"""
HELPING = """
import argparse
def main():
    argparse.ArgumentParser().parse_args(["--help"])
"""


def program(folder: Path, text: str, *arguments: str) -> list[str]:
    """Write a module whose `main` a command launches, and return the command."""
    (folder / "launched.py").write_text(text)
    run = (
        f"import sys; sys.path.insert(0, {str(folder)!r})\n"
        "from doctrove_server.launch import launch\nsys.exit(launch('launched'))"
    )
    return [sys.executable, "-c", run, *arguments]


@NOT_ON_WINDOWS
@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(BUSY_IMPORT, 130, id="while-it-imports"),
        pytest.param(BUSY_MAIN, 130, id="while-it-runs"),
    ],
)
def test_ctrl_c_ends_a_command_without_a_word(tmp_path: Path, text: str, code: int) -> None:
    with subprocess.Popen(
        program(tmp_path, text),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == code
        assert process.stderr is not None
        assert process.stderr.read() == b""


@NOT_ON_WINDOWS
def test_a_signal_that_the_shell_ignores_stays_ignored(tmp_path: Path) -> None:
    command = program(tmp_path, BUSY_MAIN)
    with subprocess.Popen(
        ["/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        assert process.wait(60) == 0


@NOT_ON_WINDOWS
@pytest.mark.parametrize(
    ("text", "stream", "codes"),
    [
        pytest.param(TALKING, "stdout", {141}, id="data"),
        pytest.param(TALKING, "stderr", {141}, id="talk"),
        # Newer versions of argparse do not mind that nobody reads their help.
        pytest.param(HELPING, "stdout", {0, 141}, id="help"),
    ],
)
def test_a_reader_that_has_left_is_no_fault(
    tmp_path: Path, text: str, stream: str, codes: set[int]
) -> None:
    read, write = os.pipe()
    os.close(read)
    command = program(tmp_path, text, stream)
    other = "stderr" if stream == "stdout" else "stdout"
    try:
        done = subprocess.run(
            command,
            check=False,
            stdout=write if stream == "stdout" else subprocess.PIPE,
            stderr=write if stream == "stderr" else subprocess.PIPE,
        )
    finally:
        os.close(write)
    assert done.returncode in codes
    assert getattr(done, other) == b""


@NOT_ON_WINDOWS
@pytest.mark.parametrize(("name", "place"), COMMANDS)
def test_every_command_is_launched_so(name: str, place: str) -> None:
    module, _, function = place.partition(":")
    run = f"import sys; sys.argv[0] = {name!r}; from {module} import {function}; {function}()"
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" | true', "sh", sys.executable, "-c", run, "--help"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    heavy = "{'asyncio', 'jinja2', 'msgspec', 'typing'}"
    light = f"import sys, {module}; sys.exit(bool({heavy} & set(sys.modules)))"
    # -S: what the installation itself imports at each start is not ours.
    path = os.pathsep.join(str(ROOT / folder) for folder in ("builder", "server"))
    env = {**os.environ, "PYTHONPATH": path}
    assert subprocess.run([sys.executable, "-S", "-c", light], env=env, check=False).returncode == 0


@NOT_ON_WINDOWS
def test_a_list_may_be_cut_short() -> None:
    read, write = os.pipe()
    os.close(read)
    run = "import sys; from doctrove_builder.commands import import_; sys.exit(import_())"
    done = subprocess.run(
        [sys.executable, "-c", run, "--list"],
        check=False,
        stdout=write,
        stderr=subprocess.PIPE,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")
