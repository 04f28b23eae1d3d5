"""Markdown: pages to sections, sections to safe HTML; pure functions that may run in any process."""

from __future__ import annotations

from doctrove_builder.markdown.body import parse_body
from doctrove_builder.markdown.page import parse_page

__all__ = ["parse_body", "parse_page"]
