"""Where in a source the packages and modules are that its user would import."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from doctrove_builder.importing.source_tree import SourceTree

NOT_PUBLISHED = frozenset(
    """
    asv_bench bench benchmark benchmarks ci demo demos dist doc docs docs_src documentation example
    examples extra extras node_modules requirements scripts site-packages spec specs test tests
    testsuite tool tools tutorial tutorials venv
    """.split()  # noqa: SIM905 - words
)
"""Folders beside a package that are no part of what it installs."""

_PROJECT = ("pyproject.toml", "setup.py", "setup.cfg", "PKG-INFO")
_NAME = re.compile(r"[^\W\d]\w*")
_SCRIPTS = frozenset({"setup", "conftest", "noxfile", "tasks", "versioneer", "fabfile", "manage"})
_SOURCES = (".py", ".pyi")
_NAMESPACE_DEPTH = 3


def find_roots(tree: SourceTree, *, asked: Iterable[str] = ()) -> tuple[tuple[str, str], ...]:
    """Return `(import name, folder or file)` for each package and module at the top of a source.

    `asked` are import names: only those. Namespace packages give their first real packages
    (`google/cloud/storage` is `google.cloud.storage`).
    """
    base = _base(tree)
    found = dict(_roots(tree, base))
    wanted = tuple(asked)
    if wanted:
        return tuple((name, found[name]) for name in wanted if name in found)
    packages = {name: path for name, path in found.items() if not path.endswith(_SOURCES)}
    return tuple(sorted((packages or found).items()))


def _base(tree: SourceTree) -> str:
    """Return the folder that holds what is imported: that of the project, or its `src`."""
    tops = {path.split("/", 1)[0] for path in tree.paths}
    only = next(iter(tops)) if len(tops) == 1 else ""
    base = ""
    if any(f"{only}/{name}" in tree for name in _PROJECT):
        base = only
    for folder in ("src", "lib", "python"):
        inside = posixpath.join(base, folder)
        is_package = f"{inside}/__init__.py" in tree
        if not is_package and any(_packages(tree, inside)):
            return inside
    return base


def _packages(tree: SourceTree, folder: str) -> list[str]:
    prefix = f"{folder}/" if folder else ""
    return [
        path.removeprefix(prefix).split("/")[0]
        for path in tree.under(folder)
        if path.removeprefix(prefix).count("/") == 1
        and posixpath.basename(path) in {"__init__.py", "__init__.pyi"}
    ]


def _roots(tree: SourceTree, base: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    prefix = f"{base}/" if base else ""
    seen: set[str] = set()
    for path in tree.under(base):
        first, _, rest = path.removeprefix(prefix).partition("/")
        stem = first.removesuffix(".py").removesuffix(".pyi")
        if not rest and first.endswith(_SOURCES) and _is_module(stem):
            found.append((stem, path))
        elif rest and first not in seen:
            seen.add(first)
            name = first.removesuffix("-stubs")
            if _NAME.fullmatch(name) and first.lower() not in NOT_PUBLISHED:
                found += _below(tree, f"{prefix}{first}", name, 0)
    return found


def _below(tree: SourceTree, folder: str, name: str, depth: int) -> list[tuple[str, str]]:
    if f"{folder}/__init__.py" in tree or f"{folder}/__init__.pyi" in tree:
        return [(name, folder)]
    if depth == _NAMESPACE_DEPTH:
        return []
    inside = sorted({path.removeprefix(f"{folder}/").split("/")[0] for path in tree.under(folder)})
    return [
        root
        for part in inside
        if _NAME.fullmatch(part) and part.lower() not in NOT_PUBLISHED
        for root in _below(tree, f"{folder}/{part}", f"{name}.{part}", depth + 1)
    ]


def _is_module(stem: str) -> bool:
    return bool(_NAME.fullmatch(stem)) and stem not in _SCRIPTS and not stem.startswith("test_")
