"""Reading from disk: what is read, what is refused, in one order on every machine."""

from __future__ import annotations

import os
import shutil
import socket
import unicodedata
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.authoring import IGNORED, Limits, Readings, is_ignored, read_tree
from doctrove_builder.model import Tree
from doctrove_builder.rules import BuildRule

if TYPE_CHECKING:
    from pathlib import Path

    from doctrove_builder.authoring.readings import Reading
    from doctrove_schema.problem import Problem


def write(root: Path, **files: str | bytes) -> None:
    for name, content in files.items():
        put(root, name, content)


def put(root: Path, name: str, content: str | bytes = "x") -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content.encode() if isinstance(content, str) else content)


def told(problems: tuple[Problem, ...]) -> list[tuple[str, BuildRule]]:
    return [(p.source, p.rule) for p in problems if isinstance(p.rule, BuildRule)]


def test_texts_become_documents_and_the_rest_assets_in_path_order(tmp_path: Path) -> None:
    for name in ("b/p.md", "a.yaml", "b/c/pic.png", "b/P2.MARKDOWN", "_templates/page.html"):
        put(tmp_path, name)
    put(tmp_path, "b/page.html")
    tree, problems = read_tree(tmp_path)
    assert problems == ()
    assert list(tree.documents) == ["_templates/page.html", "a.yaml", "b/P2.MARKDOWN", "b/p.md"]
    assert list(tree.assets) == ["b/c/pic.png", "b/page.html"]
    assert tree.assets["b/c/pic.png"].size == 1
    assert tree.assets["b/c/pic.png"].file.read_bytes() == b"x"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfa\n", "a\n"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        ("e\u0301".encode(), "é"),
        (b"\xef\xbb\xbf\r\n", "\n"),
        (b"", ""),
        (b"a\tb", "a\tb"),
        ("\u200f\u202b".encode(), "\u200f\u202b"),
    ],
    ids=["BOM", "CRLF and CR", "NFD", "BOM and CRLF", "empty", "tab", "right-to-left marks"],
)
def test_a_text_is_normalised_without_a_word(tmp_path: Path, data: bytes, text: str) -> None:
    put(tmp_path, "a.md", data)
    tree, problems = read_tree(tmp_path)
    assert (tree.documents["a.md"].text, problems) == (text, ())


@pytest.mark.parametrize(
    ("data", "rule", "line", "column", "text"),
    [
        (b"ab\nc\xe9d", BuildRule.NOT_UTF8, 2, 2, "ab\nc\ufffdd"),
        (b"\xef\xbb\xbfa\r\n\xc3\xa9\xff", BuildRule.NOT_UTF8, 2, 2, "a\né\ufffd"),
        (b"a\xed\xa0\x80", BuildRule.NOT_UTF8, 1, 2, "a\ufffd\ufffd\ufffd"),
        ("ab".encode("utf-16"), BuildRule.NOT_UTF8, 1, 1, "ab"),
        (b"a\n\nb\x00c\x07", BuildRule.CONTROL_CHARACTER, 3, 2, "a\n\nb\ufffdc\ufffd"),
        (b"\x1b[2J", BuildRule.CONTROL_CHARACTER, 1, 1, "\ufffd[2J"),
        ("a\u2028b".encode(), BuildRule.CONTROL_CHARACTER, 1, 2, "a\ufffdb"),
        ("a\x85b".encode(), BuildRule.CONTROL_CHARACTER, 1, 2, "a\ufffdb"),
    ],
    ids=["latin-1", "after BOM", "surrogate", "UTF-16", "NUL", "escape", "U+2028", "NEL"],
)
def test_wrong_bytes_are_placed_and_the_rest_is_read(
    tmp_path: Path, data: bytes, rule: BuildRule, line: int, column: int, text: str
) -> None:
    put(tmp_path, "a.md", data)
    tree, problems = read_tree(tmp_path)
    assert [(p.rule, p.line, p.column) for p in problems] == [(rule, line, column)]
    assert tree.documents["a.md"].text == text


def test_a_byte_of_another_encoding_is_explained(tmp_path: Path) -> None:
    put(tmp_path, "a.md", "Caf\xe9".encode("cp1252"))
    _, (problem,) = read_tree(tmp_path)
    assert problem.message == "byte 0xE9 is not UTF-8"
    assert "in Windows-1252 it is `é`" in problem.hint


