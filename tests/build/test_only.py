"""`--only`: what is built, and that the rest stays as it was published."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.build.conftest import Build, digests, versions

from doctrove_schema.reading import read_index

if TYPE_CHECKING:
    from pathlib import Path


def add_library(source: Path, name: str, text: str) -> None:
    folder = source / name / "1.0.0"
    folder.mkdir(parents=True, exist_ok=True)
    (source / name / "library.yaml").write_text(f"name: {name}\n", "utf-8")
    (folder / "guide.md").write_text(text, "utf-8")


def test_only_builds_one_library_and_leaves_the_rest_as_published(
    build: Build, source: Path, dest: Path
) -> None:
    add_library(source, "lid", "# Lid\n\nOld.\n")
    build()
    before = digests(dest)
    add_library(source, "lid", "# Lid\n\nNew, but not chosen.\n")
    (source / "box" / "1.0.0" / "api.md").write_text("# Api\n\n## `box.open()`\n\nYes.\n", "utf-8")
    (source / "box" / "1.1.0" / "volume.yaml").write_text('extends: "1.0.0"\n', "utf-8")
    assert build("--only=box") == 0
    after = digests(dest)
    assert {path: after[path] for path in after if path.startswith("lid/")} == {
        path: before[path] for path in before if path.startswith("lid/")
    }
    index = read_index((dest / "index.json").read_bytes(), name="index").index
    bodies = {entry.id: entry.volumes["1.0.0"].sections[0].body for entry in index.entries}
    assert bodies == {"box": "Yes.", "lid": "Old."}


def test_only_builds_one_version_of_a_library(build: Build, source: Path, dest: Path) -> None:
    build()
    before = digests(dest)
    for version in ("1.0.0", "1.1.0"):
        page = source / "box" / version / "guide.md"
        page.write_text(page.read_text("utf-8").replace("way to", "road to"), "utf-8")
    assert build("--only=box@1.1.0") == 0
    after = digests(dest)
    changed = {path for path in after if after[path] != before.get(path)}
    assert "box/1.1.0/guide/index.html" in changed
    assert not {path for path in changed if path.startswith("box/1.0.0/")}
    assert versions(dest) == {"box": ("1.1.0", "1.0.0")}


def test_only_gives_what_a_full_build_gives_when_nothing_else_changed(
    build: Build, source: Path, dest: Path
) -> None:
    add_library(source, "lid", "# Lid\n\nText.\n")
    build()
    before = digests(dest)
    assert build("--only=box@1.1.0") == 0
    assert digests(dest) == before


def test_only_is_not_kept_from_building_by_mistakes_elsewhere(build: Build, source: Path) -> None:
    add_library(source, "lid", "# Lid\n\nText.\n")
    build()
    add_library(source, "lid", "# Lid\n\n[x](gone.md)\n")
    assert build() == 1
    assert build("--only=box") == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only=bix"], "`bix`, which is not there\n  = do you mean `box`?"),
        (["--only=box@1.1"], "version `1.1` of `box`, which is not there\n  = do you mean"),
    ],
)
def test_only_names_what_is_there(
    build: Build, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    assert build(*options) == 2
    assert said in capsys.readouterr().err


def test_only_needs_something_published(
    build: Build, dest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build("--only=box") == 2
    assert "build everything once, without --only" in capsys.readouterr().err
    assert not dest.exists()
