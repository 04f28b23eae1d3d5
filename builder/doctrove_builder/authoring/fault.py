"""One way to write a problem of the authoring format down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_schema.problem import Problem, Severity

if TYPE_CHECKING:
    from doctrove_builder.authoring.marked import Place
    from doctrove_builder.rules import BuildRule


def fault(  # noqa: PLR0913 - the parts of a problem
    rule: BuildRule,
    message: str,
    *,
    source: str,
    at: Place | None = None,
    hint: str = "",
    warning: bool = False,
) -> Problem:
    """Return a problem; without a place it concerns the whole file or folder."""
    return Problem(
        rule=rule,
        severity=Severity.WARNING if warning else Severity.ERROR,
        source=source,
        line=at[0] if at else None,
        column=at[1] if at else None,
        message=message,
        hint=hint,
    )
