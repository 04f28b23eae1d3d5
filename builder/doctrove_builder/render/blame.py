"""Find the project's template that a fault of a whole page comes from."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.render.look import OVERRIDES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.render.look import Look

_NAMED = re.compile(r"""{%[-+]?\s*(?:extends|include|import|from)\s+["']([^"'\n]+)["']""")


def blame(look: Look, name: str, excerpts: Iterable[str] = ()) -> tuple[str, int | None]:
    """Return the file below the authoring root, and the line where it is known.

    `name` is the template that the page was rendered with. Blamed is the override that has one of
    the `excerpts`, the first ones before the others; or else the first that the page is made with.
    """
    overrides = dict(look.overrides)
    reached = [name for name in _reached(look, name) if name in overrides] or sorted(overrides)
    for excerpt in excerpts:
        for candidate in reached:
            at = overrides[candidate].lower().find(excerpt.lower())
            if at >= 0:
                return f"{OVERRIDES}/{candidate}", overrides[candidate].count("\n", 0, at) + 1
    return f"{OVERRIDES}/{reached[0]}", None


def _reached(look: Look, name: str) -> list[str]:
    """Return the templates a page is made with, the outermost first; `!` marks built-in ones."""
    built_in = {f"!{name}": text for name, text in look.templates}
    texts = built_in | dict(look.overrides)
    found: list[str] = []
    waiting = [name]
    while waiting:
        wanted = waiting.pop(0)
        known = wanted if wanted in texts else f"!{wanted}"
        if known in texts and known not in found:
            found.append(known)
            waiting += _NAMED.findall(texts[known])
    return found
