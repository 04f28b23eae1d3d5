"""What stays in a destination: kept and carried files, links and strangers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.writing.conftest import TREE

from doctrove_builder.writing import (
    Artefact,
    ArtefactRefused,
    publish_tree,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from doctrove_builder.writing import Exchange

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]


@pytest.mark.parametrize("shape", ["folder", "worktree", "link"])
def test_git_and_cname_stay_as_they_are(
    tmp_path: Path, artefacts: Make, look: Look, exchange: Exchange, shape: str
) -> None:
    dest = tmp_path / "dist"
    dest.mkdir()
    (dest / "CNAME").write_text("docs.example.org\n", "utf-8")
    if shape == "folder":
        (dest / ".git/objects").mkdir(parents=True)
        (dest / ".git/HEAD").write_text("ref: refs/heads/gh-pages\n", "utf-8")
    elif shape == "worktree":
        (dest / ".git").write_text("gitdir: elsewhere\n", "utf-8")
    else:
        (dest / ".git").symlink_to(tmp_path / "elsewhere")
    kept = look(dest)
    inodes = [(dest / name).lstat().st_ino for name in ("CNAME", ".git")]

    publish_tree(dest, artefacts(TREE), exchange=exchange)
    assert look(dest) == {**TREE, **kept}
    published = publish_tree(dest, artefacts({"index.html": "home 2"}), exchange=exchange)

    assert look(dest) == {"index.html": "home 2", **kept}
    assert [(dest / name).lstat().st_ino for name in ("CNAME", ".git")] == inodes
    assert published.foreign == ()
    assert published.manifest.files.keys() == {"index.html"}
    assert [path.name for path in tmp_path.iterdir()] == ["dist"]


def test_an_artefact_cannot_take_the_place_of_a_kept_file(tmp_path: Path, artefacts: Make) -> None:
    with pytest.raises(ArtefactRefused, match="CNAME"):
        publish_tree(tmp_path / "dist", artefacts({"cname": "evil.example.org"}))
    publish_tree(tmp_path / "dist", artefacts({"CNAME": "docs.example.org"}), keep=())
    assert (tmp_path / "dist/CNAME").exists()


def test_carried_files_stay_and_replaced_ones_do_not(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts({"a/1": "old", "a/2": "old", "b/1": "old", "b/2": "old"}))
    (dest / "b/stranger.br").write_text("made by another tool", "utf-8")
    (dest / "b/link").symlink_to("1")
    before = (dest / "b/1").stat()

    published = publish_tree(
        dest, artefacts({"a/1": "new", "b/2": "new"}), carry=lambda path: path.startswith("b/")
    )

    assert look(dest) == {
        "a/1": "new", "b/1": "old", "b/2": "new", "b/stranger.br": "made by another tool",
    }  # fmt: skip
    assert (dest / "b/1").stat().st_mtime_ns == before.st_mtime_ns
    assert sorted(published.manifest.files) == ["a/1", "b/1", "b/2"]
    assert published.foreign == ("b/link",)
    again = publish_tree(dest, artefacts({"a/1": "new"}), carry=lambda path: path != "a/1")
    assert (again.written, again.removed) == ((), ())


def test_a_carried_stranger_gives_way_to_a_folder_of_its_name(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts({"a": "1"}))
    (dest / "b").write_text("stranger", "utf-8")
    (dest / "con").write_text("no name for Windows", "utf-8")
    publish_tree(dest, artefacts({"a": "1", "b/c": "2"}), carry=lambda _: True)
    assert look(dest) == {"a": "1", "b/c": "2"}


def test_a_carried_file_in_the_way_of_an_artefact_is_an_error(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts({"a": "1"}))
    with pytest.raises(ArtefactRefused, match="'a' is a folder"):
        publish_tree(dest, artefacts({"a/b": "2"}), carry=lambda _: True)
    assert look(dest) == {"a": "1"}


def test_a_link_to_the_destination_stays_a_link(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    (tmp_path / "www").mkdir()
    link = tmp_path / "dist"
    link.symlink_to("www/site")
    publish_tree(link, artefacts(TREE))
    publish_tree(link, artefacts({"index.html": "2"}))
    assert str(link.readlink()) == "www/site"
    assert look(tmp_path / "www/site") == {"index.html": "2"}


def test_nothing_is_written_through_a_link_inside_the_destination(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "index.html").write_text("volume", "utf-8")
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts(TREE))
    (dest / "express/5.1.0/index.html").unlink()
    (dest / "express/5.1.0").rmdir()
    (dest / "express/5.1.0").symlink_to(outside)
    (dest / "index.html").unlink()
    (dest / "index.html").symlink_to(outside / "index.html")
    before = (outside / "index.html").stat()

    publish_tree(dest, artefacts(TREE))

    assert look(dest) == TREE
    assert not (dest / "express/5.1.0").is_symlink()
    assert (outside / "index.html").stat() == before
    assert (dest / "express/5.1.0/index.html").stat().st_ino != before.st_ino


def test_names_that_are_no_text_are_removed_like_others(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts(TREE))
    stranger = os.fsdecode(b"caf\xe9")
    (dest / stranger).touch()
    published = publish_tree(dest, artefacts(TREE), carry=lambda _: True)
    assert look(dest) == TREE
    assert published.foreign == (stranger,)
