"""Inline tokens to HTML, before it is sanitised."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from doctrove_builder.markdown.limits import ADDRESS_LIMIT
from doctrove_builder.markdown.raw import written_html

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from markdown_it.token import Token

    from doctrove_builder.markdown.rendering import Rendering

    Rule = Callable[[Sequence[Token], int, Rendering], str]

_WIDE = "\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_ENDS_WIDE = re.compile(f"[{_WIDE}]\\Z")
_STARTS_WIDE = re.compile(f"[{_WIDE}]")


def render_inline(tokens: Sequence[Token], rendering: Rendering) -> str:
    """Return the HTML of the children of an inline token."""
    parts: list[str] = []
    for index, token in enumerate(tokens):
        if token.type == "text":
            parts.append(escape(token.content, quote=False))
        elif rule := _RULES.get(token.type):
            parts.append(rule(tokens, index, rendering))
        else:
            parts.append(f"<{'/' if token.nesting < 0 else ''}{token.tag}>")
    rendering.in_link = False
    return "".join(parts)


def text_of(tokens: Sequence[Token]) -> str:
    """Return the text of inline tokens without markup, for an `alt` or a label."""
    parts: list[str] = []
    for token in tokens:
        if token.type in {"text", "text_special", "code_inline", "math_inline"}:
            parts.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
        elif token.type == "image":
            parts.append(text_of(token.children or ()))
    return "".join(parts)


def reference_name(token: Token, rendering: Rendering) -> str:
    """Return the id of a place that refers to a footnote."""
    number, again = token.meta["id"] + 1, token.meta["subId"]
    return rendering.name("Ref", number, *((again + 1,) if again else ()))


def _code(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    return f"<code>{escape(tokens[index].content, quote=False)}</code>"


def _soft_break(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    """A line may be broken between wide characters, where no blank belongs (CSS Text 3, 4.1.3)."""
    before, after = tokens[index - 1 : index], tokens[index + 1 : index + 2]
    if (
        before
        and after
        and _ENDS_WIDE.search(before[0].content)
        and _STARTS_WIDE.match(after[0].content)
    ):
        return ""
    return "\n"


def _hard_break(_tokens: Sequence[Token], _index: int, _rendering: Rendering) -> str:
    return "<br>\n"


def _link_open(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    token = tokens[index]
    tag = rendering.link(str(token.attrs["href"]), title=_title(token))
    rendering.in_link = bool(tag)
    return tag


def _link_close(_tokens: Sequence[Token], _index: int, rendering: Rendering) -> str:
    was_open, rendering.in_link = rendering.in_link, False
    return "</a>" if was_open else ""


def _image(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    token = tokens[index]
    alt = text_of(token.children or ())
    return rendering.picture(str(token.attrs["src"]), alt=alt, title=_title(token))


def _html(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    return written_html(tokens[index].content, rendering)


def _math(tokens: Sequence[Token], index: int, _rendering: Rendering) -> str:
    return f'<span class="math">${escape(tokens[index].content, quote=False)}$</span>'


def _footnote_ref(tokens: Sequence[Token], index: int, rendering: Rendering) -> str:
    number = tokens[index].meta["id"] + 1
    if rendering.in_link:
        return f"<sup>{number}</sup>"
    note = escape(f"#{rendering.name('Note', number)}")
    name = rendering.id(reference_name(tokens[index], rendering))
    return f'<sup class="footnote-ref"><a href="{note}"{name}>{number}</a></sup>'


def _title(token: Token) -> str:
    title = str(token.attrs.get("title", ""))
    return title if len(title) <= ADDRESS_LIMIT else ""


_RULES: Mapping[str, Rule] = {
    "code_inline": _code,
    "footnote_ref": _footnote_ref,
    "hardbreak": _hard_break,
    "html_inline": _html,
    "image": _image,
    "link_close": _link_close,
    "link_open": _link_open,
    "math_inline": _math,
    "softbreak": _soft_break,
}
