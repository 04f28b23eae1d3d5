"""What the tests of writing share: small trees, a look at folders, programs run as processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.writing import Artefact, TwoRenames, exchange_trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from doctrove_builder.writing import Exchange

PROGRAMS = Path(__file__).parent / "programs"

TREE = {"index.html": "home", "express/5.1.0/index.html": "volume", ".nojekyll": ""}
"""The texts of a small tree by path."""


@pytest.fixture(params=[exchange_trees, TwoRenames()], ids=["swap", "renames"])
def exchange(request: pytest.FixtureRequest) -> Exchange:
    """Each way to put a new tree into the place of the old one."""
    return request.param  # type: ignore[no-any-return]  # pytest does not type it


@pytest.fixture
def artefacts() -> Callable[[dict[str, str]], list[Artefact]]:
    """Make artefacts of texts by path."""

    def make(files: dict[str, str]) -> list[Artefact]:
        return [Artefact(path=path, content=text.encode()) for path, text in files.items()]

    return make


@pytest.fixture
def look() -> Callable[[Path], dict[str, str]]:
    """Read every file below a folder but the manifest, by path; links show where they lead."""

    def read(root: Path) -> dict[str, str]:
        return {
            path.relative_to(root).as_posix(): (
                f"-> {path.readlink()}" if path.is_symlink() else path.read_text("utf-8")
            )
            for path in sorted(root.rglob("*"))
            if (path.is_symlink() or not path.is_dir()) and path != root / "manifest.json"
        }

    return read


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a program of this folder with pipes; whatever still runs at the end is killed."""
    running: list[subprocess.Popen[str]] = []

    def run(name: str, *arguments: str | Path) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, PROGRAMS / name, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.communicate()


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """Make a folder that every user may enter, unlike pytest's own."""
    with tempfile.TemporaryDirectory(prefix="doctrove-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mount something for the test; skip where that is not allowed."""
    mounted: list[Path] = []

    def run(folder: Path, *arguments: str) -> Path:
        if sys.platform != "linux" or os.geteuid() != 0:
            pytest.skip("mounting needs root on Linux")
        folder.mkdir(exist_ok=True)
        done = subprocess.run(["mount", *arguments, folder], capture_output=True, check=False)
        if done.returncode != 0:
            pytest.skip("mounting is not allowed here")
        mounted.append(folder)
        return folder

    assert tmp_path.is_dir()
    yield run
    for folder in reversed(mounted):
        subprocess.run(["umount", folder], check=True)
