"""Problems as JSON, `doctrove-problems@1`, for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from doctrove_builder.reporting.counting import counts
from doctrove_builder.reporting.paths import shown_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_schema.problem import Problem

FORMAT = "doctrove-problems@1"


def machine(problems: Sequence[Problem], *, root: str) -> str:
    """Return one JSON object, ASCII alone, so that printing it moves no cursor.

    `line` and `column` count from 1, the column in code points, and are null where a problem
    concerns a whole file.
    """
    errors, warnings = counts(problems)
    told = [
        {
            "rule": problem.rule.value,
            "severity": problem.severity.value,
            "file": shown_path(problem.source, root=root),
            "line": problem.line,
            "column": problem.column,
            "message": problem.message,
            "hint": problem.hint,
        }
        for problem in problems
    ]
    return (
        json.dumps(
            {"format": FORMAT, "errors": errors, "warnings": warnings, "problems": told}, indent=2
        )
        + "\n"
    )
