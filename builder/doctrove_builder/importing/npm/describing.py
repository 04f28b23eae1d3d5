"""Exported declarations as described objects: signatures, comment, members."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from doctrove_builder.importing.npm.comments import Comments, headed, listed
from doctrove_builder.importing.npm.enumerations import ENUM, counted, values_of
from doctrove_builder.importing.npm.jsdoc import read_doc
from doctrove_builder.importing.npm.members import hidden_ranges, read_members
from doctrove_builder.importing.prose.inlines import code_span
from doctrove_builder.importing.prose.tree import Described, Lines, Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from doctrove_builder.importing.npm.members import Member
    from doctrove_builder.importing.npm.modules import Declaration

LANGUAGE = "ts"
FAR = 80
"""Lines between overloads, their comments included."""

MAX_BODY = 20_000
"""Characters of a declaration's code; of a longer one the head alone is shown."""

_WITH_BODY = frozenset(
    {
        *("class_declaration", "abstract_class_declaration", "class"),
        *("interface_declaration", "enum_declaration"),
    }
)


@dataclass(slots=True)
class Tally:
    """How many of the described objects have documentation."""

    documented: int = 0
    bare: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Describer:
    """Describes declarations."""

    comments: Comments
    documented_only: bool = False
    tally: Tally = field(default_factory=Tally)

    def described(
        self, name: str, declarations: Sequence[Declaration], symbols: tuple[str, ...]
    ) -> Described | None:
        """Return the description of an exported name; None where nothing is to be shown."""
        shown = [one for one in declarations if one.inside is None]
        docs = [read_doc(one.doc) for one in declarations]
        if not shown or any(doc.hidden for doc in docs):
            return None
        members = [member for one in shown for member in _members(one)]
        documented = any(doc.lines or doc.tags for doc in docs)
        if self.documented_only and not documented and not any(m.documented for m in members):
            return None
        self._count(name, documented=documented)
        sections = [m for m in members if m.callable and m.documented]
        named = [m for m in members if not m.callable]
        values = _enum_values(shown)
        lines = self.comments.said(docs)
        members_list = self._values(named, values, whole=_says_more(shown, named))
        lines += ["", *members_list] if lines and members_list else members_list
        return Described(
            name=name,
            anchors=(name,),
            signatures=tuple(dict.fromkeys(_signature(one, name) for one in shown)),
            language=LANGUAGE,
            symbols=(*symbols, *(f"{name}.{m.name}" for m in named if m.name in values)),
            inside=(
                *([Lines(tuple(lines))] if lines else []),
                *(self._member(name, member) for member in sections),
            ),
            place=_place(shown),
        )

    def _values(
        self, members: Sequence[Member], values: Mapping[str, str], *, whole: bool
    ) -> list[str]:
        """Return a list of members that something is said of; all that have values if `whole`."""
        made: list[str] = []
        for member in members:
            lines = self.comments.said(member.docs)
            value = values.get(member.name, "")
            head = code_span(f"{member.name} = {value}" if value else member.name)
            if lines:
                made += listed(headed(head, lines))
            elif whole and member.name in values:
                made += listed([head])
        return ["**Members**", "", *made] if made else []

    def _member(self, owner: str, member: Member) -> Described:
        name = f"{owner}.{member.name}"
        self._count(name, documented=True)
        lines = self.comments.said(member.docs)
        first, last = member.nodes[0], member.nodes[-1]
        file = member.parsed.path
        return Described(
            name=name,
            anchors=(name,),
            signatures=member.signatures,
            language=LANGUAGE,
            symbols=() if member.name.startswith("(") else (name,),
            inside=(Lines(tuple(lines)),) if lines else (),
            place=Place(file, first.start_point.row + 1, last.end_point.row + 1),
        )

    def _count(self, name: str, *, documented: bool) -> None:
        if documented:
            self.tally.documented += 1
        else:
            self.tally.bare.append(name)


def _members(declaration: Declaration) -> list[Member]:
    body = declaration.node.child_by_field_name("body")
    if declaration.node.type not in _WITH_BODY or body is None:
        return []
    return read_members(body, declaration.parsed)


def _enum_values(declarations: Sequence[Declaration]) -> dict[str, str]:
    """Return the values of an enumeration's members; nothing for what is none."""
    return {
        name: value
        for one in declarations
        if one.node.type == ENUM
        for name, value in values_of(one.node, one.parsed).items()
    }


def _says_more(declarations: Sequence[Declaration], members: Sequence[Member]) -> bool:
    """Say whether a list of an enumeration's members says more than its code."""
    enums = [one for one in declarations if one.node.type == ENUM]
    return bool(enums) and (
        any(member.documented for member in members)
        or any(counted(one.node, one.parsed) or _is_long(one) for one in enums)
    )


def _is_long(declaration: Declaration) -> bool:
    body = declaration.node.child_by_field_name("body")
    return body is not None and body.end_byte - body.start_byte > MAX_BODY


def _signature(declaration: Declaration, name: str) -> str:
    """Return a declaration's code without `export` and `declare`, under its exported name."""
    node, parsed = declaration.node, declaration.parsed
    simple = name.rpartition(".")[2]
    own = "" if simple in {declaration.name, "default"} else simple
    body = node.child_by_field_name("body")
    if node.type == "expression_statement":
        return parsed.code(node).removeprefix("export default ")
    if declaration.keyword:
        return f"{declaration.keyword} {parsed.code(node, name=own)}"
    if body is None or node.type not in _WITH_BODY:
        return parsed.code(node, name=own)
    hidden = list(hidden_ranges(body, parsed))
    if _is_long(declaration):
        return f"{parsed.code(node, end=body.start_byte, name=own)} {{ /* ... */ }}"
    return parsed.code(node, name=own, without=hidden)


def _place(declarations: Sequence[Declaration]) -> Place:
    """Return the lines of declarations that stand near each other; of the first one alone else."""
    first = declarations[0]
    spans = [
        (one.outer.start_point.row + 1, one.parsed.last_line(one.outer))
        for one in declarations
        if one.parsed is first.parsed
    ]
    low, high = min(spans)[0], max(last for _, last in spans)
    near = high - low <= sum(last - line for line, last in spans) + FAR
    return Place(first.parsed.path, low, high) if near else Place(first.parsed.path, *spans[0])
