"""The inline nodes of a docutils document as inline parts of a document's tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes

from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.tree import (
    Code,
    Image,
    Inlines,
    Link,
    Mark,
    Reference,
    Styled,
    Text,
)
from doctrove_builder.importing.restructured.marks import CrossReference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.importing.prose.tree import Inline

_STYLES: dict[type[nodes.Node], str] = {
    nodes.emphasis: "*",
    nodes.strong: "**",
    nodes.subscript: "sub",
    nodes.superscript: "sup",
}


def read_inlines(children: Iterable[nodes.Node]) -> Inlines:
    """Return the inline parts of nodes; what docutils could not read is kept as text."""
    return tuple(part for child in children for part in _read(child))


def _read(node: nodes.Node) -> Inlines:  # noqa: PLR0911 - one a sort of node
    if isinstance(node, nodes.Text):
        return (Text(node.astext()),)
    if isinstance(node, nodes.literal | nodes.math | nodes.title_reference):
        return (Code(node.astext()),)
    if isinstance(node, CrossReference):
        return (Reference(node["role"], node["target"], read_inlines(node.children)),)
    if isinstance(node, nodes.reference):
        return _reference(node)
    if isinstance(node, nodes.footnote_reference | nodes.citation_reference):
        return _footnote(node)
    if isinstance(node, nodes.image):
        return (Image(str(node.get("uri", "")), str(node.get("alt", ""))),)
    if isinstance(node, nodes.substitution_reference):
        return (Text(f"|{node.astext()}|"),)
    if isinstance(node, nodes.system_message | nodes.target | nodes.raw | nodes.comment):
        return ()
    if isinstance(node, nodes.problematic):
        return (Text(node.astext()),)
    inside = read_inlines(node.children) if isinstance(node, nodes.Element) else ()
    style = _STYLES.get(type(node))
    return (Styled(style, inside),) if style and inside else inside


def _reference(node: nodes.reference) -> Inlines:
    inside = read_inlines(node.children)
    if uri := node.get("refuri"):
        return (Link(str(uri), inside),)
    if refid := node.get("refid"):
        return (Link(f"#{refid}", inside),)
    if name := node.get("refname"):
        return (Reference("name", str(name), inside),)
    return inside


def _footnote(node: nodes.Element) -> Inlines:
    label = plain_text(read_inlines(node.children)) or str(node.get("refname", ""))
    if not label:
        return ()
    one: Inline = Mark(label)
    return (one,)
