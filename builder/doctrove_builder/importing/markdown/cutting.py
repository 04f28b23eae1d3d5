"""Which part of an included file a directive means, as a function of the file's lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from doctrove_builder.importing.markdown import slicing
from doctrove_builder.importing.markdown.slicing import Numbered

Cut: TypeAlias = Callable[[Numbered], Numbered | None]
"""Gives the lines that are meant; None when the part that is named is not there."""


def cut_ranges(spec: str) -> Cut | None:
    """Read ranges of lines; None for the whole file."""
    if not spec.strip():
        return None
    return lambda lines: slicing.in_ranges(lines, spec)


def cut_snippet(part: str) -> Cut:
    """Read what PyMdown's snippets write after a path: lines, the name of a section, nothing."""

    def cut(lines: Numbered) -> Numbered | None:
        if part and re.fullmatch(r"[\d:,-]+", part):
            return _snippet_lines(lines, part)
        found = slicing.snippet_section(lines, part) if part else lines
        return found if found is None else slicing.without_marks(found, "snippet")

    return cut


def _snippet_lines(lines: Numbered, spec: str) -> Numbered:
    """Read `start:end` (either may be empty), several separated by commas."""
    made: Numbered = []
    for part in spec.split(","):
        first, _, last = part.partition(":")
        begin = int(first) if first.lstrip("-").isdigit() else 1
        end = int(last) if last.lstrip("-").isdigit() else len(lines)
        begin = len(lines) + 1 + begin if begin < 0 else max(begin, 1)
        end = len(lines) + 1 + end if end < 0 else end
        made += lines[begin - 1 : end]
    return made


def cut_region(name: str, spec: str) -> Cut:
    """Read VitePress's `#region` and `{ranges}`."""

    def cut(lines: Numbered) -> Numbered | None:
        found: Numbered | None = lines
        if name:
            found = slicing.region(lines, name)
            found = _heading_part(lines, name) if found is None else found
        if found is not None and spec:
            found = slicing.in_ranges(found, spec)
        return found if found is None else slicing.without_marks(found, "vitepress")

    return cut


def _heading_part(lines: Numbered, name: str) -> Numbered | None:
    """Return a heading's part of a Markdown file: VitePress takes `#anchor` for one."""
    for at, (_, text) in enumerate(lines):
        level = len(text) - len(text.lstrip("#"))
        if not level or re.sub(r"[^\w]+", "-", text[level:].strip().lower()).strip("-") != name:
            continue
        end = at + 1
        while end < len(lines):
            other = len(lines[end][1]) - len(lines[end][1].lstrip("#"))
            if 0 < other <= level:
                break
            end += 1
        return lines[at:end]
    return None


def cut_spec(spec: str) -> Cut:
    """Read what mdBook writes after a path: `2:10`, or the name of an anchor."""

    def cut(lines: Numbered) -> Numbered | None:
        found: Numbered | None = lines
        if re.fullmatch(r"[\d:]+", spec):
            first, colon, last = spec.partition(":")
            end = last or ("" if colon else first)
            found = lines[int(first or 1) - 1 : int(end) if end else len(lines)]
        elif spec:
            found = slicing.anchor(lines, spec)
        return found if found is None else slicing.without_marks(found, "mdbook")

    return cut


def cut_marks(start: str, end: str) -> Cut | None:
    """Read the marks of include-markdown; None for the whole file."""
    if not start and not end:
        return None

    def cut(lines: Numbered) -> Numbered | None:
        found: Numbered | None = lines
        if start:
            found = slicing.after(lines, start.replace("\\n", "\n"), inclusive=False)
        if found is not None and end:
            found = slicing.before(found, end.replace("\\n", "\n"), inclusive=False)
        return found

    return cut


def cut_options(options: Mapping[str, str]) -> Cut | None:
    """Read the options of Sphinx's `literalinclude`."""
    if not options.keys() & _CUTTING:
        return None

    def cut(lines: Numbered) -> Numbered | None:
        found: Numbered | None = lines
        if name := options.get("pyobject"):
            found = slicing.python_object(lines, name)
        for key, inclusive in (("start-after", False), ("start-at", True)):
            if found is not None and key in options:
                found = slicing.after(found, _unquoted(options[key]), inclusive=inclusive)
        for key, inclusive in (("end-before", False), ("end-at", True)):
            if found is not None and key in options:
                found = slicing.before(found, _unquoted(options[key]), inclusive=inclusive)
        if found is not None and options.get("lines"):
            found = slicing.in_ranges(found, options["lines"])
        if found is not None and "dedent" in options:
            given = options["dedent"]
            found = slicing.dedented(found, int(given) if given.isdigit() else None)
        return found

    return cut


_CUTTING = frozenset(
    {"dedent", "end-at", "end-before", "lines", "pyobject", "start-after", "start-at"}
)


def _unquoted(text: str) -> str:
    """Return an option's text without the quotes of YAML, which MyST's options are."""
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "'\""
    return text[1:-1] if quoted else text
