"""What can be wrong with an author's input, and what a rule is.

A mistake is a value, not an exception: one run collects all of them. Each package lists its rules
in an enum of its own that extends `Rule`, and explains each under a heading of its own
`problems.md`; a test holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How much a problem weighs; `--strict` makes warnings errors."""

    ERROR = "error"
    WARNING = "warning"


class Rule(Enum):
    """A rule that input can break; the value is the kebab-case code that an author greps for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One broken rule, at one place."""

    rule: Rule
    severity: Severity = Severity.ERROR
    source: str
    """File, relative to the authoring root with `/`; or the name of an index."""

    line: int | None = None
    """Counted from 1."""

    column: int | None = None
    """Counted from 1, in code points of the line."""

    message: str
    """What is so, with the values; one sentence without a full stop."""

    hint: str = ""
    """What to do."""
