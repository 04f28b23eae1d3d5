"""Blocks whose content is indented by four columns: `!!! note "Title"`, `??? note`, `=== "Tab"`.

Sources: Python-Markdown, "Admonition"; PyMdown Extensions, "Details" and "Tabbed".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.markdown.admonitions import (
    Admonition,
    close_admonition,
    open_admonition,
    parse_inside,
)
from doctrove_builder.markdown.kinds import title_of

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

_ADMONITION = re.compile(
    r'(!!!|\?\?\?\+?)[ \t]+([A-Za-z][\w-]*)(?:[ \t]+[A-Za-z][\w-]*)*(?:[ \t]+"(.*)")?[ \t]*'
)
_TAB = re.compile(r'===[!+]*[ \t]+"(.+)"[ \t]*')
_INDENT = 4
_ENDS = ["paragraph", "reference", "blockquote", "list"]


def indented_blocks(md: MarkdownIt) -> None:
    """Add the rules to a parser."""
    md.block.ruler.before("fence", "indented_admonition", _admonition, {"alt": _ENDS})
    md.block.ruler.before("fence", "indented_tabs", _tabs, {"alt": _ENDS})


def _admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    opening = _match(state, start, _ADMONITION, first="!?")
    if opening is None:
        return False
    if silent:
        return True
    fold = {"???": "closed", "???+": "open"}.get(opening[1], "")
    title = opening[3] if opening[3] is not None else title_of(opening[2])
    admonition = Admonition(opening[2].lower(), title, fold)
    content_end = _content_end(state, start, end)
    open_admonition(state, admonition, lines=[start, content_end])
    parse_inside(state, start=start + 1, end=content_end, indent=_INDENT)
    close_admonition(state, admonition)
    return True


def _tabs(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    opening = _match(state, start, _TAB, first="=")
    if opening is None:
        return False
    if silent:
        return True
    lines = [start, start]
    state.push("tabs_open", "div", 1).map = lines
    line = start
    while opening is not None:
        content_end = _content_end(state, line, end)
        tab = state.push("tab_open", "div", 1)
        tab.map, tab.meta = [line, content_end], {"title": opening[1]}
        parse_inside(state, start=line + 1, end=content_end, indent=_INDENT)
        state.push("tab_close", "div", -1)
        lines[1] = content_end
        line = min(state.skipEmptyLines(content_end), end)
        opening = _match(state, line, _TAB, first="=") if line < end else None
    state.push("tabs_close", "div", -1)
    state.line = lines[1]
    return True


def _match(
    state: StateBlock, line: int, pattern: re.Pattern[str], *, first: str
) -> re.Match[str] | None:
    start = state.bMarks[line] + state.tShift[line]
    if (
        start >= state.eMarks[line]
        or state.src[start] not in first
        or state.sCount[line] < state.blkIndent
        or state.is_code_block(line)
    ):
        return None
    return pattern.fullmatch(state.src, start, state.eMarks[line])


def _content_end(state: StateBlock, start: int, end: int) -> int:
    """Return the line after the last one that is indented below the opening line."""
    last = start
    for line in range(start + 1, end):
        if state.isEmpty(line):
            continue
        if state.sCount[line] < state.blkIndent + _INDENT:
            break
        last = line
    return last + 1
