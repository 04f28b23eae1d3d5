"""What stops a build before anything is read or written.

BuildError
└── ChoiceRefused    `--only` names what is not there, or nothing is published to join it with
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
