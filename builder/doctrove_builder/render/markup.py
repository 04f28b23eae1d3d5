"""Read the tags of a page whose HTML leaves no room for two readings.

Only a part of HTML is read, the part in which browsers, and anyone else, find the same tags: no
comment within a comment, no CDATA, no raw text but `<script>`, `<title>` and `<textarea>`, no
attribute twice. Whoever asks for more gets `Unclear`, so what is read here is what a browser sees
(HTML Standard, section 13.2.5).
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

SPACE = r"[ \t\n\f\r]"
"""White space between attributes, as a regular expression."""

ATTRIBUTES = (
    rf"(?:{SPACE}++[A-Za-z][A-Za-z0-9:_.-]*+"
    rf"(?:{SPACE}*+={SPACE}*+(?:\"[^\"]*+\"|'[^']*+'|[^\"'=<>`\s]++))?+)*+"
)
"""The attributes of a tag."""

_TEXT = re.compile(r"[^<]++")
_COMMENT = re.compile(r"<!--(?!-?>)(?:[^-<]|-(?!-)|<(?!!))*+-->")
_END = re.compile(rf"</[A-Za-z][A-Za-z0-9-]*+{SPACE}*+>")
_START = re.compile(rf"<([A-Za-z][A-Za-z0-9-]*+)({ATTRIBUTES}){SPACE}*+/?+>")
_ONE_ATTRIBUTE = re.compile(
    rf"([A-Za-z][A-Za-z0-9:_.-]*+)"
    rf"(?:{SPACE}*+={SPACE}*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\"'=<>`\s]++)))?+"
)
_RAW = {
    name: re.compile(rf"([^<]*+)</(?:{name}|{name.upper()}){SPACE}*+>")
    for name in ("script", "title", "textarea")
}
_SHOWN = 80


class Tag(NamedTuple):
    """A start tag."""

    name: str
    """In lower case."""

    attributes: Mapping[str, str]
    """By name in lower case, with character references resolved."""

    text: str
    """What an element without tags in it holds: `script`, `title` and `textarea`."""

    at: int
    """Where it begins."""

    source: str
    """As it is written."""


class Unclear(Exception):
    """A page is not in the part of HTML that is read."""

    def __init__(self, excerpt: str) -> None:
        """Keep the beginning of what is not clear."""
        super().__init__(excerpt)
        self.excerpt = excerpt


def read_tags(text: str, *, start: int = 0) -> Iterator[Tag]:
    """Yield the start tags of a page from an offset on; raises `Unclear`."""
    at = start
    while at < len(text):
        passed = _TEXT.match(text, at) or _COMMENT.match(text, at) or _END.match(text, at)
        if passed:
            at = passed.end()
            continue
        opened = _START.match(text, at)
        if not opened:
            raise Unclear(_excerpt(text, at))
        name = opened[1].lower()
        end = opened.end()
        inner = ""
        if raw := _RAW.get(name):
            held = raw.match(text, end)
            if not held:
                raise Unclear(_excerpt(text, at))
            inner, end = held[1], held.end()
        yield Tag(name, _attributes(opened[2], opened[0]), inner, at, opened[0])
        at = end


def _attributes(text: str, tag: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, *values in _ONE_ATTRIBUTE.findall(text):
        if name.lower() in found:
            raise Unclear(tag)
        found[name.lower()] = unescape("".join(values))
    return found


def _excerpt(text: str, at: int) -> str:
    return text[at : at + _SHOWN].partition("\n")[0]
