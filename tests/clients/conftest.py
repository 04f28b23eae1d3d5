"""The server as users get it, from a wheel in an environment of its own, and its clients."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="session")
def server_command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed `doctrove-server` of a wheel built now.

    Its environment holds the wheel alone; the libraries it needs are those of the environment that
    runs the tests, without the editable install that stands there.
    """
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "env", with_pip=False)
    scripts = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    python = scripts / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps"]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    where = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = Path(subprocess.run(where, check=True, capture_output=True, text=True).stdout.strip())
    (own / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    found = [str(python), "-c", "import doctrove_server; print(doctrove_server.__file__)"]
    used = subprocess.run(found, check=True, capture_output=True, text=True).stdout
    assert str(own) in used
    return scripts / "doctrove-server"


@pytest.fixture(scope="session")
def node_folder(npm_packages: Callable[[Path], Path]) -> Path:
    """A folder with the locked npm packages and the programs of these tests."""
    kept = npm_packages(HERE)
    shutil.copytree(HERE / "programs", kept, dirs_exist_ok=True)
    return kept


@pytest.fixture
def node(
    node_folder: Path, node_tool: Callable[[str], str]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a program of the npm folder with Node; its path and arguments follow."""
    folder = Path(node_tool("node")).parent

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {k: v for k, v in os.environ.items() if not k.startswith("DOCTROVE_")}
        env["PATH"] = f"{folder}{os.pathsep}{env['PATH']}"
        return subprocess.run(
            [node_tool("node"), program, *arguments],
            cwd=node_folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=240,
        )

    return run


@pytest.fixture
def told(node: Any) -> Callable[..., Any]:
    """Run a client and return the JSON that it prints."""

    def run(program: str, *arguments: str) -> Any:
        done = node(program, *arguments)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture(scope="module")
def http_url(server_command: Path) -> Iterator[str]:
    """The address of a server over HTTP."""
    with subprocess.Popen(
        [server_command, "--http", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        url = next(line for line in process.stderr if "listening on" in line).split()[-1]
        yield url
        process.send_signal(signal.SIGTERM)
        process.stderr.read()
        assert process.wait(120) == 0
