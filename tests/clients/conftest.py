"""The server as users get it, from a wheel in an environment of its own, and its clients."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# What npm says when no registry can be reached; anything else is a fault of these tests.
_OFFLINE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH")
IN_CI = os.environ.get("CI") == "true"


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
def node_folder(pytestconfig: pytest.Config) -> Path:
    """A folder with the locked npm packages and the programs of these tests.

    It is made once for each lock file and kept in pytest's cache.
    """
    node, npm = _tool("node"), _tool("npm")
    lock = (HERE / "package-lock.json").read_bytes()
    version = subprocess.run([node, "--version"], check=True, capture_output=True).stdout
    key = hashlib.sha256(lock + version).hexdigest()[:16]
    assert pytestconfig.cache is not None
    kept = pytestconfig.cache.mkdir("npm") / key
    if not kept.is_dir():
        _install(npm, kept)
    shutil.copytree(HERE / "programs", kept, dirs_exist_ok=True)
    return kept


def _install(npm: str, kept: Path) -> None:
    folder = Path(tempfile.mkdtemp(dir=kept.parent))
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, folder)
    install = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(folder)
        reason = f"npm cannot install the clients: {done.stderr[:600]}"
        offline = any(f"code {code}" in done.stderr for code in _OFFLINE)
        _give_up(reason) if offline else pytest.fail(reason)
    # Another worker may have been first; then its folder serves.
    with contextlib.suppress(OSError):
        folder.rename(kept)
    shutil.rmtree(folder, ignore_errors=True)


def _give_up(reason: str) -> NoReturn:
    """Skip, since not every machine has Node or a registry; CI has both."""
    if IN_CI:
        pytest.fail(reason)
    pytest.skip(reason)


def _tool(name: str) -> str:
    beside = Path(sys.executable).parent
    found = shutil.which(name, path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        reason = f"{name} is not here"
        _give_up(reason)
    return found


@pytest.fixture
def node(node_folder: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a program of the npm folder with Node; its path and arguments follow."""
    folder = Path(_tool("node")).parent

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {k: v for k, v in os.environ.items() if not k.startswith("DOCTROVE_")}
        env["PATH"] = f"{folder}{os.pathsep}{env['PATH']}"
        return subprocess.run(
            [_tool("node"), program, *arguments],
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
