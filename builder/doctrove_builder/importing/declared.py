"""`imports:` of doctrove.yaml: the volumes that a build makes from documentation elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring import MarkedList, MarkedMapping, Scalar, parse_mapping
from doctrove_builder.importing.kinds import MODULES
from doctrove_builder.importing.run import Order
from doctrove_schema.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.importing.option_values import Written
    from doctrove_builder.model import Document

_NEEDED = ("kind", "source", "id", "version")


class Declared(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of `imports:`."""

    order: Order
    at: tuple[int, int]
    """Line and column in doctrove.yaml."""


class Declarations(msgspec.Struct, frozen=True, kw_only=True):
    """What doctrove.yaml says about imports."""

    imports: tuple[Declared, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    """Of doctrove.yaml as a whole; a build finds them where it reads the rest of it."""


def read_declarations(document: Document | None) -> Declarations:
    """Read `imports:` and `allowed_hosts:`.

    Entries that lack a key or are of no kind are left out: they are among the problems.
    """
    if document is None:
        return Declarations()
    mapping, problems = parse_mapping(document.text, source=document.path, schema="doctrove")
    if mapping is None:
        return Declarations(problems=problems)
    return Declarations(
        imports=tuple(
            Declared(order=_order(entry), at=entry.at)
            for entry in mapping.mappings("imports")
            if all(entry.text(key) for key in _NEEDED) and entry.text("kind") in MODULES
        ),
        allowed_hosts=tuple(text for text, _ in mapping.texts("allowed_hosts")),
        problems=problems,
    )


def _order(entry: MarkedMapping) -> Order:
    source = entry.mapping("origin")
    return Order(
        kind=entry.text("kind"),
        source=entry.text("source"),
        library=entry.text("id"),
        version=entry.text("version"),
        options=dict(_options(entry.mapping("options"))),
        license=entry.line("license"),
        repository=source.text("repository"),
        commit=source.text("commit"),
        base_url=source.text("base_url"),
    )


def _options(mapping: MarkedMapping) -> Iterator[tuple[str, Written]]:
    for name, entry in mapping.entries.items():
        value = entry.value
        if isinstance(value, MarkedList):
            yield name, tuple(item.text for item in value.items if isinstance(item, Scalar))
        elif isinstance(value, Scalar):
            typed = value.value
            yield name, typed if isinstance(typed, bool | int) else value.text
