"""Hostile Markdown: the work grows with the text, and what passes a limit is refused."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.markdown import parse_page, render_section
from doctrove_builder.markdown.limits import (
    ADDRESS_LIMIT,
    APPENDED_LIMIT,
    BRACKET_LIMIT,
    CODE_LIMIT,
    HEADING_LIMIT,
    LINE_LIMIT,
    NESTING_LIMIT,
    PAGE_LIMIT,
    SYMBOL_LIMIT,
    TEXT_LIMIT,
)
from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_builder.model import Document
from doctrove_builder.site import SectionSource

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from doctrove_builder.model import PageSource
    from doctrove_schema.problem import Problem

TEXTS: dict[str, Callable[[int], str]] = {
    "openings of links": lambda n: "[" * n,
    "openings of pictures": lambda n: "![" * n,
    "links without an end": lambda n: "[a](" * n,
    "links in links": lambda n: "[a" * n + "](b)" * n,
    "parentheses in an address": lambda n: "[a](" + "(" * n,
    "a label over many lines": lambda n: "[" + "a\n" * n,
    "openings of tags": lambda n: "x <a " * n,
    "attributes without an end": lambda n: 'x <a b="' * n,
    "openings of comments": lambda n: "x <!--" * n,
    "openings of CDATA": lambda n: "x <![CDATA[" * n,
    "runs of backticks": lambda n: " ".join("`" * (i % 40 + 1) for i in range(n)),
    "openings of emphasis": lambda n: "*a_ " * n,
    "closings of emphasis": lambda n: "a**b" * n,
    "strikethrough": lambda n: "~~a " * n,
    "dollars": lambda n: "$a " * n,
    "math blocks without an end": lambda n: "$$ a\n\n" * n,
    "references to a footnote": lambda n: "[^a]" * n + "\n\n[^a]: x\n",
    "footnotes that use each other": lambda n: "".join(f"[^{i}]: [^{i + 1}]\n\n" for i in range(n)),
    "link definitions": lambda n: "".join(f"[a{i}]: x\n" for i in range(n)),
    "quotes in quotes": lambda n: "> " * n + "x",
    "lists in lists": lambda n: "- " * n + "x",
    "flat lists": lambda n: "- a\n" * n,
    "definition lists": lambda n: "a\n: b\n\n" * n,
    "wide tables": lambda n: "|" + "a|" * n + "\n|" + "-|" * n + "\n|a\n",
    "long tables": lambda n: "|a|\n|-|\n" + "|b|\n" * n,
    "lines like tables": lambda n: "-|-\n" * n,
    "containers without an end": lambda n: ":::tip\n" * n,
    "admonitions": lambda n: "!!! note\n" * n,
    "admonitions in admonitions": lambda n: "".join(
        "    " * i + "!!! note\n" for i in range(min(n, 40))
    ),
    "tabs": lambda n: '=== "a"\n\n' * n,
    "code blocks": lambda n: "```\n" * n,
    "equal headings": lambda n: "## a\n\n" * n,
    "braces in a heading": lambda n: "# " + "{" * n + "}",
    "an info string of equal signs": lambda n: "``` " + "a=" * n + "\nx\n```",
    "lines to point out": lambda n: "``` {" + "1-9," * n + "}\nx\n```",
    "quotes in code": lambda n: "```python\n" + "\"'" * n + "\n```",
    "raw blocks": lambda n: "<div>\n\n" * n,
    "blanks": lambda n: "a" + " " * n + "b",
    "lines between dashes": lambda n: "---\n" * n,
}


@pytest.mark.parametrize("name", TEXTS)
def test_twice_the_text_takes_about_twice_the_steps(name: str) -> None:
    _steps(TEXTS[name](10))  # what is made once in a process
    small, large = (_steps(TEXTS[name](n)) for n in (150, 300))
    assert large < 2.6 * small + 2_000


def _steps(text: str) -> int:
    """Return how many calls are made to read and render a page."""
    count = 0

    def one_more(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(one_more)
    try:
        page, _ = parse_page(Document(path="a.md", text=text), path="a", split_level=2)
        for passage in page.passages:
            render_section(SectionSource(body=passage.body))
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("a" * (PAGE_LIMIT + 1), MarkdownRule.PAGE_TOO_LARGE, id="characters"),
        pytest.param("a\n" * (LINE_LIMIT + 1), MarkdownRule.PAGE_TOO_LARGE, id="lines"),
        pytest.param("[\n\n" * (BRACKET_LIMIT + 1), MarkdownRule.PAGE_TOO_LARGE, id="brackets"),
        pytest.param("a" * (TEXT_LIMIT + 1), MarkdownRule.PAGE_TOO_LARGE, id="a paragraph"),
        pytest.param("#\n" * (HEADING_LIMIT + 1), MarkdownRule.PAGE_TOO_LARGE, id="headings"),
        pytest.param(
            "[a] " * 1_100 + f"\n\n[a]: {'x' * (ADDRESS_LIMIT - 1)}\n",
            MarkdownRule.PAGE_TOO_LARGE,
            id="addresses by one definition",
        ),
        pytest.param(
            "## a\n\n[^a]\n\n" * 60 + f"[^a]: {'x' * (APPENDED_LIMIT // 50)}\n",
            MarkdownRule.PAGE_TOO_LARGE,
            id="a definition for many sections",
        ),
        pytest.param(
            f"---\nsymbols: [{'a, ' * (SYMBOL_LIMIT + 1)}]\n---\na",
            MarkdownRule.PAGE_TOO_LARGE,
            id="symbols",
        ),
        pytest.param("> " * NESTING_LIMIT + "x", MarkdownRule.NESTED_TOO_DEEP, id="quotes"),
        pytest.param("- " * NESTING_LIMIT + "x", MarkdownRule.NESTED_TOO_DEEP, id="lists"),
    ],
)
def test_what_passes_a_limit_is_an_error(text: str, rule: MarkdownRule) -> None:
    _, problems = _read(text)
    assert rule in {problem.rule for problem in problems}
    assert MarkdownRule.EMPTY_PAGE not in {problem.rule for problem in problems}
    assert all(problem.line for problem in problems)


def test_a_text_below_the_limits_is_read() -> None:
    text = "> " * (NESTING_LIMIT - 4) + "x\n\n" + "a" * (TEXT_LIMIT - 1)
    page, problems = _read(text)
    assert problems == ()
    assert page.passages[0].body == text


def test_text_that_is_too_long_for_markup_is_still_shown() -> None:
    html = render_section(SectionSource(body="*a*" + "b" * TEXT_LIMIT + "<script>"))
    assert html.startswith("<p>*a*bbb")
    assert html.endswith("&lt;script&gt;</p>\n")


def test_a_body_that_is_too_long_is_shown_as_it_is() -> None:
    html = render_section(SectionSource(body="<b>*" * (PAGE_LIMIT // 4 + 1)))
    assert html.startswith("<pre>&lt;b&gt;*&lt;b&gt;*")


def test_code_that_is_too_long_for_colours_is_shown_without() -> None:
    html = render_section(SectionSource(body="```py\n" + "if x:\n" * (CODE_LIMIT // 6 + 1) + "```"))
    assert "<span" not in html.partition("<pre")[2]


def _read(text: str) -> tuple[PageSource, tuple[Problem, ...]]:
    return parse_page(Document(path="a.md", text=text), path="a", split_level=2)
