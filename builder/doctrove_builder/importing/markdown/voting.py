"""Which anchors a source's headings have: its generator's, else those that its links mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_builder.importing.markdown.slugs import STYLES, plain_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_OF_GENERATOR = {
    "docsify": "github",
    "docusaurus": "github",
    "fumadocs": "github",
    "mdbook": "github",
    "mkdocs": "mkdocs",
    "sphinx": "github",
    "starlight": "github",
    "vitepress": "vitepress",
    "vuepress": "vitepress",
    "wiki": "github",
}
_FRAGMENT = re.compile(r"\]\([^()\s#]*#([^()\s]+)\)")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.+?)[ \t#]*")
_ID = re.compile(r"[ \t]*\{[^{}]*\}$")


def anchor_style(generator: str, texts: Mapping[str, str]) -> str:
    """Return the style of a source's anchors, a key of `slugs.STYLES`."""
    if generator in _OF_GENERATOR:
        return _OF_GENERATOR[generator]
    wanted = {found for text in texts.values() for found in _FRAGMENT.findall(text)}
    headings = {
        plain_text(_ID.sub("", found[1]))
        for text in texts.values()
        for line, role in _lines(text)
        if role is Role.TEXT and (found := _HEADING.fullmatch(line.text))
    }

    def fitting(style: str) -> int:
        slug = STYLES[style][0]
        return len(wanted & {slug(heading) for heading in headings})

    order = list(STYLES)
    return max(order, key=lambda style: (fitting(style), -order.index(style)))


def _lines(text: str) -> list[tuple[Line, Role]]:
    lines = [Line(row, number) for number, row in enumerate(text.split("\n"), 1)]
    return list(zip(lines, roles(lines, indented=False), strict=True))
