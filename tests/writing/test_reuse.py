"""Taking over published files by hash."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.writing import (
    Artefact,
    Reuse,
    TreeChanged,
    publish_tree,
    read_manifest,
    reusable,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]

TREE = {"a/1.html": "one", "a/2.html": "two", "b.html": "three"}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def dest(tmp_path: Path, artefacts: Make) -> Path:
    publish_tree(tmp_path / "parent" / "dist", artefacts(TREE))
    return tmp_path / "parent" / "dist"


def test_a_published_file_is_taken_over_by_its_hash(dest: Path, look: Look) -> None:
    before = (dest / "a/1.html").stat()
    found = reusable(dest, {path: sha256(text) for path, text in TREE.items()})
    assert found.keys() == TREE.keys()
    del found["b.html"]
    published = publish_tree(
        dest,
        [
            *(Artefact(path=path, content=reuse) for path, reuse in found.items()),
            Artefact(path="c.html", content=b"new"),
        ],
    )
    assert look(dest) == {"a/1.html": "one", "a/2.html": "two", "c.html": "new"}
    assert (dest / "a/1.html").stat().st_ino == before.st_ino
    assert published.unchanged == 2
    assert published.manifest.files["a/1.html"].sha256 == sha256("one")


def test_missing_changed_and_linked_files_are_not_reusable(dest: Path, tmp_path: Path) -> None:
    (dest / "a/1.html").write_text("eno", "utf-8")
    (dest / "b.html").rename(tmp_path / "b.html")
    (dest / "b.html").symlink_to(tmp_path / "b.html")
    wanted = {path: sha256(text) for path, text in TREE.items()} | {"no": sha256(""), "a": ""}
    assert reusable(dest, wanted).keys() == {"a/2.html"}
    assert reusable(tmp_path / "absent", wanted) == {}
    assert reusable(tmp_path / "b.html", wanted) == {}


def test_a_file_that_changed_after_it_was_looked_at_is_not_taken_over(
    dest: Path, look: Look
) -> None:
    found = reusable(dest, {"a/1.html": sha256("one")})
    status = (dest / "a/1.html").stat()
    (dest / "a/1.html").write_text("eno", "utf-8")
    os.utime(dest / "a/1.html", ns=(status.st_atime_ns, status.st_mtime_ns))
    before = look(dest)
    with pytest.raises(TreeChanged, match=r"a/1\.html changed"):
        publish_tree(dest, [Artefact(path="a/1.html", content=found["a/1.html"])])
    assert look(dest) == before
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


def test_a_file_that_was_only_touched_is_hashed_again_and_taken_over(dest: Path) -> None:
    found = reusable(dest, {"a/1.html": sha256("one")})
    os.utime(dest / "a/1.html")
    published = publish_tree(dest, [Artefact(path="a/1.html", content=found["a/1.html"])])
    assert published.written == ("manifest.json",)


def test_a_reuse_without_a_stamp_is_hashed(dest: Path) -> None:
    publish_tree(dest, [Artefact(path="b.html", content=Reuse(sha256=sha256("three")))])
    with pytest.raises(TreeChanged):
        publish_tree(dest, [Artefact(path="b.html", content=Reuse(sha256=sha256("other")))])
    with pytest.raises(TreeChanged):
        publish_tree(dest, [Artefact(path="absent", content=Reuse(sha256=sha256("")))])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b'{"format":"doctrove-manifest@2","files":{}}',
        b'{"format":"doctrove-manifest@1","files":{"a":1}}',
        b'{"format":"doctrove-manifest@1","files":' + b"[" * 100_000,
        b'{"format":"\xff","files":{}}',
    ],
    ids=lambda content: repr(content[:44]),
)
def test_a_manifest_that_is_not_ours_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "manifest.json").write_bytes(content)
    assert read_manifest(tmp_path) is None


def test_a_manifest_may_carry_more_than_we_know(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(
        '{"format":"doctrove-manifest@1","x":1,"files":{"a":{"sha256":"0","bytes":1,"y":2}}}',
        "utf-8",
    )
    manifest = read_manifest(tmp_path)
    assert manifest is not None
    assert manifest.files["a"].bytes == 1
