"""A line of the source and a caret under the right column, whatever stands before it."""

from __future__ import annotations

import unicodedata

from doctrove_builder.reporting.escaping import visible_character

TAB = 4
WIDEST = 100
"""Columns of a source line that are shown; a longer one is cut around the caret."""

_BEFORE = 60
"""Columns kept before the caret when a line is cut."""


def excerpt(line: str, column: int | None) -> tuple[str, int]:
    """Return a line as a terminal shows it, and how many columns stand before the caret.

    `column` counts code points from 1. Tabs go to the next multiple of four, wide characters (UAX
    11) take two columns and combining ones none.
    """
    index = min(max((column or 1) - 1, 0), len(line))
    # What is far from the caret is never shown: a line of megabytes costs no more than a long one.
    first = max(index - 4 * WIDEST, 0)
    cells = _cells(line[first : index + 4 * WIDEST])
    index -= first
    before = sum(width for _, width in cells[:index])
    if sum(width for _, width in cells) <= WIDEST:
        return "".join(shown for shown, _ in cells), before
    start = index
    kept = 0
    while start > 0 and kept + cells[start - 1][1] <= _BEFORE:
        start -= 1
        kept += cells[start][1]
    end, total = start, 0
    while end < len(cells) and total + cells[end][1] <= WIDEST:
        total += cells[end][1]
        end += 1
    head, tail = "…" if start else "", "…" if end < len(cells) else ""
    shown = "".join(shown for shown, _ in cells[start:end])
    return f"{head}{shown}{tail}", kept + len(head)


def _cells(line: str) -> list[tuple[str, int]]:
    cells: list[tuple[str, int]] = []
    at = 0
    for character in line:
        if character == "\t":
            shown = " " * (TAB - at % TAB)
            width = len(shown)
        else:
            shown = visible_character(character)
            width = len(shown) if shown != character else _width(character)
        cells.append((shown, width))
        at += width
    return cells


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
