"""Sources of packages to griffe's tree of objects, from memory: no disk is searched."""

from __future__ import annotations

import ast
import logging
import posixpath
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import griffe

from doctrove_builder.importing.errors import FileRefused
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.python.modules import MAX_BYTES, SOURCES, module_stems
from doctrove_builder.importing.unreadable import why_unread

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from doctrove_builder.importing.source_tree import SourceTree

MAX_MODULES = 5_000
_ROOT = Path("/source")
_MAIN = re.compile(r"""^if __name__ == ["']__main__["']\s*:""", re.MULTILINE)
_DEFINED = re.compile(r"^(?:class|(?:async )?def)\s+(\w+)", re.MULTILINE)
_ASSIGNED = re.compile(r"^(\w+)[ \t]*=[^=]", re.MULTILINE)

_FAULTS = (
    *(AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError),
    griffe.GriffeError,
)
"""What reading a module may raise, apart from what the compiler says of it."""

_EXTRA = "doctrove"
logging.getLogger("griffe").addHandler(logging.NullHandler())  # what it misses is noted here


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The packages of one source."""

    packages: tuple[griffe.Module, ...]
    modules: griffe.ModulesCollection
    notes: tuple[Note, ...]

    def find(self, dotted: str) -> griffe.Object | None:
        """Return what a dotted name stands for, re-exports followed; None when it is not there."""
        found: griffe.Object | griffe.Alias | None = None
        for name in dotted.split("."):
            members = self.modules.members if found is None else found.all_members
            member = members.get(name)
            if member is None:
                return None
            found = resolved(member)
            if found is None:
                return None
        return found if isinstance(found, griffe.Object) else None

    def canonical(self, dotted: str) -> str:
        """Return the dotted name under which an object is defined; empty for an unknown one."""
        found = self.find(dotted)
        return found.path if found is not None else ""


def load_packages(tree: SourceTree, roots: Iterable[tuple[str, str]]) -> Loaded:
    """Load packages given as `(import name, folder or file)`; what cannot be read is noted."""
    loading = _Loading(tree)
    packages: list[griffe.Module] = []
    for name, path in roots:
        above, _, last = name.rpartition(".")
        parent = loading.namespace(above) if above else None
        if (module := loading.package(last, path, parent)) is not None:
            packages.append(module)
    loading.merge_stubs()
    loader = loading.loader
    for module in packages:
        loader.expand_exports(module)  # pyright: ignore[reportUnknownMemberType] - griffe's sets
    for module in packages:
        loader.expand_wildcards(  # pyright: ignore[reportUnknownMemberType] - griffe's sets
            module, external=False
        )
    loader.resolve_aliases(implicit=True, external=False, max_iterations=10)
    return Loaded(
        packages=tuple(packages), modules=loader.modules_collection, notes=tuple(loading.notes)
    )


def resolved(member: griffe.Object | griffe.Alias) -> griffe.Object | None:
    """Return the object itself; None for what comes from elsewhere or leads in a circle."""
    if isinstance(member, griffe.Object):
        return member
    try:
        return member.final_target
    except (griffe.AliasResolutionError, griffe.CyclicAliasError):
        return None


def source_file(found: griffe.Object) -> str:
    """Return the path of an object's file in the source; empty for a namespace."""
    if isinstance(stub := found.extra[_EXTRA].get("file"), str):
        return stub
    filepath = found.filepath
    return "" if isinstance(filepath, list) else filepath.relative_to(_ROOT).as_posix()


def source_lines(found: griffe.Object) -> list[str]:
    """Return the lines of an object's file; none for a namespace."""
    file = source_file(found)
    try:
        return found.lines_collection[_ROOT / file] if file else []
    except KeyError:
        return []


