"""Plots as inline SVG: bars and columns whose colours come from the style sheet."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROW = 26
_LABEL = 190
_WIDTH = 720
_COLUMN_HEIGHT = 170


class Bar(NamedTuple):
    """One bar: `kind` is a class of the style sheet, `first` a part of the value drawn apart."""

    label: str
    value: int
    kind: str = ""
    first: int = 0
    said: str = ""
    """What stands at its end, in place of the value."""


def bars(rows: Sequence[Bar], *, title: str) -> str:
    """Draw horizontal bars, one a row."""
    most = max((row.value for row in rows), default=0) or 1
    height = _ROW * len(rows) + 4
    parts = "".join(_bar(row, y=_ROW * number, most=most) for number, row in enumerate(rows))
    return _svg(parts, width=_WIDTH, height=height, title=title)


def columns(rows: Sequence[Bar], *, title: str) -> str:
    """Draw columns side by side, for a distribution."""
    most = max((row.value for row in rows), default=0) or 1
    width = min(96, (_WIDTH - 20) // max(1, len(rows)))
    parts = "".join(_column(row, x=width * n, width=width, most=most) for n, row in enumerate(rows))
    return _svg(parts, width=_WIDTH, height=_COLUMN_HEIGHT + 44, title=title)


def _svg(parts: str, *, width: int, height: int, title: str) -> str:
    """Frame a plot so that it scrolls where a screen is too narrow to read it."""
    said = escape(title)
    return (
        f'<div class="frame" role="group" tabindex="0" aria-label="{said}">'
        f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="{said}">'
        f"<title>{said}</title>{parts}</svg></div>"
    )


def _bar(row: Bar, *, y: int, most: int) -> str:
    room = _WIDTH - _LABEL - 120
    length = max(1, round(room * row.value / most))
    return "".join(_bar_parts(row, y=y, length=length))


def _bar_parts(row: Bar, *, y: int, length: int) -> Iterator[str]:
    middle = y + _ROW // 2 + 4
    label = row.label if len(row.label) <= 26 else f"{row.label[:25]}…"
    yield _text(label, x=_LABEL - 10, y=middle, anchor="end")
    yield _box(f"bar {row.kind}", x=_LABEL, y=y + 4, width=length, height=_ROW - 8)
    if row.first and row.value:
        part = round(length * row.first / row.value)
        yield _box("part", x=_LABEL, y=y + 4, width=part, height=_ROW - 8)
    said = row.said or f"{row.value:,}"
    yield _text(said, x=_LABEL + length + 8, y=middle, kind="value")


def _column(row: Bar, *, x: int, width: int, most: int) -> str:
    height = round((_COLUMN_HEIGHT - 24) * row.value / most)
    top = _COLUMN_HEIGHT - height
    middle = x + width // 2
    return (
        _box(f"bar {row.kind}", x=x + 4, y=top, width=width - 8, height=height)
        + _text(f"{row.value:,}", x=middle, y=top - 6, anchor="middle", kind="value")
        + _text(row.label, x=middle, y=_COLUMN_HEIGHT + 18, anchor="middle")
    )


def _box(kind: str, *, x: int, y: int, width: int, height: int) -> str:
    place = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="3"'
    return f'<rect class="{kind.strip()}" {place}/>'


def _text(text: str, *, x: int, y: int, anchor: str = "start", kind: str = "label") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
