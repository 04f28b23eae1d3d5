"""What holds for all tests, and the tools that several of them use: Node and Chromium."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import settings
from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

# A shared machine is slow at times, and no test is about that. CI draws the same examples each
# time, so that a run there fails for a change and not by chance.
settings.register_profile("house", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "house")

NOBODY = 65534
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")

# What npm says when no registry can be reached; anything else is a fault of these tests.
OFFLINE = (
    *("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT"),
    *("EHOSTUNREACH", "ENETUNREACH"),
)
# A registry that is not there is found out in seconds, not in minutes.
RETRIES = ("--fetch-retry-mintimeout=500", "--fetch-retry-maxtimeout=2000")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The machine's Chromium, driven by playwright.

    The one without windows, where it is, needs less than half of the time for the same pages.
    """
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        _give_up("there is no Chromium on this machine")
    with sync_playwright() as starter:
        started = starter.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def node_tool() -> Callable[[str], str]:
    """Return the path of `node` or of a tool beside it: the environment's, else the machine's."""

    def find(name: str) -> str:
        beside = Path(sys.executable).parent
        found = shutil.which(name, path=f"{beside}{os.pathsep}{os.environ['PATH']}")
        if found is None:
            reason = f"{name} is not here"
            _give_up(reason)
        return found

    return find


@pytest.fixture(scope="session")
def npm_packages(
    pytestconfig: pytest.Config, node_tool: Callable[[str], str]
) -> Callable[[Path], Path]:
    """Return a folder with the npm packages that a folder of tests locks.

    It is made once for each lock file and kept in pytest's cache.
    """

    def install(tests: Path) -> Path:
        node, npm = node_tool("node"), node_tool("npm")
        lock = (tests / "package-lock.json").read_bytes()
        version = subprocess.run([node, "--version"], check=True, capture_output=True).stdout
        key = hashlib.sha256(lock + version).hexdigest()[:16]
        assert pytestconfig.cache is not None
        kept = pytestconfig.cache.mkdir("npm") / key
        if not kept.is_dir():
            _install(npm, tests, kept)
        return kept

    return install


def _install(npm: str, tests: Path, kept: Path) -> None:
    folder = Path(tempfile.mkdtemp(dir=kept.parent))
    for name in ("package.json", "package-lock.json"):
        shutil.copy(tests / name, folder)
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
    install = [npm, "ci", *quiet, *RETRIES]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        shutil.rmtree(folder)
        reason = f"npm cannot install the packages of {tests.name}: {done.stderr[:600]}"
        offline = any(f"code {code}" in done.stderr for code in OFFLINE)
        _give_up(reason) if offline else pytest.fail(reason)
    # Another worker may have been first; then its folder serves.
    with contextlib.suppress(OSError):
        folder.rename(kept)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def folder_without_rights() -> Iterator[Path]:
    """A folder of a user who is not root, as whom the test runs: root may do everything."""
    with tempfile.TemporaryDirectory(prefix="doctrove-", dir="/tmp") as name:
        is_root = os.geteuid() == 0
        if is_root:
            os.chown(name, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            if is_root:
                os.seteuid(0)


def _give_up(reason: str) -> NoReturn:
    """Skip, since not every machine has a browser, Node or a registry; CI has them all."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
