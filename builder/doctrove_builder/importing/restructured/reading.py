"""A docutils document as a document's tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes

from doctrove_builder.importing.prose.tree import (
    Admonition,
    Break,
    Code,
    CodeBlock,
    Definitions,
    Described,
    Image,
    Inlines,
    Listing,
    Note,
    Paragraph,
    Place,
    Quote,
    Rule,
    Section,
    Styled,
    Table,
    Tabs,
    Target,
    Text,
)
from doctrove_builder.importing.restructured.code_directives import guessed_language
from doctrove_builder.importing.restructured.fields import read_fields
from doctrove_builder.importing.restructured.inline_reading import read_inlines
from doctrove_builder.importing.restructured.marks import (
    Alternative,
    Alternatives,
    AutoDescribed,
    Boxed,
    Loose,
)
from doctrove_builder.importing.restructured.marks import Described as DescribedNode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from doctrove_builder.importing.prose.tree import Block, Blocks

Resolve = "Callable[[AutoDescribed, Blocks], Blocks]"
"""Returns what stands for an autodoc directive; its own text is given."""


class Reader:
    """Reads the nodes of one document; `automatic` gives what autodoc directives stand for."""

    def __init__(
        self,
        document: nodes.document,
        *,
        highlight: str = "default",
        automatic: Callable[[AutoDescribed, Blocks], Blocks] | None = None,
    ) -> None:
        """Take a document whose transforms have run."""
        self._explicit = {name for name, kind in document.nametypes.items() if kind}
        self._highlight = highlight
        self._automatic = automatic
        self.labels: dict[str, str] = {}
        """By explicit name: the id that it is an alias of."""

        self.included: list[tuple[int, str, tuple[int, int]]] = []
        """Lines of files that stand in the text: where, which file, first and last line."""

    def blocks(self, children: Iterable[nodes.Node]) -> Blocks:
        """Return the blocks of nodes, each with the places in it that links may point at."""
        found: list[Block] = []
        for child in children:
            if isinstance(child, nodes.Element) and not isinstance(child, nodes.section):
                names = self._names(child)
                if names and not isinstance(child, DescribedNode | nodes.footnote | nodes.citation):
                    found.append(Target(names))
            found += self._block(child)
        return tuple(found)

    def _block(self, node: nodes.Node) -> Blocks:
        reads = _READS.get(type(node))
        if reads is not None:
            return reads(self, node)
        if isinstance(node, nodes.Inline | nodes.Text):
            inside = read_inlines((node,))
            return (Paragraph(inside),) if inside else ()
        if isinstance(node, nodes.Element) and not isinstance(node, nodes.Invisible):
            return self.blocks(node.children)
        return ()

    def _names(self, node: nodes.Element) -> tuple[str, ...]:
        names = [name for name in node["names"] if name in self._explicit]
        ids: list[str] = list(node["ids"])
        if ids and (found := re.fullmatch(r"(.+)-\d+", ids[0])) and found[1] in ids:
            ids.insert(0, found[1])  # a label has the title's name: the title's id is counted
        for name in names:
            self.labels.setdefault(name, ids[0] if ids else name)
        return tuple(dict.fromkeys((*ids, *names)))

    def section(self, node: Loose) -> Blocks:
        """Return a section with its title and place."""
        title: Inlines = ()
        children = list(node.children)
        if children and isinstance(children[0], nodes.title):
            title = read_inlines(children.pop(0).children)
        file, line = node.get("place", ("", 0))
        place = Place(file, line) if line else None
        return (Section(title, self._names(node), self.blocks(children), place),)

    def described(self, node: Loose) -> Blocks:
        """Return an object's description, its fields in the usual groups."""
        file, line = node["place"]
        return (
            Described(
                name=node["name"],
                anchors=(*node["anchors"], *node["ids"]),
                signatures=node["signatures"],
                language=node["language"],
                symbols=node["symbols"],
                inside=self.blocks(node.children),
                place=Place(file, line),
            ),
        )

    def automatic(self, node: Loose) -> Blocks:
        """Return what stands for an autodoc directive."""
        own = self.blocks(node.children)
        return self._automatic(node, own) if self._automatic else own

    def code(self, node: Loose) -> Blocks:
        """Return a block of code."""
        text = node.astext()
        language = node.get("language")
        if language is None:
            classes = [one for one in node["classes"] if one not in {"code", "literal-block"}]
            language = classes[0] if classes else guessed_language(text, self._highlight)
        if included := node.get("included"):
            path, first, last = included
            self.included.append((node["at"], path, (first, last)))
        return (CodeBlock(text, language, node.get("title", "")),)

    def fields(self, node: Loose) -> Blocks:
        """Return a field list in the groups of parameters, results and errors."""
        return read_fields(
            [
                (name.astext(), self.blocks(body.children))
                for name, body in (field.children for field in node.children)
            ]
        )

    def table(self, node: Loose) -> Blocks:
        """Return a table, spans as repeated empty cells."""
        caption: Inlines = ()
        head: tuple[Blocks, ...] = ()
        rows: list[tuple[Blocks, ...]] = []
        for child in node.children:
            if isinstance(child, nodes.title):
                caption = read_inlines(child.children)
        for row in node.findall(nodes.row):
            cells: list[Blocks] = []
            for entry in row.children:
                cells.append(self.blocks(entry.children))
                cells += [()] * int(entry.get("morecols", 0))
            if isinstance(row.parent, nodes.thead) and not head:
                head = tuple(cells)
            else:
                rows.append(tuple(cells))
        return (Table(head, tuple(rows), caption),)


