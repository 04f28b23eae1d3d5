"""What strict YAML refuses, says and keeps."""

from __future__ import annotations

from typing import Any, cast

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from doctrove_builder.authoring import MarkedMapping, Scalar, parse_mapping
from doctrove_builder.authoring.decoding import CONTROL
from doctrove_builder.authoring.resolve import resolve
from doctrove_builder.authoring.yaml_reading import MAX_DEPTH, MAX_NODES, read_yaml
from doctrove_builder.rules import BuildRule
from doctrove_schema.problem import Severity

YAML = cast("Any", yaml)
ARBITRARY = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
PRINTED = ARBITRARY.filter(lambda text: CONTROL.search(text) is None)
YAML_LIKE = st.text(st.sampled_from("abc:#-?&*!|>'\"%@`[]{},.\\ \n\té日01<=~"), max_size=60)


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("5.10", "the number 5.1"),
        ("5.1", "the number 5.1"),
        ("5", "the number 5"),
        ("-1", "the number -1"),
        ("012", "an octal number in some readers"),
        ("0o14", "an octal number in some readers"),
        ("0x1F", "the number 31"),
        ("1_000", "a number in YAML 1.1"),
        ("0b11", "a number in YAML 1.1"),
        ("1e3", "the number 1000.0"),
        ("1.5e+3", "the number 1500.0"),
        (".5", "the number 0.5"),
        (".inf", "a number that is not finite"),
        ("-.INF", "a number that is not finite"),
        (".NaN", "a number that is not finite"),
        ("1:30", "a number in base 60 in YAML 1.1"),
        ("12:30:45", "a number in base 60 in YAML 1.1"),
        ("2025-03-31", "a date in YAML 1.1"),
        ("2025-3-1 10:00:00", "a date in YAML 1.1"),
        ("2001-12-14t21:59:43.10-05:00", "a date in YAML 1.1"),
        ("true", "the truth value true"),
        ("False", "the truth value false"),
        ("on", "true or false in YAML 1.1"),
        ("No", "true or false in YAML 1.1"),
        ("y", "true or false in YAML 1.1"),
        ("OFF", "true or false in YAML 1.1"),
        ("~", "no value"),
        ("null", "no value"),
        ("=", "a special key of YAML 1.1"),
        ("9" * 300, "the number 1e+300"),
    ],
)
def test_a_text_that_looks_like_something_else_needs_quotes(text: str, read_as: str) -> None:
    _, problems = parse_mapping(f"name: {text}\n", source="f", schema="library")
    told = [(p.rule, p.line, p.column, p.severity) for p in problems]
    assert told == [(BuildRule.YAML_UNQUOTED, 1, 7, Severity.ERROR)]
    assert f"without quotes, and is read as {read_as}" in problems[0].message
    if len(text) < 80:
        assert problems[0].hint == f'write `"{text}"`'


@pytest.mark.parametrize(
    "text",
    [
        "5.1.0",
        "v5",
        "1.0rc1",
        "nope",
        "2025-03",
        "12h30",
        "a:b",
        "--",
        "--1",
        "1.2.3.4",
        "http://x.org",
        ".",
        "..",
        "+",
        "0x",
        "1:99",
        "truely",
        "Nullable",
        "é",
        "日本語",
        "ON1",
        "1e",
        "1.e.",
        "-.-",
    ],
)
def test_text_that_all_readers_take_for_text_needs_no_quotes(text: str) -> None:
    mapping, problems = parse_mapping(f"name: {text}\n", source="f", schema="library")
    assert problems == ()
    assert mapping is not None
    assert mapping.text("name") == text


@pytest.mark.parametrize("quoted", ['"5.10"', "'5.10'", "|-\n  5.10", ">-\n  5.10"])
def test_quoted_and_block_values_are_text(quoted: str) -> None:
    mapping, problems = parse_mapping(f"name: {quoted}\n", source="f", schema="library")
    assert problems == ()
    assert mapping is not None
    assert mapping.text("name") == "5.10"


def test_an_unquoted_version_keeps_its_text_for_what_follows() -> None:
    mapping, _ = parse_mapping("version: 5.10\n", source="f", schema="volume")
    assert mapping is not None
    assert mapping.text("version") == "5.10"


@settings(deadline=None)
@given(st.from_regex(r"\A[-+.0-9a-zA-Z~=<_:]{0,12}\Z"))
def test_what_is_settled_as_text_is_text_for_a_yaml_1_1_reader(text: str) -> None:
    resolved = resolve(text)
    if resolved.read_as == "":
        read = YAML.SafeLoader("").resolve(yaml.ScalarNode, text, (True, False))
        assert read in {"tag:yaml.org,2002:str", "tag:yaml.org,2002:merge"} or text == "<<"


