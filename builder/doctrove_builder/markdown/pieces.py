"""The links, pictures and raw HTML of a text, each with what its place is found by."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

    from doctrove_builder.markdown.place import Place, Text

_INLINE = frozenset({"link_open", "image", "html_inline"})


class Piece(NamedTuple):
    """A link, a picture, an inline tag or a block of raw HTML."""

    token: Token
    block: int
    """Index of the block token that it is, or is in."""

    inside: Token
    """The text that it stands in; the same for a block."""

    at: int
    """Offset in that text."""

    cell: int
    """Column, from 0, of the table cell that the text is; -1 where it is none."""

    @property
    def is_html(self) -> bool:
        """Tell whether this is raw HTML."""
        return self.token.type in {"html_inline", "html_block"}

    def place(self, text: Text, offset: int = 0) -> Place:
        """Return where it begins, or what stands `offset` behind its beginning."""
        return text.place(self.inside, self.at + offset, cell=self.cell)


def find_pieces(tokens: Sequence[Token], text: Text) -> Iterator[Piece]:
    """Yield the pieces in the order of the text.

    The same text may stand in several cells of a row, so cells are searched one after another.
    """
    cell = -1
    for index, token in enumerate(tokens):
        if token.type in {"tr_open", "tr_close"}:
            cell = 0 if token.type == "tr_open" else -1
        elif token.type == "html_block":
            yield Piece(token, index, token, 0, -1)
        elif token.type == "inline":
            written = token.content.replace("|", "\\|")
            if cell >= 0 and token.map:
                cell = max(text.lines[token.map[0]].find(written, cell), cell)
            for child in token.children or ():
                if child.type in _INLINE:
                    yield Piece(child, index, token, child.meta.get("at", 0), cell)
            if cell >= 0:
                cell += len(written)
