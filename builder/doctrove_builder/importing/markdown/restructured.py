"""reStructuredText within a page of Markdown, by way of the tree that the kind `sphinx` reads."""

from __future__ import annotations

from doctrove_builder.importing.prose.blocks import write_blocks
from doctrove_builder.importing.restructured.parsing import parse_rst


def rst_markdown(text: str, *, file: str) -> tuple[list[str], tuple[tuple[str, int, str], ...]]:
    """Return the lines of a text as Markdown, and what was left out: kind, line, message."""
    parsed = parse_rst(text, file=file)
    return write_blocks(parsed.blocks), parsed.notes
