"""Killed at any moment, a publication leaves one whole tree, and the next run cleans up."""

from __future__ import annotations

import json
import random
import subprocess
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.writing import repair

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Start = Callable[..., subprocess.Popen[str]]
    Look = Callable[[Path], dict[str, str]]

BOTH = {"index.html": "home", "guide/same.html": "same in both"}
FIRST = {**BOTH, "guide/index.html": "first", "old/index.html": "only in the first"}
SECOND = {**BOTH, "guide/index.html": "second", "new/a/b.html": "only in the second"}
KEPT = {"CNAME": "docs.example.org", ".git/HEAD": "ref: refs/heads/gh-pages"}


@pytest.mark.parametrize("way", ["swap", "renames"])
def test_a_kill_at_any_file_operation_leaves_one_whole_tree(
    tmp_path: Path, start: Start, way: str
) -> None:
    dest = tmp_path / "parent" / "dist"
    (dest / ".git").mkdir(parents=True)
    for path, text in KEPT.items():
        (dest / path).write_text(text, "utf-8")
    trees = tmp_path / "trees.json"
    trees.write_text(json.dumps([FIRST, SECOND]), "utf-8")

    output, _ = (process := start("crash_points.py", dest, trees, way)).communicate(timeout=300)

    points = [json.loads(line) for line in output.splitlines()]
    assert process.returncode == 0
    assert len(points) > 40
    seen = {"first": 0, "second": 0, "absent": 0}
    for point in points:
        if point["dead"] is None:
            seen["absent"] += 1
        else:
            seen[which(point["dead"], git_may_miss=True)] += 1
        assert which(point["repaired"], git_may_miss=False)
        assert which(point["again"], git_may_miss=False) == "second"
        assert point["beside"] == ["dist"]
    assert seen["first"] > 20
    assert seen["second"] > 5
    assert (seen["absent"] > 0) == (way == "renames")


@pytest.mark.parametrize("way", ["swap", "renames"])
def test_a_kill_at_a_random_moment_leaves_one_whole_tree(
    tmp_path: Path, start: Start, look: Look, way: str
) -> None:
    trees = [
        {f"{n % 7}/{n}.html": f"{name} {n}" if n % 3 else "same" for n in range(60)}
        for name in ("first", "second")
    ]
    (tmp_path / "trees.json").write_text(json.dumps(trees), "utf-8")
    dest = tmp_path / "parent" / "dist"
    moments = random.Random(20260101)
    for _ in range(12):
        process = start("publish_forever.py", dest, tmp_path / "trees.json", way)
        assert process.stdout is not None
        assert process.stdout.readline() == "published\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=moments.uniform(0, 0.06))
        process.kill()
        process.wait()
        if way == "renames":
            repair(dest)
        assert look(dest) in trees
    repair(dest)
    assert [path.name for path in dest.parent.iterdir() if path.is_dir()] == ["dist"]


def which(files: dict[str, str] | None, *, git_may_miss: bool) -> str:
    """Name the tree that these files are; the kept ones must be there, `.git` once repaired."""
    assert files is not None
    rest = {path: text for path, text in files.items() if path != "manifest.json"}
    assert rest.pop("CNAME") == KEPT["CNAME"]
    git = rest.pop(".git/HEAD", None)
    assert git == KEPT[".git/HEAD"] or (git is None and git_may_miss)
    listed = json.loads(files["manifest.json"])["files"]
    assert sorted(listed) == sorted(rest)
    return {
        json.dumps(FIRST, sort_keys=True): "first",
        json.dumps(SECOND, sort_keys=True): "second",
    }[json.dumps(rest, sort_keys=True)]