@pytest.mark.parametrize(
    ("text", "rule", "line", "column"),
    [
        ("a:\n\tb: 1", BuildRule.YAML_TAB, 2, 1),
        ("a: b: c", BuildRule.YAML_SYNTAX, 1, 5),
        ("a: 'x\nb: 1\n", BuildRule.YAML_SYNTAX, 1, 4),
        ("a: [1, 2\nb: 3", BuildRule.YAML_SYNTAX, 1, 4),
        ("a: {x: 1\n", BuildRule.YAML_SYNTAX, 1, 4),
        ("a: @x", BuildRule.YAML_SYNTAX, 1, 4),
        ("a: `x`", BuildRule.YAML_SYNTAX, 1, 4),
        ("a: %x", BuildRule.YAML_SYNTAX, 1, 4),
        ('a: "\\q"', BuildRule.YAML_SYNTAX, 1, 5),
        ("- a\nb: 1", BuildRule.YAML_SYNTAX, 2, 1),
        ("a:\n  - x\n b: 1", BuildRule.YAML_SYNTAX, 3, 2),
        ("a: *", BuildRule.YAML_SYNTAX, 1, 4),
        ("a: 1\nb\n", BuildRule.YAML_SYNTAX, 2, 1),
        ("a: - x", BuildRule.YAML_SYNTAX, 1, 4),
        ("a: !u!foo x", BuildRule.YAML_SYNTAX, 1, 4),
        ("a: 'it's'", BuildRule.YAML_SYNTAX, 1, 8),
        ("a: x\x07", BuildRule.YAML_SYNTAX, 1, 5),
        ("ä: [日, @", BuildRule.YAML_SYNTAX, 1, 8),
        ("%YAML 2.0\n---\na: 1", BuildRule.YAML_SYNTAX, 1, 1),
        ("a: 1\n---\nb: 2", BuildRule.YAML_DOCUMENTS, 2, 1),
        ("a: 1\nb: 2\na: 3", BuildRule.YAML_DUPLICATE_KEY, 3, 1),
        ("a: 1\n'a': 3", BuildRule.YAML_DUPLICATE_KEY, 2, 1),
        ("5.1: x", BuildRule.YAML_KEY, 1, 1),
        ("on: x", BuildRule.YAML_KEY, 1, 1),
        ("? [x]\n: y", BuildRule.YAML_KEY, 1, 3),
        ("a: &x b\n*x : c", BuildRule.YAML_KEY, 2, 1),
        ("{? : x}", BuildRule.YAML_KEY, 1, 4),
        ("<<: {a: 1}", BuildRule.YAML_FEATURE, 1, 1),
        ("a: !!str 5", BuildRule.YAML_FEATURE, 1, 4),
        ("a: !!python/object/apply:os.system [id]", BuildRule.YAML_FEATURE, 1, 4),
        ("&k a: 5", BuildRule.YAML_FEATURE, 1, 1),
        ("a: *b", BuildRule.YAML_ALIAS, 1, 4),
        ("a: &a [*a]", BuildRule.YAML_ALIAS, 1, 8),
    ],
)
def test_a_fault_is_placed(text: str, rule: BuildRule, line: int, column: int) -> None:
    problems = read_yaml(text, source="f").problems
    assert [(p.rule, p.line, p.column) for p in problems] == [(rule, line, column)]
    assert problems[0].hint
    shifted = read_yaml(text, source="f", first_line=10).problems
    assert [p.line for p in shifted] == [line + 9]


@settings(deadline=None)
@given(YAML_LIKE)
def test_what_the_parser_says_is_told_in_other_words(text: str) -> None:
    for problem in read_yaml(text, source="f").problems:
        assert "not valid YAML" not in problem.message


@pytest.mark.parametrize("escape", ["\\e", "\\0", "\\x9b", "\\u2028", "\\x7F", "\\N", "\\r"])
def test_an_escape_makes_no_control_character(escape: str) -> None:
    problems = read_yaml(f'a: "x{escape}[2J"\n', source="f").problems
    assert [(p.rule, p.line, p.column) for p in problems] == [(BuildRule.CONTROL_CHARACTER, 1, 4)]


@pytest.mark.parametrize("schema", ["page", "volume"])
@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "---\n", "~\n"])
def test_an_empty_optional_mapping_is_a_warning_and_reads_as_empty(schema: str, text: str) -> None:
    mapping, problems = parse_mapping(text, source="f", schema=schema, first_line=3)
    assert mapping is not None
    assert dict(mapping.entries) == {}
    assert [(p.rule, p.severity, p.line) for p in problems] == [
        (BuildRule.YAML_EMPTY, Severity.WARNING, 3)
    ]


