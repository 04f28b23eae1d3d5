"""No author's text moves a cursor, turns a line or begins a command, in any format."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doctrove_builder.reporting import FORMATS, FormatName, report
from doctrove_builder.reporting.escaping import visible
from doctrove_builder.rules import BuildRule
from doctrove_schema.problem import Problem, Severity

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
HOSTILE = st.sampled_from(
    [
        "\x1b[2J",
        "\r",
        "\n::error::x",
        "%0A::error::",
        "\u202e",
        "\u2066",
        "\x9b31m",
        "\x00",
        "\ud800",
    ]
)
TEXT = st.lists(HOSTILE | st.text(max_size=8), max_size=6).map("".join)
PLACES = st.none() | st.integers(1, 5)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    line = draw(PLACES)
    return Problem(
        rule=draw(st.sampled_from(BuildRule)),
        severity=draw(st.sampled_from(Severity)),
        source=draw(TEXT),
        line=line,
        column=draw(PLACES) if line else None,
        message=draw(TEXT),
        hint=draw(TEXT),
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\tb", "a\\x09b"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x7f\x9b", "\\x7f\\x9b"),
        ("a\u202eb", "a\\u202eb"),
        ("\u2028\ufeff", "\\u2028\\ufeff"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
        ("日本語 é 👩‍💻 نمی‌خواهم", "日本語 é 👩‍💻 نمی‌خواهم"),
    ],
)
def test_hidden_characters_are_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("format_name", FORMATS)
@settings(deadline=None, max_examples=50)
@given(told=st.lists(problems(), max_size=4), source=TEXT, root=st.sampled_from(["", "docs/"]))
def test_no_control_survives(
    format_name: FormatName, told: list[Problem], source: str, root: str
) -> None:
    texts = {problem.source: source for problem in told}
    said = report(told, format=format_name, texts=texts, root=root)
    for character in said:
        category = unicodedata.category(character)
        assert category not in HIDDEN or character in "\n\u200c\u200d"
    said.encode()


@settings(deadline=None)
@given(st.lists(problems(), max_size=4))
def test_each_problem_is_one_github_command(told: list[Problem]) -> None:
    lines = report(told, format="github", texts={}).splitlines()
    assert len(lines) == len(told)
    for line in lines:
        assert line.startswith(("::error ", "::warning "))
        head = line.split("::")[1]
        assert [part.partition("=")[0] for part in head.partition(" ")[2].split(",")] in (
            ["file", "title"],
            ["file", "line", "title"],
            ["file", "line", "col", "title"],
        )


@settings(deadline=None)
@given(st.lists(problems(), max_size=4))
def test_json_gives_the_very_texts_back(told: list[Problem]) -> None:
    read: dict[str, Any] = json.loads(report(told, format="json", texts={}))
    assert read["format"] == "doctrove-problems@1"
    assert read["errors"] + read["warnings"] == len(read["problems"]) == len(told)
    messages = sorted(problem["message"] for problem in read["problems"])
    assert messages == sorted(problem.message for problem in told)


@settings(deadline=None, max_examples=30)
@given(st.lists(problems(), max_size=5))
def test_the_order_of_the_input_does_not_matter(told: list[Problem]) -> None:
    for format_name in FORMATS:
        one = report(told, format=format_name, texts={})
        assert report(told[::-1], format=format_name, texts={}) == one
