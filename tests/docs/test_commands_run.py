"""Every command of the README and of "Getting started" does what it is there for.

They run in a folder of their own, one after the other and as written. Files that a page shows under
a path are written where it stands. What serves until it is stopped is started, asked and ended.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

Fence = tuple[str, str, str]

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SECONDS = 120  # that no command takes
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    },
}

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the commands are those of a POSIX shell")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel of what is here, for `pip install doctrove`."""
    folder = tmp_path_factory.mktemp("wheels")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=SECONDS)
    return folder


@pytest.fixture
def environment(wheels: Path, tmp_path: Path) -> dict[str, str]:
    """The commands of this environment; pip takes the wheel and puts it into a folder."""
    own = {
        name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "MAKE"))
    }
    return {
        **own,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PIP_NO_DEPS": "1",
        "PIP_NO_COMPILE": "1",
        "PIP_TARGET": str(tmp_path / "installed"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to work in."""
    made = tmp_path / "work"
    made.mkdir()
    return made


@pytest.fixture
def checkout(folder: Path) -> Path:
    """The parts of a checkout that `make demo` reads, set up already."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, folder)
    # One library: all of them are built in test_documentation_builds.
    shutil.copytree(ROOT / "authoring" / "zod", folder / "authoring" / "zod")
    shutil.copy(ROOT / "authoring" / "doctrove.yaml", folder / "authoring")
    (folder / ".venv").mkdir()
    (folder / ".venv" / "bin").symlink_to(BIN, target_is_directory=True)
    (folder / ".venv" / ".installed").touch()
    return folder


def commands(text: str) -> list[str]:
    """Return the command lines of a shell's code block without their comments."""
    lines = (re.sub(r"\s+#.*$", "", line).strip() for line in text.splitlines())
    return [line for line in lines if line]


def carry_out(command: str, *, folder: Path, env: dict[str, str]) -> None:
    """Run one command; fail when it does not do what it is there for."""
    words = command.split()
    if words[0] == "doctrove-host":
        read_home_page(f"{command} --port 0", folder=folder, env=env)
    elif command == "make demo":
        read_home_page(command, folder=folder, env=env)
    elif words[0] == "doctrove-server" and "--http" not in words:
        shake_hands(command, folder=folder, env=env)
    else:
        # `make test` would run this test: what it would do is asked for, and not done.
        asked = f"{command} --dry-run" if command == "make test" else command
        done = subprocess.run(
            ["sh", "-ec", asked],
            cwd=folder,
            env=env,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


@contextlib.contextmanager
def started(command: str, *, folder: Path, env: dict[str, str]) -> Generator[subprocess.Popen[str]]:
    """Start a command in a process group of its own and end the group."""
    with subprocess.Popen(
        ["sh", "-c", f"exec {command}"],
        cwd=folder,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if command.startswith(("make", "doctrove-host")) else None,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)


def read_home_page(command: str, *, folder: Path, env: dict[str, str]) -> None:
    with started(command, folder=folder, env=env) as process:
        address = next(said_addresses(process.stdout), "")
        assert address, f"{command} says no address"
        with urllib.request.urlopen(address, timeout=SECONDS) as response:
            assert "<title>" in response.read().decode()


def said_addresses(lines: IO[str] | None) -> Iterator[str]:
    for line in lines or ():
        yield from re.findall(r"http://127\.0\.0\.1:\d+/", line)


def shake_hands(command: str, *, folder: Path, env: dict[str, str]) -> None:
    with started(command, folder=folder, env=env) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(HELLO) + "\n")
        process.stdin.flush()
        answer: dict[str, Any] = json.loads(process.stdout.readline())
        assert answer["result"]["serverInfo"]["name"] == "doctrove"
        process.stdin.close()
        assert process.wait(timeout=SECONDS) == 0


def test_every_command_of_the_readme_works(
    fences_in: Callable[[str], list[Fence]], checkout: Path, environment: dict[str, str]
) -> None:
    blocks = [
        text for lang, _, text in fences_in((ROOT / "README.md").read_text("utf-8")) if lang == "sh"
    ]
    listed = [command for block in blocks for command in commands(block)]
    assert {"make demo", "make test", "pip install doctrove"} <= set(listed)
    for command in listed:
        if "--init" in command:  # the reader of that part is in an empty folder
            shutil.rmtree(checkout / "authoring")
            shutil.rmtree(checkout / "dist")
        carry_out(command, folder=checkout, env=environment)


def test_getting_started_works_as_it_stands(
    fences_in: Callable[[str], list[Fence]],
    pages: dict[str, str],
    folder: Path,
    environment: dict[str, str],
) -> None:
    done: list[str] = []
    for language, title, text in fences_in(pages["getting-started.md"]):
        if title.startswith("authoring/"):
            (folder / title).parent.mkdir(parents=True, exist_ok=True)
            (folder / title).write_text(text, "utf-8")
        for command in commands(text) if language == "sh" else ():
            carry_out(command, folder=folder, env=environment)
            done.append(command)
    assert done.count("doctrove-build authoring dist") == 2
    index = json.loads((folder / "dist" / "index.json").read_text("utf-8"))
    ids = [part["id"] for part in index["entries"][0]["volumes"]["2.0.0"]["sections"]]
    assert ids == [
        *("index", "requests/fetch", "requests/retries", "requests/cache", "errors/timeout"),
    ]


def test_the_problem_that_getting_started_shows_is_said_like_that(
    fences_in: Callable[[str], list[Fence]],
    pages: dict[str, str],
    folder: Path,
    environment: dict[str, str],
) -> None:
    fences = fences_in(pages["getting-started.md"])
    for _, title, text in fences:
        if title.startswith(("authoring/acme/1.0.0", "authoring/acme/library")):
            (folder / title).parent.mkdir(parents=True, exist_ok=True)
            (folder / title).write_text(text.replace("(errors.md#", "(eror.md#"), "utf-8")
    (shown,) = (text for language, _, text in fences if language == "text")
    said = subprocess.run(
        ["doctrove-build", "authoring", "--check", "--quiet"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert said.returncode == 1
    assert shown.strip() in said.stderr
