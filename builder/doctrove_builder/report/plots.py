"""Plots as inline SVG: bars as wide as the page, whose colours come from the style sheet."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROW = 40
_LONGEST_LABEL = 26


class Bar(NamedTuple):
    """One bar: `kind` is a class of the style sheet, `first` a part of the value drawn apart."""

    label: str
    value: int
    kind: str = ""
    first: int = 0
    said: str = ""
    """What stands at its end, in place of the value."""


def bars(rows: Sequence[Bar], *, title: str) -> str:
    """Draw horizontal bars, each below its label and value; they fit any width."""
    most = max((row.value for row in rows), default=0) or 1
    parts = "".join(_bar(row, y=_ROW * number, most=most) for number, row in enumerate(rows))
    said = escape(title)
    return (
        f'<svg class="plot" width="100%" height="{_ROW * len(rows)}" role="img"'
        f' aria-label="{said}"><title>{said}</title>{parts}</svg>'
    )


def _bar(row: Bar, *, y: int, most: int) -> str:
    short = len(row.label) <= _LONGEST_LABEL
    label = row.label if short else f"{row.label[: _LONGEST_LABEL - 1]}…"
    said = row.said or f"{row.value:,}"
    return (
        f'<text class="label" x="0" y="{y + 14}">{escape(label)}</text>'
        f'<text class="value" x="100%" y="{y + 14}" text-anchor="end">{escape(said)}</text>'
        + _box(f"bar {row.kind}", y=y, width=100 * row.value / most)
        + (_box("part", y=y, width=100 * row.first / most) if row.first else "")
    )


def _box(kind: str, *, y: int, width: float) -> str:
    place = f'x="0" y="{y + 20}" width="{width:.2f}%" height="12" rx="3"'
    return f'<rect class="{kind.strip()}" {place}/>'
