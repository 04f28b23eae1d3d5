"""The few icons of the site, drawn in a box of 24 by 24, as markup in the colour of the text."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

_SHAPES: Final = {
    "mark": '<path d="M5 6.5A2.5 2.5 0 0 1 7.5 4H19v13H7.5A2.5 2.5 0 0 0 5 19.5z"/>'
    '<path d="M5 19.5A1.5 1.5 0 0 0 6.5 21H19v-4M9 8.5h6M9 12h4"/>',
    "theme": '<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5v17a8.5 8.5 0 0 0 0-17z" '
    'fill="currentColor"/>',
    "menu": '<path d="M4 7h16M4 12h16M4 17h10"/>',
    "down": '<path d="m7 10 5 5 5-5"/>',
    "up": '<path d="m7 14 5-5 5 5"/>',
    "forward": '<path d="M5 12h14m-6-6 6 6-6 6"/>',
    "back": '<path d="M19 12H5m6-6-6 6 6 6"/>',
    "copy": '<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15V6a2 2 0 0 1 2-2h9"/>',
    "search": '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
    "code": '<path d="m8.5 7-5 5 5 5m7-10 5 5-5 5"/>',
}

_DIRECTED: Final = frozenset({"forward", "back"})


def icon(name: str) -> Markup:
    """Return an icon; arrows are marked, so that they turn in text from right to left."""
    kind = "icon directed" if name in _DIRECTED else "icon"
    return Markup(
        f'<svg class="{kind}" viewBox="0 0 24 24" aria-hidden="true">{_SHAPES[name]}</svg>'
    )
