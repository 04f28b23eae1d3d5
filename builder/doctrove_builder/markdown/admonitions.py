"""Tokens of admonitions and tabs, however they were written: one form for the renderer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it.rules_block import StateBlock


class Admonition(NamedTuple):
    """The first line of an admonition."""

    kind: str
    title: str
    """Markdown; empty for an admonition without a title."""

    fold: str = ""
    """`open` or `closed` when it folds."""


def parse_inside(state: StateBlock, *, start: int, end: int, indent: int = 0) -> None:
    """Parse the lines of a block as blocks, so that nothing reaches past its end.

    Lines are counted from 0, `end` excluded; `indent` is added to what the lines must begin with.
    """
    line_max, parent = state.lineMax, state.parentType
    state.lineMax, state.parentType = end, "root"
    state.blkIndent += indent
    state.md.block.tokenize(state, start, end)
    state.blkIndent -= indent
    state.lineMax, state.parentType = line_max, parent
    state.line = end


def open_admonition(state: StateBlock, admonition: Admonition, *, lines: list[int]) -> None:
    """Push the tokens before an admonition's content."""
    token = state.push("admonition_open", "div", 1)
    token.map = lines
    token.meta = {"kind": admonition.kind, "fold": admonition.fold}
    if admonition.title or admonition.fold:
        state.push("admonition_title_open", "p", 1).meta = {"fold": admonition.fold}
        title = state.push("inline", "", 0)
        title.content = admonition.title
        title.map = [lines[0], lines[0] + 1]
        title.children = []
        state.push("admonition_title_close", "p", -1).meta = {"fold": admonition.fold}


def close_admonition(state: StateBlock, admonition: Admonition) -> None:
    """Push the token after an admonition's content."""
    state.push("admonition_close", "div", -1).meta = {"fold": admonition.fold}
