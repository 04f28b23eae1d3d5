"""The differences of a section's two texts as HTML: `del` and `ins`, code as code, gaps named."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from doctrove_builder.changes import compare_texts
from doctrove_builder.changes.texts import ADDED, REMOVED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.changes import Row
    from doctrove_builder.render.change_views import ChangeView

_SOFT = re.compile("(?<![\n|])\n(?=[A-Za-z\u00c0-\u1fff`'\"(\\[])")
"""Where a paragraph was wrapped: lists, tables and headings begin with other signs."""

_TAGS = {REMOVED: "del", ADDED: "ins"}


def differences(change: ChangeView) -> Markup:
    """Return the differences of a change; empty where its texts are the same or not shown."""
    if change.old_body == change.new_body:
        return Markup("")
    rows = compare_texts(change.old_body, change.new_body)
    if all(piece.kind not in _TAGS for row in rows for piece in row.pieces):
        return Markup('<p class="gap">Only line breaks and spaces changed.</p>')
    return Markup("").join(
        _stretch(is_code, inside) for is_code, inside in groupby(rows, key=_stretch_of)
    )


def _stretch_of(row: Row) -> str:
    if row.folded:
        return "gap"
    return "code" if row.is_code else "prose"


def _stretch(kind: str, rows: Iterable[Row]) -> Markup:
    if kind == "gap":
        return Markup("").join(
            Markup('<p class="gap">{} unchanged line{}</p>').format(
                row.folded, "" if row.folded == 1 else "s"
            )
            for row in rows
        )
    pieces = [piece for row in rows for piece in row.pieces]
    if kind == "code":
        marked = Markup("").join(_marked(piece.kind, piece.text) for piece in pieces)
        return Markup("<pre><code>{}</code></pre>").format(marked)
    marked = Markup("").join(_marked(piece.kind, _SOFT.sub(" ", piece.text)) for piece in pieces)
    return Markup('<div class="prose">{}</div>').format(marked)


def _marked(kind: str, shown: str) -> Markup:
    tag = _TAGS.get(kind)
    text = escape(shown)
    return Markup("<{0}>{1}</{0}>").format(Markup(tag), text) if tag else text
