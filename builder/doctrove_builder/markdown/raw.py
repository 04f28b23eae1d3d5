"""An author's HTML before the sanitiser: its links and pictures are treated like Markdown's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_builder.markdown.tags import Tag, tags

if TYPE_CHECKING:
    from doctrove_builder.markdown.rendering import Rendering


def written_html(html: str, rendering: Rendering) -> str:
    """Return raw HTML with the addresses to write; what else is in it the sanitiser decides."""
    parts: list[str] = []
    position = 0
    for tag in tags(html):
        if tag.closing or tag.name not in {"a", "img"}:
            continue
        parts += [html[position : tag.start], _written(tag, rendering)]
        position = tag.end
    return "".join(parts) + html[position:]


def _written(tag: Tag, rendering: Rendering) -> str:
    attributes = tag.attributes
    title = attributes.get("title", "")
    if tag.name == "img":
        was_in_link, rendering.in_link = rendering.in_link, True
        picture = rendering.picture(
            attributes.get("src", ""), alt=attributes.get("alt", ""), title=title
        )
        rendering.in_link = was_in_link
        return picture
    target = rendering.target(attributes.get("id") or attributes.get("name") or "")
    return rendering.link(attributes.get("href", ""), title=title, target=target) or "<a>"
