"""Telling problems: to people, to programs, to code-review services; prints nothing itself."""

from __future__ import annotations

from doctrove_builder.reporting.counting import counts, in_order, strict, summary
from doctrove_builder.reporting.explanations import explanation
from doctrove_builder.reporting.report import FORMATS, FormatName, report

__all__ = [
    "FORMATS",
    "FormatName",
    "counts",
    "explanation",
    "in_order",
    "report",
    "strict",
    "summary",
]
