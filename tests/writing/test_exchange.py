"""How a new tree takes the place of the old one, and what is left when it cannot."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest
from tests.writing.conftest import TREE

from doctrove_builder.writing import (
    Artefact,
    DestinationRefused,
    DiskFailed,
    TwoRenames,
    WritingError,
    exchange_trees,
    publish_tree,
)
from doctrove_builder.writing.durable import flush_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]


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


def test_a_folder_that_became_foreign_is_refused_at_the_last_moment(
    tmp_path: Path, artefacts: Make, look: Look
) -> None:
    dest = tmp_path / "dist"
    publish_tree(dest, artefacts(TREE))
    (dest / "manifest.json").write_text('{"name": "an app"}', "utf-8")
    with pytest.raises(DestinationRefused, match="another tool's"):
        publish_tree(dest, artefacts(TREE))
    assert look(dest) == TREE


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
