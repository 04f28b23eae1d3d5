"""Lines of a page put in order: before they are read, and when all is converted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.markdown.lines import Line, Role, closes, fence_of, roles

if TYPE_CHECKING:
    from collections.abc import Sequence

_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_MAGIC = re.compile(
    r"\s*(?://|#|--|%|;|/\*|<!--|\{/\*)\s*highlight-(?:next-line|start|end)\s*(?:\*/\}?|-->)?\s*"
)
"""A line of code by which Docusaurus marks others."""


def tabs_expanded(lines: Sequence[Line]) -> list[Line]:
    """Write tabs before the text of a line as blanks: blocks are told apart by columns."""
    return [
        line.with_text(_untabbed(line.text)) if line.text.startswith(("\t", " \t")) else line
        for line in lines
    ]


def _untabbed(text: str) -> str:
    blank = text[: len(text) - len(text.lstrip(" \t"))]
    return blank.expandtabs(4) + text[len(blank) :]


def without_magic(lines: Sequence[Line]) -> list[Line]:
    """Leave out the comments in code that only say which lines are lit."""
    if not any("highlight-" in line.text for line in lines):
        return list(lines)
    kinds = roles(lines, indented=False)
    return [
        line
        for line, kind in zip(lines, kinds, strict=True)
        if kind is not Role.CODE or not _MAGIC.fullmatch(line.text)
    ]


def closed_blocks(lines: Sequence[Line], file: str, notes: list[Note]) -> list[Line]:
    """Close the code block that its author left open, so that it takes in nothing else."""
    kinds = roles(lines, indented=False)
    made: list[Line] = []
    mark = prefix = ""
    for line, kind in zip(lines, kinds, strict=True):
        if mark and kind is not Role.CODE and kind is not Role.CLOSE:
            made.append(line.with_text(f"{prefix}{mark}"))
            notes.append(_unclosed(file, line))
            mark = ""
        if kind is Role.OPEN and (fence := fence_of(line.text)):
            mark = fence.mark
            prefix = re.sub(r"[-*+]|\d+[.)]", lambda found: " " * len(found[0]), fence.prefix)
        elif kind is Role.CLOSE:
            mark = ""
        made.append(line)
    if mark and lines:
        made.append(lines[-1].with_text(f"{prefix}{mark}"))
        notes.append(_unclosed(file, lines[-1]))
    return made


def _unclosed(file: str, line: Line) -> Note:
    return Note(
        kind="code-block-closed",
        place=f"{file}:{line.number}",
        message="a code block was left open",
    )


def settled(lines: Sequence[Line]) -> list[Line]:
    """Leave out blank lines at the ends, and all but one of several between blocks of text."""
    made: list[Line] = []
    mark = ""
    for line in lines:
        if mark:
            mark = "" if closes(line.text, mark) else mark
        elif not line.text.strip():
            if made and made[-1].text.strip():
                made.append(line.with_text(""))
            continue
        elif line.text.startswith("#"):
            _drop_rules(made)
        elif fence := fence_of(line.text):
            mark = fence.mark
        made.append(line)
    _drop_rules(made)
    while made and not made[-1].text.strip():
        made.pop()
    return made


def _drop_rules(made: list[Line]) -> None:
    """Leave out the rules at the end of a section: its end says the same."""
    blank: Line | None = None
    while made:
        last = made[-1]
        above = made[-2].text if len(made) > 1 else ""
        if not last.text.strip():
            blank = made.pop()
        elif _RULE.fullmatch(last.text) and not above.strip():
            made.pop()
        else:
            break
    if made and blank is not None:
        made.append(blank)
