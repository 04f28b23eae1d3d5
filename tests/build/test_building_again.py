"""A second build: what is rendered and written anew, and that the cache decides nothing."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING

import pytest
from tests.build.conftest import Build, digests

if TYPE_CHECKING:
    from pathlib import Path


def test_an_unchanged_tree_is_built_again_without_rendering_or_writing_anything(
    build: Build, dest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    times = {path: path.stat().st_mtime_ns for path in dest.rglob("*")}
    capsys.readouterr()
    assert build("--verbose") == 0
    said = capsys.readouterr()
    assert "0 written" in said.out
    assert "3 of 3 pages parsed before; 0 sections rendered anew" in said.out
    assert "render files: 0" in said.err
    assert {path: path.stat().st_mtime_ns for path in dest.rglob("*")} == times


def test_a_changed_page_is_the_only_one_rendered(
    build: Build, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    page = source / "box" / "1.1.0" / "guide.md"
    page.write_text(page.read_text("utf-8").replace("New way", "Newest way"), "utf-8")
    capsys.readouterr()
    assert build("--verbose") == 0
    assert "2 of 3 pages parsed before; 1 section rendered anew" in capsys.readouterr().out


def test_the_cache_does_not_decide_what_is_published(
    build: Build, dest: Path, tmp_path: Path
) -> None:
    build()
    before = digests(dest)
    shutil.rmtree(tmp_path / "cache")
    build()
    assert digests(dest) == before


def test_a_published_file_that_was_changed_by_hand_is_made_again(build: Build, dest: Path) -> None:
    build()
    before = digests(dest)
    (dest / "box" / "1.1.0" / "guide" / "index.html").write_text("changed", "utf-8")
    build()
    assert digests(dest) == before


@pytest.mark.parametrize("damage", [b"", b"no database at all " * 500])
def test_a_damaged_cache_is_replaced(build: Build, tmp_path: Path, damage: bytes) -> None:
    build()
    for suffix in ("-wal", "-shm"):
        (tmp_path / "cache" / f"cache.sqlite{suffix}").unlink(missing_ok=True)
    (tmp_path / "cache" / "cache.sqlite").write_bytes(damage)
    assert build() == 0
    with sqlite3.connect(tmp_path / "cache" / "cache.sqlite") as database:
        assert database.execute("SELECT count(*) FROM value").fetchone()[0] > 0
    database.close()


def test_clean_empties_the_cache_and_nothing_beside_it(
    build: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    mine = tmp_path / "cache" / "mine.txt"
    mine.write_text("kept", "utf-8")
    capsys.readouterr()
    assert build("--clean", "--verbose") == 0
    assert "0 of 3 pages parsed before" in capsys.readouterr().out
    assert mine.read_text("utf-8") == "kept"


def test_an_error_keeps_the_published_tree_as_it_is(build: Build, source: Path, dest: Path) -> None:
    build()
    before = digests(dest)
    (source / "box" / "1.0.0" / "guide.md").write_text("# Guide\n\n[x](gone.md)\n", "utf-8")
    assert build() == 1
    assert digests(dest) == before
