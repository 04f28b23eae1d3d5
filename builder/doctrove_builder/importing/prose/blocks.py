"""Blocks of a document as lines of Markdown, in the dialect that authors of volumes write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.prose.inlines import (
    UNRESOLVED,
    code_span,
    footnote_label,
    write_inlines,
    write_line,
)
from doctrove_builder.importing.prose.tree import (
    Admonition,
    CodeBlock,
    Definitions,
    Described,
    Lines,
    Listing,
    Note,
    Paragraph,
    Quote,
    Rule,
    Section,
    Table,
    Tabs,
    Target,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from doctrove_builder.importing.prose.inlines import Resolver
    from doctrove_builder.importing.prose.tree import Block, Blocks, Inlines

_LANGUAGE = re.compile(r"[\w+#.-]+")
_WORD = re.compile(r"[A-Za-z][A-Za-z-]*")


def write_blocks(blocks: Blocks, resolver: Resolver = UNRESOLVED) -> list[str]:
    """Return the lines of blocks, a blank line between two."""
    lines: list[str] = []
    before: Block | None = None
    for block in blocks:
        written = write_block(block, resolver)
        if not written:
            continue
        if lines:
            lines.append("")
        if isinstance(block, Listing) and isinstance(before, Listing):
            lines += ["<!-- -->", ""]  # two lists side by side would be one
        lines += written
        before = block
    return lines


def write_block(block: Block, resolver: Resolver) -> list[str]:  # noqa: PLR0911, PLR0912 - one a kind
    """Return the lines of one block; none for a block that shows nothing."""
    match block:
        case Paragraph(inside):
            text = write_inlines(inside, resolver)
            return text.split("\n") if text else []
        case CodeBlock():
            return fenced(block)
        case Listing(items, start):
            return _listing(items, start, resolver)
        case Quote(inside):
            return [f"> {line}".rstrip() for line in write_blocks(inside, resolver)]
        case Table():
            return _table(block, resolver)
        case Admonition():
            return _admonition(block, resolver)
        case Definitions(items):
            written = [_definition(term, means, resolver) for term, means in items]
            return _spaced(written)
        case Tabs(items):
            return _spaced(
                [f'=== "{label}"', "", *_indented(write_blocks(inside, resolver), "    ")]
                for label, inside in items
            )
        case Note(label, inside):
            lines = write_blocks(inside, resolver)
            return _hung(f"[^{footnote_label(label)}]: ", lines, indent="    ") if lines else []
        case Rule():
            return ["---"]
        case Target():
            return []
        case Lines(lines):
            return list(lines)
        case Section(title, _, inside):
            text = write_line(title, resolver)
            return _spaced([[f"**{text}**"] if text else [], write_blocks(inside, resolver)])
        case Described():
            return _described(block, resolver)


def fenced(code: CodeBlock) -> list[str]:
    """Return a fenced code block; its fence is longer than any within."""
    text = code.text.removesuffix("\n")
    if not text.strip():
        return []
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    language = code.language if _LANGUAGE.fullmatch(code.language) else ""
    title = " ".join(code.title.replace("`", "").split()).replace('"', "'")
    info = f'{language or "text"} title="{title}"' if title else language
    return [f"{fence}{info}", *text.split("\n"), fence]


def _described(block: Described, resolver: Resolver) -> list[str]:
    """Write an object that stands within another block: it starts no section."""
    heads = [code_span(line) for line in block.signatures] or [code_span(block.name)]
    return _hung("- ", _spaced([heads, write_blocks(block.inside, resolver)]), indent="  ")


def _listing(items: Sequence[Blocks], start: int | None, resolver: Resolver) -> list[str]:
    written: list[list[str]] = []
    for at, item in enumerate(items):
        marker = "- " if start is None else f"{start + at}. "
        lines = write_blocks(item, resolver) or [""]
        written.append(_hung(marker, lines, indent=" " * len(marker)))
    tight = all(
        len(item) < 2 or (len(item) == 2 and isinstance(item[1], Listing)) for item in items
    )
    return [line for lines in written for line in lines] if tight else _spaced(written)


def _admonition(block: Admonition, resolver: Resolver) -> list[str]:
    kind = block.kind.lower() if _WORD.fullmatch(block.kind) else "note"
    title = " ".join(block.title.split()).replace('"', "'")
    head = f'!!! {kind} "{title}"' if title else f"!!! {kind}"
    lines = write_blocks(block.inside, resolver)
    return [head, "", *_indented(lines, "    ")] if lines else []


def _definition(term: Inlines, means: Blocks, resolver: Resolver) -> list[str]:
    head = write_inlines(term, resolver).replace("\\\n", " ").replace("\n", " ")
    lines = write_blocks(means, resolver)
    if not lines:
        return [head] if head else []
    return [head, *_hung(":   ", lines, indent="    ")] if head else lines


def _table(table: Table, resolver: Resolver) -> list[str]:
    rows = [*([table.head] if table.head else []), *table.rows]
    width = max((len(row) for row in rows), default=0)
    if not width:
        return []
    cells = [[_cell(cell, resolver) for cell in row] + [""] * (width - len(row)) for row in rows]
    if not table.head:
        cells.insert(0, [""] * width)
    lines = [f"| {' | '.join(row)} |" for row in cells]
    lines.insert(1, f"|{' --- |' * width}")
    caption = write_line(table.caption, resolver)
    return [*([f"**{caption}**", ""] if caption else []), *lines]


def _cell(blocks: Blocks, resolver: Resolver) -> str:
    """Write a cell on one line: a table has no other."""
    parts = [part for block in blocks for part in _cell_parts(block, resolver)]
    return "<br>".join(parts).replace("|", "\\|")


def _cell_parts(block: Block, resolver: Resolver) -> list[str]:
    match block:
        case Paragraph(inside):
            text = write_inlines(inside, resolver)
            return [" ".join(part.split()) for part in text.split("\\\n") if part.strip()]
        case CodeBlock(text):
            return [code_span(line) for line in text.split("\n") if line.strip()]
        case Listing(items, start):
            return [
                f"{'-' if start is None else f'{start + at}.'} {_cell(item, resolver)}"
                for at, item in enumerate(items)
            ]
        case _:
            return [" ".join(line.split()) for line in write_block(block, resolver) if line.strip()]


def _spaced(pieces: Iterable[list[str]]) -> list[str]:
    lines: list[str] = []
    for piece in pieces:
        if piece:
            lines += ["", *piece] if lines else piece
    return lines


def _indented(lines: Iterable[str], indent: str) -> list[str]:
    return [f"{indent}{line}" if line else "" for line in lines]


def _hung(marker: str, lines: Sequence[str], *, indent: str) -> list[str]:
    return [f"{marker}{lines[0]}".rstrip(), *_indented(lines[1:], indent)]
