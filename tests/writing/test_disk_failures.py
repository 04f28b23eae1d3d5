"""A full, limited, read-only or forbidden disk: a clear error, and the destination as it was."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.writing import DiskFailed, publish_tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.writing import Artefact

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]
    Start = Callable[..., subprocess.Popen[str]]

NOBODY = 65534
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="becoming another user needs root")


def publish_as_told(start: Start, dest: Path, files: dict[str, str], **limits: int) -> Any:
    order = json.dumps({"dest": str(dest), "files": files, **limits})
    output, _ = start("publish_once.py").communicate(order, timeout=60)
    return json.loads(output)


def test_a_full_disk(
    tmp_path: Path, mount: Callable[..., Path], artefacts: Make, look: Look
) -> None:
    disk = mount(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64k", "tmpfs")
    dest = disk / "dist"
    publish_tree(dest, artefacts({"a": "1"}))
    with pytest.raises(DiskFailed, match=r"cannot write .*/dist/b: no space left") as caught:
        publish_tree(dest, artefacts({"a": "2", "b": "x" * 100_000}))
    assert caught.value.file == str(dest / "b")
    assert "make room" in caught.value.hint
    assert look(dest) == {"a": "1"}
    assert [path.name for path in disk.iterdir()] == ["dist"]


def test_a_read_only_disk(
    tmp_path: Path, mount: Callable[..., Path], artefacts: Make, look: Look
) -> None:
    disk = mount(tmp_path / "disk", "-t", "tmpfs", "-o", "size=64k", "tmpfs")
    publish_tree(disk / "dist", artefacts({"a": "1"}))
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    with pytest.raises(DiskFailed, match="read-only") as caught:
        publish_tree(disk / "dist", artefacts({"a": "2"}))
    assert "read-only" in caught.value.hint
    assert look(disk) == {"dist/a": "1", "dist/manifest.json": look(disk)["dist/manifest.json"]}


def test_a_limit_on_the_size_of_files(
    tmp_path: Path, start: Start, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "parent" / "dist"
    publish_tree(dest, artefacts({"a": "1"}))
    answer = publish_as_told(start, dest, {"a": "2", "b": "x" * 5000}, fsize=4096)
    assert answer["error"] == "DiskFailed"
    assert "dist/b: file too large" in answer["message"]
    assert look(dest) == {"a": "1"}
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


@NEEDS_ROOT
def test_a_folder_that_one_may_not_write_in(public_folder: Path, start: Start, look: Look) -> None:
    answer = publish_as_told(start, public_folder / "dist", {"a": "1"}, uid=NOBODY)
    assert answer["error"] == "DiskFailed"
    assert "permission denied" in answer["message"]
    assert "give yourself the right" in answer["hint"]
    assert look(public_folder) == {}


@NEEDS_ROOT
def test_a_destination_that_was_made_read_only_stays(
    public_folder: Path, start: Start, artefacts: Make, look: Look
) -> None:
    dest = public_folder / "dist"
    publish_tree(dest, artefacts({"a": "1"}))
    dest.chmod(0o555)
    os.chown(dest, NOBODY, NOBODY)
    os.chown(public_folder, NOBODY, NOBODY)
    answer = publish_as_told(start, dest, {"a": "2"}, uid=NOBODY)
    assert answer["error"] == "DiskFailed"
    assert "it is read-only" in answer["message"]
    assert look(dest) == {"a": "1"}
    assert [path.name for path in public_folder.iterdir()] == ["dist"]


@NEEDS_ROOT
def test_files_that_may_not_be_linked_are_copied_with_their_times(
    public_folder: Path, start: Start, artefacts: Make, look: Look
) -> None:
    protected = Path("/proc/sys/fs/protected_hardlinks")
    if sys.platform != "linux" or protected.read_text("ascii").strip() != "1":
        pytest.skip("links to the files of others are allowed here")
    dest = public_folder / "dist"
    publish_tree(dest, artefacts({"a/same": "1", "b": "1"}))
    for folder in (public_folder, dest, dest / "a"):
        os.chown(folder, NOBODY, NOBODY)
    os.utime(dest / "a/same", ns=(1_000_000_001, 2_000_000_002))
    before = (dest / "a/same").stat()

    answer = publish_as_told(start, dest, {"a/same": "1", "b": "2"}, uid=NOBODY)

    assert answer == {"written": ["b", "manifest.json"], "unchanged": 1, "left": []}
    assert look(dest) == {"a/same": "1", "b": "2"}
    after = (dest / "a/same").stat()
    assert (after.st_mtime_ns, after.st_uid) == (2_000_000_002, NOBODY)
    assert after.st_ino != before.st_ino
    assert [path.name for path in public_folder.iterdir()] == ["dist"]


@NEEDS_ROOT
def test_read_only_folders_of_the_old_tree_are_removed(
    public_folder: Path, start: Start, look: Look
) -> None:
    os.chown(public_folder, NOBODY, NOBODY)
    dest = public_folder / "dist"
    publish_as_told(start, dest, {"a/b/c": "1", "a/d": "1"}, uid=NOBODY)
    (dest / "a/b").chmod(0o555)
    (dest / "a").chmod(0o555)
    answer = publish_as_told(start, dest, {"e": "2"}, uid=NOBODY)
    assert answer["left"] == []
    assert look(dest) == {"e": "2"}
    assert [path.name for path in public_folder.iterdir()] == ["dist"]


@NEEDS_ROOT
def test_an_old_tree_that_cannot_be_removed_is_named(public_folder: Path, start: Start) -> None:
    os.chown(public_folder, NOBODY, NOBODY)
    dest = public_folder / "dist"
    publish_as_told(start, dest, {"a/b": "1"}, uid=NOBODY)
    os.chown(dest / "a", 0, 0)
    answer = publish_as_told(start, dest, {"e": "2"}, uid=NOBODY)
    assert len(answer["left"]) == 1
    assert Path(answer["left"][0]).is_dir()
    assert (dest / "e").read_text("utf-8") == "2"
