"""The tags in a piece of raw HTML, read leniently and in linear time."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_START = re.compile(r"<!--.*?(?:-->|\Z)|<(/?)([A-Za-z][^\s/>]*)", re.DOTALL)
_ATTRIBUTE = re.compile(
    r"""[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""", re.DOTALL
)
_END = re.compile(r"[\s/]*>")


class Tag(NamedTuple):
    """An opening or closing tag."""

    name: str
    """Lower case."""

    written: str
    """The name in the author's letters."""

    attributes: Mapping[str, str]
    """Values by name in lower case, character references resolved; the first of a name counts."""

    closing: bool
    start: int
    end: int


def tags(html: str) -> Iterator[Tag]:
    """Yield the tags that are not in comments."""
    position = 0
    while found := _START.search(html, position):
        position = found.end()
        if found[2] is None:
            continue
        attributes: dict[str, str] = {}
        while attribute := _ATTRIBUTE.match(html, position):
            value = attribute[2] or attribute[3] or attribute[4] or ""
            attributes.setdefault(attribute[1].lower(), unescape(value))
            position = attribute.end()
        if end := _END.match(html, position):
            position = end.end()
        yield Tag(found[2].lower(), found[2], attributes, bool(found[1]), found.start(), position)
