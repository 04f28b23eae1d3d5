"""A docstring as Markdown: its text, and its sections on parameters, results, errors, examples."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

import griffe

from doctrove_builder.importing.prose.blocks import fenced
from doctrove_builder.importing.prose.tree import CodeBlock
from doctrove_builder.importing.python.annotations import read_annotation
from doctrove_builder.importing.python.markup import docstring_markup, docstring_style
from doctrove_builder.importing.python.texts import item, named, text_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.python.markup import Markup, Style
    from doctrove_builder.importing.python.texts import Find

_TITLES = {
    "parameters": "Parameters",
    "other parameters": "Other parameters",
    "type parameters": "Type parameters",
    "raises": "Raises",
    "warns": "Warns",
    "returns": "Returns",
    "yields": "Yields",
    "receives": "Receives",
    "attributes": "Attributes",
    "functions": "Functions",
    "classes": "Classes",
    "type aliases": "Type aliases",
    "modules": "Modules",
}
_NAMED_RESULT = re.compile(r"(\w+) \((.+?)\)?")
"""What is returned with a name before its type, as some write it like a parameter."""

MAX_CHARACTERS = 400_000
"""Of one docstring."""


class Docstrings:
    """Writes docstrings as Markdown; knows how the package's are written and what names lead to."""

    def __init__(self, markup: Markup, *, style: Style | None, find: Find) -> None:
        """Take the markup of most docstrings, and the style if the user says it."""
        self._markup: Markup = markup
        self._style: Style | None = style
        self._find = find

    def lines(self, docstring: griffe.Docstring) -> list[str]:
        """Return a docstring as Markdown lines."""
        text = docstring.value
        if len(text) > MAX_CHARACTERS:
            text = text[:MAX_CHARACTERS]
        markup = docstring_markup(text, self._markup)
        style = self._style or docstring_style(text)
        if style == "sphinx" and markup == "rst":
            return self.text(text, "rst")
        if style == "sphinx" and ":param" not in text and ":return" not in text:
            return self.text(text, markup)
        lines: list[str] = []
        for section in _sections(docstring, style):
            written = self._section(section, markup)
            if written:
                lines += ["", *written] if lines else written
        return lines

    def text(self, text: str, markup: Markup | None = None) -> list[str]:
        """Return a text in the package's markup, or in the one given."""
        return text_lines(text, markup or docstring_markup(text, self._markup), self._find)

    def _section(self, section: griffe.DocstringSection, markup: Markup) -> list[str]:
        if isinstance(section, griffe.DocstringSectionText):
            return self.text(section.value, markup)
        if isinstance(section, griffe.DocstringSectionExamples):
            return self._examples(section, markup)
        if isinstance(section, griffe.DocstringSectionDeprecated):
            version, text = str(section.value.version or ""), section.value.description
            return _admonition("warning", f"Deprecated since {version}", self.text(text, markup))
        if isinstance(section, griffe.DocstringSectionAdmonition):
            kind = str(section.value.kind or "note")
            title = section.title or kind.replace("-", " ").capitalize()
            return _admonition(kind, title, self.text(str(section.value.contents or ""), markup))
        title = section.title or _TITLES.get(section.kind.value, "")
        if not isinstance(section.value, list) or not title:
            return []
        value = cast("list[object]", section.value)
        items = [line for one in value for line in self._item(one, markup)]
        return [f"**{title}**", "", *items] if items else []

    def _item(self, one: object, markup: Markup) -> list[str]:
        if not isinstance(one, griffe.DocstringElement):
            return []
        name = one.name if isinstance(one, griffe.DocstringNamedElement) else ""
        annotation = read_annotation(one.annotation)
        kind = annotation.type
        if not name and (result := _NAMED_RESULT.fullmatch(kind)):
            name, kind = result[1], result[2]
        text = self.text(one.description, markup) or self.text(annotation.doc)
        head = named(name, kind)
        if head:
            return item(head, text)
        return [f"- {text[0]}", *(f"  {line}" if line else "" for line in text[1:])] if text else []

    def _examples(self, section: griffe.DocstringSectionExamples, markup: Markup) -> list[str]:
        lines = [f"**{section.title or 'Examples'}**"]
        for kind, text in section.value:
            if kind is griffe.DocstringSectionKind.examples:
                written = fenced(CodeBlock(text, "pycon"))
            else:
                written = self.text(text, markup)
            if written:
                lines += ["", *written]
        return lines if len(lines) > 1 else []


def _sections(docstring: griffe.Docstring, style: Style) -> Sequence[griffe.DocstringSection]:
    if style == "google":
        sections = griffe.parse_google(
            docstring,
            trim_doctest_flags=False,
            returns_multiple_items=False,
            returns_named_value=False,
            warn_unknown_params=False,
            warn_missing_types=False,
            warnings=False,
        )
    elif style == "numpy":
        sections = griffe.parse_numpy(
            docstring,
            trim_doctest_flags=False,
            warn_unknown_params=False,
            warn_missing_types=False,
            warnings=False,
        )
    else:
        sections = griffe.parse_sphinx(docstring, warn_unknown_params=False, warnings=False)
    return sections


def _admonition(kind: str, title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    shown = " ".join(title.split()).replace('"', "'")
    return [f'!!! {kind} "{shown}"', "", *(f"    {line}" if line else "" for line in lines)]
