"""What of an author's raw HTML does not reach the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_builder.markdown.sanitise import DROPPED_WITH_CONTENT, is_kept
from doctrove_builder.markdown.tags import tags
from doctrove_schema.problem import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.markdown.pieces import Piece
    from doctrove_builder.markdown.place import Place, Text
    from doctrove_builder.markdown.tags import Tag


def removed_html(pieces: Iterable[Piece], text: Text, *, source: str) -> Iterator[Problem]:
    """Yield a problem for each kind of thing that is removed, at its first place in the page."""
    first: dict[str, tuple[Place, str]] = {}
    count: dict[str, int] = {}
    for piece in pieces:
        for tag in tags(piece.token.content) if piece.is_html else ():
            for what, hint in () if tag.closing else _removed(tag):
                count[what] = count.get(what, 0) + 1
                if what not in first:
                    first[what] = (piece.place(text, tag.start), hint)
    for what, (place, hint) in first.items():
        more = f" ({count[what]} times in this page)" if count[what] > 1 else ""
        yield Problem(
            rule=MarkdownRule.RAW_HTML,
            severity=Severity.WARNING,
            source=source,
            line=place.line,
            column=place.column,
            message=f"{what} is removed from the page{more}",
            hint=hint,
        )


def _removed(tag: Tag) -> Iterator[tuple[str, str]]:
    name = tag.name
    if name in DROPPED_WITH_CONTENT:
        yield f"`<{name}>` with its content", "pages hold text: styles and scripts are the site's"
    elif not is_kept(name):
        yield f"the tag `<{tag.written}>`", "write Markdown, or code in backticks: `` `List<T>` ``"
    else:
        for attribute in tag.attributes:
            if not is_kept(name, attribute):
                yield f"the attribute `{attribute}` of `<{name}>`", "write the page without it"
