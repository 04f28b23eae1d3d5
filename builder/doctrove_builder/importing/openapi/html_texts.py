"""Descriptions that are HTML in a whole, as the tools of some services write them, as Markdown."""

from __future__ import annotations

import re

from doctrove_builder.importing.prose.blocks import write_blocks

_BEGINS = re.compile(r"<(?:p|ul|ol|dl|table|h[1-6]|blockquote|fullname)\b[^<>]*>", re.IGNORECASE)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n\s*")


def is_html(text: str) -> bool:
    """Say whether a text is HTML alone; Markdown with some HTML in it is not."""
    if not _BEGINS.match(text) or "</" not in text:
        return False
    return all(part.startswith("<") for part in _PARAGRAPHS.split(text))


def html_as_markdown(text: str) -> str:
    """Return HTML as Markdown; the text itself where it cannot be read."""
    try:
        from doctrove_builder.importing.html.parsing import parse_html  # noqa: PLC0415 - see below
        from doctrove_builder.importing.html.reading import HtmlReader  # noqa: PLC0415 - see below
    except ModuleNotFoundError:  # descriptions in Markdown need no parser of HTML
        return text
    root = parse_html(text)
    return text if root is None else "\n".join(write_blocks(HtmlReader().blocks(root, 0))) or text