class _Loading:
    """Visits modules one by one and hangs them into their packages."""

    def __init__(self, tree: SourceTree) -> None:
        self.loader = griffe.GriffeLoader(extensions=griffe.Extensions(), allow_inspection=False)
        self.notes: list[Note] = []
        self._tree = tree
        self._stubs: list[tuple[griffe.Module, griffe.Module, str]] = []

    def namespace(self, dotted: str) -> griffe.Module:
        """Return the module of a namespace package, made with those above it."""
        parent: griffe.Module | None = None
        for name in dotted.split("."):
            members = self.loader.modules_collection.members if parent is None else parent.members
            known = members.get(name)
            if not isinstance(known, griffe.Module):
                known = self._folder(name, name, parent)
                self._hang(known, parent)
            parent = known
        assert parent is not None  # a dotted name has a part
        return parent

    def package(self, name: str, path: str, parent: griffe.Module | None) -> griffe.Module | None:
        """Load a module, or a package with all that is in it."""
        single = path.endswith(SOURCES)
        stem = path.removesuffix(".pyi").removesuffix(".py") if single else f"{path}/__init__"
        top = self._module(name, stem, parent)
        if top is None and single:
            return None
        top = top or self._folder(name, path, parent)  # its modules are read without its own
        self._hang(top, parent)
        if single:
            return top
        folders: dict[str, griffe.Module] = {path: top}
        for inside in self._stems(path):
            package = inside.endswith("/__init__")
            folder, last = posixpath.split(posixpath.dirname(inside) if package else inside)
            if not last.isidentifier():
                continue
            holder = self._holder(folder, path, folders)
            if holder is None:
                continue
            if (module := self._module(last, inside, holder)) is not None:
                holder.set_member(last, module)
                if package:
                    folders[posixpath.dirname(inside)] = module
        return top

    def _holder(
        self, folder: str, path: str, folders: dict[str, griffe.Module]
    ) -> griffe.Module | None:
        """Return the package of a folder below `path`, made where it has no `__init__`."""
        if folder in folders:
            return folders[folder]
        above, name = posixpath.split(folder)
        if not folder.startswith(f"{path}/") or not name.isidentifier():
            return None
        parent = self._holder(above, path, folders)
        if parent is None:
            return None
        made = self._folder(name, folder, parent)
        parent.set_member(name, made)
        folders[folder] = made
        return made

    def _folder(self, name: str, path: str, parent: griffe.Module | None) -> griffe.Module:
        """Return the module of a folder that has no `__init__`, or none that can be read."""
        return griffe.Module(
            name,
            filepath=[_ROOT / path],
            parent=parent,
            lines_collection=self.loader.lines_collection,
            modules_collection=self.loader.modules_collection,
        )

    def merge_stubs(self) -> None:
        """Merge stubs into their modules, once all names are there that they may lead to."""
        for module, stub, path in self._stubs:
            _mark(stub, path)
            try:
                griffe.merge_stubs(module, stub)
            except (griffe.GriffeError, KeyError, AttributeError) as error:
                message = f"its types are not taken over: {why_unread(error, reader='griffe')}"
                self.notes.append(Note(kind="stub-not-merged", place=path, message=message))

    def _hang(self, module: griffe.Module, parent: griffe.Module | None) -> None:
        if parent is None:
            self.loader.modules_collection.set_member(module.name, module)
        else:
            parent.set_member(module.name, module)

    def _stems(self, path: str) -> list[str]:
        """Return the modules below a package without suffix, packages before what they hold."""
        stems = module_stems(self._tree, path)
        if len(stems) > MAX_MODULES:
            message = f"{len(stems):,} modules; those after {MAX_MODULES:,} are left out"
            self.notes.append(Note(kind="module-left-out", place=path, message=message))
        return stems[:MAX_MODULES]

    def _module(self, name: str, stem: str, parent: griffe.Module | None) -> griffe.Module | None:
        module = stub = None
        if f"{stem}.py" in self._tree:
            module = self._visit(name, f"{stem}.py", parent)
        if f"{stem}.pyi" in self._tree:
            stub = self._visit(name, f"{stem}.pyi", parent)
        if module is not None and stub is not None:
            self._stubs.append((module, stub, f"{stem}.pyi"))
        return module or stub

    def _visit(self, name: str, path: str, parent: griffe.Module | None) -> griffe.Module | None:
        try:
            code = self._tree.read_text(path, limit=MAX_BYTES)
            filepath = _ROOT / path
            self.loader.lines_collection[filepath] = code.split("\n")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the compiler's remarks on somebody else's code
                return griffe.visit(
                    name,
                    filepath=filepath,
                    code=_described(code),
                    extensions=self.loader.extensions,
                    parent=parent,
                    lines_collection=self.loader.lines_collection,
                    modules_collection=self.loader.modules_collection,
                )
        except FileRefused as error:
            reason = error.message
        except SyntaxError as error:
            path, reason = f"{path}:{error.lineno or 1}", f"it is not read: {error.msg}"
        except _FAULTS as error:
            reason = f"it is not read: {why_unread(error, reader='griffe')}"
        self.notes.append(Note(kind="module-unreadable", place=path, message=reason))
        return None


def _described(code: str) -> str:
    """Return a module without the statements that hide what it documents; lines keep their places.

    These are what it does when it is run, and `Name = wrap(Name)` below a class or function: a
    decorator in another form, that would make an attribute of it.
    """
    defined = set(_DEFINED.findall(code))
    if not _MAIN.search(code) and not defined.intersection(_ASSIGNED.findall(code)):
        return code
    lines = code.split("\n")
    for statement in ast.parse(code).body:
        is_main = isinstance(statement, ast.If) and _MAIN.match(lines[statement.lineno - 1])
        if is_main or _wraps_itself(statement, defined):
            last = statement.end_lineno or statement.lineno
            lines[statement.lineno - 1 : last] = [""] * (last - statement.lineno + 1)
    return "\n".join(lines)


def _wraps_itself(statement: ast.stmt, defined: Collection[str]) -> bool:
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return False
    target = statement.targets[0]
    name = target.id if isinstance(target, ast.Name) and len(statement.targets) == 1 else ""
    return name in defined and any(
        isinstance(node, ast.Name) and node.id == name for node in ast.walk(statement.value)
    )


def _mark(stub: griffe.Module | griffe.Class, path: str) -> None:
    """Note the file of what a stub declares: merged, it has a parent in another file."""
    for member in stub.members.values():
        if isinstance(member, griffe.Object) and not isinstance(member, griffe.Module):
            member.extra[_EXTRA]["file"] = path
            if isinstance(member, griffe.Class):
                _mark(member, path)
