"""Elements of HTML as the blocks of a document's tree; headings become sections by their level."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.importing.html.code import is_code, read_pre
from doctrove_builder.importing.html.inlines import read_inline, read_inlines
from doctrove_builder.importing.html.parsing import (
    classes,
    found,
    hide,
    pieces,
    tag,
    text_of,
    whole_number,
)
from doctrove_builder.importing.html.tables import read_table
from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.tree import (
    Admonition,
    Break,
    CodeBlock,
    Definitions,
    Listing,
    Note,
    Paragraph,
    Place,
    Quote,
    Rule,
    Section,
    Styled,
    Tabs,
    Target,
    Text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from doctrove_builder.importing.html.parsing import Element
    from doctrove_builder.importing.prose.tree import Block, Blocks, Inline, Inlines

    Special = Callable[["HtmlReader", Element, int], Blocks | None]
    """Reads an element in a way of its own; None leaves it to the usual one."""

MAX_DEPTH = 45
_HEADING = re.compile(r"h([1-6])")
_INLINE = frozenset(
    """
    a abbr acronym b bdi bdo big br cite code del dfn em font i img ins kbd label mark q s samp
    small span strike strong sub sup time tt u var wbr
    """.split()  # noqa: SIM905 - words
)
_ADMONITIONS = frozenset(
    """
    attention caution danger error hint important note seealso tip todo warning
    """.split()  # noqa: SIM905 - words
)
_TITLES = frozenset({"rubric", "topic-title", "sidebar-title", "sd-card-title", "centered"})


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    title: Inlines
    names: tuple[str, ...]
    line: int


class HtmlReader:
    """Reads the content of one page; `special` knows the elements of a particular generator."""

    def __init__(self, *, file: str = "", special: Special | None = None) -> None:
        """Take the file's name for the places of headings."""
        self._file = file
        self._special = special

    def page(self, element: Element) -> Blocks:
        """Return the blocks of a page, nested by its headings."""
        return self._nested(self._flow(element, 0))

    def blocks(self, element: Element, depth: int) -> Blocks:
        """Return the blocks within an element; headings in it become bold text."""
        return tuple(_plain(one) for one in self._flow(element, depth))

    def _flow(self, element: Element, depth: int) -> list[Block | _Heading]:
        """Return the blocks and headings of an element in order; loose text becomes paragraphs."""
        made: list[Block | _Heading] = []
        loose: list[Inline] = []
        names: list[str] = []

        def finish() -> None:
            if any(not isinstance(one, Text) or one.text.strip() for one in loose):
                made.append(Paragraph(tuple(loose)))
            loose.clear()
            if names:
                made.append(Target(tuple(names)))
                names.clear()

        for piece in pieces(element):
            if isinstance(piece, str) or tag(piece) in _INLINE:
                if not isinstance(piece, str) and _holds_blocks(piece) and depth < MAX_DEPTH:
                    finish()
                    made += self._flow(piece, depth + 1)
                else:
                    loose += read_inline(piece, names)
                continue
            finish()
            made += self._block(piece, depth)
        finish()
        return made

    def _block(self, element: Element, depth: int) -> list[Block | _Heading]:
        if depth >= MAX_DEPTH:
            text = " ".join(text_of(element).split())
            return [Paragraph((Text(text),))] if text else []
        if self._special is not None and (own := self._special(self, element, depth)) is not None:
            return list(own)
        name = tag(element)
        if heading := _HEADING.fullmatch(name):
            return [self._heading(element, int(heading[1]))]
        target: list[Block | _Heading] = []
        identifier = element.get("id")
        if identifier and not _starts_section(element):
            target.append(Target((identifier,)))
        reads = _READS.get(name)
        if reads is None:
            return [*target, *self._container(element, depth)]
        return [*target, *reads(self, element, depth)]

    def _heading(self, element: Element, level: int) -> _Heading:
        names: list[str] = []
        title = read_inlines(element, names)
        own = [element.get("id")] if element.get("id") else []
        section = element.getparent()
        if section is not None and _starts_section(section) and section.get("id"):
            own.insert(0, section.get("id"))
        line = element.sourceline if isinstance(element.sourceline, int) else 0
        known = tuple(dict.fromkeys(one for one in (*own, *names) if one))
        return _Heading(level, title, known, line)

    def _container(  # noqa: PLR0911 - one a sort of container
        self, element: Element, depth: int
    ) -> list[Block | _Heading]:
        """Read a `div`, a `section` and the like: what its classes say, else what is in it."""
        own = classes(element)
        if "admonition" in own or own & _ADMONITIONS:
            return [*admonition(self, element, depth)]
        if is_code(element) and (pre := found(element, name="pre")) is not None:
            return [read_pre(pre)]
        if "line-block" in own:
            return [*_line_block(element)]
        if own & {"math-wrapper", "math"} and not _holds_blocks(element):
            text = re.sub(r"^\\\[|\\\]$", "", text_of(element).strip()).strip()
            return [CodeBlock(text, "math")] if text else []
        if own & {"sd-tab-set", "sphinx-tabs", "tabbed-set"}:
            return [*_tabs(self, element, depth)]
        if "literal-block-wrapper" in own:
            return [*_captioned(element)]
        if own & {"footnote", "citation"}:
            return [*_footnote(self, element, depth)]
        if own & _TITLES:
            return [*_bold(element)]
        return self._flow(element, depth + 1)

    def _nested(self, flow: Iterable[Block | _Heading]) -> Blocks:
        """Put what follows a heading below it, up to the next one of its level or above."""
        root: list[Block] = []
        stack: list[tuple[_Heading | None, list[Block]]] = [(None, root)]

        def close() -> None:
            heading, inside = stack.pop()
            assert heading is not None  # the root is never closed
            place = Place(self._file, heading.line) if heading.line else None
            stack[-1][1].append(Section(heading.title, heading.names, tuple(inside), place))

        for one in flow:
            if not isinstance(one, _Heading):
                stack[-1][1].append(one)
                continue
            while (above := stack[-1][0]) is not None and above.level >= one.level:
                close()
            stack.append((one, []))
        while len(stack) > 1:
            close()
        return tuple(root)


