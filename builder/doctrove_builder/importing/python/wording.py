"""What the source says of an object: docstrings, inherited ones too, annotations, comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.python.annotations import called, first_text, read_annotation
from doctrove_builder.importing.python.loading import source_lines
from doctrove_builder.importing.python.membership import bases_of
from doctrove_builder.importing.python.texts import item, named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.importing.python.docstrings import Docstrings

_COMMENT = re.compile(r"\s*#:\s?(.*)")


class Words:
    """Writes what is said of objects as lines of Markdown."""

    def __init__(self, docstrings: Docstrings) -> None:
        """Take the writer of docstrings."""
        self._docstrings = docstrings

    def of_module(self, module: griffe.Module) -> list[str]:
        """Return a module's docstring."""
        return self._docstrings.lines(module.docstring) if module.docstring else []

    def own(self, found: griffe.Object) -> list[str]:
        """Return an object's docstring, a base's for a method that has none, or its comment."""
        if found.docstring is not None:
            return self._docstrings.lines(found.docstring)
        inherited = self._inherited(found)
        return self._docstrings.lines(inherited) if inherited else self._comment(found)

    def _inherited(self, found: griffe.Object) -> griffe.Docstring | None:
        """Return what a base class says of a method that says nothing itself."""
        owner = found.parent
        if not isinstance(owner, griffe.Class):
            return None
        for base in bases_of(owner):
            member = base.members.get(found.name)
            if isinstance(member, griffe.Object) and member.docstring is not None:
                return member.docstring
        return None

    def of_function(self, function: griffe.Function) -> list[str]:
        """Return all that is said of a function, its parameters and what it returns."""
        text = self.deprecation(function)
        own = self.own(function)
        if not own:
            for overload in function.overloads or ():
                if overload.docstring is not None:
                    own = self._docstrings.lines(overload.docstring)
                    break
        text += ["", *own] if text and own else own
        documented = list(self._annotated(function))
        if documented:
            lines = ["**Parameters**", "", *(line for lines in documented for line in lines)]
            text += ["", *lines] if text else lines
        returned = read_annotation(function.returns)
        if returned.doc:
            lines = [
                "**Returns**",
                "",
                *item(named("", returned.type), self._docstrings.text(returned.doc)),
            ]
            text += ["", *lines] if text else lines
        return text

    def _annotated(self, function: griffe.Function) -> Iterator[list[str]]:
        """Yield an item for each parameter that its annotation documents."""
        for parameter in function.parameters:
            annotation = read_annotation(parameter.annotation)
            if not (annotation.doc or annotation.deprecated):
                continue
            body = self._docstrings.text(annotation.doc)
            if annotation.deprecated:
                warning = self._docstrings.text(annotation.deprecated)
                body += (
                    ["", "**Deprecated:**", "", *warning]
                    if body
                    else ["**Deprecated:**", "", *warning]
                )
            yield item(named(parameter.name, annotation.type), body)

    def deprecation(self, found: griffe.Class | griffe.Function) -> list[str]:
        """Return a warning of what a `deprecated` decorator says."""
        for decorator in found.decorators:
            if called(decorator.value) == "deprecated":
                text = first_text(decorator.value)
                lines = self._docstrings.text(text) if text else ["It is deprecated."]
                return [
                    '!!! warning "Deprecated"',
                    "",
                    *(f"    {line}" if line else "" for line in lines),
                ]
        return []

    def of_attribute(self, attribute: griffe.Attribute) -> list[str]:
        """Return what is said of an attribute: below it, in a comment, or in its annotation."""
        text = self._docstrings.lines(attribute.docstring) if attribute.docstring else []
        doc = read_annotation(attribute.annotation).doc
        return text or self._comment(attribute) or self._docstrings.text(doc)

    def _comment(self, found: griffe.Object) -> list[str]:
        """Return the `#:` comment above an attribute or behind it, as Sphinx reads it."""
        if not isinstance(found, griffe.Attribute) or not found.lineno:
            return []
        source = source_lines(found)
        if len(source) < found.lineno:
            return []
        lines: list[str] = []
        at = found.lineno - 2
        while at >= 0 and (above := _COMMENT.fullmatch(source[at])):
            lines.insert(0, above[1])
            at -= 1
        if not lines and "#:" in (line := source[found.lineno - 1]):
            lines = [line.partition("#:")[2].strip()]
        return self._docstrings.text("\n".join(lines)) if lines else []
