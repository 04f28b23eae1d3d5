"""Which lines of an included file are meant: ranges, named regions, marks before and after."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Numbered: TypeAlias = list[tuple[int, str]]
"""Lines with their numbers in the file, counted from 1."""

_SNIPPET_MARK = re.compile(r"^.*-{1,}8<-{1,}\s*\[.*$")
_REGION_MARK = re.compile(
    r"^\s*(?://|/\*|<!--|#|--|%|;|REM|')?\s*#?(?:end)?region\b.*$|^\s*#(?:end)?region\b.*$",
    re.IGNORECASE,
)
_ANCHOR_MARK = re.compile(r"^.*\bANCHOR(?:_END)?:\s*[\w-]+.*$")
_MARKS = {"snippet": _SNIPPET_MARK, "vitepress": _REGION_MARK, "mdbook": _ANCHOR_MARK}
_RANGE = re.compile(r"(-?\d*)\s*[-:]\s*(-?\d*)|(-?\d+)")


def numbered(text: str) -> Numbered:
    """Number the lines of a file; a last line end makes no line."""
    return list(enumerate(text.removesuffix("\n").split("\n"), 1))


def ranges(spec: str) -> list[tuple[int, int]]:
    """Read `3`, `3-5`, `3:5`, `3-`, `-5`, several of them separated by commas."""
    found: list[tuple[int, int]] = []
    for part in spec.split(","):
        read = _RANGE.fullmatch(part.strip())
        if read is None:
            continue
        if read[3]:
            found.append((int(read[3]), int(read[3])))
        else:
            found.append((int(read[1] or 1), int(read[2] or -1)))
    return found


def in_ranges(lines: Numbered, spec: str) -> Numbered:
    """Return the lines of ranges in their written order; a negative end counts from the last."""
    last = len(lines)
    chosen: Numbered = []
    for first, end in ranges(spec):
        stop = last + 1 + end if end < 0 else end
        chosen += lines[max(first, 1) - 1 : stop]
    return chosen


def snippet_section(lines: Numbered, name: str) -> Numbered | None:
    """Return the lines between `--8<-- [start:name]` and `[end:name]`; None when not there."""
    start = re.compile(rf"-{{1,}}8<-{{1,}}\s*\[\s*start\s*:\s*{re.escape(name)}\s*\]")
    end = re.compile(rf"-{{1,}}8<-{{1,}}\s*\[\s*end\s*:\s*{re.escape(name)}\s*\]")
    return _between(lines, start.search, end.search)


def region(lines: Numbered, name: str) -> Numbered | None:
    """Return the lines of an editor's region (`// #region name`); None when not there."""
    word = re.escape(name)
    start = re.compile(rf"(?:#?region|<!--\s*#?region)\s+{word}\b", re.IGNORECASE)
    end = re.compile(rf"#?end\s?region\b(?:\s+{word}\b)?", re.IGNORECASE)
    found = _between(lines, start.search, end.search)
    return found if found is None else dedented(found)


def anchor(lines: Numbered, name: str) -> Numbered | None:
    """Return the lines between `ANCHOR: name` and `ANCHOR_END: name`; None when not there."""
    start = re.compile(rf"\bANCHOR:\s*{re.escape(name)}\b")
    end = re.compile(rf"\bANCHOR_END:\s*{re.escape(name)}\b")
    return _between(lines, start.search, end.search)


def python_object(lines: Numbered, dotted: str) -> Numbered | None:
    """Return the lines of a Python class or function, decorators included; None when not there."""
    try:
        body: Sequence[ast.stmt] = ast.parse("\n".join(text for _, text in lines)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | None = None
    for name in dotted.split("."):
        node = next(
            (
                one
                for one in body
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
                and one.name == name
            ),
            None,
        )
        if node is None:
            return None
        body = node.body
    if node is None:
        return None
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return lines[first - 1 : node.end_lineno]


def after(lines: Numbered, mark: str, *, inclusive: bool) -> Numbered | None:
    """Return the lines after the first that holds `mark`, or from it; None when none does."""
    at = next((i for i, (_, text) in enumerate(lines) if mark in text), None)
    return None if at is None else lines[at + (not inclusive) :]


def before(lines: Numbered, mark: str, *, inclusive: bool) -> Numbered | None:
    """Return the lines before the first that holds `mark`, or up to it; None when none does."""
    at = next((i for i, (_, text) in enumerate(lines) if mark in text), None)
    return None if at is None else lines[: at + inclusive]


def without_marks(lines: Numbered, dialect: str) -> Numbered:
    """Leave out the lines that only name sections for a dialect's includes."""
    mark = _MARKS.get(dialect)
    return [one for one in lines if not mark.match(one[1])] if mark else lines


def dedented(lines: Numbered, count: int | None = None) -> Numbered:
    """Take the blanks off that all lines begin with, or `count` of them."""
    filled = [len(text) - len(text.lstrip(" \t")) for _, text in lines if text.strip()]
    shared = min(filled, default=0) if count is None else count
    return [(number, text[shared:] if text.strip() else "") for number, text in lines]


def _between(
    lines: Numbered,
    starts: Callable[[str], re.Match[str] | None],
    ends: Callable[[str], re.Match[str] | None],
) -> Numbered | None:
    opened = next((i for i, (_, text) in enumerate(lines) if starts(text)), None)
    if opened is None:
        return None
    closed = next((i for i in range(opened + 1, len(lines)) if ends(lines[i][1])), len(lines))
    return lines[opened + 1 : closed]
