"""What libyaml says about broken YAML, in plain words and at the place where the fault began."""

from __future__ import annotations

from typing import NamedTuple

import yaml

from doctrove_builder.authoring.yaml_scalars import yaml_lines
from doctrove_builder.rules import BuildRule
from doctrove_schema.problem import Problem


class _Said(NamedTuple):
    message: str
    hint: str
    from_start: bool = False
    """The fault shows where the construct began, not where reading gave up."""


_QUOTE = "put the whole value in quotes"
_UNCLOSED = "close it, or put the value in quotes"
_INDENT = "give all keys of one mapping the same indent"

_TOLD = {
    "mapping values are not allowed in this context": _Said(
        "a `:` stands where no key can begin: a text with `: ` in it, or a wrong indent", _QUOTE
    ),
    "could not find expected ':'": _Said(
        "this line is no `key: value`: a `:` is missing, or a space after it",
        "write `key: value`, or indent the line if it continues the text above",
        from_start=True,
    ),
    "did not find expected key": _Said("no key begins here, though the indent says so", _INDENT),
    "did not find expected '-' indicator": _Said(
        "a list goes on here without its `-`", "begin each item with `- `, at the same indent"
    ),
    "did not find expected ',' or ']'": _Said(
        "a `[` list is not closed, or a `,` is missing", "write `,` or `]`", from_start=True
    ),
    "did not find expected ',' or '}'": _Said(
        "a `{` mapping is not closed, or a `,` is missing", "write `,` or `}`", from_start=True
    ),
    "found unexpected end of stream": _Said(
        "a quote is opened here and never closed", "close it", from_start=True
    ),
    "found unexpected document indicator": _Said(
        "a quote is opened here and not closed before the next document", "close it", True
    ),
    "found unknown escape character": _Said(
        "a `\\` in double quotes begins an escape that YAML does not know",
        "write `\\\\`, or use single quotes",
    ),
    "block sequence entries are not allowed in this context": _Said(
        "a `- ` item stands on the line of its key", "begin the list on the next line"
    ),
    "did not find expected alphabetic or numeric character": _Said(
        "`*` and `&` begin a reference in YAML", _QUOTE, from_start=True
    ),
    "did not find expected node content": _Said(
        "a value is missing here, or a bracket is not closed", "write the value or the bracket"
    ),
    "did not find expected <document start>": _Said(
        "the mapping ends above, and something else follows", "indent it, or remove it"
    ),
    "did not find expected comment or line break": _Said(
        "something stands behind the `|` or `>` that begins a block", "begin the text below it"
    ),
    "did not find expected whitespace or line break": _Said(
        "a space is missing here", "write one, or " + _QUOTE
    ),
    "mapping keys are not allowed in this context": _Said(
        "a `?` begins a key in YAML, and none can begin here", _QUOTE
    ),
    "did not find expected hexdecimal number": _Said(
        "an escape in double quotes lacks hexadecimal digits", "write `\\\\`, or use single quotes"
    ),
    "found invalid Unicode character escape code": _Said(
        "an escape in double quotes names no character", "write `\\\\`, or use single quotes"
    ),
    "found an indentation indicator equal to 0": _Said(
        "the `0` behind `|` or `>` is no indent", "remove it"
    ),
    "found unexpected ':'": _Said("a `:` stands inside a text", _QUOTE),
    "control characters are not allowed": _Said("a control character stands here", "remove it"),
    "exceeded maximum nesting depth": _Said("values are nested too deep", "write them flat"),
}

_SUBJECTS = {
    "directive": _Said("a line that begins with `%` is a directive, and none is used", _QUOTE),
    "yaml document": _Said("the `%YAML` line names a version that is not read", "remove it"),
    " tag": _Said("`!` begins a tag in YAML", _QUOTE),
}
"""By a word of what is being read."""


def syntax_problem(error: yaml.YAMLError, *, text: str, source: str, first_line: int) -> Problem:
    """Tell a parser's error as a problem at a place of the file."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        position = getattr(error, "position", 0)
        before = text[: position if isinstance(position, int) else 0]
        said, line = _TOLD["control characters are not allowed"], before.count("\n")
        column = len(before) - before.rfind("\n") - 1
        rule = BuildRule.YAML_SYNTAX
    else:
        rule, said = _told(error, text)
        use_start = said.from_start and error.context_mark is not None
        mark = error.context_mark if use_start else error.problem_mark
        assert mark is not None  # one of the two marks, both checked above
        line, column = _shown(mark, text)
    return Problem(
        rule=rule,
        source=source,
        line=line + first_line,
        column=column + 1,
        message=said.message,
        hint=said.hint,
    )


def _told(error: yaml.MarkedYAMLError, text: str) -> tuple[BuildRule, _Said]:
    problem = error.problem or "is not YAML"
    if problem.startswith("found a tab character"):
        return _character("\t")
    if problem == "found character that cannot start any token" and error.problem_mark:
        return _character(_at(error.problem_mark, text))
    about = f"{error.context} {problem}".lower()
    by_subject = next((said for word, said in _SUBJECTS.items() if word in about), None)
    unknown = _Said(
        f"not valid YAML: {problem}", "compare with the examples of the authoring guide"
    )
    return BuildRule.YAML_SYNTAX, by_subject or _TOLD.get(problem) or unknown


def _character(character: str) -> tuple[BuildRule, _Said]:
    if character == "\t":
        return BuildRule.YAML_TAB, _Said(
            "a tab stands where YAML allows only spaces", "indent with spaces"
        )
    return BuildRule.YAML_SYNTAX, _Said(f"a value cannot begin with `{character}` unquoted", _QUOTE)


def _shown(mark: yaml.Mark, text: str) -> tuple[int, int]:
    """Return line and column from 0; a fault at the very end is shown at the last line."""
    lines = yaml_lines(text)
    if mark.line < len(lines) and (mark.line == 0 or lines[mark.line] or mark.column):
        return mark.line, mark.column
    line = min(mark.line, len(lines) - 1)
    while line > 0 and not lines[line].strip():
        line -= 1
    return line, len(lines[line])


def _at(mark: yaml.Mark, text: str) -> str:
    lines = yaml_lines(text)
    return lines[mark.line][mark.column : mark.column + 1] if mark.line < len(lines) else ""