@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_an_empty_file_with_required_keys_is_an_error(text: str) -> None:
    mapping, problems = parse_mapping(text, source="f", schema="library")
    assert mapping is None
    assert [(p.rule, p.severity) for p in problems] == [(BuildRule.YAML_EMPTY, Severity.ERROR)]


@pytest.mark.parametrize("text", ["- a\n", "just text\n", "5\n"])
def test_a_root_that_is_no_mapping_is_an_error(text: str) -> None:
    mapping, problems = parse_mapping(text, source="f", schema="library")
    assert mapping is None
    assert [p.rule for p in problems] == [BuildRule.YAML_NOT_MAPPING]


def test_an_alias_stands_where_it_is_written() -> None:
    mapping, problems = parse_mapping(
        "name: &n Alpha\nsummary: *n\naliases: &l [x]\n", source="f", schema="library"
    )
    assert problems == ()
    assert mapping is not None
    assert mapping.text("summary") == "Alpha"
    assert mapping.place("summary") == (2, 10)


def test_a_block_knows_its_lines_and_indent() -> None:
    text = "a: |\n\n    first\n\n      second\n\n\nb: >-\n  x\n  y\nc: 'q\n  r'\n"
    root = read_yaml(text, source="f", first_line=5).root
    assert isinstance(root, MarkedMapping)
    block, folded, quoted = (root.scalar(key) for key in "abc")
    assert block is not None
    assert (block.at, block.block, block.indent, block.end_line) == ((5, 4), True, 4, 9)
    assert folded is not None
    assert (folded.at, folded.end_line) == ((12, 4), 14)
    assert quoted is not None
    assert quoted.end_line == 16
    assert root.end_line == 16


def test_an_alias_bomb_is_refused_before_it_expands() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    root, problems = read_yaml("\n".join(lines), source="f")
    assert root is None
    assert [p.rule for p in problems] == [BuildRule.YAML_TOO_LARGE]
    assert (problems[0].line or 0) < 7


def test_a_long_text_named_often_is_refused() -> None:
    text = f"a: &a {'x' * 1_000_000}\nb: [{', '.join(['*a'] * 100)}]\n"
    root, problems = read_yaml(text, source="f")
    assert root is None
    assert [p.rule for p in problems] == [BuildRule.YAML_TOO_LARGE]


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
        "a: " + "[" * 900,
        "a: " + "{a: " * 900,
        "\n".join(" " * n + "a:" for n in range(900)),
        "a: &a " + "[" * 40 + "]" * 40 + "\nb: " + "[" * 40 + "*a" + "]" * 40,
    ],
    ids=["closed", "lists", "mappings", "blocks", "through an alias"],
)
def test_deep_nesting_is_refused(text: str) -> None:
    root, problems = read_yaml(text, source="f")
    assert root is None
    assert [p.rule for p in problems] == [BuildRule.YAML_TOO_LARGE]


def test_the_deepest_allowed_nesting_is_read() -> None:
    depth = MAX_DEPTH - 1
    root, problems = read_yaml("a: " + "[" * depth + "]" * depth, source="f")
    assert problems == ()
    assert isinstance(root, MarkedMapping)


def test_as_many_values_as_allowed_are_read() -> None:
    items = MAX_NODES - 3
    assert read_yaml("a: [" + "x," * items + "]", source="f").problems == ()
    assert read_yaml("a: [" + "x," * (items + 1) + "]", source="f").root is None


@settings(deadline=None)
@given(ARBITRARY | YAML_LIKE)
def test_no_text_breaks_the_reader(text: str) -> None:
    mapping, problems = parse_mapping(text, source="f", schema="library")
    assert mapping is not None or problems
    lines = text.count("\n") + 1
    for problem in problems:
        assert problem.line is not None
        assert 1 <= problem.line <= lines + text.count("\x85") + text.count("\u2028") + 1
        assert "\n" not in problem.message


@settings(deadline=None)
@given(st.dictionaries(st.text(st.characters(categories=["L"]), min_size=1), PRINTED))
def test_what_is_dumped_in_quotes_is_read_back(values: dict[str, str]) -> None:
    text = YAML.safe_dump(values, default_style='"', allow_unicode=True)
    root, problems = read_yaml(text, source="f")
    assert problems == ()
    if values:
        assert isinstance(root, MarkedMapping)
        read = {key: entry.value for key, entry in root.entries.items()}
        assert {k: v.text for k, v in read.items() if isinstance(v, Scalar)} == values
