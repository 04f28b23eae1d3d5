"""Texts of a description as Markdown lines: CommonMark by the specification's word, or HTML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from doctrove_builder.importing.json_values import as_text
from doctrove_builder.importing.openapi.html_texts import html_as_markdown, is_html
from doctrove_builder.importing.prose.blocks import fenced
from doctrove_builder.importing.prose.embedded import embedded_lines
from doctrove_builder.importing.prose.tree import CodeBlock
from doctrove_builder.importing.readdressed import readdressed

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_EXAMPLE = 20_000
"""Characters of one example."""

_SAFE = ("https://", "http://", "mailto:")


def described(value: object, base: str = "") -> list[str]:
    """Return a description; links that lead nowhere outside its own site lose their address."""
    text = as_text(value).replace("\r\n", "\n")
    if is_html(text):
        text = html_as_markdown(text)

    def target(address: str, _image: bool) -> str | None:
        whole = address
        if base and not address.startswith(("#", *_SAFE)):
            try:
                whole = urljoin(base, address)
            except ValueError:
                return None
        return whole if whole.startswith(_SAFE) else None

    return embedded_lines(text.split("\n"), lambda line: readdressed(line, target)) if text else []


def example(value: object, language: str = "json") -> list[str]:
    """Return an example as a code block; nothing for one that is too long to be one."""
    if isinstance(value, str):
        is_json = language == "json" and value.lstrip()[:1] not in {"{", "["}
        text = json.dumps(value, ensure_ascii=False) if is_json else value
    else:
        text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return fenced(CodeBlock(text, language)) if len(text) <= MAX_EXAMPLE else []


def bracketed(words: Sequence[str]) -> str:
    """Return words in brackets after a blank; nothing for no words."""
    return f" ({', '.join(words)})" if words else ""


def item(lines: Sequence[str]) -> list[str]:
    """Return lines as one item of a list."""
    if not lines:
        return []
    return [f"- {lines[0]}", *(f"  {line}" if line else "" for line in lines[1:])]


def titled(title: str, lines: Sequence[str]) -> list[str]:
    """Return lines below a title that starts no section; nothing for no lines."""
    return ["", f"**{title}**", "", *lines] if lines else []
