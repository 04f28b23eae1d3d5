"""The members of an enumeration with their values, as far as the declaration says them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from doctrove_builder.importing.npm.parsing import Parsed

ENUM = "enum_declaration"
NAMES = frozenset({"property_identifier", "string"})
"""Members without a value: their names alone."""


def values_of(node: Node, parsed: Parsed) -> dict[str, str]:
    """Return the code of each member's value, in order; empty where the declaration leaves it open.

    A `const enum` counts on from the number before it. In a declaration file any other one does
    not: there a member without a value has one that is computed when the program runs
    (TypeScript handbook, "Ambient enums").
    """
    body = node.child_by_field_name("body")
    counts = any(child.type == "const" for child in node.children)
    following: int | None = 0
    found: dict[str, str] = {}
    for child in body.named_children if body is not None else ():
        assigned = child.type == "enum_assignment"
        if not assigned and child.type not in NAMES:
            continue
        name = child.child_by_field_name("name") if assigned else child
        value = child.child_by_field_name("value") if assigned else None
        if value is not None:
            text = parsed.text(value)
            following = _whole(text)
        else:
            text = str(following) if counts and following is not None else ""
        following = None if following is None else following + 1
        if name is not None:
            found[name_of(name, parsed)] = text
    return found


def counted(node: Node, parsed: Parsed) -> bool:
    """Say whether a member has a value that its code does not show."""
    body = node.child_by_field_name("body")
    bare = [one for one in body.named_children if one.type in NAMES] if body is not None else []
    values = values_of(node, parsed) if bare else {}
    return any(values[name_of(one, parsed)] for one in bare)


def name_of(node: Node, parsed: Parsed) -> str:
    """Return a member's name without its quotes."""
    return parsed.text(node).strip("\"'")


def _whole(text: str) -> int | None:
    try:
        return int(text.replace("_", "").replace(" ", ""), 0)
    except ValueError:
        return None
