"""Declarations that are broken, endless or deep: each is read as far as it goes, or left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.npm.jsdoc import read_doc
from doctrove_builder.importing.npm.kind import read
from doctrove_builder.importing.source_tree import tree_of


def imported(declarations: str | bytes, **files: str) -> Imported:
    return read(
        tree_of({"package.json": '{"name": "x"}', "index.d.ts": declarations, **files}), Options()
    )


@pytest.mark.parametrize(
    "text",
    [
        "/** a */ export declare function f(",
        "/** a */ export declare function f(): void; export {",
        "/** a */ export type T = " + "[" * 3000,
        "/** a */ export type T = " + "{ a: " * 3000 + "1" + "}" * 3000,
        "/** a */ export type T = 1;" + "declare namespace A { " * 300,
        "/** a */ export type T = 1; export default " + "A." * 3000 + "B;",
        "/** " + "{@link " * 5000 + " */ export type T = 1;",
        "/** " + "`" * 5000 + "a */ export type T = 1;",
        "/** a\n * @param " + "{" * 5000 + " */ export type T = 1;",
    ],
    ids=lambda text: text[:40],
)
def test_broken_and_deep_declarations_are_read_as_far_as_they_go(text: str) -> None:
    assert imported(text, **{"README.md": "# X\n\nText.\n"}).pages


def test_what_cannot_be_parsed_is_said() -> None:
    result = imported("/** T */ export type T = 1;\n)))) declare {{{{")
    assert [(note.kind, note.place) for note in result.notes] == [
        ("declarations-broken", "index.d.ts:2")
    ]


def test_modules_that_import_each_other_end() -> None:
    tree = {
        "package.json": '{"name": "x"}',
        "index.d.ts": 'export * from "./a"; export {ghost} from "./a";\n/** T */export type T=1;',
        "a.d.ts": 'export * from "./index"; export {ghost} from "./b"; export * as me from "./a";',
        "b.d.ts": 'export { ghost } from "./a"; import ghost2 = require("./b"); export = ghost2;',
    }
    (page,) = read(tree_of(tree), Options()).pages
    assert page.symbols == {"T": ("T", *(f"{'me.' * n}T" for n in range(1, 2)))}


def test_modules_outside_the_package_are_not_read() -> None:
    text = (
        'export * from "../../../etc/passwd"; export * from "/etc/x";\n/** T */ export type T = 1;'
    )
    result = imported(text)
    assert [note.kind for note in result.notes] == ["module-missing", "module-elsewhere"]


def test_wrong_bytes_are_replaced() -> None:
    (page,) = imported(b"/** \xff\xfe caf\xe9 */ export type T = 1;").pages
    assert "caf\ufffd" in page.markdown


def test_a_code_block_left_open_in_a_comment_takes_in_nothing_else() -> None:
    (page,) = imported("/** ```ts\n * a */ export type T = 1;\n/** B */ export type U = 2;").pages
    assert page.markdown.count("```") == 6
    assert "## `U` {#U}" in page.markdown


@given(st.text(alphabet="*/@{}`~[]()#-<>|\\ \nabc", max_size=200))
def test_any_comment_is_read(text: str) -> None:
    doc = read_doc(f"/** {text} */")
    assert all("\n" not in line for line in doc.lines)


@given(st.text(alphabet="*@{}`~[]()#-<>|\\ \nabc", max_size=120))
def test_fences_of_a_page_are_balanced(text: str) -> None:
    (page,) = imported(f"/** {text} */ export type T = 1;").pages
    fences = [line for line in page.markdown.split("\n") if line.lstrip(" >-").startswith("```")]
    assert len(fences) % 2 == 0 or "~~~" in page.markdown
