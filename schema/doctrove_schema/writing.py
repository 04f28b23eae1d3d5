"""Write an index as JSON: the same value gives the same bytes on any machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from doctrove_schema.model import Index


def write_index(index: Index) -> bytes:
    """Encode as compact UTF-8 JSON with a final LF; empty optional fields are left out."""
    return msgspec.json.encode(index) + b"\n"
