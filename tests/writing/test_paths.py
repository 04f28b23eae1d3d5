"""Paths of artefacts: which are refused, and that no two collide on any disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from doctrove_builder.writing import ArtefactRefused, publish_tree
from doctrove_builder.writing.paths import Claims, path_fault
from doctrove_schema.names import encode_name, fold, name_fault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from doctrove_builder.writing import Artefact


@pytest.mark.parametrize(
    "path",
    [
        "index.html",
        ".nojekyll",
        "@scope%2Fname/1.0.0+b1/guide/a b/index.html",
        "日本語/índice/index.md",
        "console/auxiliary.md",
        "a/..b/c..d",
        ".gitignore",
        "a" * 255,
    ],
)
def test_a_path_is_accepted(path: str) -> None:
    assert path_fault(path) == ""


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "part ''"),
        ("/etc/passwd", "part ''"),
        ("a//b", "part ''"),
        ("a/", "part ''"),
        ("..", "part '..'"),
        ("a/../../b", "part '..'"),
        ("./a", "part '.'"),
        ("a\\b", "one of"),
        ("C:/a", "one of"),
        ("a:stream", "one of"),
        ("what?", "one of"),
        ("a\nb", "control"),
        ("a\0b", "control"),
        ("a\x85b", "control"),
        ("a./b", "ends with a space or a dot"),
        ("a/b ", "ends with a space or a dot"),
        (" a", "begins with a space"),
        ("con", "device"),
        ("a/AUX.html", "device"),
        ("nul.tar.gz", "device"),
        ("com¹.txt", "device"),
        ("LPT9", "device"),
        (".git/hooks/post-checkout", "git's own"),
        ("a/.GIT", "git's own"),
        ("git~1/config", "git's own"),
        ("a" * 256, "longer than 255"),
        ("é" * 128, "longer than 255"),
        ("a/" * 512 + "a", "longer than 1024"),
        ("e\u0301", "normal form C"),
        ("\ud800", "not valid Unicode"),
    ],
    ids=repr,
)
def test_a_path_is_refused(path: str, why: str) -> None:
    assert why in path_fault(path)
    with pytest.raises(ArtefactRefused):
        Claims().claim(path)


@pytest.mark.parametrize(
    ("paths", "why"),
    [
        (["a", "a"], "two artefacts have the path 'a'"),
        (["a", "A"], "'A' and 'a' are one name on some disks"),
        (["Guide/x", "guide/y"], "'guide' and 'Guide' are one name on some disks"),
        (["straße", "STRASSE"], "one name on some disks"),
        (["ﬁle", "file"], "one name on some disks"),
        (["a", "a/b"], "'a' would be a folder, and 'a' is a file"),
        (["a/b", "a"], "'a' would be a file, and 'a' is a folder"),
        (["a/b/c", "A/B"], "'a' are one name on some disks"),
        (["a/b/c", "a/B"], "'a/B' would be a file, and 'a/b' is a folder"),
        (["manifest.json"], "taken: manifest.json"),
        (["Manifest.JSON/x"], "taken: manifest.json"),
    ],
    ids=repr,
)
def test_paths_collide(paths: list[str], why: str) -> None:
    claims = Claims(reserved=["manifest.json"])
    for path in paths[:-1]:
        claims.claim(path)
    with pytest.raises(ArtefactRefused) as caught:
        claims.claim(paths[-1])
    assert why in caught.value.message


def test_a_refused_path_leaves_the_destination_as_it_was(
    tmp_path: Path, artefacts: Callable[[dict[str, str]], list[Artefact]]
) -> None:
    with pytest.raises(ArtefactRefused):
        publish_tree(tmp_path / "parent/dist", artefacts({"a": "1", "../b": "2"}))
    assert list((tmp_path / "parent").iterdir()) == []


@given(st.text(min_size=1, max_size=40))
@example("GIT~1")
@example("con.txt")
@example("a:b/c. ")
def test_every_name_is_a_path_once_encoded(text: str) -> None:
    assume(not name_fault(text))
    assert path_fault(encode_name(text)) == ""


PARTS = st.sampled_from(["a", "A", "b", "B", "ß", "ss", "é"])
PATHS = st.lists(PARTS, min_size=1, max_size=3).map("/".join)


@given(st.lists(PATHS, max_size=12))
def test_accepted_paths_are_distinct_files_on_a_disk_that_folds(paths: list[str]) -> None:
    claims, files = Claims(), set[str]()
    for path in paths:
        try:
            claims.claim(path)
        except ArtefactRefused:
            continue
        folded = fold(path)
        assert folded not in files
        assert not any(other.startswith(folded + "/") for other in files)
        assert not any(folded.startswith(other + "/") for other in files)
        files.add(folded)


@given(st.lists(PATHS, max_size=12))
def test_folders_of_accepted_paths_are_written_in_one_way(paths: list[str]) -> None:
    claims, spelling = Claims(), dict[str, str]()
    for path in paths:
        try:
            claims.claim(path)
        except ArtefactRefused:
            continue
        parts = path.split("/")
        for end in range(1, len(parts)):
            folder = "/".join(parts[:end])
            assert spelling.setdefault(fold(folder), folder) == folder
