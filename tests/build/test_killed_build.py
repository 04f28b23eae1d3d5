"""A build that is killed leaves the published tree whole, wherever it is killed."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

from doctrove_builder.cli.build import main

CASES = Path(__file__).parent / "cases"
SOURCES = ("two-volumes-one-extends", "replace-page-drops-the-inherited-page")
ROUNDS = 4
PROGRAM = """
import os, signal, sys
from doctrove_builder.cli.build import main

CHANGES = {"os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir"}
last, changes = int(sys.argv[1]), 0

def kill_at_the_last_change(event, arguments):
    global changes
    written = event == "open" and (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)
    if written or event in CHANGES:
        changes += 1
    if changes == last > 0:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

sys.addaudithook(kill_at_the_last_change)
code = main(sys.argv[2:])
print(changes)
sys.exit(code)
"""
"""Builds, kills itself at a change of the disk counted from 1 (none at 0), prints their number."""


def arguments(source: str, dest: Path, cache: Path) -> list[str]:
    tree = CASES / source / "authoring"
    return [str(tree), str(dest), f"--cache={cache}", "--quiet", "--jobs=1"]


def build(
    source: str, dest: Path, cache: Path, *, last: int = 0
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, str(last), *arguments(source, dest, cache)]
    return subprocess.run(command, check=not last, capture_output=True, text=True)


def digests(dest: Path) -> dict[str, str]:
    files = (path for path in dest.rglob("*") if path.is_file())
    return {
        path.relative_to(dest).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def is_whole(dest: Path) -> bool:
    listed = json.loads((dest / "manifest.json").read_bytes())["files"]
    found = digests(dest)
    del found["manifest.json"]
    return found == {path: entry["sha256"] for path, entry in listed.items()}


def test_a_killed_build_leaves_the_old_tree_or_the_new_one(tmp_path: Path) -> None:
    dest, cache = tmp_path / "site" / "dist", tmp_path / "cache"
    trees: list[dict[str, str]] = []
    for source in SOURCES:
        assert main(arguments(source, tmp_path / source, cache)) == 0
        trees.append(digests(tmp_path / source))
    assert main(arguments(SOURCES[0], dest, cache)) == 0
    changes = int(build(SOURCES[1], dest, cache).stdout)
    assert changes > 50
    for number in range(ROUNDS):
        shutil.rmtree(cache, ignore_errors=True)
        other = 1 - trees.index(digests(dest))
        last = 1 + (changes - 10) * number // (ROUNDS - 1)
        assert build(SOURCES[other], dest, cache, last=last).returncode != 0
        assert is_whole(dest)
        assert digests(dest) in trees
    assert main(arguments(SOURCES[0], dest, cache)) == 0
    assert digests(dest) == trees[0]
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]
