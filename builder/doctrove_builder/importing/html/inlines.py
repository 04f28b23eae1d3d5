"""What stands within a line of HTML, as inline parts of a document's tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from doctrove_builder.importing.html.parsing import classes, pieces, tag, text_of
from doctrove_builder.importing.prose.tree import (
    Break,
    Code,
    Image,
    Link,
    Mark,
    Styled,
    Text,
)

if TYPE_CHECKING:
    from doctrove_builder.importing.html.parsing import Element
    from doctrove_builder.importing.prose.tree import Inline, Inlines

MAX_DEPTH = 40
OWN_DEPTH = 4
"""Elements from a link outwards whose ids are looked at."""

_STYLES = {
    "em": "*", "i": "*", "cite": "*", "dfn": "*", "strong": "**", "b": "**", "del": "~~", "s": "~~",
    "strike": "~~", "sub": "sub", "sup": "sup", "kbd": "kbd",
}  # fmt: skip
_SECTIONS = frozenset({"article", "body", "main", "section"})
_CODE = frozenset({"code", "tt", "samp", "var"})
_CODE_CLASSES = frozenset({"math"})
_FOOTNOTES = frozenset({"footnote-reference", "footnote-ref", "citation-reference"})


def read_inlines(element: Element, names: list[str], *, depth: int = 0) -> Inlines:
    """Return the inline parts within an element; `names` takes the ids that links may point at."""
    parts: list[Inline] = []
    for piece in pieces(element):
        parts += read_inline(piece, names, depth=depth)
    return tuple(parts)


def read_inline(piece: str | Element, names: list[str], *, depth: int = 0) -> Inlines:  # noqa: PLR0911 - one a sort
    """Return one text or element as inline parts."""
    if isinstance(piece, str):
        return (Text(re.sub(r"\s+", " ", piece)),)
    if name := piece.get("id"):
        names.append(name)
    if depth >= MAX_DEPTH:
        return (Text(re.sub(r"\s+", " ", text_of(piece))),)
    name, own = tag(piece), classes(piece)
    if name in _CODE or (name == "span" and own & _CODE_CLASSES):
        return _code(piece, names)
    if name == "br":
        return (Break(),)
    if name == "img":
        return (Image(piece.get("src") or "", piece.get("alt") or ""),)
    if name == "a":
        return _anchor(piece, own, names, depth)
    inside = read_inlines(piece, names, depth=depth + 1)
    style = "**" if "versionmodified" in own else _STYLES.get(name, "")
    return (Styled(style, inside),) if style and inside else inside


def _code(element: Element, names: list[str]) -> Inlines:
    """Return code; a link that is its only content goes around it."""
    text = " ".join(text_of(element).split())
    if not text:
        return ()
    children = [one for one in pieces(element) if not isinstance(one, str) or one.strip()]
    only = children[0] if len(children) == 1 else None
    if only is not None and not isinstance(only, str) and tag(only) == "a" and only.get("href"):
        names += [only.get("id") or ""] if only.get("id") else []
        return (Link(only.get("href") or "", (Code(text),)),)
    return (Code(text),)


def _anchor(element: Element, own: frozenset[str], names: list[str], depth: int) -> Inlines:
    href = element.get("href") or ""
    if target := element.get("name"):
        names.append(target)
    if own & _FOOTNOTES:
        label = re.sub(r"[\[\]\s]", "", text_of(element))
        return (Mark(label),) if label else ()
    inside = read_inlines(element, names, depth=depth + 1)
    if not href or href.lower().startswith(("javascript:", "data:", "vbscript:")):
        return inside
    return inside if _leads_to_itself(element, href) else (Link(href, inside),)


def _leads_to_itself(element: Element, href: str) -> bool:
    """Say whether a link is the way to share the place that it stands in: a term, a rule."""
    around: Element | None = element
    for _ in range(OWN_DEPTH):
        if not href.startswith("#") or around is None or tag(around) in _SECTIONS:
            return False
        if around.get("id") == unquote(href[1:]):
            return True
        around = around.getparent()
    return False
