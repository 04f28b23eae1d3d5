"""The forms that problems are told in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from doctrove_builder.reporting import counts, report, strict, summary
from doctrove_builder.reporting.excerpt import TAB, WIDEST, excerpt
from doctrove_builder.reporting.human import MOST
from doctrove_builder.rules import BuildRule
from doctrove_schema.problem import Problem, Severity

TAB_PROBLEM = Problem(
    rule=BuildRule.YAML_TAB,
    source="a/library.yaml",
    line=2,
    column=1,
    message="a tab, 100% of one: here",
    hint="indent with spaces",
)
STRAY = Problem(
    rule=BuildRule.STRAY_FILE, severity=Severity.WARNING, source="a/x, y.txt", message="not known"
)
TEXTS = {"a/library.yaml": "name: A\n\tx: 1\n"}
BOTH = (STRAY, TAB_PROBLEM)


def test_people_get_place_message_line_caret_hint_and_a_count() -> None:
    assert report(BOTH, format="human", texts=TEXTS, root="docs/") == (
        "docs/a/library.yaml:2:1: error: a tab, 100% of one: here [yaml-tab]\n"
        "  2 |     x: 1\n"
        "    | ^\n"
        "  = indent with spaces\n"
        "\n"
        "docs/a/x, y.txt: warning: not known [stray-file]\n"
        "\n"
        "1 error, 1 warning\n"
    )


def test_colour_paints_and_changes_no_text() -> None:
    painted = report(BOTH, format="human", texts=TEXTS, colour=True)
    assert "\x1b[31merror\x1b[0m" in painted
    assert "\x1b[33mwarning\x1b[0m" in painted
    plain = report(BOTH, format="human", texts=TEXTS)
    for code in ("\x1b[1m", "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[0m"):
        painted = painted.replace(code, "")
    assert painted == plain


def test_a_place_beyond_the_text_is_told_without_a_line() -> None:
    problem = Problem(rule=BuildRule.YAML_SYNTAX, source="f", line=9, column=3, message="m")
    assert report([problem], texts={"f": "a\n"}) == "f:9:3: error: m [yaml-syntax]\n\n1 error\n"


def test_github_gets_commands() -> None:
    assert report(BOTH, format="github", texts={}, root="docs") == (
        "::error file=docs/a/library.yaml,line=2,col=1,title=yaml-tab"
        "::a tab, 100%25 of one: here%0Aindent with spaces\n"
        "::warning file=docs/a/x%2C y.txt,title=stray-file::not known\n"
    )


def test_json_has_a_stable_form() -> None:
    assert json.loads(report(BOTH, format="json", texts={})) == {
        "format": "doctrove-problems@1",
        "errors": 1,
        "warnings": 1,
        "problems": [
            {
                "rule": "yaml-tab",
                "severity": "error",
                "file": "a/library.yaml",
                "line": 2,
                "column": 1,
                "message": "a tab, 100% of one: here",
                "hint": "indent with spaces",
            },
            {
                "rule": "stray-file",
                "severity": "warning",
                "file": "a/x, y.txt",
                "line": None,
                "column": None,
                "message": "not known",
                "hint": "",
            },
        ],
    }


def test_sarif_follows_its_standard() -> None:
    log: dict[str, Any] = json.loads(report(BOTH, format="sarif", texts={}, root="docs"))
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert (log["version"], run["columnKind"]) == ("2.1.0", "unicodeCodePoints")
    assert [rule["id"] for rule in rules] == ["yaml-tab", "stray-file"]
    assert rules[0]["shortDescription"]["text"] == "A tab indents a line, or begins a value."
    assert "Repair: indent with spaces." in rules[0]["help"]["markdown"]
    first, second = run["results"]
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "yaml-tab"
    assert first["level"] == "error"
    place = first["locations"][0]["physicalLocation"]
    assert place["region"] == {"startLine": 2, "startColumn": 1}
    assert place["artifactLocation"] == {"uri": "docs/a/library.yaml"}
    other = second["locations"][0]["physicalLocation"]
    assert other["artifactLocation"] == {"uri": "docs/a/x%2C%20y.txt"}
    assert other["region"] == {"startLine": 1}
    assert rules[second["ruleIndex"]]["id"] == "stray-file"


def test_no_problem_is_told_too() -> None:
    assert report([], format="human", texts={}) == "no problems\n"
    assert report([], format="github", texts={}) == ""
    assert json.loads(report([], format="json", texts={}))["problems"] == []
    assert json.loads(report([], format="sarif", texts={}))["runs"][0]["results"] == []


@pytest.mark.parametrize(
    ("errors", "warnings", "said"),
    [
        (0, 0, "no problems"),
        (1, 0, "1 error"),
        (3, 2, "3 errors, 2 warnings"),
        (0, 1, "1 warning"),
    ],
)
def test_the_summary_counts(errors: int, warnings: int, said: str) -> None:
    told = (TAB_PROBLEM,) * errors + (STRAY,) * warnings
    assert summary(told) == said
    assert counts(told) == (errors, warnings)


def test_strict_makes_warnings_errors_and_changes_nothing_else() -> None:
    made = strict(BOTH)
    assert counts(made) == (2, 0)
    assert made[1] == TAB_PROBLEM
    assert (made[0].rule, made[0].source) == (STRAY.rule, STRAY.source)


@pytest.mark.parametrize(
    ("source", "root", "path"),
    [
        ("a/b", "", "a/b"),
        ("a/b", ".", "a/b"),
        ("a/b", "docs", "docs/a/b"),
        ("a/b", "docs/", "docs/a/b"),
        (".", "docs", "docs"),
        (".", "", "."),
        ("a", "/abs/docs", "/abs/docs/a"),
    ],
)
def test_a_file_is_named_as_the_reader_names_the_tree(source: str, root: str, path: str) -> None:
    problem = Problem(rule=BuildRule.NO_LIBRARY, source=source, message="m")
    assert report([problem], texts={}, root=root).startswith(f"{path}: error: m")


@pytest.mark.parametrize(
    ("line", "column", "shown", "before"),
    [
        ("abc", 2, "abc", 1),
        ("abc", 1, "abc", 0),
        ("abc", 4, "abc", 3),
        ("abc", 99, "abc", 3),
        ("abc", None, "abc", 0),
        ("", 1, "", 0),
        ("\tb", 2, "    b", TAB),
        ("ab\tc", 4, "ab  c", TAB),
        ("日本x", 3, "日本x", 4),
        ("e\u0301x", 3, "e\u0301x", 1),
        ("\uff41x", 2, "\uff41x", 2),
        ("\x1bx", 2, "\\x1bx", 4),
        ("👩‍💻x", 4, "👩‍💻x", 4),
        ("日\tx", 3, "日  x", TAB),
    ],
)
def test_the_caret_stands_below_the_column(
    line: str, column: int | None, shown: str, before: int
) -> None:
    assert excerpt(line, column) == (shown, before)


@pytest.mark.parametrize("column", [1, 50, 500, 5000, 9999])
def test_a_long_line_is_cut_around_the_caret(column: int) -> None:
    line = "".join(chr(ord("a") + n % 26) for n in range(10_000))
    shown, before = excerpt(line, column)
    assert len(shown) <= WIDEST + 62
    assert shown[before] == line[column - 1]
    assert shown.startswith("…") == (column > 61)


def test_people_are_told_of_a_rule_only_so_many_times_and_machines_each_time() -> None:
    problems = [
        Problem(rule=BuildRule.YAML_SYNTAX, source="f", line=n, message="m")
        for n in range(MOST + 1234)
    ]
    told = report([*problems, STRAY], texts={})
    assert told.count("[yaml-syntax]") == MOST + 1
    assert "... and 1,234 more of [yaml-syntax]; `doctrove-build --check --format json`" in told
    assert "a/x, y.txt: warning: not known [stray-file]" in told
    assert told.endswith(f"{MOST + 1234} errors, 1 warning\n")
    assert report(problems, format="json", texts={}).count("yaml-syntax") == MOST + 1234
