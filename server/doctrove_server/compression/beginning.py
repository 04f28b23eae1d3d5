"""The beginning of a section of which not one unit fits, so that whoever asks for it gets some.

Prose is cut after a word where it has any, code after a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.code_blocks import gap_marker
from doctrove_server.compression.units import Unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_LONGEST_TOKEN = 8
"""Characters of a token, about as many as a long word has; blanks aside."""


def beginning(text: str, units: Sequence[Unit], *, room: int, cost: Callable[[str], int]) -> str:
    """Return as much of a text's first unit that is no heading as fits; empty where nothing does.

    A text without units is taken as it is. `cost` counts in the tokens of which there are `room`.
    """
    whole = Unit(kind="sentence", text=text.strip(), group=0)
    unit = next((unit for unit in units if unit.kind != "heading"), whole)
    cut = _code if unit.kind in ("code", "signature") else _prose
    size = min(len(unit.text), _LONGEST_TOKEN * room)
    while size > 0:
        made = cut(unit, size)
        spent = cost(made) if made else 0
        if spent <= room:
            return made
        size = min(size - 1, size * room // spent)
    return ""


def _prose(unit: Unit, size: int) -> str:
    text = unit.text[:size]
    if size < len(unit.text):
        at = max(text.rfind(" "), text.rfind("\n"))
        text = text[:at] if at > size // 2 else text
        if text.count("`") % 2:  # half of a code span
            text = text[: text.rfind("`")].strip() or text.replace("`", "")
        text = f"{text.rstrip()}\u2026" if text.strip() else ""
    return f"{unit.opener if unit.kind == 'item' else ''}{text}"


def _code(unit: Unit, size: int) -> str:
    lines = unit.text[:size].split("\n")
    shown = lines if size >= len(unit.text) else lines[:-1]
    if not any(map(str.strip, shown)):
        return ""
    code = "\n".join((*shown, gap_marker(unit.language)))
    return f"{unit.opener}{code}{unit.closer}"
