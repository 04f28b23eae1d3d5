"""Markdown that stands in a description: kept as it is, but it starts no section and ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CODE_OR_TAG = re.compile(r"(`[^`\n]*`|<https?:[^>\n]*>|\\<)|</?([A-Za-z][\w-]*)")
_HTML = frozenset(
    """
    a abbr b blockquote br code dd del details div dl dt em figure h1 h2 h3 h4 h5 h6 hr i img ins
    kbd li mark ol p pre q s samp small span strike strong sub summary sup table tbody td th thead
    tr tt u ul var video
    """.split()  # noqa: SIM905 - words
)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")


def embedded_lines(lines: Iterable[str], change: Callable[[str], str]) -> list[str]:
    """Return a text's lines: headings bold, code left open closed; `change` makes lines of text."""
    made: list[str] = []
    fence = ""
    for line in lines:
        inside = fence
        fence = fence_after(fence, line)
        if inside or fence:
            made.append(line.rstrip())
        elif heading := _HEADING.match(line):
            made.append(change(f"**{heading[1].strip('*')}**" if heading[1] else "").rstrip())
        elif _UNDERLINE.match(line) and made and made[-1].strip():
            made += [] if made[-1].startswith(("|", "**")) else [""]  # no heading by its underline
        else:
            made.append(change(line).rstrip())
    if fence:
        made.append(fence)
    return list(trimmed(made))


def escaped_tags(line: str) -> str:
    """Return a line of text in which what looks like a tag of HTML and is none is text."""
    return _CODE_OR_TAG.sub(_text_or_tag, line) if "<" in line else line


def fence_after(fence: str, line: str) -> str:
    """Return the fence that is open after a line; empty when none is."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not line.strip().strip(fence[0])
    return "" if closes else fence


def trimmed(lines: Iterable[str]) -> tuple[str, ...]:
    """Leave out blank lines at both ends."""
    kept = list(lines)
    while kept and not kept[0].strip():
        kept.pop(0)
    while kept and not kept[-1].strip():
        kept.pop()
    return tuple(kept)


def _text_or_tag(found: re.Match[str]) -> str:
    return found[0] if found[1] or found[2].lower() in _HTML else f"\\{found[0]}"
