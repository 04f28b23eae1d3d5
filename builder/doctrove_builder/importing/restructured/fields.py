"""Field lists of descriptions, `:param name:` and the like, in the groups that readers know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from doctrove_builder.importing.prose.inlines import plain_text
from doctrove_builder.importing.prose.tree import (
    Code,
    Definitions,
    Inlines,
    Listing,
    Paragraph,
    Styled,
    Text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_builder.importing.prose.tree import Block, Blocks

_PARAMETER = frozenset(
    ["param", "parameter", "arg", "argument", "key", "keyword", "kwarg", "kwparam"]
)
_VARIABLE = frozenset({"var", "ivar", "cvar"})
_RAISES = frozenset({"raise", "raises", "except", "exception"})
_RETURNS = frozenset({"return", "returns"})
_YIELDS = frozenset({"yield", "yields"})
_TYPES = frozenset({"type", "paramtype", "kwtype", "vartype"})
_SILENT = frozenset({"meta", "orphan", "tocdepth", "nocomments", "nosearch", "no-search"})


@dataclass(slots=True)
class _Group:
    title: str
    items: list[tuple[str, str, Blocks]] = field(default_factory=list[tuple[str, str, "Blocks"]])
    """Name, type, text."""


def read_fields(fields: Sequence[tuple[str, Blocks]]) -> Blocks:
    """Return the blocks of a field list; fields that are not known stay a definition list."""
    types = _types(fields)
    groups: dict[str, _Group] = {}
    others: list[tuple[Inlines, Blocks]] = []
    for name, body in fields:
        word, _, argument = name.partition(" ")
        word = word.lower()
        if word in _PARAMETER or word in _VARIABLE:
            title = "Parameters" if word in _PARAMETER else "Attributes"
            written_type, _, parameter = argument.rpartition(" ")
            kind = written_type or types.get(parameter.lstrip("*"), "")
            groups.setdefault(title, _Group(title)).items.append((parameter, kind, body))
        elif word in _RAISES:
            groups.setdefault("Raises", _Group("Raises")).items.append((argument, "", body))
        elif word in _RETURNS or word in _YIELDS:
            title = "Returns" if word in _RETURNS else "Yields"
            groups.setdefault(title, _Group(title)).items.append(
                ("", types.get("return", ""), body)
            )
        elif word == "rtype":
            title = "Yields" if "Yields" in groups else "Returns"
            if title not in groups and not any(one[0].split(" ")[0] in _RETURNS for one in fields):
                groups[title] = _Group(title, [("", types["return"], ())])
        elif word not in _TYPES and word not in _SILENT:
            others.append(((Text(name),), body))
    blocks: list[Block] = []
    if others:
        blocks.append(Definitions(tuple(others)))
    for group in groups.values():
        blocks.append(Paragraph((Styled("**", (Text(group.title),)),)))
        items = tuple(_item(*item) for item in group.items)
        single = len(items) == 1 and not group.items[0][0]
        blocks += items[0] if single else [Listing(items)]
    return tuple(blocks)


def group_fields(fields: Sequence[tuple[str, Blocks]]) -> Blocks:
    """Return the fields that a build has already put in groups: a bold title and its text each."""
    blocks: list[Block] = []
    for name, body in fields:
        if body:
            blocks += [Paragraph((Styled("**", (Text(name),)),)), *body]
    return tuple(blocks)


def _types(fields: Sequence[tuple[str, Blocks]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, body in fields:
        word, _, argument = name.partition(" ")
        if word.lower() in _TYPES:
            found[argument.lstrip("*")] = _shown(body)
        elif word.lower() == "rtype":
            found["return"] = _shown(body)
    return found


def _shown(body: Blocks) -> str:
    return " ".join(plain_text(block.inside) for block in body if isinstance(block, Paragraph))


def _item(name: str, kind: str, body: Blocks) -> Blocks:
    head: list[Text | Code] = []
    if name:
        head.append(Code(name))
    if kind:
        head += [Text(" ("), Code(kind), Text(")")] if name else [Code(kind)]
    if not head:
        return body
    if not body:
        return (Paragraph(tuple(head)),)
    first, *rest = body
    if isinstance(first, Paragraph):
        return (Paragraph((*head, Text(": "), *first.inside)), *rest)
    return (Paragraph((*head, Text(":"))), *body)
