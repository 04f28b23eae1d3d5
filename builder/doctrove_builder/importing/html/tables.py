"""Tables of HTML; cells that span several columns or rows leave the others empty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.importing.html.inlines import read_inlines
from doctrove_builder.importing.html.parsing import tag, whole_number
from doctrove_builder.importing.prose.tree import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from doctrove_builder.importing.html.parsing import Element
    from doctrove_builder.importing.prose.tree import Blocks, Inlines

MAX_SPAN = 50


def read_table(table: Element, read: Callable[[Element], Blocks]) -> Table:
    """Return a table; `read` gives the blocks of a cell."""
    head: tuple[Blocks, ...] = ()
    rows: list[tuple[Blocks, ...]] = []
    caption: Inlines = ()
    for row in _rows(table):
        if tag(row) == "caption":
            caption = read_inlines(row, [])
            continue
        cells = [cell for cell in row if tag(cell) in {"td", "th"}]
        made: list[Blocks] = []
        for cell in cells:
            made.append(read(cell))
            made += [()] * (_span(cell) - 1)
        if not head and not rows and cells and all(tag(cell) == "th" for cell in cells):
            head = tuple(made)
        elif made:
            rows.append(tuple(made))
    return Table(head, tuple(rows), caption)


def _rows(table: Element) -> Iterator[Element]:
    """Yield the rows of a table and its caption, not those of tables within it."""
    for child in table:
        name = tag(child)
        if name in {"tr", "caption"}:
            yield child
        elif name in {"thead", "tbody", "tfoot"}:
            yield from (row for row in child if tag(row) == "tr")


def _span(cell: Element) -> int:
    return max(1, min(whole_number(cell.get("colspan"), 1), MAX_SPAN))
