"""The unit: the smallest piece of a section that is kept or left out as a whole."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["heading", "sentence", "item", "row", "signature", "code", "html"]


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of Markdown, and what must stand around it wherever it is shown."""

    kind: Kind
    text: str
    """Markdown in its own right once `opener` and `closer` stand around it."""

    group: int
    """The block that it belongs to; units of one block are shown together."""

    opener: str = ""
    """What the block begins with: the head of a table, the line that opens a fence."""

    closer: str = ""
    subject: str = ""
    """What a later sentence of a list item is about; stands before it where the first is not."""

    label: str = ""
    """What the block is called where that matters to the reader: `Warning`, `Deprecated`."""

    heading: int = -1
    """Place of the heading above, -1 for none."""

    language: str = ""
    """Of code, lower case."""

    run_in: bool = False
    """Whether it goes on in the line of the unit before (a sentence of a paragraph)."""
