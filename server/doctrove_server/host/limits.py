"""The bounds of one connection."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one connection may take before it is refused or dropped."""

    head_bytes: int = 32 * 1024
    fields: int = 100
    body_bytes: int = 1024 * 1024
    """Of a request; no one reads it, whatever it is."""

    request_seconds: float = 30.0
    """From the first byte of a request, or from the connection, to its end."""

    stall_seconds: float = 60.0
    """Without the client taking any byte of what is sent."""

    idle_seconds: float = 65.0
    """Between two requests."""