def _paragraph(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    inside = read_inlines(node.children)
    return (Paragraph(inside),) if inside else ()


def _bullets(reader: Reader, node: Loose) -> Blocks:
    return (Listing(tuple(reader.blocks(item.children) for item in node.children)),)


def _numbers(reader: Reader, node: Loose) -> Blocks:
    items = tuple(reader.blocks(item.children) for item in node.children)
    start = int(node.get("start", 1))
    if len(items) == 1 and start > 1 and "lower" in node["enumtype"] and _is_text(items[0]):
        (paragraph,) = items[0]  # `(c) 2020 by ...` is no list
        assert isinstance(paragraph, Paragraph)
        mark = f"{node['prefix']}{chr(ord('a') + start - 1)}{node['suffix']} "
        return (Paragraph((Text(mark), *paragraph.inside)),)
    return (Listing(items, start),)


def _is_text(blocks: Blocks) -> bool:
    return len(blocks) == 1 and isinstance(blocks[0], Paragraph)


def _definitions(reader: Reader, node: Loose) -> Blocks:
    items: list[tuple[Inlines, Blocks]] = []
    for item in node.children:
        term: Inlines = ()
        means: Blocks = ()
        for child in item.children:
            if isinstance(child, nodes.term):
                term = read_inlines(child.children)
            elif isinstance(child, nodes.classifier):
                term = (*term, Text(" : "), Styled("*", read_inlines(child.children)))
            elif isinstance(child, nodes.definition):
                means = reader.blocks(child.children)
        items.append((term, means))
    return (Definitions(tuple(items)),)


def _options(reader: Reader, node: Loose) -> Blocks:
    items: list[tuple[Inlines, Blocks]] = []
    for item in node.children:
        group, description = item.children
        names = ", ".join(option.astext() for option in group.children)
        items.append(((Code(names),), reader.blocks(description.children)))
    return (Definitions(tuple(items)),)


def _quote(reader: Reader, node: Loose) -> Blocks:
    inside = reader.blocks(node.children)
    habit = all(isinstance(block, _INDENTED) for block in inside)
    return inside if habit else (Quote(inside),)


def _attribution(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    return (Paragraph((Text("— "), *read_inlines(node.children))),)


def _lines(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    inside: Inlines = ()
    for line in node.findall(nodes.line):
        inside = (*inside, Break()) if inside else ()
        inside = (*inside, *read_inlines(line.children))
    return (Paragraph(inside),) if inside else ()


def _image(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    return (Paragraph((Image(str(node.get("uri", "")), str(node.get("alt", ""))),)),)


def _footnote(reader: Reader, node: Loose) -> Blocks:
    label, *rest = node.children
    return (Note(label.astext(), reader.blocks(rest)),)


def _tabs(reader: Reader, node: Loose) -> Blocks:
    items: list[tuple[str, Blocks]] = []
    others: list[Block] = []
    for child in node.children:
        if isinstance(child, Alternative):
            items.append((child["label"] or "Tab", reader.blocks(child.children)))
        elif isinstance(child, nodes.literal_block):
            (code,) = reader.code(child)
            assert isinstance(code, CodeBlock)
            items.append((code.title or code.language or "Code", (code,)))
        else:
            others += reader.blocks((child,))
    return (*others, Tabs(tuple(items))) if items else tuple(others)


def _tab(reader: Reader, node: Loose) -> Blocks:
    return (Tabs(((node["label"] or "Tab", reader.blocks(node.children)),)),)


def _box(reader: Reader, node: Loose) -> Blocks:
    inside = reader.blocks(node.children)
    written: str = node["kind"]
    kind = {"seealso": "note", "error": "danger"}.get(written, written)
    title = "See also" if written == "seealso" else re.sub(r"[`*]+", "", node["label"])
    return (Admonition(kind, title, inside),) if inside else ()


def _rubric(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    return (Paragraph((Styled("**", read_inlines(node.children)),)),)


def _math(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    return (CodeBlock(node.astext(), "math"),)


def _doctest(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    return (CodeBlock(node.astext(), "pycon"),)


def _rule(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    return (Rule(),)


def _nothing(reader: Reader, node: Loose) -> Blocks:  # noqa: ARG001 - one shape for all
    return ()


_INDENTED = Listing | Definitions | Target | CodeBlock | Table
"""Indenting these is a habit, not a quotation."""

_READS: dict[type[nodes.Node], Callable[[Reader, Loose], Blocks]] = {
    nodes.paragraph: _paragraph,
    nodes.section: Reader.section,
    nodes.bullet_list: _bullets,
    nodes.enumerated_list: _numbers,
    nodes.definition_list: _definitions,
    nodes.field_list: Reader.fields,
    nodes.option_list: _options,
    nodes.literal_block: Reader.code,
    nodes.doctest_block: _doctest,
    nodes.math_block: _math,
    nodes.block_quote: _quote,
    nodes.attribution: _attribution,
    nodes.line_block: _lines,
    nodes.table: Reader.table,
    nodes.image: _image,
    nodes.caption: _paragraph,
    nodes.footnote: _footnote,
    nodes.citation: _footnote,
    nodes.rubric: _rubric,
    nodes.title: _rubric,
    nodes.subtitle: _rubric,
    nodes.transition: _rule,
    nodes.comment: _nothing,
    nodes.system_message: _nothing,
    nodes.raw: _nothing,
    nodes.pending: _nothing,
    nodes.substitution_definition: _nothing,
    nodes.target: _nothing,
    nodes.label: _nothing,
    DescribedNode: Reader.described,
    AutoDescribed: Reader.automatic,
    Alternatives: _tabs,
    Alternative: _tab,
    Boxed: _box,
}
