"""Exported declarations as described objects: signatures, comment, members."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from doctrove_builder.importing.npm.jsdoc import (
    Doc,
    Tag,
    example_lines,
    markdown_lines,
    parameter,
    read_doc,
    untyped,
)
from doctrove_builder.importing.npm.members import hidden_ranges, read_members
from doctrove_builder.importing.prose.inlines import code_span
from doctrove_builder.importing.prose.tree import Described, Lines, Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from doctrove_builder.importing.npm.jsdoc import Find
    from doctrove_builder.importing.npm.members import Member
    from doctrove_builder.importing.npm.modules import Declaration

LANGUAGE = "ts"
FAR = 80
"""Lines between overloads, their comments included."""

_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:[.#][\w$]+)*(?:\(\))?")
MAX_BODY = 20_000
"""Characters of a declaration's code; of a longer one the head alone is shown."""

_WITH_BODY = frozenset(
    {
        *("class_declaration", "abstract_class_declaration", "class"),
        *("interface_declaration", "enum_declaration"),
    }
)
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
class Tally:
    """How many of the described objects have documentation."""

    documented: int = 0
    bare: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Describer:
    """Describes declarations; knows which sections names lead to."""

    find: Find
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
        values = [m for m in members if m.documented and not m.callable]
        lines = self._said(docs)
        listed = self._values(values)
        lines += ["", *listed] if lines and listed else listed
        return Described(
            name=name,
            anchors=(name,),
            signatures=tuple(dict.fromkeys(_signature(one, name) for one in shown)),
            language=LANGUAGE,
            symbols=symbols,
            inside=(
                *([Lines(tuple(lines))] if lines else []),
                *(self._member(name, member) for member in sections),
            ),
            place=_place(shown),
        )

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

    def _said(self, docs: Iterable[Doc]) -> list[str]:
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
            return _item(lines)
        head = code_span(name)
        return _item([f"{head}: {lines[0]}", *lines[1:]]) if lines else []

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
        return ["", f"**{title}**", "", *(line for lines in found for line in _item(lines))]

    def _named(self, tag: Tag) -> Tag:
        """Make a link of a tag that is nothing but a name: `@see other`."""
        name = "".join(tag.lines).strip()
        is_name = len(tag.lines) == 1 and _NAME.fullmatch(name) and self.find(name)
        return Tag(tag.name, (f"{{@link {name}}}",)) if is_name else tag

    def _values(self, members: Sequence[Member]) -> list[str]:
        made: list[str] = []
        for member in members:
            lines = self._said(member.docs)
            if lines:
                made += _item([f"{code_span(member.name)}: {lines[0]}", *lines[1:]])
        return ["**Members**", "", *made] if made else []

    def _member(self, owner: str, member: Member) -> Described:
        name = f"{owner}.{member.name}"
        self._count(name, documented=True)
        lines = self._said(member.docs)
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
    if body.end_byte - body.start_byte > MAX_BODY:
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


def _deprecated(doc: Doc, find: Find) -> list[str]:
    for tag in doc.named("deprecated"):
        lines = markdown_lines(tag.lines, find) or ["Do not use it any more."]
        return ['!!! warning "Deprecated"', "", *(f"    {x}" if x else "" for x in lines)]
    return []


def _item(lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    return [f"- {lines[0]}", *(f"  {line}" if line else "" for line in lines[1:])]
