"""What the catalogues (`problems.md` beside each module of rules) say about a rule."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from doctrove_schema.problem import Rule

_HEADING = re.compile(r"^## +`?([a-z0-9-]+)`? *$", re.MULTILINE)


def explanation(rule: Rule) -> str:
    """Return the Markdown below a rule's heading; empty when its package explains nothing."""
    package = type(rule).__module__.rpartition(".")[0]
    return read_catalogue(package).get(rule.value, "")


@cache
def read_catalogue(package: str) -> dict[str, str]:
    """Return the text below each heading of a package's `problems.md`, in order, by code."""
    file = files(package).joinpath("problems.md")
    if not file.is_file():
        return {}
    _, *parts = _HEADING.split(file.read_text("utf-8"))
    return {code: text.strip() for code, text in zip(parts[::2], parts[1::2], strict=True)}
