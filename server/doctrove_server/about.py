"""What the server says of itself."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("doctrove")
    except PackageNotFoundError:
        return "0"


NAME = "doctrove"
TITLE = "doctrove: versioned library documentation"
VERSION = _installed()
