"""What a killed run leaves is finished or removed, and nothing precious goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doctrove_builder.writing import WritingError, publish_tree, repair

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from doctrove_builder.writing import Artefact

    Make = Callable[[dict[str, str]], list[Artefact]]
    Look = Callable[[Path], dict[str, str]]
    Start = Callable[..., subprocess.Popen[str]]

NEW, OLD = ".dist.new-0123abcd", ".dist.old-0123abcd"


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    folder = tmp_path / "parent"
    folder.mkdir()
    return folder


def fill(parent: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (parent / path).parent.mkdir(parents=True, exist_ok=True)
        (parent / path).write_text(text, "utf-8")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"dist/a": "1"}, {"dist/a": "1"}, None),
        ({}, {}, None),
        ({f"{NEW}/a": "new", f"{OLD}/a": "old"}, {"dist/a": "new"}, "half-way; the new tree"),
        (
            {f"{NEW}/a": "new", f"{OLD}/a": "old", f"{OLD}/.git/HEAD": "x"},
            {"dist/a": "new", "dist/.git/HEAD": "x"},
            "half-way; the new tree",
        ),
        ({"dist/a": "1", f"{NEW}/a": "waste"}, {"dist/a": "1"}, "removed what a stopped build"),
        ({"dist/a": "1", f"{OLD}/a": "waste"}, {"dist/a": "1"}, "removed what a stopped build"),
        (
            {"dist/a": "1", f"{NEW}/.git/H": "x"},
            {"dist/a": "1", "dist/.git/H": "x"},
            ".git is back",
        ),
        ({f"{NEW}/.git/H": "x", f"{NEW}/a": "1"}, {"dist/.git/H": "x"}, ".git is back"),
        ({f"{NEW}/a": "waste"}, {}, "removed what a stopped build"),
        ({f"{NEW}/a": "1", ".dist.old-76543210/a": "2"}, {}, "removed what a stopped build"),
        (
            {"dist/a": "1", ".dist.new-mine/a": "2", ".dist.old-0123abcde/a": "3"},
            {"dist/a": "1", ".dist.new-mine/a": "2", ".dist.old-0123abcde/a": "3"},
            None,
        ),
        ({"dist/a": "1", NEW: "a file"}, {"dist/a": "1", NEW: "a file"}, None),
        (
            {"dist/a": "1", ".other.new-0123abcd/a": "2"},
            {"dist/a": "1", ".other.new-0123abcd/a": "2"},
            None,
        ),
    ],
    ids=[
        "in order", "nothing there", "between the renames", "between them with git",
        "before the exchange", "after two renames", "after a swap with git",
        "destination removed since", "waste alone", "waste of two runs", "names of others",
        "a file of that name", "of another destination",
    ],
)  # fmt: skip
def test_repair(
    parent: Path, look: Look, before: dict[str, str], after: dict[str, str], said: str | None
) -> None:
    fill(parent, before)
    answer = repair(parent / "dist")
    assert look(parent) == after
    assert answer is None if said is None else answer is not None and said in answer
    assert repair(parent / "dist") is None


def test_a_link_with_the_name_of_a_leftover_is_not_followed(parent: Path, look: Look) -> None:
    fill(parent, {"precious/a": "1", "dist/a": "1"})
    (parent / NEW).symlink_to("precious")
    (parent / OLD).mkdir()
    (parent / OLD / "link").symlink_to(parent / "precious")
    repair(parent / "dist")
    assert look(parent) == {"precious/a": "1", "dist/a": "1", NEW: "-> precious"}


def test_two_git_folders_are_left_for_a_person_to_choose(
    parent: Path, artefacts: Make, look: Look
) -> None:
    fill(parent, {"dist/.git/HEAD": "one", f"{NEW}/.git/HEAD": "two"})
    before = look(parent)
    with pytest.raises(WritingError, match=r"both .* hold \.git") as caught:
        publish_tree(parent / "dist", artefacts({"a": "1"}))
    assert str(parent / NEW) in caught.value.hint
    assert look(parent) == before


def test_the_next_publication_repairs_first(parent: Path, artefacts: Make, look: Look) -> None:
    publish_tree(parent / "dist", artefacts({"a": "old", "same": "1"}))
    (parent / "dist").rename(parent / OLD)
    publish_tree(parent / NEW, artefacts({"a": "new", "same": "1"}))
    status = (parent / NEW / "same").stat()
    published = publish_tree(parent / "dist", artefacts({"a": "newest", "same": "1"}))
    assert look(parent / "dist") == {"a": "newest", "same": "1"}
    assert (parent / "dist/same").stat().st_ino == status.st_ino
    assert published.written == ("a", "manifest.json")
    assert [path.name for path in parent.iterdir()] == ["dist"]


def test_repair_leaves_a_running_build_alone(parent: Path, start: Start, look: Look) -> None:
    process = start("publish_slowly.py", parent / "dist")
    assert process.stdout is not None
    assert process.stdout.readline() == "half-way\n"
    assert repair(parent / "dist") is None
    process.communicate()
    assert process.returncode == 0
    assert look(parent) == {"dist/before.txt": "before", "dist/behind.txt": "behind"} | {
        "dist/manifest.json": (parent / "dist/manifest.json").read_text("utf-8")
    }
