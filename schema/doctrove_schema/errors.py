"""What stops a reader of indexes.

SchemaError
├── InvalidIndex          an index breaks a rule of doctrove-index@1 and is refused as a whole
└── VersionUnavailable    a request selects no listed version (`doctrove_schema.versions`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class SchemaError(Exception):
    """Base of all errors of this package."""


class InvalidIndex(SchemaError):
    """An index that breaks a rule; `faults` says each, with its place, the first ones first."""

    def __init__(self, name: str, faults: Sequence[str]) -> None:
        self.name = name
        self.faults = tuple(faults)
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{name} is not a valid index: {faults[0]}{more}")
