"""Pages to sections: what a golden page would not show at a glance."""

from __future__ import annotations

import pytest

from doctrove_builder.markdown import parse_heading, parse_page
from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_builder.model import Document, Heading, PageSource
from doctrove_schema.problem import Problem, Severity


def read(
    text: str, *, path: str = "guide/page", split_level: int = 2
) -> tuple[PageSource, tuple[Problem, ...]]:
    return parse_page(Document(path="a/b.md", text=text), path=path, split_level=split_level)


def sections(text: str, *, split_level: int = 2) -> list[tuple[str, str]]:
    page, _ = read(text, split_level=split_level)
    return [(one.heading.anchor, one.body) for one in page.passages]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a", [("", "a")], id="text without a heading"),
        pytest.param("# T\n\na", [("", "a")], id="a title and text"),
        pytest.param("T\n===\n\na", [("", "a")], id="a title underlined"),
        pytest.param("## S\na", [("s", "a")], id="no lead"),
        pytest.param("# T\n# U\na", [("u", "a")], id="a second first-level heading"),
        pytest.param("a\n# T\nb", [("", "a"), ("t", "b")], id="a title that is not first"),
        pytest.param("<!-- c -->\n\n# T\na", [("", "a")], id="a comment before the title"),
        pytest.param("[x]: y\n\n# T\n[x]", [("", "[x]\n\n[x]: y")], id="a definition before it"),
        pytest.param("## S ##\na", [("s", "a")], id="closing hashes"),
        pytest.param("## S\n\n\n  a\n\n\n", [("s", "  a")], id="blank lines at the edges"),
        pytest.param("## S\n```\n## no\n```", [("s", "```\n## no\n```")], id="in a code block"),
        pytest.param("## S\n    ## no", [("s", "    ## no")], id="in indented code"),
        pytest.param("## S\n> ## no", [("s", "> ## no")], id="in a quote"),
        pytest.param("## S\n- ## no", [("s", "- ## no")], id="in a list"),
        pytest.param("## S\n::: tip\n## no\n:::", [("s", "::: tip\n## no\n:::")], id="in a tip"),
        pytest.param("## S\n### T\na", [("s", "### T\na")], id="below the split level"),
        pytest.param("## S\n\n<!-- c -->\n", [("s", "")], id="a comment is no text"),
        pytest.param("## S\n\n[x]: y\n", [("s", "")], id="a definition is no text"),
        pytest.param("## S {#x}\na\n## S\nb", [("x", "a"), ("s", "b")], id="an id frees the slug"),
        pytest.param("## X\na\n## S {#x}\nb", [("x-1", "a"), ("x", "b")], id="an id goes first"),
        pytest.param("## A\na\n## A\nb\n## A\nc", [("a", "a"), ("a-1", "b"), ("a-2", "c")], id="3"),
        pytest.param(
            "## A\na\n## A-1\nb\n## A\nc", [("a", "a"), ("a-1", "b"), ("a-2", "c")], id="4"
        ),
        pytest.param("## S \\{#x}\na", [("s-x", "a")], id="an escaped brace is text"),
        pytest.param("## S\n### T {#x}\na", [("s", "### T\na")], id="an id in a body"),
        pytest.param("## S\n### T { #x .c } ##\na", [("s", "### T ##\na")], id="an id before #"),
        pytest.param("## S\n> - ### T {#x}\n", [("s", "> - ### T")], id="an id in a list"),
        pytest.param("## S\n> T {#x}\n> ---", [("s", "> T\n> ---")], id="an id above a line"),
        pytest.param("## S\n> T\n> {#x}\n> ---", [("s", "> T\n> {#x}\n> ---")], id="by itself"),
        pytest.param("## S\n- {#x}\n  ---", [("s", "- {#x}\n  ---")], id="an id and no text"),
        pytest.param("## S\n### {#x}\na", [("s", "###\na")], id="an id in an empty heading"),
        pytest.param("## S\n`## T {#x}`", [("s", "`## T {#x}`")], id="an id in code"),
        pytest.param("## S\n### `{#x}`\na", [("s", "### `{#x}`\na")], id="code at the end"),
        pytest.param("## 中文 标题\na", [("中文-标题", "a")], id="a heading without latin letters"),
    ],
)
def test_a_page_is_cut_at_its_headings(text: str, expected: list[tuple[str, str]]) -> None:
    assert sections(text) == expected


def test_the_split_level_decides_what_starts_a_section() -> None:
    text = "# T\n## A\na\n### B\nb\n"
    assert sections(text, split_level=1) == [("", "## A\na\n### B\nb")]
    assert sections(text, split_level=3) == [("a", "a"), ("b", "b")]


def test_the_trail_holds_the_headings_above() -> None:
    page, _ = read("# T\n## A\na\n### B\nb\n## C\n#### D\nd\n# U\nu", split_level=4)
    assert [(one.heading.text, one.trail) for one in page.passages] == [
        ("A", ("T",)),
        ("B", ("T", "A")),
        ("C", ("T",)),
        ("D", ("T", "C")),
        ("U", ("T",)),
    ]


@pytest.mark.parametrize(
    ("path", "title"),
    [
        pytest.param("index", "Overview", id="the front page"),
        pytest.param("guide/getting-started", "Getting started", id="words"),
        pytest.param("api/app_get", "App get", id="underscores"),
    ],
)
def test_a_page_without_a_title_is_named_after_its_file(path: str, title: str) -> None:
    assert read("text", path=path)[0].title == title


def test_lines_are_those_of_the_file() -> None:
    page, _ = read("---\ntitle: T\n---\n\n# T\n\nlead\n\n## A\n\n\na\n\n\n## B\n## C\nc")
    assert [one.lines for one in page.passages] == [(5, 7), (9, 12), (15, 15), (16, 17)]


