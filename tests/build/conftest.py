"""A small tree that is built into a destination beside it."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Protocol

import pytest

from doctrove_builder.cli.build import main
from doctrove_schema.reading import read_index

CASES = Path(__file__).parent / "cases"
TREE = CASES / "two-volumes-one-extends" / "authoring"


class Build(Protocol):
    """Builds the tree with these options and returns the exit code."""

    def __call__(self, *options: str) -> int: ...


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TREE, tmp_path / "authoring"))


@pytest.fixture
def dest(tmp_path: Path) -> Path:
    return tmp_path / "dist"


@pytest.fixture
def build(source: Path, dest: Path, tmp_path: Path) -> Build:
    def run(*options: str) -> int:
        cache = f"--cache={tmp_path / 'cache'}"
        return main([str(source), str(dest), cache, "--jobs=1", *options])

    return run


def digests(dest: Path) -> dict[str, str]:
    files = (path for path in dest.rglob("*") if path.is_file())
    return {
        path.relative_to(dest).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def versions(dest: Path) -> dict[str, tuple[str, ...]]:
    index = read_index((dest / "index.json").read_bytes(), name="index").index
    return {entry.id: entry.versions for entry in index.entries}
