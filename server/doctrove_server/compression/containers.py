"""Admonitions and tabs of the documentation tools, opened up so that Markdown sees what is inside.

`:::` and `///` fences, `!!!`, `???` and `===` blocks become paragraphs between two marks; lines
that hold a component's tag alone go. In a code block they stay what they are.
"""

from __future__ import annotations

import re

OPEN = "\ue000"
"""Begins the paragraph that says what follows; the rest of its line is the label."""

CLOSE = "\ue001"
"""Alone in the paragraph that ends it."""

_FENCE = re.compile(r" *(?:> ?)*(?:[-*+] +|\d+[.)] +)?(`{3,}|~{3,})")
_COLONS = re.compile(r"( *)(:{3,}|/{3,})(?:\s*\{?([A-Za-z][\w-]*)\}?\s*(.{0,200}))?\s*$")
_OBJECT = re.compile(r"( *)::: ([A-Za-z_]\w*(?:[.:]\w+)+)\s*$")
_INDENTED = re.compile(r"( *)(?:(?:!!!|\?\?\?\+?)\s+(\w[\w-]*)|===\+?\s+\")(.{0,200})$")
_COMPONENT = re.compile(r" {0,3}</?[A-Z][\w.]*(?:\s[^<>]{0,500})?/?>\s*$")
_JSX_COMMENT = re.compile(r"\{/\*.{0,4000}?\*/\}", re.DOTALL)
_MARKED = re.compile(r"[:/!?=]{3}|</?[A-Z]")
_LABELS = {
    "warning": "Warning",
    "danger": "Danger",
    "caution": "Caution",
    "important": "Important",
    "attention": "Warning",
    "deprecated": "Deprecated",
    "removed": "Removed",
    "versionadded": "Added",
    "versionchanged": "Changed",
}
_DEEPEST = 8


def label_of(kind: str) -> str:
    """Return the word for a kind of admonition where the reader needs it, else nothing."""
    return _LABELS.get(kind.lower(), "")


def opened(markdown: str) -> str:
    """Return Markdown with its containers as paragraphs between marks."""
    markdown = markdown.replace(OPEN, "").replace(CLOSE, "")
    if "{/*" in markdown:
        markdown = _JSX_COMMENT.sub("", markdown)
    if not _MARKED.search(markdown):
        return markdown
    return "\n".join(_lines(markdown.split("\n"), 0))


def _lines(lines: list[str], depth: int) -> list[str]:
    out: list[str] = []
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        mark = _FENCE.match(line)
        if mark:
            fence = _after(mark[1], fence, line)
        elif not fence and (named := _OBJECT.match(line)):
            # An object that a generator documents in this place, with the generator's options.
            _, at = _inside(lines, at, len(named[1]) + 4)
            line = f"{named[1]}`{named[2]}`"
        elif not fence and (colons := _COLONS.match(line)):
            kind = colons[3] or ""
            out += ["", colons[1] + (OPEN + label_of(kind) if kind else CLOSE), ""]
            continue
        elif not fence and depth < _DEEPEST and (block := _INDENTED.match(line)):
            inside, at = _inside(lines, at, len(block[1]) + 4)
            indent = block[1]
            out += ["", indent + OPEN + label_of(block[2] or ""), ""]
            out += [indent + text for text in _lines(inside, depth + 1)]
            out += ["", indent + CLOSE, ""]
            continue
        elif not fence and _COMPONENT.match(line):
            line = ""
        out.append(line)
    return out


def _after(mark: str, fence: str, line: str) -> str:
    """Return the open fence after a line with a fence's mark."""
    if not fence:
        return mark
    ends = mark[0] == fence[0] and len(mark) >= len(fence) and not line.strip(" >").strip(mark[0])
    return "" if ends else fence


def _inside(lines: list[str], at: int, indent: int) -> tuple[list[str], int]:
    """Return the lines that are indented below an opening line, and where they end."""
    inside: list[str] = []
    while at < len(lines) and (not lines[at].strip() or lines[at].startswith(" " * indent)):
        inside.append(lines[at][indent:])
        at += 1
    return inside, at
