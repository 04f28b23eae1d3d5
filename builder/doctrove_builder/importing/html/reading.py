"""Elements of HTML as the blocks of a document's tree; headings become sections by their level."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.importing.html.code import is_code, read_pre
from doctrove_builder.importing.html.elements import (
    ADMONITIONS,
    READS,
    TITLES,
    admonition,
    bold,
    captioned,
    footnote,
    line_block,
    tabs,
)
from doctrove_builder.importing.html.inlines import read_inline, read_inlines
from doctrove_builder.importing.html.parsing import (
    classes,
    found,
    pieces,
    tag,
    text_of,
)
from doctrove_builder.importing.prose.tree import (
    CodeBlock,
    Paragraph,
    Place,
    Section,
    Styled,
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
            if _says(loose):
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
            if heading := _HEADING.fullmatch(tag(piece)):
                # what stands alone before a heading names it, as labels of Sphinx do
                before = () if _says(loose) else tuple(names)
                names = names if _says(loose) else []
                finish()
                made.append(self._heading(piece, int(heading[1]), before))
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
        target: list[Block | _Heading] = []
        identifier = element.get("id")
        if identifier and not _starts_section(element):
            target.append(Target((identifier,)))
        reads = READS.get(name)
        if reads is None:
            return [*target, *self._container(element, depth)]
        return [*target, *reads(self, element, depth)]

    def _heading(self, element: Element, level: int, before: tuple[str, ...]) -> _Heading:
        names: list[str] = []
        title = read_inlines(element, names)
        own = [element.get("id")] if element.get("id") else []
        section = element.getparent()
        if section is not None and _starts_section(section) and section.get("id"):
            own.insert(0, section.get("id"))
        line = element.sourceline if isinstance(element.sourceline, int) else 0
        known = tuple(dict.fromkeys(one for one in (*own, *names, *before) if one))
        return _Heading(level, title, known, line)

    def _container(  # noqa: PLR0911 - one a sort of container
        self, element: Element, depth: int
    ) -> list[Block | _Heading]:
        """Read a `div`, a `section` and the like: what its classes say, else what is in it."""
        own = classes(element)
        if "admonition" in own or own & ADMONITIONS:
            return [*admonition(self, element, depth)]
        if is_code(element) and (pre := found(element, name="pre")) is not None:
            return [read_pre(pre)]
        if "line-block" in own:
            return [*line_block(element)]
        if own & {"math-wrapper", "math"} and not _holds_blocks(element):
            text = re.sub(r"^\\\[|\\\]$", "", text_of(element).strip()).strip()
            return [CodeBlock(text, "math")] if text else []
        if own & {"sd-tab-set", "sphinx-tabs", "tabbed-set"}:
            return [*tabs(self, element, depth)]
        if "literal-block-wrapper" in own:
            return [*captioned(element)]
        if own & {"footnote", "citation"}:
            return [*footnote(self, element, depth)]
        if own & TITLES:
            return [*bold(element)]
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


def _says(inlines: Iterable[Inline]) -> bool:
    return any(not isinstance(one, Text) or one.text.strip() for one in inlines)


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
