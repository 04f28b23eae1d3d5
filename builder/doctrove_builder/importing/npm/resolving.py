"""Exported names followed through the modules of a package to what they declare."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.npm.modules import (
    ASSIGNED,
    DEFAULT,
    Declaration,
    Imported,
    Scope,
    read_scope,
)
from doctrove_builder.importing.npm.package import declaration_file
from doctrove_builder.importing.npm.parsing import parse_declarations

if TYPE_CHECKING:
    from doctrove_builder.importing.source_tree import SourceTree

MAX_MODULES = 5000
MAX_STEPS = 64
"""From one name to the next until its declaration."""


@dataclass(frozen=True, slots=True)
class Namespace:
    """All exports of a module or of a namespace, under one name."""

    scope: Scope


Meaning: TypeAlias = tuple[Declaration, ...] | Namespace


@dataclass(slots=True)
class Modules:
    """The modules of a package, read when they are first needed."""

    tree: SourceTree
    notes: list[Note] = field(default_factory=list[Note])
    _read: dict[str, Scope | None] = field(default_factory=dict[str, Scope | None])
    _exported: dict[int, dict[str, Meaning]] = field(default_factory=dict[int, dict[str, Meaning]])

    def module(self, path: str) -> Scope | None:
        """Return a file's declarations; None when it cannot be read."""
        if path not in self._read:
            self._read[path] = self._parsed(path)
        return self._read[path]

    def exported(self, scope: Scope) -> dict[str, Meaning]:
        """Return all that a module exports, by name, its own names first."""
        known = self._exported.get(id(scope))
        if known is None:
            known = dict[str, Meaning]()
            self._gather(scope, known, set())
            self._exported[id(scope)] = known
        return known

    def _gather(self, scope: Scope, found: dict[str, Meaning], seen: set[int]) -> None:
        pending = [scope]
        while pending:
            current = pending.pop(0)
            if id(current) in seen:
                continue
            seen.add(id(current))
            for name, value in current.exports.items():
                if current is not scope and name in {DEFAULT, ASSIGNED}:
                    continue
                meaning = None if name in found else self._value(current, value)
                if meaning is not None:
                    found[name] = meaning
            stars = (self._target(current.path, star) for star in current.stars)
            pending += [target for target in stars if target is not None]

    def _value(self, scope: Scope, value: str | Imported) -> Meaning | None:
        if isinstance(value, Imported):
            return self._imported(scope, value, MAX_STEPS)
        return self.meaning(scope, value)

    def meaning(self, scope: Scope, name: str, steps: int = MAX_STEPS) -> Meaning | None:
        """Return what a name means in a scope; None when nothing here declares it."""
        first, *rest = name.split(".")
        meaning = self._simple(scope, first, steps)
        for part in rest:
            inner = scope_of(meaning)
            meaning = self.exported(inner).get(part) if inner is not None else None
        return meaning

    def _simple(self, scope: Scope, name: str, steps: int) -> Meaning | None:
        around: Scope | None = scope
        while around is not None:
            if name in around.declared:
                return tuple(around.declared[name])
            if name in around.imports:
                return self._imported(around, around.imports[name], steps - 1)
            around = around.outer
        return None

    def _imported(self, scope: Scope, wanted: Imported, steps: int) -> Meaning | None:
        target = self._target(scope.path, wanted.module)
        if target is None or steps <= 0:
            return None
        if not wanted.name:
            whole = target.exports.get(ASSIGNED)
            return (
                self.meaning(target, whole, steps) if isinstance(whole, str) else Namespace(target)
            )
        return self._named(target, wanted.name, steps - 1)

    def _named(self, scope: Scope, name: str, steps: int) -> Meaning | None:
        """Return what one exported name means, following as few modules as it takes."""
        pending, seen = [scope], set[int]()
        while pending and steps > 0:
            current = pending.pop(0)
            if id(current) in seen:
                continue
            seen.add(id(current))
            value = current.exports.get(name)
            if value is None and name == DEFAULT:
                value = current.exports.get(ASSIGNED)
            if isinstance(value, Imported):
                return self._imported(current, value, steps - 1)
            if value is not None:
                return self.meaning(current, value, steps - 1)
            whole = current.exports.get(ASSIGNED)
            if isinstance(whole, str):
                return self.meaning(current, f"{whole}.{name}", steps - 1)
            stars = (self._target(current.path, star) for star in current.stars)
            pending += [target for target in stars if target is not None]
        return None

    def _target(self, path: str, module: str) -> Scope | None:
        """Return the module that is imported in a file; None for another package."""
        if not module.startswith("."):
            scope = self._read.get(path)
            ambient = scope.ambient.get(module) if scope is not None else None
            if ambient is None:
                self._note("module-elsewhere", path, f"{module} is another package")
            return ambient
        file = declaration_file(self.tree, module, folder=posixpath.dirname(path))
        if not file:
            self._note("module-missing", path, f"{module} is not in the package")
            return None
        return self.module(file)

    def _parsed(self, path: str) -> Scope | None:
        if len(self._read) >= MAX_MODULES:
            self._note("modules-left-out", path, f"more than {MAX_MODULES:,} modules")
            return None
        try:
            text = self.tree.read_text(path)
        except FileRefused as error:
            self._note("module-refused", path, error.message)
            return None
        parsed = parse_declarations(path, text)
        broken = parsed.first_broken()
        if broken is not None:
            place = f"{path}:{broken.start_point.row + 1}"
            self._note("declarations-broken", place, "what stands here cannot be parsed")
        return read_scope(parsed)

    def _note(self, kind: str, place: str, message: str) -> None:
        note = Note(kind=kind, place=place, message=message)
        if note not in self.notes:
            self.notes.append(note)


def scope_of(meaning: Meaning | None) -> Scope | None:
    """Return the names inside a namespace; None for what has none."""
    if isinstance(meaning, Namespace):
        return meaning.scope
    return next((one.inside for one in meaning or () if one.inside is not None), None)