@pytest.mark.parametrize("name", [".git/config", ".DS_Store", "a.md~", ".a.md.swp", "#a.md#"])
@pytest.mark.parametrize("folder", ["", "lib/1.0.0/"])
def test_what_editors_and_systems_leave_is_not_read(tmp_path: Path, name: str, folder: str) -> None:
    put(tmp_path, folder + name)
    tree, problems = read_tree(tmp_path)
    assert (dict(tree.documents), dict(tree.assets), problems) == ({}, {}, ())


@pytest.mark.parametrize("name", ["Thumbs.db", "4913", "node_modules", ".#x", "x.TMP"])
def test_a_name_of_the_list_is_ignored(name: str) -> None:
    assert is_ignored(name)


@pytest.mark.parametrize("name", ["a.md", "1.0.0", "_templates", "library.yaml", "tmp", "x~y"])
def test_other_names_are_read(name: str) -> None:
    assert not is_ignored(name)


def test_patterns_are_lower_case() -> None:
    assert [pattern for pattern in IGNORED if pattern != pattern.lower()] == []


def test_a_file_above_its_limit_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, **{"a.md": "x" * 11, "b.md": "x" * 10, "a.png": "x" * 21, "b.png": "x" * 20})
    tree, problems = read_tree(tmp_path, limits=Limits(text_bytes=10, asset_bytes=20))
    assert told(problems) == [
        ("a.md", BuildRule.FILE_TOO_LARGE),
        ("a.png", BuildRule.FILE_TOO_LARGE),
    ]
    assert [*tree.documents, *tree.assets] == ["b.md", "b.png"]


def test_a_sparse_giant_is_not_read_into_memory(tmp_path: Path) -> None:
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(1 << 40)
    _, problems = read_tree(tmp_path)
    assert told(problems) == [("a.md", BuildRule.FILE_TOO_LARGE)]


def test_the_whole_tree_is_bounded(tmp_path: Path) -> None:
    write(tmp_path, **{f"{n}.md": "x" * 10 for n in range(8)})
    _, problems = read_tree(tmp_path, limits=Limits(files=5))
    assert told(problems) == [("5.md", BuildRule.TREE_TOO_LARGE)]
    tree, problems = read_tree(tmp_path, limits=Limits(all_text_bytes=35))
    assert told(problems) == [("3.md", BuildRule.TREE_TOO_LARGE)]
    assert list(tree.documents) == ["0.md", "1.md", "2.md"]


def test_depth_is_bounded_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, **{"a/b/c/d.md": "x", "z.md": "x"})
    tree, problems = read_tree(tmp_path, limits=Limits(depth=3))
    assert told(problems) == [("a/b/c", BuildRule.TREE_TOO_LARGE)]
    assert list(tree.documents) == ["z.md"]


def test_a_pipe_and_a_socket_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "b.md"))
        _, problems = read_tree(tmp_path)
    assert told(problems) == [("a.md", BuildRule.SPECIAL_FILE), ("b.md", BuildRule.SPECIAL_FILE)]


def test_a_file_without_permission_is_told(folder_without_rights: Path) -> None:
    put(folder_without_rights, "a.md")
    (folder_without_rights / "a.md").chmod(0)
    _, problems = read_tree(folder_without_rights)
    assert told(problems) == [("a.md", BuildRule.UNREADABLE_FILE)]


def test_a_root_that_is_not_there_is_told(tmp_path: Path) -> None:
    _, problems = read_tree(tmp_path / "none")
    assert told(problems) == [(".", BuildRule.UNREADABLE_FILE)]


class Removing(Readings):
    """Empties the tree when its first file is about to be opened."""

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root = root

    def unchanged(self, path: str, status: os.stat_result) -> Reading | None:
        for entry in self._root.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        return super().unchanged(path, status)


def test_what_goes_while_a_tree_is_read_was_not_there(tmp_path: Path) -> None:
    for name in ("a.md", "b.md", "c.png", "lib/1.0.0/a.md"):
        put(tmp_path, name)
    (tmp_path / "link.md").symlink_to("a.md")
    assert read_tree(tmp_path, readings=Removing(tmp_path)) == (Tree(documents={}, assets={}), ())


