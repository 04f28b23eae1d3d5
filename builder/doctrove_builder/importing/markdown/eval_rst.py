"""reStructuredText in a page of MyST taken apart: text for docutils, and directives of ours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from doctrove_builder.importing.markdown.lines import Line

Own: TypeAlias = "tuple[str, str, list[Line]]"
"""Name, argument and lines of a directive, its first line included."""

_DIRECTIVE = re.compile(r"(?:[*+-][ \t]+)?\.\. (?P<name>[\w:.-]+)::[ \t]*(?P<argument>.*)")
"""Also as the only content of a list item."""


def split_rst(
    body: Sequence[Line], *, indent: str, ours: Callable[[str], bool]
) -> Iterator[Own | list[Line]]:
    """Yield the parts of a text in order: lines of it, and each directive that is `ours`.

    All lines come without `indent`, and those below a directive without what they share.
    """
    waiting: list[Line] = []
    at = 0
    while at < len(body):
        text = body[at].text.removeprefix(indent)
        found = _DIRECTIVE.fullmatch(text)
        if found is None or not ours(found["name"]):
            waiting.append(body[at].with_text(text))
            at += 1
            continue
        yield from _filled(waiting)
        waiting = []
        end = at + 1
        while end < len(body) and _belongs(body[end].text, indent):
            end += 1
        inner = [one.with_text(one.text.removeprefix(indent)) for one in body[at + 1 : end]]
        yield found["name"], found["argument"], [body[at], *_undented(inner)]
        at = end
    yield from _filled(waiting)


def _belongs(text: str, indent: str) -> bool:
    return not text.strip() or text.startswith((f"{indent} ", f"{indent}\t"))


def _filled(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines without blank ones at both ends, if there are others."""
    filled = [number for number, line in enumerate(lines) if line.text.strip()]
    if filled:
        yield list(lines[filled[0] : filled[-1] + 1])


def _undented(lines: Sequence[Line]) -> list[Line]:
    """Take the blanks off that all lines begin with."""
    shared = min(
        (len(one.text) - len(one.text.lstrip(" ")) for one in lines if one.text.strip()), default=0
    )
    return [one.with_text(one.text[shared:] if one.text.strip() else "") for one in lines]
