"""The rules that binding volumes together can find broken; `problems.md` explains each."""

from __future__ import annotations

from doctrove_schema.problem import Rule


class AssembleRule(Rule):
    """Rules about how volumes, pages and files refer to each other."""

    BROKEN_ANCHOR = "broken-anchor"
    BROKEN_LINK = "broken-link"
    EXTENDS_CIRCLE = "extends-circle"
    EXTENDS_UNKNOWN = "extends-unknown"
    REMOVE_UNKNOWN = "remove-unknown"
    UNSAFE_SVG = "unsafe-svg"
