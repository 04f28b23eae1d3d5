"""How much Markdown is read: what passes these limits is parsed and rendered in bounded time."""

from __future__ import annotations

NESTING_LIMIT = 64
"""Blocks and links within each other; a list in a list counts two."""

PAGE_LIMIT = 1_000_000
"""Code points of a page or of one body."""

TEXT_LIMIT = 60_000
"""Code points of one paragraph, heading or table cell: inline markup is matched within it."""

HEADING_LIMIT = 4_000
"""Headings of a page."""

ADDRESS_LIMIT = 2_000
"""Code points of one address or link title."""

APPENDED_LIMIT = 1_000_000
"""Code points of definitions that are repeated for the sections that use them, in a page."""

CODE_LIMIT = 100_000
"""Code points of a code block that is highlighted; a larger one is shown plain."""

CODE_LINE_LIMIT = 2_000
"""Code points of its longest line."""

ADDRESSES_LIMIT = 2_000_000
"""Code points of all addresses and titles in a text, where each link counts its definition."""
