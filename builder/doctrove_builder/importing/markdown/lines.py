"""Lines of a page on their way to a section, each with the place that it was written at."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

SOFT_BREAK = "\x1f"
"""In the text of a line: a line end that its source does not have."""


class Line(NamedTuple):
    """One line and where it was written."""

    text: str
    number: int
    """Line of the page's file: of the directive, for an included line."""

    file: str = ""
    """The included file; empty for a line of the page itself."""

    included: int = 0
    """Its line in the included file."""

    def with_text(self, text: str) -> Line:
        """Return the line with another text, written at the same place."""
        return self if text == self.text else self._replace(text=text)


class Role(Enum):
    """What a line is to Markdown."""

    TEXT = "text"
    OPEN = "open"
    """First line of a fenced code block."""

    CODE = "code"
    CLOSE = "close"


_FENCE = re.compile(
    r"(?P<prefix>[ \t]*(?:>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)"
    r"(?P<fence>`{3,}|~{3,})(?P<info>.*)",
    re.DOTALL,
)
_CLOSE = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*(?P<fence>`{3,}|~{3,}|:{3,})[ \t]*")
_HOLDER = re.compile(
    r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]|!!!|\?\?\?|===|\[\^|:[ \t]|//|:::|[ \t]*<|\{%"
)
"""What indented lines below it belong to: lists, admonitions, tabs, footnotes, tags."""


class Fence(NamedTuple):
    """The first line of a fenced code block, taken apart."""

    prefix: str
    mark: str
    info: str


def fence_of(text: str) -> Fence | None:
    """Return the fence that a line opens; None when it opens none."""
    if "```" not in text and "~~~" not in text:
        return None
    found = _FENCE.fullmatch(text)
    if found is None or (found["fence"][0] == "`" and "`" in found["info"]):
        return None
    return Fence(found["prefix"], found["fence"], found["info"])


def closes(text: str, mark: str) -> bool:
    """Say whether a line closes the fence that `mark` opened."""
    found = _CLOSE.fullmatch(text)
    return found is not None and found["fence"].startswith(mark)


def roles(lines: Sequence[Line], *, indented: bool = True) -> tuple[Role, ...]:
    """Say what each line is; `indented` reads code that is marked by four blanks alone too."""
    return _roles(tuple([line.text for line in lines]), indented)


@lru_cache(maxsize=8)  # one step after the other asks for the same page
def _roles(texts: tuple[str, ...], indented: bool) -> tuple[Role, ...]:
    found: list[Role] = []
    mark, quoted = "", False
    filled = -1  # the last line that is not blank
    holder = ""  # the last line of text that is not indented: what follows may belong to it
    for number, text in enumerate(texts):
        if number and texts[number - 1].strip():
            filled = number - 1
        if mark:
            if quoted and not text.lstrip().startswith(">"):
                mark = ""  # a quote ends with its lines, and the code in it too
            else:
                closed = mark in text and closes(text, mark)
                found.append(Role.CLOSE if closed else Role.CODE)
                mark = "" if closed else mark
                continue
        is_deep = text.startswith(("    ", "\t"))
        code = indented and is_deep and _is_indented(texts, number, found, holder, filled)
        if not code and (opened := fence_of(text)):
            mark, quoted = opened.mark, ">" in opened.prefix
            found.append(Role.OPEN)
            continue
        found.append(Role.CODE if code else Role.TEXT)
        if not is_deep and (not text.startswith(" ") or not holder) and text.strip():
            holder = text
    return tuple(found)


def _is_indented(
    texts: Sequence[str], number: int, found: list[Role], holder: str, filled: int
) -> bool:
    """Say whether a deep line is code by its indent; `filled` is the last one above with text."""
    if not texts[number].strip() or _HOLDER.match(holder):
        return False
    return number == 0 or filled < number - 1 or found[filled] is Role.CODE


def map_text(
    lines: Sequence[Line], change: Callable[[str], str], *, indented: bool = True
) -> list[Line]:
    """Change every run of text between code; `change` keeps the number of lines.

    A `SOFT_BREAK` in the result becomes a line of its own.
    """
    made: list[Line] = []
    for is_text, run in runs(lines, indented=indented):
        if not is_text:
            made += run
            continue
        changed = change("\n".join(line.text for line in run)).split("\n")
        if len(changed) != len(run):
            raise ValueError("a change of text must keep its lines")
        for line, text in zip(run, changed, strict=True):
            made += [line.with_text(part) for part in text.split(SOFT_BREAK)]
    return made


def runs(lines: Sequence[Line], *, indented: bool = True) -> Iterator[tuple[bool, Sequence[Line]]]:
    """Yield runs of text (True) and of code (False, fences included)."""
    start = 0
    found = roles(lines, indented=indented)
    for end in range(1, len(lines) + 1):
        is_text = found[start] is Role.TEXT
        if end == len(lines) or (found[end] is Role.TEXT) != is_text:
            yield is_text, lines[start:end]
            start = end


def blanked(text: str) -> str:
    """Return only the line ends of a text: it goes, the lines stay."""
    return "\n" * text.count("\n")


def text_of(lines: Iterable[Line]) -> str:
    """Join lines."""
    return "\n".join(line.text for line in lines)


_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)


def masked(text: str) -> str:
    r"""Return the text with every code span filled with `\\0`, each character in its place."""

    def fill(found: re.Match[str]) -> str:
        if "\n\n" in found[0]:
            return found[0]  # a paragraph's end ends code too
        return "".join("\n" if c == "\n" else "\0" for c in found[0])

    return _CODE_SPAN.sub(fill, text)
