"""Chosen units as Markdown: fences balanced, rows under their heads, headings above the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.code_blocks import gap_marker

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from doctrove_server.compression.units import Unit


def with_headings(units: Sequence[Unit], chosen: Collection[int]) -> set[int]:
    """Return the chosen places and those of the headings right above them."""
    return {*chosen, *(units[place].heading for place in chosen if units[place].heading >= 0)}


def render(units: Sequence[Unit], chosen: Collection[int]) -> str:
    """Return the chosen units in their order, each block as Markdown of its own."""
    kept: set[int] = set()
    for place in sorted(chosen, reverse=True):
        if place + 1 in kept or not _leads_in(units[place]):
            kept.add(place)
    shown = with_headings(units, kept)
    parts: list[str] = []
    last: Unit | None = None
    block: list[int] = []
    for place in sorted(shown):
        unit = units[place]
        if last is not None and unit.group != last.group:
            parts += (_block(units, block, shown), _between(last, unit))
            block = []
        block.append(place)
        last = unit
    if block:
        parts.append(_block(units, block, shown))
    return "".join(parts)


def _leads_in(unit: Unit) -> bool:
    """Tell whether a unit says nothing without the one after it."""
    return unit.kind in ("sentence", "item") and unit.text.endswith(":")


def _between(before: Unit, after: Unit) -> str:
    tight = before.kind == after.kind == "item" or before.kind == "heading"
    return "\n" if tight else "\n\n"


def _block(units: Sequence[Unit], places: list[int], shown: set[int]) -> str:
    first = units[places[0]]
    label = f"{first.label}: " if first.label and _begins(units, places[0], shown) else ""
    match first.kind:
        case "row":
            return first.opener + "\n".join(_with_gaps(units, places, "| \u2026 |"))
        case "code" | "signature":
            return f"{first.opener}{_code(units, places)}{first.closer}"
        case _:
            said = _joined([units[place].text for place in places])
            return f"{first.opener}{label}{first.subject}{said}"


def _joined(sentences: Sequence[str]) -> str:
    """Return sentences in one line; after a full stop of Chinese or Japanese there is no blank."""
    text = ""
    for sentence in sentences:
        text += f"{'' if not text or text[-1] in _WIDE_ENDS else ' '}{sentence}"
    return text


_WIDE_ENDS = "\u3002\uff01\uff1f\uff61"


def _begins(units: Sequence[Unit], place: int, shown: set[int]) -> bool:
    """Tell whether no unit with the same label is shown right before."""
    before = max((p for p in shown if p < place), default=-1)
    return before < 0 or units[before].label != units[place].label


def _code(units: Sequence[Unit], places: list[int]) -> str:
    return "\n".join(_with_gaps(units, places, gap_marker(units[places[0]].language)))


def _with_gaps(units: Sequence[Unit], places: list[int], marker: str) -> list[str]:
    """Return the parts of a block, with a marker where some are left out."""
    unit = units[places[0]]
    lines: list[str] = []
    for place in places:
        is_first = not _is_same_block(units, place - 1, unit)
        if not is_first and place - 1 not in places:
            lines.append(marker)
        lines.append(units[place].text if place - 1 in places else units[place].text.lstrip("\n"))
    if _is_same_block(units, places[-1] + 1, unit):
        lines.append(marker)
    return lines


def _is_same_block(units: Sequence[Unit], place: int, unit: Unit) -> bool:
    return 0 <= place < len(units) and units[place].group == unit.group
