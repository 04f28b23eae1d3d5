"""Publishing: what changes, what is removed, and that equal trees give equal bytes."""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.writing.conftest import TREE

from doctrove_builder.writing import (
    Artefact,
    DiskFailed,
    publish_tree,
    read_manifest,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from doctrove_builder.writing import Exchange

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]


def test_an_absent_destination_is_made_with_its_parents(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "build" / "out" / "dist"
    published = publish_tree(dest, artefacts(TREE))
    assert look(dest) == TREE
    assert published.written == (
        ".nojekyll",
        "express/5.1.0/index.html",
        "index.html",
        "manifest.json",
    )
    assert published.size == len("homevolume")
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


def test_an_empty_destination_is_filled_and_keeps_its_mode(
    tmp_path: Path, artefacts: Make, look: Look, exchange: Exchange
) -> None:
    dest = tmp_path / "dist"
    dest.mkdir(mode=0o750)
    publish_tree(dest, artefacts(TREE), exchange=exchange)
    assert look(dest) == TREE
    assert dest.stat().st_mode & 0o777 == 0o750


def test_unchanged_files_keep_inode_and_times(
    tmp_path: Path, artefacts: Make, look: Look, exchange: Exchange
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts(TREE))
    same = dest / "express/5.1.0/index.html"
    os.utime(same, ns=(1_000_000_001, 2_000_000_002))
    before = same.stat()

    changed = {**TREE, "index.html": "new home", "zod/index.html": "zod"}
    published = publish_tree(dest, artefacts(changed), exchange=exchange)

    assert look(dest) == changed
    assert (same.stat().st_ino, same.stat().st_mtime_ns) == (before.st_ino, 2_000_000_002)
    assert published.written == ("index.html", "manifest.json", "zod/index.html")
    assert published.unchanged == 2
    assert [path.name for path in tmp_path.iterdir()] == ["dist"]


def test_a_tree_without_a_change_is_not_touched_at_all(tmp_path: Path, artefacts: Make) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts(TREE))
    before = dest.stat()
    published = publish_tree(dest, artefacts(TREE))
    assert (published.written, published.removed, published.unchanged) == ((), (), 4)
    assert dest.stat() == before


def test_a_changed_byte_of_equal_length_is_noticed(tmp_path: Path, artefacts: Make) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts({"a.txt": "one"}))
    published = publish_tree(dest, artefacts({"a.txt": "two"}))
    assert (dest / "a.txt").read_text("utf-8") == "two"
    assert published.written == ("a.txt", "manifest.json")


def test_what_is_no_longer_made_is_removed_and_strangers_are_named(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts(TREE))
    (dest / "note.txt").write_text("mine", "utf-8")
    (dest / "link").symlink_to("/etc")
    published = publish_tree(dest, artefacts({"index.html": "home"}))
    assert look(dest) == {"index.html": "home"}
    assert published.removed == (".nojekyll", "express/5.1.0/index.html", "link", "note.txt")
    assert published.foreign == ("link", "note.txt")


def test_a_file_may_become_a_folder_and_a_folder_a_file(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts({"a": "file", "b/c": "file"}))
    publish_tree(dest, artefacts({"a/x": "file", "b": "file"}))
    assert look(dest) == {"a/x": "file", "b": "file"}


def test_equal_trees_give_equal_manifests_whatever_the_order(
    tmp_path: Path, artefacts: Make
) -> None:
    for name, tree in (("one", TREE), ("two", dict(reversed(TREE.items())))):
        publish_tree(tmp_path / name, artefacts(tree), generator="doctrove/0.1.0")
    manifest = (tmp_path / "one/manifest.json").read_bytes()
    assert manifest == (tmp_path / "two/manifest.json").read_bytes()
    assert json.loads(manifest) == {
        "format": "doctrove-manifest@1",
        "generator": "doctrove/0.1.0",
        "files": {
            path: {"sha256": hashlib.sha256(TREE[path].encode()).hexdigest(), "bytes": size}
            for path, size in ((".nojekyll", 0), ("express/5.1.0/index.html", 6), ("index.html", 4))
        },
    }


def test_a_file_is_copied_and_kept_when_it_did_not_change(tmp_path: Path, artefacts: Make) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(os.urandom(3_000_000))
    dest = tmp_path / "dist"
    artefact = Artefact(path="_assets/picture.1a2b.png", content=picture)
    first = publish_tree(dest, [artefact])
    status = (dest / artefact.path).stat()
    assert (dest / artefact.path).read_bytes() == picture.read_bytes()
    assert first.size == 3_000_000

    os.utime(picture)
    assert publish_tree(dest, [artefact]).written == ()
    publish_tree(dest, [artefact, *artefacts({"a": "1"})])
    assert (dest / artefact.path).stat().st_ino == status.st_ino

    picture.write_bytes(os.urandom(3_000_000))
    assert publish_tree(dest, [artefact]).written == (artefact.path, "manifest.json")
    assert (dest / artefact.path).read_bytes() == picture.read_bytes()
    assert (dest / artefact.path).stat().st_ino != picture.stat().st_ino


@pytest.mark.parametrize("kind", ["absent", "folder", "pipe"])
def test_a_source_file_that_cannot_be_copied_is_named(
    tmp_path: Path, look: Look, kind: str
) -> None:
    source = tmp_path / "source"
    if kind == "folder":
        source.mkdir()
    elif kind == "pipe":
        os.mkfifo(source)
    dest = tmp_path / "parent" / "dist"
    publish_tree(dest, [Artefact(path="a", content=b"1")])
    with pytest.raises(DiskFailed, match=f"cannot read {source}"):
        publish_tree(dest, [Artefact(path="b", content=b"2"), Artefact(path="a", content=source)])
    assert look(dest) == {"a": "1"}
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


def test_the_manifest_tells_what_was_published(tmp_path: Path, artefacts: Make) -> None:
    published = publish_tree(tmp_path / "dist", artefacts(TREE))
    manifest = read_manifest(tmp_path / "dist")
    assert manifest is not None
    assert manifest == published.manifest
