"""Which members of a class are described with it: its own, and those that it has from bases."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import griffe

from doctrove_builder.importing.python.exposure import is_public
from doctrove_builder.importing.python.loading import resolved

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from doctrove_builder.importing.python.selection import Selection

_BORING = frozenset({"__init__", "__new__", "__repr__", "__str__", "__hash__", "__slots__"})
_CONSTRUCTORS = frozenset({"__init__", "__new__"})


class Member(NamedTuple):
    """A member under the name by which it is called."""

    name: str
    found: griffe.Object
    asked: bool
    """Whether a page asks for it even if it is not documented."""


def bases_of(cls: griffe.Class) -> list[griffe.Class]:
    """Return the bases that are part of the source, nearest first."""
    try:
        return cls.mro()
    except (ValueError, griffe.GriffeError, RecursionError):
        return []


def hidden_bases(cls: griffe.Class, documented: Collection[str]) -> list[griffe.Class]:
    """Return the bases that have no section of their own: their members are the class's."""
    return [base for base in bases_of(cls) if base.path not in documented]


def members_of(
    cls: griffe.Class, documented: Collection[str], selection: Selection | None
) -> list[Member]:
    """Return the members of a class that are described; constructors stand with the class itself.

    Without a selection these are the public ones, those of hidden bases too.
    """
    if selection is None:
        owners = (cls, *hidden_bases(cls, documented))
        return [
            Member(name, found, False) for name, found, _ in _all(owners) if _is_shown(found, name)
        ]
    chosen = [
        Member(name, found, selection.wants_bare(name, inherited=owner is not cls))
        for name, found, owner in _all((cls, *bases_of(cls)))
        if name not in _CONSTRUCTORS
        and selection.wants(name, inherited=owner is not cls, public=found.is_public)
    ]
    return in_order(chosen, selection)


def in_order(members: list[Member], selection: Selection) -> list[Member]:
    """Put the members that a page names first, in its order."""
    places = {name: place for place, name in enumerate(selection.names)}
    return sorted(members, key=lambda one: places.get(one.name, len(places)))


def _all(owners: Collection[griffe.Class]) -> Iterator[tuple[str, griffe.Object, griffe.Class]]:
    seen: set[str] = set()
    for owner in owners:
        for name, member in owner.members.items():
            found = resolved(member)
            if name in seen or found is None or isinstance(found, griffe.Module):
                continue
            seen.add(name)
            yield name, found, owner


def _is_shown(found: griffe.Object, name: str) -> bool:
    if is_public(name):
        return True
    special = name.startswith("__") and name.endswith("__") and name not in _BORING
    return special and found.docstring is not None
