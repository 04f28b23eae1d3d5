"""Code blocks: where they are found, and what can be said of them without running them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.report.brackets import unbalanced
from doctrove_builder.report.code_blocks import Check, blocks_in, fault_of, method_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("```py\nx\n```", [(0, "python", "x")]),
        ("a\n\n~~~ JSON\n{}\n~~~\n", [(2, "json", "{}")]),
        ("```\nplain\n```", [(0, "no language", "plain")]),
        ("````md\n```js\n```\n````", [(0, "md", "```js\n```")]),
        ("- item\n\n  ```js\n  a();\n  ```", [(2, "javascript", "a();")]),
        ('```ts title="a.ts"\nx\n```', [(0, "typescript", "x")]),
        ("```js\nnever closed", []),
        ("`` ` ``", []),
    ],
    ids=[
        "plain",
        "tildes",
        "no language",
        "longer fence",
        "in a list",
        "attributes",
        "open",
        "inline",
    ],
)
def test_fenced_blocks_are_found(text: str, found: list[tuple[int, str, str]]) -> None:
    assert [tuple(block) for block in blocks_in(text)] == found


@pytest.mark.parametrize(
    ("language", "code", "fault"),
    [
        ("python", "async def f():\n    await g()\n", None),
        ("python", "await top_level()", None),
        ("python", ">>> (1 +\n... 2)\n3", None),
        ("python", "def f(:\n    pass", ("invalid syntax", 1)),
        ("python", "x = 1\nprint(1", ("'(' was never closed", 2)),
        ("python", "\0", ("source code string cannot contain null bytes", 1)),
        ("json", '{"a": [1, 2]}', None),
        ("json", '{"a": 1,\n,}', ("Expecting property name enclosed in double quotes", 2)),
        ("yaml", "a: [1, 2]\n---\nb: 1", None),
        ("yaml", "a: [1, 2", ("did not find expected ',' or ']'", 1)),
        ("toml", "a = 1", None),
        ("toml", "\na = ", ("Invalid value (at end of document)", 2)),
        ("javascript", "f({ a: [1] }); // )", None),
        ("javascript", "const a = \"(\" + '[' + `{`;", None),
        ("javascript", "const a = /[(]/.test(b);", None),
        ("javascript", "const half = (a + b) / 2; f(a / b);", None),
        ("javascript", "f(\n  a", ("`(` is never closed", 1)),
        ("typescript", "f();\n}", ("`}` closes nothing", 2)),
        ("ruby", "def", None),
    ],
)
def test_what_cannot_be_parsed_is_said(
    language: str, code: str, fault: tuple[str, int] | None
) -> None:
    found = fault_of(language, code)
    if fault is None:
        assert found is None
    else:
        assert found is not None
        assert found.line == fault[1]
        assert found.reason == fault[0] or language in {"json", "yaml", "python"}


@pytest.mark.parametrize("language", ["python", "json", "yaml", "toml", "javascript"])
@pytest.mark.parametrize(
    "code", ["(" * 100_000, "[" * 90, "{" * 90, "a: " * 5000, "-" * 50_000, "/*" * 40_000, "`" * 9]
)
def test_hostile_code_is_bounded(language: str, code: str) -> None:
    found = fault_of(language, code)
    assert found is None or isinstance(found, Check)


def test_how_a_language_is_checked_is_said() -> None:
    assert [method_of(name) for name in ("python", "javascript", "rust")] == [
        "parsed", "brackets", "none",
    ]  # fmt: skip


@given(st.text(alphabet="()[]{}\"'`/ab\n\\*", max_size=60))
def test_brackets_end_for_any_text(code: str) -> None:
    found = unbalanced(code)
    assert found is None or 1 <= found[1] <= code.count("\n") + 1


@given(
    st.recursive(
        st.just("x"), lambda inner: st.tuples(inner, inner).map(lambda p: f"f({p[0]}, [{p[1]}])")
    )
)
def test_nested_calls_are_balanced(code: str) -> None:
    assert unbalanced(code) is None
    assert unbalanced(code + ")") is not None
    assert unbalanced("{" + code) is not None
