"""Say which code imports: a digest that changes when an imported volume may."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable

_LIBRARIES = (
    *("beautifulsoup4", "docutils", "griffe", "lxml", "markdownify", "pyyaml", "selectolax"),
    *("sphobjinv", "tree-sitter", "tree-sitter-typescript"),
)


@cache
def importing_version() -> str:
    """Return a digest of this package's source and of the versions of what it reads with."""
    digest = sha256()
    _add(files("doctrove_builder.importing"), digest.update)
    for library in _LIBRARIES:
        try:
            digest.update(f"{library} {version(library)}\0".encode())
        except PackageNotFoundError:
            digest.update(f"{library} is absent\0".encode())
    return digest.hexdigest()


def _add(folder: Traversable, update: Callable[[bytes], None]) -> None:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            _add(entry, update)
        elif entry.name.endswith(".py"):
            update(f"{entry.name}\0".encode() + entry.read_bytes() + b"\0")
