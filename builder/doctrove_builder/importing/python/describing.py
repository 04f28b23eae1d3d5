"""Objects of a package as described objects of a document: signature, docstring, members."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.prose.inlines import code_span
from doctrove_builder.importing.prose.tree import Described, Lines, Place
from doctrove_builder.importing.python.annotations import (
    called,
    code_text,
    first_text,
    read_annotation,
)
from doctrove_builder.importing.python.exposure import is_public
from doctrove_builder.importing.python.loading import resolved, source_file, source_lines
from doctrove_builder.importing.python.signatures import (
    class_lines,
    function_lines,
    property_lines,
    value_line,
)
from doctrove_builder.importing.python.texts import item, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from doctrove_builder.importing.prose.tree import Blocks
    from doctrove_builder.importing.python.docstrings import Docstrings

MAX_NESTED = 5
MAX_DATA = 60
_COMMENT = re.compile(r"\s*#:\s?(.*)")
_TYPE_VARIABLES = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_BORING = frozenset({"__init__", "__new__", "__repr__", "__str__", "__hash__", "__slots__"})


@dataclass(slots=True)
class Tally:
    """Counts of what was described."""

    documented: int = 0
    bare: list[str] = field(default_factory=list[str])
    """Dotted names of objects without a word of documentation."""


class Describer:
    """Describes objects of the packages that are loaded."""

    def __init__(
        self, docstrings: Docstrings, *, documented: frozenset[str], undocumented: bool = True
    ) -> None:
        """Take the paths of the objects that have sections of their own.

        `undocumented` says whether objects without documentation are described.
        """
        self._docstrings = docstrings
        self._documented = documented
        self._undocumented = undocumented
        self.tally = Tally()

    def module(self, module: griffe.Module, data: Iterable[tuple[str, griffe.Object]]) -> Blocks:
        """Return a module's own text and the data that it documents."""
        lines = self._docstrings.lines(module.docstring) if module.docstring else []
        return (Lines(tuple(lines)), *self._data(list(data)))

    def described(
        self, found: griffe.Object, name: str, paths: tuple[str, ...], *, depth: int = 0
    ) -> Described | None:
        """Return a class or function as it is documented under a name; None when it is left out."""
        if isinstance(found, griffe.Class):
            return self._class(found, name, paths, depth)
        if isinstance(found, griffe.Function):
            lines = function_lines(found, name=name.rpartition(".")[2])
            return self._made(found, name, paths, lines, self._function_text(found))
        if isinstance(found, griffe.Attribute) and "property" in found.labels:
            return self._made(found, name, paths, property_lines(found), self._own_text(found))
        return None

    def datum(self, found: griffe.Attribute, name: str, paths: tuple[str, ...]) -> Described | None:
        """Return a description of its own for an attribute, which else stands in a list."""
        return self._made(found, name, paths, [value_line(found)], self._attribute_text(found))

    def _made(  # noqa: PLR0913, PLR0917 - all that a description holds
        self,
        found: griffe.Object,
        name: str,
        paths: tuple[str, ...],
        signature: list[str],
        text: list[str],
        members: Blocks = (),
    ) -> Described | None:
        if text or members:
            self.tally.documented += bool(text)
        else:
            self.tally.bare.append(paths[0])
            if not self._undocumented:
                return None
        return Described(
            name=name,
            anchors=(name,),
            signatures=tuple(signature),
            language="python",
            symbols=tuple(dict.fromkeys((*paths, name))),
            inside=(Lines(tuple(text)), *members) if text else members,
            place=place_of(found),
        )

    def _class(
        self, cls: griffe.Class, name: str, paths: tuple[str, ...], depth: int
    ) -> Described | None:
        init = self._init(cls)
        lines = class_lines(cls, init, name=name.rpartition(".")[2])
        text = self._deprecation(cls)
        own = self._own_text(cls)
        text += ["", *own] if text and own else own
        if init is not None:
            more = self._function_text(init)
            text += ["", *more] if text and more else more
        data = self._class_data(cls)
        text += ["", *data] if text and data else data
        members = () if depth >= MAX_NESTED else tuple(self._members(cls, name, paths, depth))
        return self._made(cls, name, paths, lines, text, members)

    def _init(self, cls: griffe.Class) -> griffe.Function | None:
        """Return the constructor of a class, an inherited one where its base is not documented."""
        for one in (cls, *self._hidden_bases(cls)):
            for called_name in ("__init__", "__new__"):
                member = one.members.get(called_name)
                if isinstance(member, griffe.Function):
                    return member
        return None

    def _members(
        self, cls: griffe.Class, name: str, paths: tuple[str, ...], depth: int
    ) -> Iterator[Described]:
        seen: set[str] = set()
        for owner in (cls, *self._hidden_bases(cls)):
            for member_name, member in owner.members.items():
                found = resolved(member)
                if member_name in seen or found is None or isinstance(found, griffe.Module):
                    continue
                seen.add(member_name)
                if not self._is_shown(found, member_name):
                    continue
                described = self.described(
                    found,
                    f"{name}.{member_name}",
                    tuple(f"{path}.{member_name}" for path in paths),
                    depth=depth + 1,
                )
                if described is not None:
                    yield described

    def _is_shown(self, found: griffe.Object, name: str) -> bool:
        if is_public(name):
            return True
        special = name.startswith("__") and name.endswith("__") and name not in _BORING
        return special and found.docstring is not None

    def _hidden_bases(self, cls: griffe.Class) -> list[griffe.Class]:
        """Return the bases that have no section of their own: their members are the class's."""
        try:
            mro = cls.mro()
        except (ValueError, griffe.GriffeError, RecursionError):
            return []
        return [base for base in mro if base.path not in self._documented]

    def _own_text(self, found: griffe.Object) -> list[str]:
        if found.docstring is not None:
            return self._docstrings.lines(found.docstring)
        inherited = self._inherited(found)
        return self._docstrings.lines(inherited) if inherited else self._comment(found)

    def _inherited(self, found: griffe.Object) -> griffe.Docstring | None:
        """Return what a base class says of a method that says nothing itself."""
        owner = found.parent
        if not isinstance(owner, griffe.Class):
            return None
        try:
            mro = owner.mro()
        except (ValueError, griffe.GriffeError, RecursionError):
            return None
        for base in mro:
            member = base.members.get(found.name)
            if isinstance(member, griffe.Object) and member.docstring is not None:
                return member.docstring
        return None

    def _function_text(self, function: griffe.Function) -> list[str]:
        text = self._deprecation(function)
        own = self._own_text(function)
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

    def _deprecation(self, found: griffe.Class | griffe.Function) -> list[str]:
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

    def _class_data(self, cls: griffe.Class) -> list[str]:
        """Return the attributes that say what they are for."""
        items: list[str] = []
        bare = 0
        counted = any(code_text(base).rpartition(".")[2] in _ENUMS for base in cls.bases)
        for owner in (cls, *self._hidden_bases(cls)):
            for member in owner.members.values():
                if isinstance(member, griffe.Attribute) and is_public(member.name):
                    lines = self._attribute(member, member.name)
                    if counted and not lines and "property" not in member.labels:
                        lines = [f"- {code_span(member.name)}"]  # a list of values is whole
                        bare += 1
                    items += lines
        said = len(items) > bare or self._init(cls) is not None
        return ["**Attributes**", "", *items] if items and said else []

    def _attribute(self, attribute: griffe.Attribute, name: str) -> list[str]:
        if "property" in attribute.labels:
            return []
        text = self._attribute_text(attribute)
        kind = read_annotation(attribute.annotation).type
        return item(named(name, kind), text) if text else []

    def _attribute_text(self, attribute: griffe.Attribute) -> list[str]:
        text = self._docstrings.lines(attribute.docstring) if attribute.docstring else []
        doc = read_annotation(attribute.annotation).doc
        return text or self._comment(attribute) or self._docstrings.text(doc)

    def _data(self, data: list[tuple[str, griffe.Object]]) -> Blocks:
        items: list[str] = []
        bare: list[str] = []
        for name, found in data:
            if not isinstance(found, griffe.Attribute) or not is_public(name):
                continue
            lines = self._attribute(found, name)
            items += lines
            if not lines and called(found.value) not in _TYPE_VARIABLES:
                bare.append(value_line(found))
        lines = ["**Data**", "", *items] if items else []
        if bare and self._undocumented:
            shown = bare[:MAX_DATA] + (["..."] if len(bare) > MAX_DATA else [])
            lines += ["", "```python", *shown, "```"] if lines else ["```python", *shown, "```"]
        return (Lines(tuple(lines)),) if lines else ()

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


def place_of(found: griffe.Object) -> Place | None:
    """Return the file and the lines of an object."""
    file = source_file(found)
    if not file or not found.lineno:
        return None
    return Place(file, found.lineno, found.endlineno or found.lineno)
