"""The commands of the server as the system starts them; imports nothing but what launches them."""

from __future__ import annotations

try:
    from doctrove_server.launch import launch
except KeyboardInterrupt:  # nothing has begun
    raise SystemExit(130) from None


def host() -> int:
    """Run `doctrove-host`."""
    return launch("doctrove_server.host.cli")


def server() -> int:
    """Run `doctrove-server`."""
    return launch("doctrove_server.cli")
