"""Expressions in a page that are code: JSX in braces and Vue's `{{ ... }}`; both go."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.lines import blanked
from doctrove_builder.importing.markdown.tags import Braces

if TYPE_CHECKING:
    from doctrove_builder.importing.markdown.editing import Editing

SHOWN = 60
"""Characters of an expression that its note shows."""

_SIMPLE = re.compile(r"""\{\s*(?:"([^"{}]*)"|'([^'{}]*)'|`([^`{}$]*)`)\s*\}""")
_VUE = re.compile(r"\{\{[^{}\n]*\}\}")


def drop_jsx(page: Editing) -> None:
    """Take the JSX expressions out of an MDX page; those that are a text alone stay as text."""
    braces = Braces(page.text)
    spans = page.edited_spans()
    at = page.mask.find("{")
    while at >= 0:
        end = at + 1
        is_id = page.text.startswith(("{#", "{ #"), at)
        escaped = at > 0 and page.text[at - 1] == "\\"
        if not escaped and not is_id and not _within(spans, at):
            closed = braces.end(at)
            if closed is not None:
                end = closed
                _drop(page, at, end)
        at = page.mask.find("{", end)


def drop_interpolations(page: Editing) -> None:
    """Take Vue's `{{ ... }}` out of a page."""
    spans = page.edited_spans()
    for found in _VUE.finditer(page.mask):
        if not _within(spans, found.start()) and "\0" not in found[0]:
            page.insert(found.start(), "", length=len(found[0]))
            page.note("expression-dropped", found.start(), f"{found[0][:SHOWN]!r} is code")


def _drop(page: Editing, at: int, end: int) -> None:
    inner = page.text[at:end]
    simple = _SIMPLE.fullmatch(inner)
    kept = (simple[1] or simple[2] or simple[3] or "") if simple else ""
    page.insert(at, kept + blanked(inner)[kept.count("\n") :], length=end - at)
    if not simple and not inner.startswith("{/*"):
        page.note("expression-dropped", at, f"{inner[:SHOWN]!r} is code")


def _within(spans: list[tuple[int, int]], at: int) -> bool:
    number = bisect_right(spans, (at, 1 << 62)) - 1
    return number >= 0 and spans[number][0] <= at < spans[number][1]
