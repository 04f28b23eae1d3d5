"""What each entry of a package exports: every declaration once, under the name users write."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from doctrove_builder.importing.npm.modules import ASSIGNED, DEFAULT
from doctrove_builder.importing.npm.resolving import Namespace, scope_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.importing.npm.modules import Declaration, Scope
    from doctrove_builder.importing.npm.resolving import Meaning, Modules

_IDENTIFIER = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")
MAX_DEPTH = 6
"""Of namespaces in namespaces."""


@dataclass(slots=True, eq=False)
class Exposed:
    """One thing that is exported."""

    name: str
    declarations: tuple[Declaration, ...]
    entry: str
    symbols: dict[str, None] = field(default_factory=dict[str, None])
    """All names that lead to it, in order."""


@dataclass(slots=True)
class Entry:
    """One entry of the package."""

    name: str
    """What is imported: `zod`, `zod/mini`."""

    file: str
    exposed: list[Exposed] = field(default_factory=list[Exposed])
    """What is described here."""

    elsewhere: list[tuple[str, Exposed]] = field(default_factory=list[tuple[str, Exposed]])
    """What another entry describes, with its name here; nothing of namespaces."""


def expose(modules: Modules, entries: Iterable[tuple[str, str]], package: str) -> list[Entry]:
    """Return the entries in order; what an earlier one exports is described there."""
    known: dict[int, Exposed] = {}
    made: list[Entry] = []
    for subpath, file in entries:
        scope = modules.module(file)
        if scope is None:
            continue
        entry = Entry("/".join(part for part in (package, subpath) if part), file)
        own = _simple_name(entry.name)
        walk = _Walk(modules=modules, entry=entry, known=known, own=own)
        for scope_of_entry in (scope, *(_ambient(scope, entry.name))):
            walk.scope(scope_of_entry)
        made.append(entry)
    return made


@dataclass(slots=True)
class _Walk:
    modules: Modules
    entry: Entry
    known: dict[int, Exposed]
    own: str
    """What the default export is called."""

    seen: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])

    def scope(self, scope: Scope) -> None:
        exported = dict(self.modules.exported(scope))
        whole = exported.pop(ASSIGNED, None)
        main = exported.pop(DEFAULT, None)
        later: list[tuple[str, Meaning]] = []
        if whole is not None:
            self._one(_name_of(whole, self.own), whole, later)
            inner = scope_of(whole)
            if inner is not None:
                exported = {**self.modules.exported(inner), **exported}
                exported.pop(DEFAULT, None)
        for name, meaning in exported.items():
            if _IDENTIFIER.fullmatch(name):  # a string such as "module.exports" is for machines
                self._one(name, meaning, later)
        if main is not None:
            self._one(_name_of(main, self.own), main, later)
        for name, meaning in later:
            self._inside(name, meaning, 0)

    def _one(self, name: str, meaning: Meaning, later: list[tuple[str, Meaning]]) -> None:
        if scope_of(meaning) is not None:
            later.append((name, meaning))
        if isinstance(meaning, Namespace) or all(one.inside for one in meaning):
            return
        key = id(meaning[0])
        before = self.known.get(key)
        if before is None:
            self.known[key] = exposed = Exposed(name, meaning, self.entry.name, {name: None})
            self.entry.exposed.append(exposed)
            return
        before.symbols[name] = None
        if before.entry != self.entry.name and "." not in name:
            self.entry.elsewhere.append((name, before))

    def _inside(self, name: str, meaning: Meaning, depth: int) -> None:
        """Describe what is in a namespace, by dotted names."""
        inner = scope_of(meaning)
        if inner is None or depth > MAX_DEPTH or (id(inner), name) in self.seen:
            return
        self.seen.add((id(inner), name))
        later: list[tuple[str, Meaning]] = []
        for part, value in self.modules.exported(inner).items():
            if part not in {DEFAULT, ASSIGNED}:
                self._one(f"{name}.{part}", value, later)
        for deeper, value in later:
            if scope_of(value) is not inner:
                self._inside(deeper, value, depth + 1)


def _ambient(scope: Scope, name: str) -> Iterable[Scope]:
    """Return `declare module "name"` of the entry's own name."""
    return [inside for key, inside in scope.ambient.items() if key == name]


def _name_of(meaning: Meaning, own: str) -> str:
    if isinstance(meaning, Namespace):
        return own
    name = meaning[0].name
    return own if name in {DEFAULT, "_default", "_"} else name


def _simple_name(name: str) -> str:
    """Return the name that people give to what a module exports by default."""
    first, *rest = name.rpartition("/")[2].replace(".", "-").split("-")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)