def test_links_inside_the_tree_are_followed(tmp_path: Path) -> None:
    put(tmp_path, "lib/1.0.0/a.md", "text")
    (tmp_path / "lib/1.0.0/b.md").symlink_to("a.md")
    (tmp_path / "lib/2.0.0").symlink_to("1.0.0")
    tree, problems = read_tree(tmp_path)
    assert problems == ()
    assert list(tree.documents) == [
        *("lib/1.0.0/a.md", "lib/1.0.0/b.md", "lib/2.0.0/a.md", "lib/2.0.0/b.md")
    ]
    assert {d.text for d in tree.documents.values()} == {"text"}


def test_the_root_may_be_a_link(tmp_path: Path) -> None:
    put(tmp_path, "real/a.md")
    (tmp_path / "link").symlink_to("real")
    tree, problems = read_tree(tmp_path / "link")
    assert (list(tree.documents), problems) == (["a.md"], ())


@pytest.mark.parametrize(
    ("target", "rule"),
    [
        ("../../secret.md", BuildRule.SYMLINK_OUTSIDE),
        ("../..", BuildRule.SYMLINK_OUTSIDE),
        ("/etc/passwd", BuildRule.SYMLINK_OUTSIDE),
        ("/dev/zero", BuildRule.SYMLINK_OUTSIDE),
        ("../.git/config", BuildRule.SYMLINK_OUTSIDE),
        ("link.md", BuildRule.SYMLINK_LOOP),
        (".", BuildRule.SYMLINK_LOOP),
        ("..", BuildRule.SYMLINK_LOOP),
        ("nowhere", BuildRule.UNREADABLE_FILE),
    ],
)
def test_a_link_that_leads_elsewhere_is_refused(
    tmp_path: Path, target: str, rule: BuildRule
) -> None:
    put(tmp_path, "secret.md", "secret")
    put(tmp_path, "tree/.git/config", "token")
    put(tmp_path, "tree/lib/a.md", "text")
    (tmp_path / "tree/lib/link.md").symlink_to(target)
    tree, problems = read_tree(tmp_path / "tree")
    assert told(problems) == [("lib/link.md", rule)]
    assert (list(tree.documents), list(tree.assets)) == (["lib/a.md"], [])


def test_links_that_double_at_each_level_are_bounded(tmp_path: Path) -> None:
    for level in range(20):
        (tmp_path / str(level)).mkdir()
        for name in ("x", "y"):
            (tmp_path / str(level) / name).symlink_to(f"../{level + 1}")
    (tmp_path / "20").mkdir()
    _, problems = read_tree(tmp_path, limits=Limits(files=2000))
    assert {rule for _, rule in told(problems)} == {BuildRule.TREE_TOO_LARGE}


def test_names_that_differ_only_by_case_or_form_are_told(tmp_path: Path) -> None:
    composed, decomposed = "é.md", unicodedata.normalize("NFD", "é.md")
    write(tmp_path, **{"a/Routing.md": "1", "a/routing.md": "2"})
    write(tmp_path, **{f"b/{composed}": "1", f"b/{decomposed}": "2"})
    if len(list((tmp_path / "a").iterdir())) == 1 or len(list((tmp_path / "b").iterdir())) == 1:
        pytest.skip("this disk cannot hold both names")
    tree, problems = read_tree(tmp_path)
    assert told(problems) == [
        ("a/routing.md", BuildRule.NAMES_COLLIDE),
        ("b/é.md", BuildRule.NAMES_COLLIDE),
    ]
    assert list(tree.documents) == ["a/Routing.md", "b/é.md"]


def test_a_decomposed_name_has_the_composed_path(tmp_path: Path) -> None:
    put(tmp_path, unicodedata.normalize("NFD", "é/é.png"))
    tree, problems = read_tree(tmp_path)
    assert (list(tree.assets), problems) == (["é/é.png"], ())


@pytest.mark.parametrize("name", [b"a\xff.md", b"a\n.md", "a\u202eb.md".encode()])
def test_a_name_that_cannot_be_seen_is_told(tmp_path: Path, name: bytes) -> None:
    try:
        (tmp_path / os.fsdecode(name)).write_text("x")
    except OSError:
        pytest.skip("this disk refuses the name")
    tree, problems = read_tree(tmp_path)
    assert [rule for _, rule in told(problems)] == [BuildRule.CONTROL_CHARACTER]
    assert dict(tree.documents) == {}
    problems[0].source.encode()
