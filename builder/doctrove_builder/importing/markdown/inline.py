"""Small things in the text of a page: attribute lists, icons, roles, keys, marks for tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from doctrove_builder.importing.markdown.lines import SOFT_BREAK, masked

if TYPE_CHECKING:
    from collections.abc import Callable

_ATTRIBUTES = re.compile(
    r"""(?<=[)\]`*_>\w.!?"])[ ]?\{:?[ ]*(?:[.#][\w:-]+|[\w-]+=(?:"[^"]*"|'[^']*'|[^\s}]+))"""
    r"""(?:\s+(?:[.#][\w:/-]+|[\w-]+=(?:"[^"]*"|'[^']*'|[^\s}]+)|[\w-]+))*[ ]*\}"""
)
_LINE_ATTRIBUTES = re.compile(
    r"""^[ \t]*\{:?[ ]*(?:[.#][\w:-]+|[\w-]+=(?:"[^"]*"|'[^']*'|[^\s}]+)|toc|:toc)"""
    r"""(?:\s+[^{}\n]*)?\}[ \t]*$""",
    re.MULTILINE,
)
_ICON = re.compile(
    r":(?:material|octicons|fontawesome|simple|bootstrap|fa|lucide)-[\w-]+:(?:\{[^{}\n]*\})?[ ]?"
)
_TOC = re.compile(
    r"^[ \t]*(?:\[\[?(?:_)?TOC(?:_)?\]?\]|\$\{toc\}|<!-- toc -->|\{\{[<%]\s*toc\s*[%>]\}\})[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_KEYS = re.compile(r"(?<!\+)\+\+([\w\"'+-]+?)\+\+(?!\+)")
_WIKI = re.compile(r"\[\[(?P<text>[^\[\]|\n]{1,200})(?:\|(?P<page>[^\[\]|\n]{1,200}))?\]\](?!\()")
_SHORTCODE = re.compile(r"\{\{[<%]\s{0,9}(/?)\s{0,9}([\w/-]{1,60})((?:\s[^>%]{0,400}?)?)/?[>%]\}\}")
_JINJA = re.compile(r"\{%-?\s{0,9}(/?)\s{0,9}([\w-]{1,60})((?:\s[^%]{0,400}?)?)-?%\}")
_TITLE = re.compile(r"""\b(?:title|name|tabName|summary|header)\s*=\s*["']([^"']+)["']""")
_STYLE = re.compile(r"""\b(?:style|type|color|level)\s*=\s*["'](\w+)["']""")
_FIRST = re.compile(r"""^\s*["']([^"']+)["']|^\s*([\w#+-]+)""")
_KINDS = {
    "attention": "warning",
    "callout": "note",
    "alert": "note",
    "caution": "caution",
    "danger": "danger",
    "hint": "tip",
    "important": "important",
    "info": "info",
    "note": "note",
    "notice": "note",
    "success": "success",
    "tip": "tip",
    "warning": "warning",
}
_CODE_TAGS = frozenset({"highlight"})
_TITLED_TAGS = frozenset(
    {"tab", "tabitem", "expand", "accordion", "card", "step", "details", "code"}
)


def outside_code(text: str, pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> str:
    """Replace what a pattern finds outside code spans; the number of lines stays."""
    mask = masked(text)
    parts: list[str] = []
    at = 0
    for found in pattern.finditer(text):
        if found.start() < at or "\0" in mask[found.start() : found.end()]:
            continue
        replaced = new(found)
        lost = found[0].count("\n") - replaced.count("\n")
        parts += [text[at : found.start()], replaced, "\n" * max(lost, 0)]
        at = found.end()
    parts.append(text[at:])
    return "".join(parts)


def tidied(text: str) -> str:
    """Take attribute lists, icons, tables of contents and keys out of a run of text."""
    if "{" in text:
        text = outside_code(text, _LINE_ATTRIBUTES, lambda _: "")
        text = outside_code(text, _ATTRIBUTES, _attributes)
    if ":" in text:
        text = outside_code(text, _ICON, lambda _: "")
    if "toc" in text.lower():
        text = outside_code(text, _TOC, lambda _: "")
    if "++" in text:
        text = outside_code(text, _KEYS, _keys)
    return text


def shortcodes(text: str) -> str:
    """Rewrite tags of Hugo, Jekyll and GitBook: admonitions, code, tabs; others go."""
    if "{{<" in text or "{{%" in text:
        text = outside_code(text, _SHORTCODE, _shortcode)
    if "{%" in text:
        text = outside_code(text, _JINJA, _shortcode)
    return text


def wiki_links(text: str) -> str:
    """Write the links of GitHub's wikis, `[[Page]]` and `[[text|Page]]`, as Markdown."""
    return outside_code(text, _WIKI, _wiki_link) if "[[" in text else text


def _wiki_link(found: re.Match[str]) -> str:
    page, _, fragment = (found["page"] or found["text"]).strip().partition("#")
    address = quote(page.replace(" ", "-")) + (f"#{quote(fragment)}" if fragment else "")
    return f"[{found['text'].strip()}]({address})"


def _attributes(found: re.Match[str]) -> str:
    """Keep the id of a heading or a place; drop classes and the like."""
    line_start = found.string.rfind("\n", 0, found.start()) + 1
    if found.string.startswith("#", line_start):
        return found[0] if "#" in found[0] or "id=" in found[0] else ""
    return ""


def _keys(found: re.Match[str]) -> str:
    names = [part.strip("\"'") for part in found[1].split("+") if part]
    return "+".join(f"<kbd>{name.capitalize()}</kbd>" for name in names)


def _shortcode(found: re.Match[str]) -> str:
    closing, name, arguments = found[1] == "/" or found[2].startswith("end"), found[2], found[3]
    name = name.removeprefix("end").lower()
    if name in _CODE_TAGS:
        first = _FIRST.match(arguments)
        language = (first[1] or first[2]) if first else ""
        return f"{SOFT_BREAK}```" if closing else f"```{language}{SOFT_BREAK}"
    if name in _KINDS:
        style = _STYLE.search(arguments)
        kind = _KINDS.get(style[1], _KINDS[name]) if style else _KINDS[name]
        title = _TITLE.search(arguments)
        if closing:
            return f"{SOFT_BREAK}:::{SOFT_BREAK}"
        return f"{SOFT_BREAK}::: {kind}{f' {title[1]}' if title else ''}{SOFT_BREAK}"
    if name in _TITLED_TAGS and not closing:
        title = _TITLE.search(arguments) or re.match(r"""\s*["']([^"']+)["']""", arguments)
        return f"**{title[1]}**{SOFT_BREAK}" if title else ""
    return ""
