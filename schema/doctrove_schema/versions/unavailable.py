"""The refusal of a version that is not there, in words that let the asker correct the request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_schema.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN_CHARACTERS = 60
_SHOWN_VERSIONS = 8
_MAJOR_MINOR = re.compile(r"[vV]?((?:[0-9]+!)?[0-9]+(?:\.[0-9]+)?)(?![0-9])")


class VersionUnavailable(SchemaError):
    """No listed version is what was asked for.

    `requested` is the request as it came, `versions` all that are listed, newest first, and
    `nearest` the ones to offer instead, best first.
    """

    def __init__(
        self, requested: str, nearest: Sequence[str], versions: Sequence[str], reason: str = ""
    ) -> None:
        self.requested = requested
        self.nearest = tuple(nearest)
        self.versions = tuple(versions)
        self.reason = reason
        super().__init__(requested, self.nearest, self.versions, reason)

    def __str__(self) -> str:
        """Say what is missing, why where that is known, what there is, and what to ask for."""
        said = f'version "{_printable(self.requested.strip())}" is unavailable'
        because = f": {self.reason}" if self.reason else ""
        if not self.versions:
            return f"{said}{because}."
        shown = ", ".join(map(_printable, self.nearest[:_SHOWN_VERSIONS]))
        available = f"Nearest of {len(self.versions)} available: {shown}."
        return f'{said}{because}. {available} Use "latest"{self._forms()}.'

    def _forms(self) -> str:
        match = _MAJOR_MINOR.match(self.nearest[0]) if self.nearest else None
        if match is None:
            return " or one of these names"
        return f', an exact version or a prefix (such as "{match[1]}")'


def _printable(text: str) -> str:
    """Shorten a text from outside and replace what could move a cursor."""
    cut = text[:_SHOWN_CHARACTERS] + ("..." if len(text) > _SHOWN_CHARACTERS else "")
    return "".join(character if character.isprintable() else "\ufffd" for character in cut)
