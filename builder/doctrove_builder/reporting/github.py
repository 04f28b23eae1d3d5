"""Problems as GitHub workflow commands, which show them beside the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.reporting.escaping import visible
from doctrove_builder.reporting.paths import shown_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_schema.problem import Problem


def github(problems: Sequence[Problem], *, root: str) -> str:
    """Return one `::error` or `::warning` command a line.

    Line breaks, `%` and, in properties, `:` and `,` are escaped as the runner's toolkit does, so
    that no author's text begins a command of its own.
    """
    return "".join(f"{_command(problem, root=root)}\n" for problem in problems)


def _command(problem: Problem, *, root: str) -> str:
    properties = {
        "file": shown_path(problem.source, root=root),
        "line": problem.line,
        "col": problem.column,
        "title": problem.rule.value,
    }
    listed = ",".join(
        f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None
    )
    said = f"{problem.message}\n{problem.hint}" if problem.hint else problem.message
    return f"::{problem.severity.value} {listed}::{_data(said)}"


def _data(text: str) -> str:
    lines = (visible(line).replace("%", "%25") for line in text.split("\n"))
    return "%0A".join(lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
