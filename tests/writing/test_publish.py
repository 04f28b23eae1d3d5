"""Publishing: what changes, what stays, what is kept, and that equal trees give equal bytes."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.writing import (
    Artefact,
    ArtefactRefused,
    DestinationRefused,
    DiskFailed,
    TwoRenames,
    WritingError,
    exchange_trees,
    publish_tree,
    read_manifest,
)
from doctrove_builder.writing.durable import flush_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from doctrove_builder.writing import Exchange

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]

TREE = {"index.html": "home", "express/5.1.0/index.html": "volume", ".nojekyll": ""}


@pytest.fixture(params=[exchange_trees, TwoRenames()], ids=["swap", "renames"])
def exchange(request: pytest.FixtureRequest) -> Exchange:
    return request.param  # type: ignore[no-any-return]  # pytest does not type it


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


@pytest.mark.parametrize("error", [ValueError("in rendering"), KeyboardInterrupt()], ids=repr)
def test_an_error_of_the_maker_passes_through_and_leaves_nothing(
    tmp_path: Path, artefacts: Make, look: Look, error: BaseException
) -> None:
    dest = tmp_path / "parent" / "dist"
    publish_tree(dest, artefacts(TREE))

    def failing() -> Iterator[Artefact]:
        yield Artefact(path="index.html", content=b"half")
        raise error

    with pytest.raises(type(error)) as caught:
        publish_tree(dest, failing())
    assert caught.value is error
    assert look(dest) == TREE
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


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


def test_a_folder_that_became_foreign_is_refused_at_the_last_moment(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts(TREE))
    (dest / "manifest.json").write_text('{"name": "an app"}', "utf-8")
    with pytest.raises(DestinationRefused, match="another tool's"):
        publish_tree(dest, artefacts(TREE))
    assert look(dest) == TREE


def test_a_failing_exchange_is_undone(tmp_path: Path, artefacts: Make, look: Look) -> None:
    dest = tmp_path / "parent" / "dist"
    publish_tree(dest, artefacts(TREE))
    seen: list[str] = []

    def rename(source: Path, target: Path) -> None:
        seen.append(source.name)
        if len(seen) == 2:
            raise PermissionError(13, "Permission denied", str(source))
        source.rename(target)

    with pytest.raises(WritingError, match=r"cannot replace .*: permission denied"):
        publish_tree(dest, artefacts({"index.html": "2"}), exchange=TwoRenames(rename))
    assert len(seen) == 3
    assert look(dest) == TREE
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


def test_where_the_system_has_no_exchange_two_renames_do_it(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "parent" / "dist"
    publish_tree(dest, artefacts(TREE))

    def without(new: Path, dest: Path) -> None:
        def unsupported(_: Path, __: Path) -> None:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

        exchange_trees(new, dest, one_step=unsupported)

    publish_tree(dest, artefacts({"index.html": "2"}), exchange=without)
    assert look(dest) == {"index.html": "2"}
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


def test_an_exchange_that_fails_for_good_is_an_error(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "parent" / "dist"
    publish_tree(dest, artefacts(TREE))

    def busy(new: Path, dest: Path) -> None:
        def refuse(_: Path, __: Path) -> None:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))

        exchange_trees(new, dest, one_step=refuse)

    with pytest.raises(DiskFailed, match=r"cannot replace .*busy") as caught:
        publish_tree(dest, artefacts({"index.html": "2"}), exchange=busy)
    assert "mount" in caught.value.hint
    assert look(dest) == TREE
    assert [path.name for path in dest.parent.iterdir()] == ["dist"]


def test_without_a_flush_of_the_disk_each_file_and_folder_is_flushed(
    tmp_path: Path, artefacts: Make
) -> None:
    publish_tree(tmp_path / "dist", artefacts(TREE))
    asked: list[Path] = []

    def flush(root: Path) -> bool:
        asked.append(root)
        return False

    flush_tree(tmp_path / "dist", written=TREE, flush_disk=flush)
    assert asked == [tmp_path / "dist"]
    with pytest.raises(FileNotFoundError):
        flush_tree(tmp_path / "dist", written=["absent"], flush_disk=flush)


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


def test_the_manifest_tells_what_was_published(tmp_path: Path, artefacts: Make) -> None:
    published = publish_tree(tmp_path / "dist", artefacts(TREE))
    manifest = read_manifest(tmp_path / "dist")
    assert manifest is not None
    assert manifest == published.manifest
