"""What a choice looks at of each unit, as columns: made once for a section, joined for several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.compression.concepts import Analysis
    from doctrove_server.compression.units import Unit

HEADING = 0.5
"""What the concepts of a heading are worth that a unit brings along."""

LEAST_SAID = 10
"""Tokens of a sentence from which nobody needs it twice."""

_FRAMES = {"row": 8, "code": 6, "signature": 6}
"""About how many tokens a block's frame has."""


class Columns(msgspec.Struct, frozen=True, kw_only=True):
    """Of each unit, in the units' order."""

    is_open: tuple[bool, ...]
    """Whether it may be chosen: headings come along by themselves."""

    headings: tuple[int, ...]
    """Place of the heading above, -1 for none."""

    groups: tuple[int, ...]
    frames: tuple[int, ...]
    """Tokens of its block's frame."""

    costs: tuple[int, ...]
    says: tuple[str, ...]
    """What must not be said again; empty for code, rows, what leads in to them, short sentences."""

    concepts: tuple[Mapping[str, float], ...]
    base: tuple[float, ...]
    factors: tuple[float, ...]
    alone: tuple[float, ...]
    """Worth with its heading, when nothing else is chosen."""

    prices: tuple[int, ...]
    """Tokens with heading and frame, when nothing else is chosen."""


def columns(analysis: Analysis, costs: Sequence[int]) -> Columns:
    """Return a section's columns; `costs` are the tokens of each unit."""
    units, worth = analysis.units, analysis.worth
    frames = tuple(_FRAMES.get(unit.kind, 2) if unit.opener else 0 for unit in units)
    return Columns(
        is_open=tuple(unit.kind != "heading" for unit in units),
        headings=tuple(unit.heading for unit in units),
        groups=tuple(unit.group for unit in units),
        frames=frames,
        costs=tuple(costs),
        says=tuple(map(_said, units, costs)),
        concepts=analysis.concepts,
        base=analysis.base,
        factors=analysis.factors,
        alone=tuple(
            (own + (HEADING * worth[unit.heading] if unit.heading >= 0 else 0.0) + base) * factor
            for unit, own, base, factor in zip(
                units, worth, analysis.base, analysis.factors, strict=True
            )
        ),
        prices=tuple(
            cost + frame + (costs[unit.heading] if unit.heading >= 0 else 0)
            for unit, cost, frame in zip(units, costs, frames, strict=True)
        ),
    )


def _said(unit: Unit, cost: int) -> str:
    if unit.kind not in ("sentence", "item", "html") or cost < LEAST_SAID:
        return ""
    return "" if unit.text.endswith(":") else f"{unit.subject}{unit.text}"
