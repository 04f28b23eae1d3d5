"""Versions of a library: what is one, how they are ordered, which one a request selects.

Builder and servers order and select through this package alone. Nothing here reads the network or
a clock, and text of any length is refused or answered in linear time.
"""

from doctrove_schema.versions.ordering import equal_versions, is_stable, latest, ordered
from doctrove_schema.versions.scheme import MAX_LENGTH, Scheme, is_version
from doctrove_schema.versions.selection import Selection, select
from doctrove_schema.versions.unavailable import VersionUnavailable

__all__ = [
    "MAX_LENGTH",
    "Scheme",
    "Selection",
    "VersionUnavailable",
    "equal_versions",
    "is_stable",
    "is_version",
    "latest",
    "ordered",
    "select",
]
