"""JSX and Vue components in a page to Markdown: callouts, titled parts, tabs; tags alone go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.components import component_heading, is_callout
from doctrove_builder.importing.markdown.lines import SOFT_BREAK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.markdown.editing import Editing
    from doctrove_builder.importing.markdown.tags import Element, Tag

_CODE = frozenset({"Code", "CodeBlock", "Snippet"})
_TEMPLATE = re.compile(r"\s*\{\s*`((?:[^`\\]|\\.)*)`\s*\}\s*", re.DOTALL)


def write_component(page: Editing, elements: Sequence[Element], number: int, height: int) -> None:
    """Write what a component says; a tag that is none (`List<T>`) becomes text.

    `height` says how many callouts stand in each other here.
    """
    element = elements[number]
    tag = element.opening
    if not _is_component(page, element):
        named = tag.name[0].isupper() or "." in tag.name or "-" in tag.name
        if tag.closing and named and (page.mdx or page.own_line(tag)):
            page.edit(tag, "")
        else:
            page.insert(tag.start, "\\<", length=1)
        return
    if tag.alone or element.closing is None:
        said = _alone(page, tag)
        page.edit(tag, said)
        if tag.alone and not said:
            page.note("component-dropped", tag.start, f"<{tag.name}> holds no text")
        return
    if tag.name in _CODE and (
        code := _TEMPLATE.fullmatch(page.text[tag.end : element.closing.start])
    ):
        _write_code(page, tag, element.closing, code[1])
        return
    kind = is_callout(tag)
    if kind and page.starts_line(tag):
        _write_callout(page, tag, element.closing, kind, height)
        return
    items = _tab_titles(elements, number)
    heading = component_heading(tag, items=items) if page.starts_line(tag) else ""
    if heading:
        follows = page.rest_of_line(tag.end).strip()
        heading += SOFT_BREAK + (SOFT_BREAK + page.indent(tag) if follows else "")
    page.edit(tag, heading)
    page.edit(element.closing, "")
    page.dedent(tag, element.closing, flat=False)


def callout_heights(elements: Sequence[Element]) -> list[int]:
    """Return how many callouts stand in each other below an element, itself included."""
    heights = [0] * len(elements)
    for number in range(len(elements) - 1, -1, -1):
        element = elements[number]
        own = element.closing is not None and bool(is_callout(element.opening))
        heights[number] += own
        if element.parent >= 0:
            heights[element.parent] = max(heights[element.parent], heights[number])
    return heights


def _is_component(page: Editing, element: Element) -> bool:
    """Say whether a tag is a component's, and not a type or a placeholder in text."""
    tag = element.opening
    if not (tag.name[0].isupper() or "." in tag.name or "-" in tag.name):
        return False
    if element.closing is None and not tag.alone and not (page.mdx and page.starts_line(tag)):
        return False
    before = page.text[max(tag.start - 1, 0) : tag.start]
    return page.mdx or not (before.isalnum() or (before and before in "_>`"))


def _alone(page: Editing, tag: Tag) -> str:
    """Return what a component without content says; badges in headings say nothing lasting."""
    before = page.before(tag)
    if tag.name.endswith("Badge"):
        return "" if before.lstrip().startswith("#") else tag.text("text")
    return component_heading(tag, items=()) if not before.strip() else ""


def _write_callout(page: Editing, tag: Tag, closing: Tag, kind: str, height: int) -> None:
    mark = ":" * (2 + height)
    title = tag.text("title", "heading", "label")
    opening = f"{mark} {kind}{f' {title}' if title else ''}"
    indent = page.indent(tag)
    if page.rest_of_line(tag.end).strip():
        opening += SOFT_BREAK + indent
    ending = f"{SOFT_BREAK}{indent}{mark}" if page.before(closing).strip() else mark
    if page.rest_of_line(closing.end).strip():
        ending += SOFT_BREAK + indent
    page.edit(tag, opening)
    page.edit(closing, ending)
    page.dedent(tag, closing, flat=False)


def _write_code(page: Editing, tag: Tag, closing: Tag, code: str) -> None:
    """Write a component that shows a template literal as a code block."""
    title = tag.text("title")
    info = (tag.text("language", "lang") or "text") + (f' title="{title}"' if title else "")
    indent = page.indent(tag)
    written = code.replace("\\`", "`").replace("\\$", "$").strip("\n").split("\n")
    lines = [f"```{info}", *(f"{indent}{line}" for line in written), f"{indent}```"]
    page.replace(tag.start, closing.end, SOFT_BREAK.join(lines))


def _tab_titles(elements: Sequence[Element], number: int) -> tuple[str, ...]:
    """Return the title that the tabs around give to this one by its place."""
    parent = elements[number].parent
    if parent < 0:
        return ()
    items = elements[parent].opening.attributes.get("items", "")
    titles = [a or b for a, b in re.findall(r"\"([^\"]*)\"|'([^']*)'", items)]
    if not titles:
        return ()
    before = sum(
        1
        for other in elements[parent + 1 : number]
        if other.parent == parent and not other.opening.closing
    )
    return (titles[before],) if before < len(titles) else ()
