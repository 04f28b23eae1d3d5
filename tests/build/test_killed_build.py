"""A build that is killed leaves the published tree whole, wherever it is killed."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

CASES = Path(__file__).parent / "cases"
SOURCES = ("two-volumes-one-extends", "replace-page-drops-the-inherited-page")
ROUNDS = 10
PROGRAM = "import sys; from doctrove_builder.cli.build import main; sys.exit(main(sys.argv[1:]))"


def command(source: str, dest: Path, cache: Path) -> list[str]:
    tree = CASES / source / "authoring"
    options = [str(tree), str(dest), f"--cache={cache}", "--quiet", "--jobs=1"]
    return [sys.executable, "-c", PROGRAM, *options]


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
        subprocess.run(command(source, dest, cache), check=True, capture_output=True)
        trees.append(digests(dest))
    chance = random.Random(7)
    for number in range(ROUNDS):
        shutil.rmtree(cache, ignore_errors=True)
        with subprocess.Popen(
            command(SOURCES[number % 2], dest, cache), stderr=subprocess.PIPE
        ) as building:
            timer = threading.Timer(chance.uniform(0.05, 1.5), building.kill)
            timer.start()
            building.wait()
            timer.cancel()
        assert building.returncode in {0, -signal.SIGKILL}
        assert is_whole(dest)
        assert digests(dest) in trees
    subprocess.run(command(SOURCES[0], dest, cache), check=True, capture_output=True)
    assert digests(dest) == trees[0]
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]
