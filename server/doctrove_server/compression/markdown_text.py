"""Inline Markdown with what a reader of a summary can do without taken out.

Link targets, pictures, comments, attributes and footnote marks go; the text of links, code spans
and literals stay as they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_server.compression.sentences import CODE_SPAN

if TYPE_CHECKING:
    from collections.abc import Callable

_IMAGE = re.compile(r"!\[[^\[\]]{0,300}\](?:\([^()\n]{0,2000}\)|\[[^\[\]\n]{0,200}\])")
_LINK = re.compile(
    r"\[((?:[^\[\]]|\[[^\[\]]{0,200}\]){1,400})\]"
    r"(?:\([^()\n]{0,2000}(?:\([^()\n]{0,200}\)[^()\n]{0,200})?\)|\[[^\[\]\n]{0,200}\])"
)
_NOISE = re.compile(
    r"<!--.{0,4000}?-->|\[\^[^\]\n]{1,60}\]|\{\s?[#.:][^{}\n]{0,200}\}|\{[a-z][\w:-]{1,20}\}(?=[`\x00])"
    r"|</?(?:a|abbr|b|br|center|cite|del|dfn|div|em|font|i|img|ins|kbd|mark|p|q|small|span|strong"
    r"|sub|sup|u|var|Badge)"
    r"(?:\s[^<>]{0,600})?/?>",
    re.DOTALL,
)
_STRONG = re.compile(r"\*\*(?=\S)([^*]{1,300}?)(?<=\S)\*\*")
_LONG_SPAN = re.compile(r"`{3,}\s?((?:(?!```)[^`]|`(?!``)){0,2000}?)\s?`{3,}|`{3,}")
_BLANKS = re.compile(r"[ \t\r\n]+")


def plain(text: str) -> str:
    """Return inline Markdown in one line without targets, pictures and attributes."""
    if "```" in text:
        text = _LONG_SPAN.sub(lambda span: f"`{span[1]}`" if span[1] else "", text)
    return _BLANKS.sub(" ", outside_code(text, _stripped)).strip()


def _stripped(text: str) -> str:
    if "[" in text:
        if "![" in text:
            text = _IMAGE.sub("", text)
        text = _LINK.sub(r"\1", text)
    if "<" in text or "{" in text or "[^" in text:
        text = _NOISE.sub("", text)
    return _STRONG.sub(r"\1", text) if "**" in text else text


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change what stands outside code spans; a link around a span is changed as a whole.

    For `change` each span is a number between two NUL characters.
    """
    if "`" not in text:
        return change(text)
    hidden, shown = spans_aside(text)
    return shown(change(hidden))


def spans_aside(
    text: str, pattern: re.Pattern[str] = CODE_SPAN
) -> tuple[str, Callable[[str], str]]:
    """Return a text with a number between two NUL characters for each code span, and the way back.

    The way back takes the text or any piece of it that holds whole numbers.
    """
    spans: list[str] = []

    def put_aside(span: re.Match[str]) -> str:
        spans.append(span[0])
        return f"\x00{len(spans) - 1}\x00"

    def shown(changed: str) -> str:
        return _ASIDE.sub(lambda mark: spans[int(mark[1])], changed)

    return pattern.sub(put_aside, text.replace("\x00", "")), shown


_ASIDE = re.compile(r"\x00(\d{1,9})\x00")
