"""The commands of the builder as the system starts them; imports nothing but what launches them."""

from __future__ import annotations

try:
    from doctrove_server.launch import launch
except KeyboardInterrupt:  # nothing has begun
    raise SystemExit(130) from None


def build() -> int:
    """Run `doctrove-build`."""
    return launch("doctrove_builder.cli.build")


def import_() -> int:
    """Run `doctrove-import`."""
    return launch("doctrove_builder.cli.import_")


def watch() -> int:
    """Run `doctrove-watch`."""
    return launch("doctrove_builder.cli.watch")
