"""HTML elements in a page to Markdown: headings, links, pictures, code; what is decoration goes."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.lines import SOFT_BREAK, blanked

if TYPE_CHECKING:
    from doctrove_builder.importing.markdown.editing import Editing
    from doctrove_builder.importing.markdown.tags import Element, Tag

FLOWING = frozenset({"font", "label", "legend", "nobr", "small", "span", "title", "tt", "u"})
BLOCKS = frozenset(
    {"address", "article", "aside", "center", "div", "figure", "footer", "header", "main", "p"}
    | {"section"}
)
_ATTRIBUTES = frozenset(
    {"title", "colspan", "rowspan", "start", "open", "reversed", "href", "id", "name", "alt", "src"}
)
_BREAKS = re.compile(r"<br\s*/?>", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:language|lang|highlight-source|brush:)-?\s*([\w+#-]+)")
_BLOCK_TAG = re.compile(r"<(?:h[1-6]|p|div|ul|ol|section|article)\b")
_UNSAFE = re.compile(r"[\s()<>]")


def drop(page: Editing, element: Element, kind: str, message: str) -> None:
    """Leave an element out with all that is in it."""
    tag, closing = element.opening, element.closing
    end = closing.end if closing else tag.end
    page.replace(tag.start, end, blanked(page.text[tag.start : end]))
    if not tag.closing:
        page.note(kind, tag.start, message)


def unwrap(page: Editing, element: Element) -> None:
    """Leave an element's tags out; its text stays, and a place that links may name."""
    tag = element.opening
    is_block = tag.name.lower() in BLOCKS
    apart = SOFT_BREAK * 2 if is_block and page.before(tag).strip() and not tag.closing else ""
    named = tag.text("id") if not tag.closing and not page.mdx and not is_block else ""
    page.edit(tag, apart + _place(named))
    if element.closing:
        page.edit(element.closing, "")
        if tag.name.lower() not in FLOWING:
            inner = page.text[tag.end : element.closing.start]
            page.dedent(
                tag, element.closing, flat=is_block and not page.mdx and "\n\n" not in inner
            )


def clean(page: Editing, element: Element) -> None:
    """Keep a tag with the attributes that say something."""
    tag = element.opening
    if tag.closing:
        return
    if tag.name.lower() == "summary" and element.closing:
        # What follows is read as Markdown after a blank line alone.
        ends = not page.rest_of_line(element.closing.end).strip()
        if ends and page.following_line(element.closing.end).strip():
            page.edit(element.closing, f"</summary>{SOFT_BREAK}")
    kept = {
        key: value
        for key, value in tag.attributes.items()
        if key in _ATTRIBUTES and not value.startswith("{")
    }
    if kept == dict(tag.attributes) and not tag.alone:
        return
    written = "".join(f' {k}="{html.escape(v)}"' if v else f" {k}" for k, v in kept.items())
    page.edit(tag, f"<{tag.name}{written}>")


def write_heading(page: Editing, element: Element) -> None:
    """Write `<h2 id="x">` that begins its line as `## ... {#x}`."""
    tag, closing = element.opening, element.closing
    if tag.closing or closing is None or not page.starts_line(tag):
        page.edit(tag, "")
        if closing:
            page.edit(closing, "")
        return
    level = "#" * int(tag.name[1])
    anchor = tag.text("id")
    explicit = f" {{#{anchor}}}" if re.fullmatch(r"[\w.-]+", anchor) else ""
    inner = page.text[tag.end : closing.start]
    if "\n" in inner:
        plain = " ".join(re.sub(r"<[^<>]*>", "", inner).split())
        lines = blanked(page.text[tag.start : closing.end])
        page.replace(tag.start, closing.end, f"{level} {plain}{explicit}{lines}")
        return
    page.replace_indent(tag, f"{level} ")
    follows = page.rest_of_line(closing.end).strip()
    page.edit(closing, explicit + (SOFT_BREAK if follows else ""))


def write_inline(page: Editing, element: Element) -> None:
    """Write links, pictures, code and styles as Markdown."""
    tag, closing = element.opening, element.closing
    name = tag.name.lower()
    if name == "br":
        before = _BREAKS.sub("", page.before(tag)).strip()
        rest = _BREAKS.sub("", page.rest_of_line(tag.end)).strip()
        page.edit(tag, "<br>" if before and rest else "")
    elif name == "img":
        page.edit(tag, _picture(tag))
    elif closing is None:
        page.edit(tag, _place(tag.text("id", "name")) if not tag.closing else "")
    elif name == "a":
        _link(page, tag, closing)
    elif name == "code":
        _code_span(page, tag, closing)
    else:
        mark = "**" if name in {"b", "strong"} else "*"
        inner = page.text[tag.end : closing.start]
        if not inner.strip() or inner != inner.strip() or "\n\n" in inner:
            mark = ""
        page.edit(tag, mark)
        page.edit(closing, mark)


def write_code_block(page: Editing, element: Element) -> None:
    """Write `<pre>` that begins its line as a fenced block."""
    tag, closing = element.opening, element.closing
    if closing is None:
        page.edit(tag, "")
        return
    inner = page.text[tag.end : closing.start]
    if not page.starts_line(tag) or page.mdx:
        page.edit(tag, "")
        page.edit(closing, "")
        return
    found = re.match(r"\s*<code\b([^<>]*)>", inner)
    named = _LANGUAGE.search(found[1] if found else "") or _LANGUAGE.search(
        " ".join(tag.attributes.values())
    )
    plain = html.unescape(re.sub(r"<[^<>]*>", "", inner))
    start = "" if plain.startswith("\n") else SOFT_BREAK
    end = "" if plain.endswith("\n") else SOFT_BREAK
    fence = f"```{named[1] if named else ''}"
    page.replace(tag.start, closing.end, f"{fence}{start}{plain}{end}```")


def write_quote(page: Editing, element: Element) -> None:
    """Write a quote on one line as Markdown; of a longer one the text stays."""
    tag, closing = element.opening, element.closing
    if closing is None or "\n" in page.text[tag.end : closing.start]:
        unwrap(page, element)
        return
    after = SOFT_BREAK if page.following_line(closing.end).strip() else ""
    page.edit(tag, "> " if page.starts_line(tag) else "")
    page.edit(closing, after)


def _link(page: Editing, tag: Tag, closing: Tag) -> None:
    address = tag.text("href", "to")
    inner = page.text[tag.end : closing.start]
    if not inner.strip() or not address or "\n\n" in inner or _BLOCK_TAG.search(inner):
        page.edit(tag, _place(tag.text("id", "name")))
        page.edit(closing, "")
    else:
        page.edit(tag, "[")
        page.edit(closing, f"]({_address(address)})")


def _code_span(page: Editing, tag: Tag, closing: Tag) -> None:
    inner = page.text[tag.end : closing.start]
    if "<" in inner or "\n\n" in inner or not inner.strip():
        page.edit(tag, "")
        page.edit(closing, "")
        return
    plain = html.unescape(inner)
    mark = "``" if "`" in plain else "`"
    pad = " " if "`" in plain else ""
    page.replace(tag.start, closing.end, f"{mark}{pad}{plain}{pad}{mark}")


def _picture(tag: Tag) -> str:
    source = tag.text("src")
    alt = re.sub(r"[\[\]\\`<>]", "", tag.text("alt", "title"))
    return f"![{alt}]({_address(source)})" if source else alt


def _address(text: str) -> str:
    return f"<{text}>" if _UNSAFE.search(text) else text


def _place(name: str) -> str:
    """Return what marks a place that links may name."""
    return f'<a id="{html.escape(name)}"></a>' if name else ""
