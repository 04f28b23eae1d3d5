"""Math between dollars stays as it was typed: no emphasis, no escapes, no links in it.

Inline math opens before a character and closes behind one, and no digit follows (Pandoc manual,
`tex_math_dollars`), so that prices and variables are text; so is what holds a backtick or a link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_FENCE = "$$"


def math(md: MarkdownIt) -> None:
    """Add the rules to a parser."""
    md.inline.ruler.before("escape", "math_inline", _inline)
    md.block.ruler.before("fence", "math_block", _block)


def _inline(state: StateInline, silent: bool) -> bool:
    start = state.pos + 1
    if state.src[state.pos] != "$" or start >= state.posMax:
        return False
    before = state.src[state.pos - 1] if state.pos else " "
    if state.src[start].isspace() or state.src[start] == "$" or before.isalnum() or before == "$":
        return False
    end = state.src.find("$", start, state.posMax)
    if end < 0 or state.src[end - 1].isspace() or state.src[end - 1] == "\\":
        return False
    content = state.src[start:end]
    if state.src[end + 1 : end + 2].isdigit() or "`" in content or "](" in content:
        return False
    if not silent:
        state.push("math_inline", "", 0).content = content
    state.pos = end + 1
    return True


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    first, last = state.bMarks[start] + state.tShift[start], state.eMarks[start]
    opening = state.src[first:last].rstrip()
    if silent or not opening.startswith(_FENCE) or state.is_code_block(start):
        return False
    line = start
    if len(opening) <= len(_FENCE) or not opening.endswith(_FENCE):
        line = _closing_line(state, start + 1, end)
        if line < 0:
            return False
    token = state.push("math_block", "", 0)
    token.map = [start, line + 1]
    whole = state.getLines(start, line + 1, state.blkIndent, keepLastLF=False).strip()
    token.content = whole[len(_FENCE) : -len(_FENCE)]
    state.line = line + 1
    return True


def _closing_line(state: StateBlock, start: int, end: int) -> int:
    for line in range(start, end):
        if state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            return -1
        if state.src[state.bMarks[line] : state.eMarks[line]].rstrip().endswith(_FENCE):
            return line
    return -1
