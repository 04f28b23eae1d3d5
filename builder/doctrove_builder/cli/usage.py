"""What a command says when it is used wrongly."""

from __future__ import annotations

from doctrove_builder.pipeline.errors import BuildError


class UsageError(BuildError):
    """The arguments do not fit each other or the disk; the message says what to do."""
