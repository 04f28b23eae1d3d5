"""Put a new tree in the place of an old one.

`swap` does it in one step of the system. `TwoRenames` does it anywhere, with a moment in which the
destination is absent; the names that the two trees then have are the journal that
`settling.settle` reads:

    .DEST.new-X and .DEST.old-X, no DEST    killed between the renames: the new tree is complete
    .DEST.new-X, DEST                       killed before them or after a swap: waste
    .DEST.old-X, DEST                       killed after them: waste

Both leave the old tree beside the destination; settling removes it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM}
"""EPERM is what sandboxes answer to a call that they do not know."""


class Exchange(Protocol):
    """Replaces the folder `dest` by the folder `new` beside it, named by `new_name`."""

    def __call__(self, new: Path, dest: Path, /) -> None:
        """Exchange the trees, or raise OSError with both as they were."""
        ...


def exchange_trees(new: Path, dest: Path, *, one_step: Exchange | None = None) -> None:
    """Exchange in one step (`swap`) where the system has it, else by two renames."""
    try:
        (one_step or swap)(new, dest)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        TwoRenames()(new, dest)


def swap(new: Path, dest: Path) -> None:
    """Exchange two folders atomically: renameat2(2) with RENAME_EXCHANGE, Linux 3.15."""
    library = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None
    rename = getattr(library, "renameat2", None)
    if rename is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(dest))
    paths = os.fsencode(new), os.fsencode(dest)
    if rename(_AT_FDCWD, paths[0], _AT_FDCWD, paths[1], _RENAME_EXCHANGE) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(dest))


class TwoRenames:
    """Exchange by two renames, which every system has; undone when the second one fails."""

    def __init__(self, rename: Callable[[Path, Path], object] = os.rename) -> None:
        self._rename = rename

    def __call__(self, new: Path, dest: Path) -> None:
        """Move the old tree aside, then the new one into its place."""
        old = old_of(new, dest)
        self._rename(dest, old)
        try:
            self._rename(new, dest)
        except OSError:
            self._rename(old, dest)
            raise


def new_name(dest: Path, token: str) -> Path:
    """Return where a new tree is made: beside the destination, so on the same disk."""
    return dest.with_name(f".{dest.name}.new-{token}")


def old_of(new: Path, dest: Path) -> Path:
    """Return where the old tree waits while `new` takes its place."""
    return dest.with_name(f".{dest.name}.old-{new.name.rpartition('-')[2]}")


def is_leftover(name: str, dest: Path) -> bool:
    """Tell whether a name beside the destination is one that a run gives to a tree."""
    return re.fullmatch(rf"\.{re.escape(dest.name)}\.(new|old)-[0-9a-f]{{8}}", name) is not None