def test_front_matter_in_another_form_is_a_line_across_the_page() -> None:
    page, problems = read("---\n\ntext without an end")
    assert page.passages[0].body == "---\n\ntext without an end"
    assert problems == ()


def test_problems_of_front_matter_stand_in_its_lines() -> None:
    _, problems = read("---\ntitle: T\ntitel: U\n---\ntext")
    assert [(one.line, one.column) for one in problems] == [(3, 1)]


@pytest.mark.parametrize(
    ("text", "rule", "place"),
    [
        pytest.param("a\n\n- ```js\n  x", MarkdownRule.UNCLOSED_FENCE, (3, 3), id="a code block"),
        pytest.param("~~~\nx", MarkdownRule.UNCLOSED_FENCE, (1, 1), id="tildes"),
        pytest.param("> ```\n\na", MarkdownRule.UNCLOSED_FENCE, (1, 3), id="closed by a quote"),
        pytest.param("a\n\n:::: tip\n:::", MarkdownRule.UNCLOSED_CONTAINER, (3, 1), id="a tip"),
        pytest.param("a\n## A {#x}\nb\n## B {#x}", MarkdownRule.DUPLICATE_ID, (4, 6), id="ids"),
        pytest.param("a\n\nb\n<i onclick=x>", MarkdownRule.RAW_HTML, (4, 1), id="raw HTML"),
        pytest.param("| a |\n|---|\n| b <T> |", MarkdownRule.RAW_HTML, (3, 5), id="in a cell"),
        pytest.param("<div>\n  <b><T>", MarkdownRule.RAW_HTML, (2, 6), id="in a block"),
        pytest.param("*a* [b](file:///c)", MarkdownRule.UNSAFE_LINK, (1, 5), id="a link"),
        pytest.param("x\n\n![b](//c/d)", MarkdownRule.EXTERNAL_PICTURE, (3, 1), id="a picture"),
        pytest.param("", MarkdownRule.EMPTY_PAGE, (1, None), id="nothing"),
        pytest.param("# A\n## B", MarkdownRule.EMPTY_PAGE, (1, None), id="headings alone"),
    ],
)
def test_a_problem_names_its_place(
    text: str, rule: MarkdownRule, place: tuple[int, int | None]
) -> None:
    _, problems = read(text)
    assert [(one.rule, (one.line, one.column)) for one in problems] == [(rule, place)]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```\n```", id="an empty code block"),
        pytest.param("- ```\n  a\n  ```\n- b", id="a code block in a list"),
        pytest.param("```\na\n```\n\ntext", id="text below a code block"),
        pytest.param("> ```\n> a\n> ```", id="a code block in a quote"),
        pytest.param("````\n```\n````", id="a fence in a code block"),
        pytest.param(":::: tip\n::: note\na\n:::\n::::", id="a container in a container"),
        pytest.param("a <kbd>b</kbd><br><sub>c</sub> <!-- d --> <abbr title=e>f</abbr>", id="HTML"),
        pytest.param(
            '<details open><summary>a</summary>\n\nb\n\n</details>\n<p align="center">', id="p"
        ),
        pytest.param("[a](b:8080/c)".replace("b:", "//b:"), id="a link to a host"),
        pytest.param("[a](?b=javascript:c) [d](#e) [f](./g:h)", id="relative links"),
        pytest.param("::: pkg.module\n    options:\n      a: b", id="another use of colons"),
        pytest.param(
            "# A\n## B\n### C\nc\n## D\n### C\nd", id="a repeated heading inside sections"
        ),
    ],
)
def test_nothing_is_wrong_with(text: str) -> None:
    assert read(text)[1] == ()


def test_what_is_removed_is_said_once_for_a_page() -> None:
    _, problems = read("A<T> and B<T>.\n\n<T>")
    assert [(one.line, one.column) for one in problems] == [(1, 2)]
    assert problems[0].message == "the tag `<T>` is removed from the page (3 times in this page)"
    assert problems[0].severity is Severity.WARNING


def test_symbols_go_to_the_section_that_names_them() -> None:
    text = (
        "---\nsymbols: [app.use, app.useAll, Router, gone]\n---\n# `new App()`\n\nSee app.useAll.\n"
        "## Use `app.get(p)`, `app.all<T>(p)` and `a b`\n\napp.use, Router\n## Router\n\ntext"
    )
    page, _ = read(text)
    assert [one.symbols for one in page.passages] == [
        ("app.useAll", "gone"),
        ("app.get", "app.all", "app.use"),
        ("Router",),
    ]


def test_raw_html_names_places_that_links_may_lead_to() -> None:
    page, _ = read('## A\n\n<a id="x"></a><a name="y"></a>\n\n## B\n<a id="x"></a><a id="a"></a>z')
    assert [one.anchors for one in page.passages] == [("x", "y"), ()]


def test_a_heading_apart_from_its_text_is_plain_but_for_code() -> None:
    heading, symbols = parse_heading(
        "`z.parse(data)` and __init__ of Array<T> *", level=2, anchor="parse", line=4
    )
    assert heading == Heading(
        level=2,
        text="z.parse(data) and __init__ of Array<T> *",
        html="<code>z.parse(data)</code> and __init__ of Array&lt;T&gt; *",
        anchor="parse",
        line=4,
    )
    assert symbols == ("z.parse",)


def test_a_page_without_sections_keeps_all_of_its_text() -> None:
    page, _ = read("# T\n# A\na\n## B\nb", split_level=0)
    assert [one.body for one in page.passages] == ["# A\na\n## B\nb"]
    assert [inner.anchor for inner in page.passages[0].inner] == ["a", "b"]