def admonition(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    """Return a note or warning; its title is taken out of its text."""
    own = classes(element)
    kind = next(
        (cls for cls in (element.get("class") or "").split() if cls in _ADMONITIONS), "note"
    )
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


def _starts_section(element: Element) -> bool:
    """Say whether an element is a section that begins with its heading."""
    if tag(element) not in {"section", "div", "article", "main"}:
        return False
    for piece in pieces(element):
        if isinstance(piece, str):
            if piece.strip():
                return False
        elif tag(piece) != "span" or text_of(piece).strip():
            return bool(_HEADING.fullmatch(tag(piece)))
    return False


def _holds_blocks(element: Element) -> bool:
    if len(element) == 0:
        return False
    return any(
        isinstance(one.tag, str) and one.tag not in _INLINE and one is not element
        for one in element.iter()
    )


def _plain(one: Block | _Heading) -> Block:
    if isinstance(one, _Heading):
        return Paragraph((Styled("**", one.title),))
    return one


def _paragraph(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    if classes(element) & _TITLES:
        return _bold(element)
    return reader.blocks(element, depth + 1)


def _bold(element: Element) -> Blocks:
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
            inside += _bold(one)
    body = reader.blocks(element, depth + 1)
    return (*inside, *body[len(inside) :]) if inside else body


def _summary(reader: HtmlReader, element: Element, depth: int) -> Blocks:  # noqa: ARG001 - one shape for all
    return _bold(element)


def _line_block(element: Element) -> Blocks:
    lines: list[Inline] = []
    for one in element.iter():
        if isinstance(one.tag, str) and "line" in classes(one):
            lines += [Break()] if lines else []
            lines += read_inlines(one, [])
    return (Paragraph(tuple(lines)),) if lines else ()


def _captioned(element: Element) -> Blocks:
    pre, caption = found(element, name="pre"), found(element, cls="code-block-caption")
    if pre is None:
        return ()
    title = " ".join(text_of(caption).split()) if caption is not None else ""
    return (read_pre(pre, title=title),)


def _footnote(reader: HtmlReader, element: Element, depth: int) -> Blocks:
    label = found(element, cls="label")
    name = re.sub(r"[\[\]\s]", "", text_of(label)) if label is not None else ""
    if label is None or not name:
        return reader.blocks(element, depth + 1)
    hide(label)
    if (back := found(element, cls="backrefs")) is not None:
        hide(back)
    return (Note(name, reader.blocks(element, depth + 1)),)


def _tabs(reader: HtmlReader, element: Element, depth: int) -> Blocks:
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


_READS: dict[str, Callable[[HtmlReader, Element, int], Blocks]] = {
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
