"""What stops a build besides what is wrong with the sources; nothing is published then.

BuildError
├── ChoiceRefused    `--only` names what is not there, or nothing is published to join it with
└── WorkersLost      worker processes are killed again and again
"""

from __future__ import annotations


class BuildError(Exception):
    """Base of the errors of the pipeline; `hint` says what to do."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ChoiceRefused(BuildError):
    """`--only` cannot be done."""


class WorkersLost(BuildError):
    """Worker processes are killed again and again."""
