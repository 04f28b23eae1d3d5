"""Objects of a package as described objects of a document: signature, docstring, members."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.prose.inlines import code_span
from doctrove_builder.importing.prose.tree import Described, Lines, Place
from doctrove_builder.importing.python.annotations import called, code_text, read_annotation
from doctrove_builder.importing.python.exposure import is_public
from doctrove_builder.importing.python.loading import source_file
from doctrove_builder.importing.python.membership import hidden_bases, members_of
from doctrove_builder.importing.python.signatures import (
    class_lines,
    function_lines,
    property_lines,
    value_line,
)
from doctrove_builder.importing.python.texts import item, named
from doctrove_builder.importing.python.wording import Words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.importing.prose.tree import Blocks
    from doctrove_builder.importing.python.docstrings import Docstrings
    from doctrove_builder.importing.python.membership import Member
    from doctrove_builder.importing.python.selection import Selection

MAX_NESTED = 5
MAX_DATA = 60
_TYPE_VARIABLES = frozenset({"TypeVar", "ParamSpec", "TypeVarTuple", "NewType"})
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})


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
        self._words = Words(docstrings)
        self._documented = documented
        self._undocumented = undocumented
        self.tally = Tally()

    def module(self, module: griffe.Module, data: Iterable[tuple[str, griffe.Object]]) -> Blocks:
        """Return a module's own text and the data that it documents."""
        return (*self.module_text(module), *self._data(list(data)))

    def module_text(self, module: griffe.Module) -> Blocks:
        """Return a module's own text."""
        return (Lines(tuple(self._words.of_module(module))),)

    def data_list(self, members: Iterable[Member]) -> Blocks:
        """Return a list of the attributes of a module that a page selects."""
        items = [line for one in members for line in self._item(one)]
        return (Lines(("**Data**", "", *items)),) if items else ()

    def described(  # noqa: PLR0913 - options by name
        self,
        found: griffe.Object,
        name: str,
        paths: tuple[str, ...],
        *,
        depth: int = 0,
        selection: Selection | None = None,
        asked: bool = True,
    ) -> Described | None:
        """Return a class or function as it is documented under a name; None when it is left out.

        `selection` says which members are described with it; `asked` that it is there even if it
        is not documented, where a page selects.
        """
        bare = self._undocumented if selection is None else asked
        if isinstance(found, griffe.Class):
            return self._class(found, name, paths, depth, selection, bare=bare)
        if isinstance(found, griffe.Function):
            lines = function_lines(found, name=name.rpartition(".")[2])
            text = self._words.of_function(found)
        elif isinstance(found, griffe.Attribute) and "property" in found.labels:
            lines, text = property_lines(found), self._words.own(found)
        else:
            return None
        return self._made(found, name, paths, lines, text, bare=bare)

    def datum(self, found: griffe.Attribute, name: str, paths: tuple[str, ...]) -> Described | None:
        """Return a description of its own for an attribute, which else stands in a list."""
        text = self._words.of_attribute(found)
        return self._made(found, name, paths, [value_line(found)], text, bare=self._undocumented)

    def _made(  # noqa: PLR0913, PLR0917 - all that a description holds
        self,
        found: griffe.Object,
        name: str,
        paths: tuple[str, ...],
        signature: list[str],
        text: list[str],
        members: Blocks = (),
        *,
        bare: bool,
    ) -> Described | None:
        if text or members:
            self.tally.documented += bool(text)
        else:
            self.tally.bare.append(paths[0])
            if not bare:
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

    def _class(  # noqa: PLR0913 - all that a class is described from
        self,
        cls: griffe.Class,
        name: str,
        paths: tuple[str, ...],
        depth: int,
        selection: Selection | None,
        *,
        bare: bool,
    ) -> Described | None:
        init = self._init(cls)
        lines = class_lines(cls, init, name=name.rpartition(".")[2])
        text = self._words.deprecation(cls)
        own = self._words.own(cls)
        text += ["", *own] if text and own else own
        if init is not None:
            more = self._words.of_function(init)
            text += ["", *more] if text and more else more
        chosen = members_of(cls, self._documented, selection)
        data = self._class_data(cls, chosen)
        text += ["", *data] if text and data else data
        below = selection.below() if selection else None
        inner = chosen if depth < MAX_NESTED else ()
        described = (
            self.described(
                one.found,
                f"{name}.{one.name}",
                tuple(f"{path}.{one.name}" for path in paths),
                depth=depth + 1,
                selection=below,
                asked=one.asked,
            )
            for one in inner
        )
        members = tuple(one for one in described if one is not None)
        return self._made(cls, name, paths, lines, text, members, bare=bare)

    def _init(self, cls: griffe.Class) -> griffe.Function | None:
        """Return the constructor of a class, an inherited one where its base is not documented."""
        for one in (cls, *hidden_bases(cls, self._documented)):
            for called_name in ("__init__", "__new__"):
                member = one.members.get(called_name)
                if isinstance(member, griffe.Function):
                    return member
        return None

    def _class_data(self, cls: griffe.Class, members: Iterable[Member]) -> list[str]:
        """Return the attributes that say what they are for, or that a page asks for."""
        items: list[str] = []
        said = self._init(cls) is not None
        counted = any(code_text(base).rpartition(".")[2] in _ENUMS for base in cls.bases)
        for one in members:
            lines = self._item(one)
            said = said or bool(lines)
            if counted and not lines and _is_datum(one):
                lines = [f"- {code_span(one.name)}"]  # a list of values is whole
            items += lines
        return ["**Attributes**", "", *items] if items and said else []

    def _item(self, member: Member) -> list[str]:
        """Return an attribute as an item of a list; nothing when it is none or says nothing."""
        if not isinstance(member.found, griffe.Attribute) or not _is_datum(member):
            return []
        lines = self._attribute(member.found, member.name)
        kind = read_annotation(member.found.annotation).type
        return lines or ([f"- {named(member.name, kind)}"] if member.asked else [])

    def _attribute(self, attribute: griffe.Attribute, name: str) -> list[str]:
        if "property" in attribute.labels:
            return []
        text = self._words.of_attribute(attribute)
        kind = read_annotation(attribute.annotation).type
        return item(named(name, kind), text) if text else []

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


def _is_datum(member: Member) -> bool:
    """Say whether a member stands in the list of attributes."""
    special = member.name.startswith("__")
    found = member.found
    return isinstance(found, griffe.Attribute) and "property" not in found.labels and not special


def place_of(found: griffe.Object) -> Place | None:
    """Return the file and the lines of an object."""
    file = source_file(found)
    if not file or not found.lineno:
        return None
    return Place(file, found.lineno, found.endlineno or found.lineno)
