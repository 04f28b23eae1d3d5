"""Texts of docstrings as Markdown lines, whatever they were written in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.prose.blocks import fenced, write_blocks
from doctrove_builder.importing.prose.embedded import escaped_tags
from doctrove_builder.importing.prose.inlines import code_span, write_inlines
from doctrove_builder.importing.prose.tree import Code, CodeBlock, Reference, Text
from doctrove_builder.importing.restructured.parsing import parse_rst

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from doctrove_builder.importing.prose.tree import Inlines
    from doctrove_builder.importing.python.markup import Markup

    Find = Callable[[str], str]
    """Returns the address of the section on an object, by its name as written; empty if none."""

DEEPEST_SPLIT = 3
"""Headings of docstrings stay below this level: they start no section of their own."""

_PLAIN = re.compile(r"[^`*_|:\\<>\[\]#.=~+&-]*(?:[.:,-](?=\s|$)[^`*_|:\\<>\[\]#.=~+&-]*)*")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"(#{1,6})(\s+\S.*)")
_PROMPT = re.compile(r"(\s*)>>>(?: |$)")
_CROSS = re.compile(r"(`[^`\n]*`)|\[((?:[^\[\]`\n]|`[^`\n]*`)+)\]\[([\w.]*)\]")


class References:
    """Resolves names that docstrings mention; all else stays as it is written."""

    def __init__(self, find: Find) -> None:
        self._find = find

    def link(self, href: str) -> str:
        """Return an address; those that lead into a documentation that is not here are empty."""
        return href if "://" in href or href.startswith(("mailto:", "#")) else ""

    def reference(self, reference: Reference) -> tuple[str, Inlines]:
        """Return the address of an object's section and the text of the reference."""
        inside = reference.inside
        if not inside:
            shown = reference.target.lstrip("~.")
            inside = (Code(shown),) if reference.role.startswith("py:") else (Text(shown),)
        return self._find(reference.target.lstrip("~.")), inside


def text_lines(text: str, markup: Markup, find: Find) -> list[str]:
    """Return a text as Markdown lines; code in it stays exact."""
    if markup == "markdown":
        return markdown_lines(text, find)
    if _PLAIN.fullmatch(text):
        return write_inlines((Text(text.strip("\n")),)).split("\n") if text.strip() else []
    parsed = parse_rst(text, file="")
    return write_blocks(parsed.blocks, References(find))


def markdown_lines(text: str, find: Find) -> list[str]:
    """Return Markdown: headings below the sections, doctests fenced, names linked."""
    lines: list[str] = []
    source = text.strip("\n").rstrip().split("\n") if text.strip() else []
    at = 0
    while at < len(source):
        line = source[at]
        opening = _FENCE.match(line)
        closed = _fence_end(source, at, opening[1]) if opening else 0
        if closed:
            lines += source[at:closed]
            at = closed
        elif _PROMPT.match(line):
            end = at
            while end < len(source) and source[end].strip():
                end += 1
            indent = line[: len(line) - len(line.lstrip())]
            code = "\n".join(one.removeprefix(indent) for one in source[at:end])
            indent = indent if len(indent) < 4 else ""
            if lines and lines[-1].strip():
                lines.append("")
            lines += [f"{indent}{one}" for one in fenced(CodeBlock(code, "pycon"))]
            at = end
        else:
            if opening:
                line = f"\\{line.lstrip()}"
            elif heading := _HEADING.fullmatch(line):
                line = "#" * min(6, len(heading[1]) + DEEPEST_SPLIT) + heading[2]
            lines.append(_text_line(line, find) if line[:4].strip() else line)
            at += 1
    return lines


def item(head: str, body: Sequence[str]) -> list[str]:
    """Return a list item: what is named, and what is said of it."""
    if not body:
        return [f"- {head}"]
    first, rest = body[0], body[1:]
    starts_block = first.startswith(("```", "~~~", "- ", "* ", "|", "!!!", ">", "#", "1. ", "    "))
    if starts_block:
        return [f"- {head}:", "", *(f"  {line}" if line else "" for line in body)]
    return [f"- {head}: {first}", *(f"  {line}" if line else "" for line in rest)]


def named(name: str, kind: str) -> str:
    """Return a name with its type as the head of a list item."""
    kind = kind.replace("~", "") if re.match(r"~[\w.]", kind) else kind
    if not name:
        return code_span(kind)
    return f"{code_span(name)} ({code_span(kind)})" if kind else code_span(name)


def _fence_end(source: Sequence[str], start: int, fence: str) -> int:
    for at in range(start + 1, len(source)):
        line = source[at].strip()
        if line.startswith(fence) and not line.strip(fence[0]):
            return at + 1
    return 0


def _text_line(line: str, find: Find) -> str:
    """Return a line of text, its names linked, what is no HTML escaped."""
    return escaped_tags(_linked(line, find))


def _linked(line: str, find: Find) -> str:
    """Resolve `[text][dotted.name]`, as mkdocstrings reads it; the text stays where it fails."""

    def one(found: re.Match[str]) -> str:
        if found[1]:
            return found[1]
        text, name = found[2], found[3] or found[2].strip("`")
        if not re.fullmatch(r"[\w.]+", name) or name.isdigit():
            return found[0]
        address = find(name)
        return f"[{text}]({address})" if address else text

    return _CROSS.sub(one, line) if "][" in line else line
