"""How a file of the authoring tree is named to whoever reads a report."""

from __future__ import annotations


def shown_path(source: str, *, root: str) -> str:
    """Return a source with the folder that the authoring tree stands in before it.

    The tree itself is `.` as a source.
    """
    base = root.rstrip("/") if root not in {"", "."} else ""
    if source in {"", "."}:
        return base or "."
    return f"{base}/{source}" if base else source
