"""Where the section on an object is: page and anchor by every dotted name that leads to it."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from doctrove_builder.importing.prose.tree import Described

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.importing.prose.tree import Blocks

Names = dict[str, tuple[str, str]]
"""By dotted name: page path and anchor; an anchor is empty for a whole page."""


def name_objects(names: Names, page: str, blocks: Blocks) -> None:
    """Record the described objects of a page and their members; the first place of a name stays."""
    for block in blocks:
        if isinstance(block, Described):
            for symbol in block.symbols:
                names.setdefault(symbol, (page, block.anchors[0]))
            name_objects(names, page, block.inside)


class NameFinder:
    """Finds the section that a name means, seen from a page and from within a module or class."""

    def __init__(self, names: Mapping[str, tuple[str, str]]) -> None:
        """Take a table that may still grow."""
        self._names = names
        self.page = ""
        self.scopes: tuple[str, ...] = ()
        """Dotted names that a relative name is tried below, innermost first."""

    def address(self, name: str) -> str:
        """Return the address of a name's section from the current page; empty if unknown."""
        wanted = name.strip().removesuffix("()")
        for candidate in (wanted, *(f"{scope}.{wanted}" for scope in self.scopes if scope)):
            if found := self._names.get(candidate):
                return relative(self.page, *found)
        return ""


def relative(page: str, target: str, anchor: str) -> str:
    """Return the address of a section of another page, from a page's own file."""
    fragment = f"#{anchor}" if anchor else ""
    if target == page and fragment:
        return fragment
    return f"{posixpath.relpath(f'{target}.md', posixpath.dirname(page) or '.')}{fragment}"
