"""How much Markdown is read: what passes these limits is parsed and rendered in bounded time."""

from __future__ import annotations

PAGE_LIMIT = 1_000_000
"""Code points of a page or of one body."""

LINE_LIMIT = 40_000
"""Lines of it."""

BRACKET_LIMIT = 40_000
"""`[` in it: each may begin a link, which has to be looked for."""

HEADING_LIMIT = 4_000
"""Headings of it."""

SYMBOL_LIMIT = 1_000
"""Symbols in the front matter of a page: each is looked for in its text."""

NESTING_LIMIT = 32
"""Blocks and links within each other; a list in a list counts two."""

TEXT_LIMIT = 20_000
"""Code points of one paragraph, heading or table cell: inline markup is matched within it."""

INFO_LIMIT = 500
"""Code points that are read of the line that opens a code block or container."""

ADDRESS_LIMIT = 2_000
"""Code points of one address or link title."""

ADDRESSES_LIMIT = 2_000_000
"""Code points of all addresses and titles in a text, where each link counts its definition."""

APPENDED_LIMIT = 250_000
"""Code points of definitions that are repeated for the sections that use them, in a page."""

CODE_LIMIT = 30_000
"""Code points of a code block that is highlighted; a larger one is shown plain."""

CODE_LINE_LIMIT = 400
"""Code points of its longest line: the patterns of some languages take its square in time."""
