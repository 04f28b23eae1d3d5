"""What this program is called, in the files that it writes."""

from __future__ import annotations

from importlib.metadata import version

VERSION = version("doctrove")
GENERATOR = f"doctrove/{VERSION}"
