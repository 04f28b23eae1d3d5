"""Markdown: pages to sections, sections to safe HTML; pure, and the same in any process."""

from __future__ import annotations

from doctrove_builder.markdown.headings import parse_heading
from doctrove_builder.markdown.page import parse_page
from doctrove_builder.markdown.section import code_version, render_section

__all__ = ["code_version", "parse_heading", "parse_page", "render_section"]
