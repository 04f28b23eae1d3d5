"""Whether the brackets of JavaScript and its like are balanced; it is all that is checked of it."""

from __future__ import annotations

import re

_PAIRS = {")": "(", "]": "[", "}": "{"}
_TOKEN = re.compile(
    r"""
    //[^\n]* | /\*.*?\*/
    | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | `(?:\\.|[^`\\])*`
    | (?<![\w)\]\s])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*
    | [()\[\]{}]
    """,
    re.VERBOSE | re.DOTALL,
)


def unbalanced(code: str) -> tuple[str, int] | None:
    """Return what is wrong and its line from 1; None when every bracket has its counterpart."""
    open_: list[tuple[str, int]] = []
    for token in _TOKEN.finditer(code):
        sign = token[0]
        line = code.count("\n", 0, token.start()) + 1
        if sign in {"(", "[", "{"}:
            open_.append((sign, line))
        elif sign in _PAIRS:
            if not open_ or open_[-1][0] != _PAIRS[sign]:
                return f"`{sign}` closes nothing", line
            open_.pop()
    if open_:
        return f"`{open_[-1][0]}` is never closed", open_[-1][1]
    return None
