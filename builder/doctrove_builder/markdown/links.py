"""The links and pictures of a text, with their places, and which of them will not be links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.markdown.addresses import is_external, is_safe, scheme_of
from doctrove_builder.markdown.limits import ADDRESS_LIMIT
from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_builder.markdown.tags import tags
from doctrove_builder.model import Link
from doctrove_schema.problem import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.markdown.pieces import Piece
    from doctrove_builder.markdown.place import Text

_ADDRESS_IN = {"a": "href", "img": "src"}
_SHOWN = 60


def find_links(pieces: Iterable[Piece], text: Text) -> Iterator[tuple[int, Link]]:
    """Yield the links in the order of the text, those of raw HTML included, each with its token."""
    for piece in pieces:
        if not piece.is_html:
            is_image = piece.token.type == "image"
            address = str(piece.token.attrs["src" if is_image else "href"])
            yield piece.block, _link(address, is_image, piece, text)
            continue
        for tag in tags(piece.token.content):
            if address := tag.attributes.get(_ADDRESS_IN.get(tag.name, ""), ""):
                yield piece.block, _link(address, tag.name == "img", piece, text, tag.start)


def find_targets(pieces: Iterable[Piece]) -> Iterator[str]:
    """Yield the ids that raw HTML gives to places in the text: `<a id="x"></a>`."""
    for piece in pieces:
        for tag in tags(piece.token.content) if piece.is_html else ():
            named = tag.attributes.get("id") or tag.attributes.get("name") or ""
            if tag.name == "a" and named and not any(map(str.isspace, named)):
                yield named


def unsafe_links(links: Iterable[Link], *, source: str) -> Iterator[Problem]:
    """Yield a problem for each address that becomes text, and each picture that becomes a link."""
    for link in links:
        if not is_safe(link.href):
            too_long = len(link.href) > ADDRESS_LIMIT
            yield Problem(
                rule=MarkdownRule.UNSAFE_LINK,
                severity=Severity.WARNING,
                source=source,
                line=link.line,
                column=link.column,
                message=f"the {'picture' if link.image else 'link'} to `{_shown(link.href)}` "
                + (
                    f"has more than {ADDRESS_LIMIT:,} characters"
                    if too_long
                    else f"begins with `{scheme_of(link.href)}:`"
                )
                + " and is shown as text",
                hint="links are http, https, mailto or relative",
            )
        elif link.image and is_external(link.href):
            yield Problem(
                rule=MarkdownRule.EXTERNAL_PICTURE,
                severity=Severity.WARNING,
                source=source,
                line=link.line,
                column=link.column,
                message=f"the picture `{_shown(link.href)}` is on another site and is not loaded",
                hint="pages load nothing from elsewhere: put the picture beside the page",
            )


def _link(address: str, image: bool, piece: Piece, text: Text, offset: int = 0) -> Link:
    place = piece.place(text, offset)
    return Link(href=address, line=place.line, column=place.column, image=image)


def _shown(address: str) -> str:
    return address if len(address) <= _SHOWN else address[:_SHOWN] + "…"
