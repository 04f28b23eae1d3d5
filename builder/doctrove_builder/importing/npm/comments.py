"""Documentation comments as Markdown: what is said, then tags under their titles."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.importing.npm.jsdoc import (
    Doc,
    Tag,
    example_lines,
    markdown_lines,
    parameter,
    untyped,
)
from doctrove_builder.importing.prose.inlines import code_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from doctrove_builder.importing.npm.jsdoc import Find

_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:[.#][\w$]+)*(?:\(\))?")
_BLOCK = re.compile(r"!!! |`{3}|~{3}|[-*+>] |\d+[.)] |\||\*\*\w[\w ]*\*\*$")
"""What begins a list, code, an admonition, a table or a titled part."""

_LISTED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Type parameters", ("typeParam", "template", "typeparam")),
    ("Parameters", ("param", "arg", "argument", "parameter")),
    ("Properties", ("property", "prop")),
)
_TEXTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Returns", ("returns", "return")),
    ("Yields", ("yields", "yield")),
    ("Throws", ("throws", "throw", "exception")),
    ("Since", ("since",)),
    ("See also", ("see",)),
)
_PLAIN = ("description", "remarks", "summary", "privateRemarks")


@dataclass(slots=True)
class Comments:
    """Writes comments; knows which sections names lead to."""

    find: Find

    def text(self, doc: Doc) -> list[str]:
        """Return a comment as Markdown lines."""
        texts = [doc.lines, *(tag.lines for tag in doc.named(*_PLAIN))]
        written = ["\n".join(markdown_lines(text, self.find)) for text in texts]
        # A @summary often begins the @description too: said once is enough.
        known = list(dict.fromkeys(text for text in written if text))
        once = [one for one in known if not any(one in other for other in known if other != one)]
        lines = "\n\n".join(once).split("\n") if once else []
        warned = _deprecated(doc, self.find)
        said = [*lines, *self._tags(doc, after=bool(lines))]
        return [*warned, *([""] if warned and said else []), *said]

    def said(self, docs: Iterable[Doc]) -> list[str]:
        """Return what the comments of all overloads say, each once."""
        made: list[str] = []
        seen: set[str] = set()
        for doc in docs:
            lines = self.text(doc)
            key = "\n".join(lines)
            if lines and key not in seen:
                seen.add(key)
                made += ["", *lines] if made else lines
        return made

    def _tags(self, doc: Doc, *, after: bool) -> list[str]:
        made: list[str] = []
        for title, names in _LISTED:
            items = [self._parameter(tag) for tag in doc.named(*names)]
            items = [item for item in items if item]
            if items:
                made += ["", f"**{title}**", "", *(line for item in items for line in item)]
        for tag in doc.named("default", "defaultValue", "defaultvalue"):
            made += self._default(tag)
        for title, names in _TEXTS:
            made += self._texts(title, map(self._named, doc.named(*names)))
        for tag in doc.named("example", "examples"):
            lines = example_lines(tag, self.find)
            if lines:
                made += ["", "**Example**", "", *lines]
        return made if after else made[1:]

    def _parameter(self, tag: Tag) -> list[str]:
        name, text = parameter(tag)
        lines = markdown_lines(text, self.find)
        if not name:
            return listed(lines)
        head = code_span(name)
        return listed(headed(head, lines)) if lines else []

    def _default(self, tag: Tag) -> list[str]:
        lines = untyped(tag)
        if len(lines) == 1 and "`" not in lines[0] and "{@" not in lines[0]:
            return ["", f"Default: {code_span(lines[0].strip().rstrip(','))}"]
        return ["", "**Default**", "", *markdown_lines(lines, self.find)] if lines else []

    def _texts(self, title: str, tags: Iterable[Tag]) -> list[str]:
        found = [lines for tag in tags if (lines := markdown_lines(untyped(tag), self.find))]
        if not found:
            return []
        if len(found) == 1:
            return ["", f"**{title}**", "", *found[0]]
        return ["", f"**{title}**", "", *(line for lines in found for line in listed(lines))]

    def _named(self, tag: Tag) -> Tag:
        """Make a link of a tag that is nothing but a name: `@see other`."""
        name = "".join(tag.lines).strip()
        is_name = len(tag.lines) == 1 and _NAME.fullmatch(name) and self.find(name)
        return Tag(tag.name, (f"{{@link {name}}}",)) if is_name else tag


def _deprecated(doc: Doc, find: Find) -> list[str]:
    for tag in doc.named("deprecated"):
        lines = markdown_lines(tag.lines, find) or ["Do not use it any more."]
        return ['!!! warning "Deprecated"', "", *(f"    {x}" if x else "" for x in lines)]
    return []


def headed(head: str, lines: Sequence[str]) -> list[str]:
    """Return lines with a name before them; above them where they begin with no plain text."""
    if _BLOCK.match(lines[0]):
        return [head, "", *lines]
    return [f"{head}: {lines[0]}", *lines[1:]]


def listed(lines: Sequence[str]) -> list[str]:
    """Return lines as an item of a list."""
    if not lines:
        return []
    return [f"- {lines[0]}", *(f"  {line}" if line else "" for line in lines[1:])]
