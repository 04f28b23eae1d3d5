"""How an author's own words stand in messages and in YAML that we suggest."""

from __future__ import annotations

import json

MAX_SHOWN = 80
"""Code points of a value that a message repeats."""


def shown(text: str) -> str:
    """Put a value between backticks, on one line, shortened when it is long."""
    line = text.replace("\n", "\\n")
    if len(line) > MAX_SHOWN:
        line = f"{line[: MAX_SHOWN - 1]}…"
    return f"``{line}``" if "`" in line else f"`{line}`"


def write_quoted(text: str) -> str:
    """Write a text as a double-quoted YAML scalar on one line."""
    return json.dumps(text, ensure_ascii=False)
