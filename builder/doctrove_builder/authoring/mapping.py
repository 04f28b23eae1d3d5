"""Strict YAML that one of the schemas describes: the way in for every YAML an author writes."""

from __future__ import annotations

from doctrove_builder.authoring.marked import MarkedMapping, Scalar
from doctrove_builder.authoring.quoting import shown
from doctrove_builder.authoring.schema_check import breaches
from doctrove_builder.authoring.yaml_reading import read_yaml
from doctrove_builder.rules import BuildRule
from doctrove_schema.problem import Problem, Severity

OPTIONAL = frozenset({"page", "volume"})
"""Schemas without a required key: an empty text is a warning, and reads as an empty mapping."""


def parse_mapping(
    text: str, *, source: str, schema: str, first_line: int = 1
) -> tuple[MarkedMapping | None, tuple[Problem, ...]]:
    """Read YAML and check it against a schema (`doctrove_schema.schemas.NAMES`).

    `first_line` is the line of the file `source` that the text begins at. The mapping is None only
    when there is none to be had; otherwise it is what could be read, faults reported.
    """
    root, problems = read_yaml(text, source=source, first_line=first_line)
    if isinstance(root, MarkedMapping):
        return root, (*problems, *breaches(root, schema=schema, source=source))
    if problems:
        return None, problems
    if root is None or (isinstance(root, Scalar) and root.value is None):
        return _nothing(source=source, schema=schema, first_line=first_line)
    is_so = f"is the text {shown(root.text)}" if isinstance(root, Scalar) else "is a list"
    problem = Problem(
        rule=BuildRule.YAML_NOT_MAPPING,
        source=source,
        line=root.at[0],
        column=root.at[1],
        message=f"the whole {is_so}, where `key: value` lines belong",
        hint="write a key, a `:` and a space before each value",
    )
    return None, (problem,)


def _nothing(
    *, source: str, schema: str, first_line: int
) -> tuple[MarkedMapping | None, tuple[Problem, ...]]:
    optional = schema in OPTIONAL
    problem = Problem(
        rule=BuildRule.YAML_EMPTY,
        severity=Severity.WARNING if optional else Severity.ERROR,
        source=source,
        line=first_line,
        column=1,
        message="there is no key here",
        hint="write `key: value` lines" + (", or remove the empty block" if optional else ""),
    )
    empty = MarkedMapping(entries={}, at=(first_line, 1), end_line=first_line)
    return (empty if optional else None), (problem,)
