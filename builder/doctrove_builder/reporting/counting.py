"""How many problems there are, in which order they are told, and what `--strict` makes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from doctrove_schema.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_schema.problem import Problem


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Sort by file, line, column and rule; what concerns a whole file comes before its lines."""
    return tuple(sorted(problems, key=_place))


def strict(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the problems with every warning made an error."""
    return tuple(replace(problem, severity=Severity.ERROR) for problem in problems)


def counts(problems: Iterable[Problem]) -> tuple[int, int]:
    """Return the number of errors and of warnings."""
    listed = list(problems)
    errors = sum(problem.severity is Severity.ERROR for problem in listed)
    return errors, len(listed) - errors


def summary(problems: Iterable[Problem]) -> str:
    """Return one line such as `3 errors, 2 warnings`, or `no problems`."""
    errors, warnings = counts(problems)
    parts = [
        f"{number} {word}{'' if number == 1 else 's'}"
        for number, word in ((errors, "error"), (warnings, "warning"))
        if number
    ]
    return ", ".join(parts) or "no problems"


def _place(problem: Problem) -> tuple[str | int, ...]:
    return (
        problem.source,
        problem.line or 0,
        problem.column or 0,
        problem.rule.value,
        problem.message,
        problem.hint,
        problem.severity.value,
    )
