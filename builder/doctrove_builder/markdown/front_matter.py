"""The YAML between `---` lines at the top of a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from doctrove_builder.authoring.mapping import parse_mapping
from doctrove_builder.markdown.rules import MarkdownRule
from doctrove_schema.problem import Problem

if TYPE_CHECKING:
    from doctrove_builder.model import Document

_OPENED = re.compile(r"---[ \t]*\n[A-Za-z][\w-]*:(?:[ \t]|\n)")
_FENCED = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)


class FrontMatter(NamedTuple):
    """What the top of a page says of it, and the Markdown below with its first line in the file."""

    markdown: str
    first_line: int = 1
    title: str = ""
    description: str = ""
    path: str = ""
    """Provenance link."""

    order: int | None = None
    replace: bool = False
    symbols: tuple[str, ...] = ()


def split_front_matter(document: Document) -> tuple[FrontMatter, tuple[Problem, ...]]:
    """Read the front matter of a page; a `---` that no other closes is a line across the page."""
    found = _FENCED.match(document.text)
    if found is None:
        return FrontMatter(document.text), _unclosed(document)
    markdown = document.text[found.end() :]
    first_line = found[0].count("\n") + 1
    if not found[1].strip():
        return FrontMatter(markdown, first_line), ()
    values, problems = parse_mapping(found[1], source=document.path, schema="page", first_line=2)
    if values is None:
        return FrontMatter(markdown, first_line), problems
    replace = values.scalar("replace")
    return (
        FrontMatter(
            markdown,
            first_line,
            title=values.text("title"),
            description=values.text("description"),
            path=values.text("path"),
            order=values.whole("order"),
            replace=replace is not None and replace.value == "page",
            symbols=tuple(text for text, _ in values.texts("symbols")),
        ),
        problems,
    )


def _unclosed(document: Document) -> tuple[Problem, ...]:
    if not _OPENED.match(document.text):
        return ()
    problem = Problem(
        rule=MarkdownRule.UNCLOSED_FRONT_MATTER,
        source=document.path,
        line=1,
        column=1,
        message="the front matter that begins here is not closed",
        hint="write `---` on a line of its own below its last key",
    )
    return (problem,)
