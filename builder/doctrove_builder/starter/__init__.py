"""The small, commented authoring tree that `doctrove-build --init` writes."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write_starter(target: Path) -> tuple[str, ...]:
    """Write the tree to a folder that is absent or empty, and return the files' paths below it.

    Raises `FileExistsError` when the folder holds something, and `OSError` when it cannot be
    written.
    """
    if target.exists() and any(target.iterdir()):
        raise FileExistsError(target)
    written: list[str] = []
    with as_file(files(__name__) / "tree") as tree:
        for source in sorted(path for path in tree.rglob("*") if path.is_file()):
            path = source.relative_to(tree)
            (target / path).parent.mkdir(parents=True, exist_ok=True)
            (target / path).write_bytes(source.read_bytes())
            written.append(path.as_posix())
    return tuple(written)
