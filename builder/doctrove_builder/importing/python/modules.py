"""Which files of a package are modules for its users: neither tests nor copies of others."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from doctrove_builder.importing.errors import FileRefused

if TYPE_CHECKING:
    from doctrove_builder.importing.source_tree import SourceTree

SOURCES = (".py", ".pyi")
MAX_BYTES = 4 * 1024 * 1024
"""Of one module."""

_UNPUBLISHED = frozenset({"testsuite", "conftest", "_vendor", "vendor"})
_TESTS = frozenset({"tests", "test"})
"""What has these names is tests, or what users write theirs with."""

_TEST_FILE = re.compile(r"test_.*|.*_test")
_TESTING = re.compile(r"^\s*(?:import|from)\s+(?:unittest|pytest|django\.test)\b", re.MULTILINE)


def module_stems(tree: SourceTree, package: str) -> list[str]:
    """Return the modules below a package's folder without suffix, packages before their own."""
    sources = [path for path in tree.under(package) if path.endswith(SOURCES)]
    inside = [posixpath.splitext(path.removeprefix(f"{package}/"))[0] for path in sources]
    tested = {
        posixpath.dirname(stem) for stem in inside if _TEST_FILE.fullmatch(posixpath.basename(stem))
    }
    found = {
        f"{package}/{stem}"
        for path, stem in zip(sources, inside, strict=True)
        if stem != "__init__" and _is_published(tree, path, stem, tested)
    }
    return sorted(found, key=_depth)


def _is_published(tree: SourceTree, path: str, stem: str, tested: set[str]) -> bool:
    """Say whether users import a module; `tested` are the folders that hold tests."""
    *folders, name = stem.split("/")
    if _UNPUBLISHED & {*folders, name}:
        return False
    for depth, folder in enumerate(folders, 1):
        above = "/".join(folders[:depth])
        if folder in _TESTS and any(f"{one}/".startswith(f"{above}/") for one in tested):
            return False
    if name not in _TESTS:
        return True
    try:
        return _TESTING.search(tree.read_text(path, limit=MAX_BYTES)) is None
    except FileRefused:
        return False


def _depth(stem: str) -> tuple[int, bool, str]:
    """Packages before the modules in them."""
    package = stem.endswith("/__init__")
    return stem.count("/") - package, not package, stem
