"""A document's tree to the parts of a page: headings with their own text, in reading order."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.importing.markdown.lines import Line
from doctrove_builder.importing.markdown.nesting import without_deep
from doctrove_builder.importing.prose.blocks import fenced, write_blocks
from doctrove_builder.importing.prose.inlines import (
    UNRESOLVED,
    code_span,
    plain_text,
    write_heading,
)
from doctrove_builder.importing.prose.tree import (
    Admonition,
    CodeBlock,
    Definitions,
    Described,
    Listing,
    Quote,
    Rule,
    Section,
    Table,
    Tabs,
    Target,
)
from doctrove_schema.sections import claim, slug

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.importing.prose.inlines import Resolver
    from doctrove_builder.importing.prose.tree import Block, Blocks, Place

DEEPEST = 6
_NO_ANCHOR = re.compile(r"[^\w.-]+")
_DEEP = re.compile(r"(?:[ \t]*(?:>|[-*+][ \t]|\d+[.)][ \t])){9}| {18}")
"""What a line begins with that may be in too many blocks."""

_NUMBERED = re.compile(r"(?:id|section-|toc-entry-)\d+")
"""Anchors that docutils counts: they change when a section is put before them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A heading of a page and the text up to the next one."""

    head: Section | Described | None
    """None: the text before the first heading."""

    level: int
    anchor: str
    names: tuple[str, ...]
    """All that links may call this part by, its anchor and places in its text included."""

    blocks: Blocks

    @property
    def title(self) -> str:
        """The heading's plain text."""
        if self.head is None:
            return ""
        if isinstance(self.head, Described):
            return self.head.name
        return plain_text(self.head.title)

    @property
    def place(self) -> Place | None:
        """Where the heading stands in its source."""
        return self.head.place if self.head else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The Markdown of a page and, for each part, its first and last line, counted from 1."""

    markdown: str
    lines: tuple[tuple[int, int], ...]
    flat: bool = False
    """Whether blocks were nested deeper than a build reads; their text stays."""


def outline(
    blocks: Blocks, *, first_level: int = 2, objects_down_to: int = DEEPEST
) -> tuple[Part, ...]:
    """Return the parts of a page; headings begin at a level, those of objects end at another.

    A section's own text comes before the objects that it describes: text that follows an object
    belongs to the section, and would pass for the object's.
    """
    taken: set[str] = set()
    deepest = max(first_level, objects_down_to)
    own = _text_of(blocks)
    lead = Part(head=None, level=1, anchor="", names=tuple(_targets(own)), blocks=own)
    return (lead, *_parts(blocks, first_level, deepest, taken))


def write_parts(parts: tuple[Part, ...], resolver: Resolver = UNRESOLVED) -> Written:
    """Return the Markdown of a page's parts."""
    lines: list[str] = []
    places: list[tuple[int, int]] = []
    for part in parts:
        written = [*_heading(part, resolver), *_signatures(part)]
        body = write_blocks(part.blocks, resolver)
        written += ["", *body] if written and body else body
        if lines and written:
            lines.append("")
        places.append((len(lines) + 1, len(lines) + max(1, len(written))))
        lines += written
    kept, flat = _flattened(lines)
    return Written(markdown="\n".join(kept) + "\n", lines=tuple(places), flat=flat)


def _flattened(lines: list[str]) -> tuple[list[str], bool]:
    """Return as many lines, none in more blocks than a build reads, and whether that changed one.

    What is written here has no containers between colons, the one thing that could lose a line.
    """
    if not any(map(_DEEP.match, lines)):
        return lines, False
    numbered = [Line(text, number) for number, text in enumerate(lines, start=1)]
    made, dropped = without_deep(numbered, indented=True)
    same = len(made) == len(lines)
    return ([line.text for line in made], bool(dropped)) if same else (lines, False)


def anchor_of(names: tuple[str, ...], title: str) -> str:
    """Return the anchor of a heading: its first name, else made of its text."""
    for name in names:
        anchor = _NO_ANCHOR.sub("-", name).strip("-")
        if anchor and not _NUMBERED.fullmatch(anchor):
            return anchor
    return slug(title)


def _parts(blocks: Blocks, level: int, deepest: int, taken: set[str]) -> Iterator[Part]:
    for block in blocks:
        if isinstance(block, Section):
            title = plain_text(block.title)
            if not title:
                yield from _parts(block.inside, level, deepest, taken)
                continue
            yield _part(block, title, min(level, DEEPEST), taken)
            yield from _parts(block.inside, level + 1, deepest, taken)
        elif isinstance(block, Described):
            yield _part(block, block.name, min(level, deepest), taken)
            yield from _parts(block.inside, min(level, deepest) + 1, deepest, taken)


def _part(head: Section | Described, title: str, level: int, taken: set[str]) -> Part:
    anchor = claim(anchor_of(head.anchors, title), taken)
    own = _text_of(head.inside)
    names = tuple(dict.fromkeys((anchor, *head.anchors, *_targets(own))))
    return Part(head=head, level=level, anchor=anchor, names=names, blocks=own)


def _text_of(blocks: Blocks) -> Blocks:
    """Return the text of a section alone, without the rules that set it apart from its like."""
    own = [block for block in blocks if not isinstance(block, Section | Described)]
    while own and isinstance(own[-1], Rule):
        own.pop()
    while own and isinstance(own[0], Rule):
        own.pop(0)
    return tuple(own)


def _heading(part: Part, resolver: Resolver) -> list[str]:
    if part.head is None:
        return []
    if isinstance(part.head, Described):
        text = code_span(part.head.name)
    else:
        text = write_heading(part.head.title, resolver)
    return [f"{'#' * part.level} {text} {{#{part.anchor}}}"]


def _signatures(part: Part) -> list[str]:
    head = part.head
    if not isinstance(head, Described) or not head.signatures:
        return []
    return ["", *fenced(CodeBlock("\n".join(head.signatures), head.language))]


def _targets(blocks: Blocks) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, Target):
            yield from block.names
        elif not isinstance(block, Section):
            if isinstance(block, Described):
                yield from block.anchors
            for inside in _inside(block):
                yield from _targets(inside)


def _inside(block: Block) -> tuple[Blocks, ...]:
    match block:
        case Quote(inside) | Admonition(_, _, inside) | Described(inside=inside):
            return (inside,)
        case Listing(items):
            return items
        case Definitions(items):
            return tuple(means for _, means in items)
        case Tabs(items):
            return tuple(inside for _, inside in items)
        case Table(head, rows):
            return (*head, *(cell for row in rows for cell in row))
        case _:
            return ()
