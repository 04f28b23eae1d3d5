"""Blocks between fences of colons or slashes: `::: tip Title`, `:::note[Title]`, `/// tip | Title`.

Sources: VitePress, "Custom containers" and "Code groups"; Docusaurus, "Admonitions"; PyMdown
Extensions, "Blocks". What follows the fence must be a word that is known: mkdocstrings writes
`::: package.module`, which is text here.
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
from doctrove_builder.markdown.fences import fence_info
from doctrove_builder.markdown.kinds import CODE_GROUP, CONTAINERS, DETAILS, title_of
from doctrove_builder.markdown.limits import INFO_LIMIT

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token

_OPENING = re.compile(r"(:{3,}|/{3,})[ \t]*\{?([A-Za-z][A-Za-z-]*)\}?(?![\w.:])(.*)", re.DOTALL)
_TITLE_KEY = re.compile(r'\{[^{}]*?title="([^"]*)"[^{}]*\}')
_ENDS = ["paragraph", "reference", "blockquote", "list"]


def containers(md: MarkdownIt) -> None:
    """Add the rule to a parser."""
    md.block.ruler.before("fence", "container", _container, {"alt": _ENDS})


def _container(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or state.src[first : first + 1] not in {":", "/"}:
        return False
    opening = _OPENING.fullmatch(state.src[first : state.eMarks[start]])
    if opening is None or opening[2].lower() not in CONTAINERS:
        return False
    if silent:
        return True
    closing = _closing_line(state, start, end, fence=opening[1])
    after = closing.line + (1 if closing.found else 0)
    lines = [start, after]
    kind = opening[2].lower()
    before = len(state.tokens)
    if kind == CODE_GROUP:
        state.push("tabs_open", "div", 1).map = lines
        parse_inside(state, start=start + 1, end=closing.line)
        _tab_each_fence(state, before + 1)
        state.push("tabs_close", "div", -1)
    else:
        admonition = Admonition(kind, _title(kind, opening[3]), "closed" if kind == DETAILS else "")
        open_admonition(state, admonition, lines=lines)
        parse_inside(state, start=start + 1, end=closing.line)
        close_admonition(state, admonition)
    state.tokens[before].meta |= {"closed": closing.found, "opening": opening[1]}
    state.line = after
    return True


class _Closing:
    __slots__ = ("found", "line")

    def __init__(self, line: int, *, found: bool) -> None:
        self.line = line
        self.found = found


def _closing_line(state: StateBlock, start: int, end: int, *, fence: str) -> _Closing:
    for line in range(start + 1, end):
        first, last = state.bMarks[line] + state.tShift[line], state.eMarks[line]
        if first < last and state.sCount[line] < state.blkIndent:
            return _Closing(line, found=False)
        if state.src.startswith(fence, first) and not state.is_code_block(line):
            rest = state.src[first:last].rstrip()
            if rest == fence[0] * len(rest):
                return _Closing(line, found=True)
    return _Closing(end, found=False)


def _title(kind: str, rest: str) -> str:
    written = rest[:INFO_LIMIT].strip()
    if written.startswith("|"):
        written = written[1:].strip()
    if key := _TITLE_KEY.fullmatch(written):
        return key[1]
    if written.startswith("{") and written.endswith("}"):
        written = ""
    if written.startswith("[") and written.endswith("]"):
        written = written[1:-1]
    return written or title_of(kind)


def _tab_each_fence(state: StateBlock, start: int) -> None:
    """Put a tab around each code block of a code group, named by the `[label]` in its info."""
    inside, state.tokens[start:] = state.tokens[start:], []
    for token in inside:
        if token.type != "fence" or token.level != state.level:
            state.tokens.append(token)
            continue
        info = fence_info(token.info)
        state.push("tab_open", "div", 1).meta = {"title": info.title or info.language or "Code"}
        state.tokens.append(_without_title(token, level=state.level))
        state.push("tab_close", "div", -1)


def _without_title(token: Token, *, level: int) -> Token:
    token.meta["title"] = False
    token.level = level
    return token
