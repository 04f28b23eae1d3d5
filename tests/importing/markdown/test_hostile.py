"""Hostile sources of Markdown: each gives a clear note, and nothing is read or run beside them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cli.import_ import main
from doctrove_builder.importing.imported import Imported, Note, Options
from doctrove_builder.importing.markdown.includes import MAX_CHARACTERS
from doctrove_builder.importing.markdown.kind import read
from doctrove_builder.importing.source_folder import open_folder
from doctrove_builder.importing.source_tree import tree_of

if TYPE_CHECKING:
    from pathlib import Path

OUT = "../../../../../../../../etc/passwd"
INCLUDES = [
    pytest.param("a.md", f'--8<-- "{OUT}"', id="snippet"),
    pytest.param("a.md", f"--8<--\n{OUT}\n--8<--", id="snippets"),
    pytest.param("a.md", f"{{! {OUT} !}}", id="braces"),
    pytest.param("a.md", f"{{* {OUT} *}}", id="stars"),
    pytest.param("a.md", f"<<< {OUT}", id="arrows"),
    pytest.param("a.md", f"<!--@include: {OUT}-->", id="comment"),
    pytest.param("a.md", f'{{% include "{OUT}" %}}', id="jinja"),
    pytest.param("a.md", f"{{{{#include {OUT}}}}}", id="mdbook"),
    pytest.param("a.md", f"```{{literalinclude}} {OUT}\n```", id="myst"),
    pytest.param("a.md", f"```py file={OUT}\n```", id="fence"),
    pytest.param("a.md", f':::code source="{OUT}":::', id="learn"),
    pytest.param("a.mdx", f"<include>{OUT}</include>", id="fumadocs"),
    pytest.param("a.mdx", f"import X from '{OUT}.md'\n\n<X />", id="partial"),
]


def _read(files: dict[str, bytes | str]) -> Imported:
    return read(tree_of(files), Options(library="acme", version="1"))


def _notes(imported: Imported, kind: str) -> list[Note]:
    return [note for note in imported.notes if note.kind == kind]


@pytest.mark.parametrize(("name", "line"), INCLUDES)
def test_an_include_that_leads_out_is_noted_and_left_out(name: str, line: str) -> None:
    imported = _read({f"docs/{name}": f"# A\n\nBefore.\n\n{line}\n\nAfter.\n"})
    assert imported.pages[0].markdown.split() == ["Before.", "After."]
    (note,) = _notes(imported, "include-outside")
    assert note.place.startswith(f"docs/{name}:")
    assert "leads out of the source" in note.message


@pytest.mark.parametrize("path", ["/etc/passwd", "//host/share", "C:\\x", "..\\..\\x", "a\0b"])
def test_an_absolute_include_is_looked_for_in_the_source_alone(path: str) -> None:
    imported = _read({"docs/a.md": f"# A\n\nText.\n\n<!--@include: {path}-->\n"})
    assert imported.pages[0].markdown == "Text."
    assert {note.kind for note in imported.notes} <= {"include-missing", "include-outside"}
    assert len(imported.notes) == 1


def test_a_link_of_the_file_system_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    docs = tmp_path / "source" / "docs"
    docs.mkdir(parents=True)
    (docs / "a.md").write_text('# A\n\nText.\n\n--8<-- "leak.txt"\n')
    (docs / "leak.txt").symlink_to(tmp_path / "secret.txt")
    tree = open_folder(tmp_path / "source")
    imported = read(tree, Options(library="acme", version="1"))
    assert imported.pages[0].markdown == "Text."
    assert len(_notes(imported, "include-missing")) == 1
    assert [path for path, _ in tree.skipped] == ["docs/leak.txt"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.md": "# A\n\nText.\n\n<!--@include: ./a.md-->\n"}, id="itself"),
        pytest.param(
            {
                "a.md": "# A\n\nText.\n\n<!--@include: ./parts/b.md-->\n",
                "parts/b.md": "Part.\n\n<!--@include: ../a.md-->\n",
            },
            id="each-other",
        ),
    ],
)
def test_files_that_include_themselves_end(files: dict[str, bytes | str]) -> None:
    imported = _read({f"docs/{path}": text for path, text in files.items()})
    notes = _notes(imported, "include-circle")
    assert len(notes) == len(imported.pages) == len(files)
    assert all("includes itself" in note.message for note in notes)


def test_includes_that_grow_without_end_are_cut_off() -> None:
    parts = {
        f"docs/_partials/{level}.md": f"<!--@include: ./{level + 1}.md-->\n" * 10
        for level in range(9)
    }
    parts["docs/_partials/9.md"] = "Line.\n" * 100
    imported = _read({"docs/a.md": "# A\n\nText.\n\n<!--@include: ./_partials/0.md-->\n", **parts})
    assert _notes(imported, "include-too-large")
    assert imported.pages[0].markdown.count("\n") < 200_000


def test_a_large_file_that_is_asked_for_again_and_again_is_read_once() -> None:
    large = "x" * (MAX_CHARACTERS // 10)
    page = "# A\n\nText.\n\n" + '--8<-- "large.txt:2:2"\n' * 5_000
    imported = _read({"docs/a.md": page, "docs/large.txt": f"{large}\nend\n"})
    assert len(_notes(imported, "include-too-large")) == 1
    assert imported.counts["includes resolved"] < 11


def test_a_page_of_a_hundred_megabytes_is_left_out_unread(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    with (tmp_path / "docs" / "large.md").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    (tmp_path / "docs" / "a.md").write_text('# A\n\nText.\n\n--8<-- "large.md"\n')
    imported = read(open_folder(tmp_path), Options(library="acme", version="1"))
    assert [page.path for page in imported.pages] == ["a"]
    (refused,) = _notes(imported, "page-refused")
    assert refused.message == "docs/large.md has more than 8,388,608 bytes"
    assert _notes(imported, "include-refused")


def test_bytes_that_are_no_utf_8_are_replaced_and_noted() -> None:
    imported = _read({"docs/a.md": b"# A\n\nCaf\xe9.\n", "docs/b.md": "# B\n\nA real \ufffd.\n"})
    assert imported.pages[0].markdown == "Caf\ufffd."
    assert [note.place for note in _notes(imported, "page-not-utf-8")] == ["docs/a.md"]


def test_names_and_markup_that_are_nested_deep_come_out() -> None:
    depth = 300
    page = "".join(
        (
            "# A\n\nText.\n\n",
            "".join(f"{':' * (depth - n + 3)} note\n" for n in range(depth)),
            "<div>" * depth + "inner" + "</div>" * depth + "\n",
            "".join(f"{':' * (n + 4)}\n" for n in range(depth)),
        )
    )
    imported = _read({f"docs/{'d/' * 60}a.md": page})
    assert "inner" in imported.pages[0].markdown


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("import {\n  A,\n  B\n} from 'x'\n\nText.", "Text.", id="several-lines"),
        pytest.param("import { A } from 'x';\nimport B from 'y'\n\nText.", "Text.", id="two"),
        pytest.param("Text.\n\nimport { is never closed\n", "Text.", id="never-closed"),
        pytest.param("export const a = {\n  b: '}'\n}\n\nText.", "Text.", id="brace-in-text"),
        pytest.param(
            "```js\nimport { A } from 'x'\n```", "```js\nimport { A } from 'x'\n```", id="c"
        ),
        pytest.param("Text {\n", None, id="open-brace"),
        pytest.param("Text {a {b} c} more.", "Text  more.", id="nested-braces"),
    ],
)
def test_statements_and_expressions_of_mdx_go_and_text_stays(text: str, kept: str | None) -> None:
    imported = _read({"docs/a.mdx": f"# A\n\n{text}\n"})
    assert imported.pages[0].markdown == (text.strip("\n") if kept is None else kept)


@pytest.mark.parametrize("name", ["a.md", "a.mdx"])
def test_html_with_scripts_leaves_its_text_alone(name: str) -> None:
    page = (
        "# A\n\n<script>steal()</script>\n\n<style>p {}</style>\n\n"
        '<p onclick="steal()">Text.</p>\n\n<iframe src="https://x.example"></iframe>\n\n'
        '<svg onload="steal()"><script>steal()</script></svg>\n\n'
        '<img src="javascript:steal()" onerror="steal()" alt="A box"> beside\n\n'
        '<a href="javascript:steal()" onmouseover="steal()">go</a> and [on](javascript:steal())\n\n'
        '<details ontoggle="steal()">\n<summary onclick="steal()">More</summary>\n\n'
        "Inner.\n\n</details>\n"
    )
    imported = _read({f"docs/{name}": page})
    markdown = imported.pages[0].markdown
    assert not re.search(r"steal|<script|<style|<iframe|<svg|javascript", markdown)
    for said in ("Text.", "A box beside", "go and on", "More", "Inner."):
        assert said in markdown


def test_nothing_is_written_beside_the_volume_and_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    docs = tmp_path / "docs"
    docs.mkdir()
    write = "__import__('pathlib').Path('executed').write_text('x')\n"
    for name in ("setup.py", "conf.py", "docusaurus.config.js", "macros.py"):
        (docs / name).write_text(write)
    (docs / "mkdocs.yml").write_text(f'site_name: !!python/object/apply:eval ["{write.strip()}"]\n')
    (docs / "..%2F..%2Fx.md").write_text("# Odd\n\nText.\n")
    (docs / "a.md").write_text("---\npath: ../../../x\nslug: ../../../y\n---\n\n# A\n\nText.\n")
    monkeypatch.chdir(tmp_path)
    source = ["markdown", "docs", "--id", "acme", "--version", "1.0.0", "--into", "authoring"]
    assert main(source) == 0
    assert "2 pages" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", "authoring", "docs"]
    assert [path.name for path in (tmp_path / "authoring").iterdir()] == ["acme"]
