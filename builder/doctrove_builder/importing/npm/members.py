"""The members of a class, an interface or an enumeration: which are shown, and how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.importing.npm.enumerations import NAMES, name_of
from doctrove_builder.importing.npm.jsdoc import Doc, read_doc

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from doctrove_builder.importing.npm.parsing import Parsed

CALLABLE = frozenset(
    {
        *("method_signature", "abstract_method_signature", "method_definition"),
        *("call_signature", "construct_signature", "function_signature"),
    }
)
_VALUES = frozenset(
    {
        *("property_signature", "public_field_definition", "index_signature"),
        "enum_assignment",
        *NAMES,  # of an enumeration's members that have no value
    }
)
_NAMELESS = {"call_signature": "call", "construct_signature": "new", "index_signature": "index"}


@dataclass(frozen=True, slots=True)
class Member:
    """One member, with all its overloads."""

    name: str
    nodes: tuple[Node, ...]
    docs: tuple[Doc, ...]
    parsed: Parsed
    callable: bool

    @property
    def signatures(self) -> tuple[str, ...]:
        """The code of each overload."""
        return tuple(dict.fromkeys(self.parsed.code(node) for node in self.nodes))

    @property
    def documented(self) -> bool:
        """Whether a comment says something of it."""
        return any(doc.lines or doc.tags for doc in self.docs)


def read_members(body: Node, parsed: Parsed) -> list[Member]:
    """Return the members that users may call, overloads together, in order."""
    found: dict[str, list[tuple[Node, Doc]]] = {}
    for node in body.named_children:
        if node.type not in CALLABLE | _VALUES or is_private(node, parsed):
            continue
        doc = read_doc(parsed.doc_before(node))
        if not doc.hidden:
            found.setdefault(_name(node, parsed), []).append((node, doc))
    return [
        Member(
            name=name,
            nodes=tuple(node for node, _ in ones),
            docs=tuple(doc for _, doc in ones),
            parsed=parsed,
            callable=any(
                (node.type in CALLABLE and not _is_accessor(node)) or _is_function(node, parsed)
                for node, _ in ones
            ),
        )
        for name, ones in found.items()
    ]


def hidden_ranges(body: Node, parsed: Parsed) -> Iterator[tuple[int, int]]:
    """Yield the bytes, first and one past the last, of the members that are not for users."""
    for node in body.named_children:
        if node.type == "comment":
            continue
        if is_private(node, parsed) or read_doc(parsed.doc_before(node)).hidden:
            ends = parsed.data[node.end_byte : node.end_byte + 1] in {b";", b","}
            yield node.start_byte, node.end_byte + ends


def is_private(node: Node, parsed: Parsed) -> bool:
    """Say whether a member is `private` or `#private`."""
    name = node.child_by_field_name("name")
    if name is not None and name.type == "private_property_identifier":
        return True
    return any(
        child.type == "accessibility_modifier" and parsed.text(child) == "private"
        for child in node.children
    )


def _is_accessor(node: Node) -> bool:
    return any(child.type in {"get", "set"} for child in node.children)


def _is_function(node: Node, parsed: Parsed) -> bool:
    kind = node.child_by_field_name("type")
    if kind is None or not kind.named_children:
        return False
    return kind.named_children[0].type == "function_type" and bool(parsed.doc_before(node))


def _name(node: Node, parsed: Parsed) -> str:
    if node.type in NAMES:
        return name_of(node, parsed)
    name = node.child_by_field_name("name")
    if node.type in _NAMELESS or name is None:
        return f"({_NAMELESS.get(node.type, 'member')})"
    return name_of(name, parsed)
