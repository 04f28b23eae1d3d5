"""Two builds of one destination at once: one waits for the other, or is told clearly."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.writing import DestinationBusy, DiskFailed, publish_tree

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from doctrove_builder.writing import Artefact

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]
    Start = Callable[..., subprocess.Popen[str]]


def test_builds_at_once_take_turns(tmp_path: Path, start: Start, look: Look) -> None:
    dest = tmp_path / "parent" / "dist"
    trees = [
        {f"{n % 5}/{n}": f"tree {name} {n % 2 or name}" for n in range(40)} for name in range(3)
    ]
    processes: list[subprocess.Popen[str]] = []
    for name, tree in enumerate(trees):
        (tmp_path / f"{name}.json").write_text(json.dumps(tree), "utf-8")
        processes.append(start("publish_often.py", dest, tmp_path / f"{name}.json", "15"))
    for process in processes:
        process.communicate(timeout=120)
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert look(dest) in trees
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


def test_a_busy_destination_is_refused_with_its_owner_named(
    tmp_path: Path, start: Start, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "parent" / "dist"
    process = start("publish_slowly.py", dest)
    assert process.stdout is not None
    assert process.stdout.readline() == "half-way\n"
    with pytest.raises(DestinationBusy, match=rf"\(process {process.pid}\)"):
        publish_tree(dest, artefacts({"a": "1"}), patience=0)
    process.communicate()
    assert look(dest) == {"before.txt": "before", "behind.txt": "behind"}
    publish_tree(dest, artefacts({"a": "1"}), patience=0)
    assert look(dest) == {"a": "1"}


def test_a_killed_owner_is_not_waited_for_though_its_worker_lives(
    tmp_path: Path, start: Start, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "parent" / "dist"
    process = start("publish_slowly.py", dest, "fork")
    assert process.stdout is not None
    assert process.stdout.readline() == "half-way\n"
    process.kill()
    process.wait()
    publish_tree(dest, artefacts({"a": "1"}), patience=0)
    assert look(dest) == {"a": "1"}
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


def test_a_lock_that_is_a_link_is_not_followed(tmp_path: Path, artefacts: Make) -> None:
    (tmp_path / "precious").write_text("precious", "utf-8")
    (tmp_path / ".dist.lock").symlink_to("precious")
    with pytest.raises(DiskFailed, match=r"cannot write .*\.dist\.lock"):
        publish_tree(tmp_path / "dist", artefacts({"a": "1"}))
    assert (tmp_path / "precious").read_text("utf-8") == "precious"
