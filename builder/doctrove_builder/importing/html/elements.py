"""Elements of HTML one by one: lists, quotations, tables, notes, tabs, footnotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.html.code import read_pre
from doctrove_builder.importing.html.inlines import read_inlines
from doctrove_builder.importing.html.parsing import classes, found, hide, tag, text_of, whole_number
from doctrove_builder.importing.html.tables import read_table
from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.tree import (
    Admonition,
    Break,
    Definitions,
    Listing,
    Note,
    Paragraph,
    Quote,
    Rule,
    Styled,
    Tabs,
    Target,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from doctrove_builder.importing.html.parsing import Element
    from doctrove_builder.importing.html.reading import HtmlReader
    from doctrove_builder.importing.prose.tree import Block, Blocks, Inline, Inlines

ADMONITIONS = frozenset(
    """
    attention caution danger error hint important note seealso tip todo warning
    """.split()  # noqa: SIM905 - words
)
TITLES = frozenset({"rubric", "topic-title", "sidebar-title", "sd-card-title", "centered"})


def admonition(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    """Return a note or warning; its title is taken out of its text."""
    own = classes(element)
    kind = next((cls for cls in (element.get("class") or "").split() if cls in ADMONITIONS), "note")
    title = ""
    inside = list(reader.blocks(element, depth + 1))
    first = found(element, cls="admonition-title")
    if first is not None and inside:
        title = " ".join(text_of(first).split())
        head = inside[0]
        if isinstance(head, Paragraph) and plain_text(head.inside) == title:
            inside.pop(0)
    if title.rstrip(":").lower() == kind or (kind == "seealso" and not title):
        title = "See also" if kind == "seealso" else ""
    shown = {"seealso": "note", "error": "danger", "todo": "note"}.get(kind, kind)
    return (Admonition(shown, title, tuple(inside)),) if inside and own else tuple(inside)


def _paragraph(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    if classes(element) & TITLES:
        return bold(element)
    return reader.blocks(element, depth + 1)


def bold(element: Element) -> Blocks:
    """Return a title that is not in the outline."""
    names: list[str] = []
    inside = read_inlines(element, names)
    shown: Blocks = (Paragraph((Styled("**", inside),)),) if plain_text(inside) else ()
    return (Target(tuple(names)), *shown) if names else shown


def _list(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    items = tuple(reader.blocks(one, depth + 1) for one in element if tag(one) == "li")
    if tag(element) != "ol":
        return (Listing(items),)
    return (Listing(items, whole_number(element.get("start"), 1)),)


def _definitions(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    items: list[tuple[Inlines, Blocks]] = []
    targets: list[str] = []
    for one in _entries(element):
        if tag(one) == "dt":
            if one.get("id"):
                targets.append(one.get("id") or "")
            items.append((read_inlines(one, targets), ()))
        else:
            term, before = items.pop() if items else ((), ())
            items.append((term, (*before, *reader.blocks(one, depth + 1))))
    target: Blocks = (Target(tuple(targets)),) if targets else ()
    return (*target, Definitions(tuple(items)))


def _entries(element: Element) -> Iterable[Element]:
    """Yield the terms and meanings of a list, those in groups too."""
    for one in element:
        if tag(one) in {"dt", "dd"}:
            yield one
        elif tag(one) == "div":
            yield from (inner for inner in one if tag(inner) in {"dt", "dd"})


def _pre(reader: HtmlReader, element: Element, depth: int) -> Blocks:  # noqa: ARG001 - one shape for all
    return (read_pre(element),)


def _quote(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    inside = reader.blocks(element, depth + 1)
    lists = all(isinstance(block, Listing | Definitions | Target) for block in inside)
    return inside if lists else (Quote(inside),)


def _table(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    if "highlighttable" in classes(element) and (code := found(element, cls="code")) is not None:
        pre = found(code, name="pre")
        return (read_pre(pre),) if pre is not None else ()
    return (read_table(element, lambda cell: reader.blocks(cell, depth + 1)),)


def _rule(reader: HtmlReader, element: Element, depth: int) -> Blocks:  # noqa: ARG001 - one shape for all
    return (Rule(),)


def _fold(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    """Return what is folded away, under its summary in bold."""
    inside: list[Block] = []
    for one in element:
        if tag(one) == "summary":
            inside += bold(one)
    body = reader.blocks(element, depth + 1)
    return (*inside, *body[len(inside) :]) if inside else body


def _summary(reader: HtmlReader, element: Element, depth: int) -> Blocks:  # noqa: ARG001 - one shape for all
    return bold(element)


def line_block(element: Element) -> Blocks:
    """Return lines whose ends are kept."""
    lines: list[Inline] = []
    for one in element.iter():
        if isinstance(one.tag, str) and "line" in classes(one):
            lines += [Break()] if lines else []
            lines += read_inlines(one, [])
    return (Paragraph(tuple(lines)),) if lines else ()


def captioned(element: Element) -> Blocks:
    """Return code with its caption."""
    pre, caption = found(element, name="pre"), found(element, cls="code-block-caption")
    if pre is None:
        return ()
    title = " ".join(text_of(caption).split()) if caption is not None else ""
    return (read_pre(pre, title=title),)


def footnote(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    """Return a footnote without its number and its way back."""
    label = found(element, cls="label")
    name = re.sub(r"[\[\]\s]", "", text_of(label)) if label is not None else ""
    if label is None or not name:
        return reader.blocks(element, depth + 1)
    hide(label)
    if (back := found(element, cls="backrefs")) is not None:
        hide(back)
    return (Note(name, reader.blocks(element, depth + 1)),)


def tabs(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    """Return alternatives, each under its label."""
    labels = [one for one in element.iter() if isinstance(one.tag, str) and _is_tab_label(one)]
    panels = [one for one in element.iter() if isinstance(one.tag, str) and _is_tab_panel(one)]
    if not panels or len(labels) != len(panels):
        return tuple(block for panel in panels for block in reader.blocks(panel, depth + 1))
    names = [" ".join("".join(map(str, label.itertext())).split()) or "Tab" for label in labels]
    inside = [reader.blocks(panel, depth + 1) for panel in panels]
    return (Tabs(tuple(zip(names, inside, strict=True))),)


def _is_tab_label(element: Element) -> bool:
    parent = element.getparent()
    if tag(element) == "label" and parent is not None and "tabbed-labels" in classes(parent):
        return True
    return bool(classes(element) & {"sd-tab-label", "sphinx-tabs-tab"})


def _is_tab_panel(element: Element) -> bool:
    return bool(classes(element) & {"sd-tab-content", "sphinx-tabs-panel", "tabbed-block"})


READS: dict[str, Callable[[HtmlReader, Element, int], Blocks]] = {
    "p": _paragraph,
    "ul": _list,
    "ol": _list,
    "menu": _list,
    "dl": _definitions,
    "pre": _pre,
    "blockquote": _quote,
    "table": _table,
    "hr": _rule,
    "details": _fold,
    "summary": _summary,
}
