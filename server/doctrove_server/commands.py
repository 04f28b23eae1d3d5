"""The commands of the server as the system starts them; imports nothing but what launches them."""

from __future__ import annotations

from doctrove_server.launch import launch


def host() -> int:
    """Run `doctrove-host`."""
    return launch("doctrove_server.host.cli")


def server() -> int:
    """Run `doctrove-server`."""
    return launch("doctrove_server.cli")
