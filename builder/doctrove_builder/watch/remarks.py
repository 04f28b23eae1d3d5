"""Problems as the browser's overlay shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.reporting.counting import in_order
from doctrove_schema.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from doctrove_schema.problem import Problem

MOST = 50
"""So many are shown; the terminal has all."""

LONGEST_LINE = 240


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """One problem, or what stopped a build."""

    severity: str
    file: str = ""
    line: int | None = None
    column: int | None = None
    message: str
    hint: str = ""
    rule: str = ""
    text: str = ""
    """The source line."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What the browser is told besides whether its page is old."""

    failed: bool = False
    """The pages are those of an earlier build."""

    errors: int = 0
    warnings: int = 0
    remarks: tuple[Remark, ...] = ()


def state_of(problems: Iterable[Problem], texts: Mapping[str, str], *, failed: bool) -> State:
    """Return what to tell of a build; errors come first."""
    ordered = sorted(in_order(problems), key=lambda p: p.severity is not Severity.ERROR)
    errors = sum(problem.severity is Severity.ERROR for problem in ordered)
    return State(
        failed=failed,
        errors=errors,
        warnings=len(ordered) - errors,
        remarks=tuple(_remark(problem, texts) for problem in ordered[:MOST]),
    )


def stopped_state(message: str, *, hint: str = "") -> State:
    """Return what to tell of a build that something else than a problem stopped."""
    remark = Remark(severity="error", message=message, hint=hint)
    return State(failed=True, errors=1, remarks=(remark,))


def _remark(problem: Problem, texts: Mapping[str, str]) -> Remark:
    lines = texts.get(problem.source, "").split("\n") if problem.line else []
    number = problem.line or 0
    return Remark(
        severity=problem.severity.value,
        file=problem.source,
        line=problem.line,
        column=problem.column,
        message=problem.message,
        hint=problem.hint,
        rule=str(problem.rule.value),
        text=lines[number - 1][:LONGEST_LINE] if 0 < number <= len(lines) else "",
    )
