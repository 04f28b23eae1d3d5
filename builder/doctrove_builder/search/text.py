"""The text of a section as search reads it: blocks of plain words, no markup of the author's.

Chinese and Japanese are written without blanks between words, and no index of words finds
anything inside such a run. Here each of their letters is a word of its own; whoever shows the text
puts the letters together again.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.markdown.faults import too_long
from doctrove_builder.markdown.inline import text_of
from doctrove_builder.markdown.parser import body_parser

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

WIDE = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u312f\u31a0-\u9fff\uf900-\ufaff"
    "\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Letters of scripts without blanks between words: Han, kana, bopomofo."""

_BESIDE_WIDE = re.compile(rf"(?<=[{WIDE}])(?=\S)|(?<=\S)(?=[{WIDE}])")
_TAG = re.compile(r"<(?:!--.*?--|[^<>]*)>", re.DOTALL)
_HEADING_TAG = "h3"


class SectionText(msgspec.Struct, frozen=True, kw_only=True):
    """What search knows of a section's body."""

    html: str
    """Paragraphs, code and headings, each with its text and nothing else in it."""

    headings: tuple[str, ...] = ()
    """Of the headings inside the body."""


def section_text(body: str) -> SectionText:
    """Return the text of a Markdown body, in bounded time."""
    if too_long(body, source="", line=1):
        return SectionText(html=_element("p", body))
    blocks = tuple(_blocks(body_parser().parse(body)))
    return SectionText(
        html="".join(_element(tag, text) for tag, text in blocks if text),
        headings=tuple(text for tag, text in blocks if tag == _HEADING_TAG and text),
    )


def section_texts(bodies: Sequence[str]) -> Sequence[SectionText]:
    """Return the texts of some bodies; for worker processes."""
    return [section_text(body) for body in bodies]


def spaced(text: str) -> str:
    """Set letters of scripts without blanks between words apart."""
    return _BESIDE_WIDE.sub(" ", text)


def _blocks(tokens: Sequence[Token]) -> Iterator[tuple[str, str]]:
    in_heading = False
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            in_heading = token.nesting > 0
        elif token.type == "inline":
            tag = _HEADING_TAG if in_heading else "p"
            yield tag, text_of(token.children or ()).strip()
        elif token.type in {"fence", "code_block"}:
            yield "pre", token.content.strip()
        elif token.type == "html_block":
            yield "p", unescape(_TAG.sub(" ", token.content)).strip()
        elif token.type.startswith("math"):
            yield "p", token.content.strip()
        elif token.type == "tab_open":
            yield "p", str(token.meta.get("title", "")).strip()


def _element(tag: str, text: str) -> str:
    return f"<{tag}>{escape(spaced(text), quote=False)}</{tag}>\n"
