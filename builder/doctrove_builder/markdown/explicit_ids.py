"""Takes `{#id}` off the end of a heading before its text is parsed.

`{ #id }`, `{: #id }` and `{#id .class}` are read alike; classes and other attributes are dropped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore

_ATTRIBUTES = re.compile(r"\{:?\s*#([\w.-]+)(?:\s[^{}]*)?\}")
_AT_END = re.compile(rf"[ \t]*{_ATTRIBUTES.pattern}(?=[ \t]*(?:#+[ \t]*)?$)")


def explicit_ids(md: MarkdownIt) -> None:
    """Add the rule to a parser; a heading's opening token then has the id as `meta["id"]`."""
    md.core.ruler.before("inline", "explicit_ids", _take_ids)


def split_id(text: str) -> tuple[str, str]:
    """Return a heading's Markdown without the id at its end, and the id; empty where none is."""
    start = text.rfind("{") if text.endswith("}") else -1
    if start < 0 or text[start - 1 : start] == "\\":
        return text, ""
    found = _ATTRIBUTES.fullmatch(text, start)
    return (text[:start].rstrip(), found[1]) if found else (text, "")


def without_id(line: str) -> str:
    """Return the line that a heading ends on without the id, which is known to be there."""
    return _AT_END.sub("", line)


def _take_ids(state: StateCore) -> None:
    for token, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if token.type == "heading_open":
            inline.content, token.meta["id"] = split_id(inline.content)
