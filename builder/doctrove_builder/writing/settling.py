"""Put a destination in order: finish what a killed run began, remove what any run leaves.

Nothing precious is ever deleted: a kept folder (`.git`) that still stands in an old tree is moved
back first, and a tree whose kept folder has no free place to go to is left alone.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.writing.destination import KEPT, real_path
from doctrove_builder.writing.errors import DestinationBusy, WritingError, disk_failed
from doctrove_builder.writing.exchange import is_leftover, new_name
from doctrove_builder.writing.lock import locked

if TYPE_CHECKING:
    from collections.abc import Collection


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """What was put in order."""

    restored: bool = False
    """The destination was absent between two renames and is there again."""

    returned: tuple[str, ...] = ()
    """Kept names that were moved back into the destination."""

    removed: int = 0
    """Trees of other runs that were removed."""

    left: tuple[str, ...] = ()
    """Such trees that the system does not let us remove; they do no harm."""


def repair(dest: Path, *, keep: Collection[str] = KEPT) -> str | None:
    """Finish what a killed run began; return what was done, None when there was nothing to do.

    Cheap, and nothing is written, when the destination is in order or a build is writing it now.
    Raises `WritingError`.
    """
    dest = real_path(dest)
    if not _leftovers(dest):
        return None
    try:
        with locked(dest, patience=0):
            settled = settle(dest, keep=keep)
    except DestinationBusy:
        return None
    if settled.restored:
        return f"a build of {dest} was stopped half-way; the new tree is in its place now"
    if settled.returned:
        return f"a build of {dest} was stopped half-way; {', '.join(settled.returned)} is back"
    return f"removed what a stopped build left beside {dest}" if settled.removed else None


def settle(dest: Path, *, keep: Collection[str]) -> Settled:
    """Put the real path `dest` in order; the caller holds its lock. Raises `WritingError`."""
    try:
        restored = _finish_renames(dest)
        returned: list[str] = []
        left: list[str] = []
        leftovers = _leftovers(dest)
        for tree in leftovers:
            returned += _return_kept(tree, dest, keep=keep)
            discard(tree)
            if tree.exists():
                left.append(str(tree))
    except OSError as error:
        raise disk_failed(error, what="repair", file=Path(error.filename or dest)) from error
    return Settled(
        restored=restored,
        returned=tuple(returned),
        removed=len(leftovers) - len(left),
        left=tuple(left),
    )


def discard(tree: Path) -> None:
    """Remove a tree as far as the system lets us, read-only folders included."""
    shutil.rmtree(tree, ignore_errors=True)
    if not tree.exists():
        return
    for folder, folders, _ in os.walk(tree):
        for path in (Path(folder), *(Path(folder, name) for name in folders)):
            if not path.is_symlink():
                with contextlib.suppress(OSError):
                    path.chmod(0o700)
    shutil.rmtree(tree, ignore_errors=True)


def _leftovers(dest: Path) -> list[Path]:
    """List the trees of other runs beside a destination, by name."""
    try:
        with os.scandir(dest.parent) as entries:
            names = [
                entry.name
                for entry in entries
                if is_leftover(entry.name, dest) and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:
        return []
    return [dest.parent / name for name in sorted(names)]


def _finish_renames(dest: Path) -> bool:
    """Roll a killed exchange by two renames forward; `exchange` tells how it is recognised."""
    if os.path.lexists(dest):
        return False
    trees = _leftovers(dest)
    for old in trees:
        kind, _, token = old.name.rpartition("-")
        new = new_name(dest, token)
        if kind.endswith(".old") and new in trees:
            new.rename(dest)
            return True
    return False


def _return_kept(tree: Path, dest: Path, *, keep: Collection[str]) -> list[str]:
    """Move kept folders of an old tree to the destination; it has the kept files already."""
    returned: list[str] = []
    for name in keep:
        kept = tree / name
        if not os.path.lexists(kept) or not stat.S_ISDIR(kept.lstat().st_mode):
            continue
        if os.path.lexists(dest / name):
            raise WritingError(
                f"both {dest} and {tree}, which a stopped build left, hold {name}",
                hint=f"move the right one to {dest / name}, then remove {tree}",
            )
        dest.mkdir(exist_ok=True)
        kept.rename(dest / name)
        returned.append(name)
    return returned
