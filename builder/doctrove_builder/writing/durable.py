"""Bring a tree to the disk, so that a power cut after its publication leaves it whole."""

from __future__ import annotations

import contextlib
import ctypes
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


def flush_tree(
    root: Path, *, written: Iterable[str], flush_disk: Callable[[Path], bool] | None = None
) -> None:
    """Bring a tree's content and names to the disk; `written` are the paths that are new in it.

    One syncfs(2) where the system has it: for thousands of small files it is far cheaper than
    as many fsync(2). `flush_disk` stands in for it, and tells whether it did. Raises OSError.
    """
    written = tuple(written)
    if not (flush_disk or _syncfs)(root):
        for path in written:
            with (root / path).open("r+b") as file:
                os.fsync(file.fileno())
        for folder in sorted({(root / path).parent for path in written} | {root}):
            flush_folder(folder)


def flush_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the system can (Windows cannot)."""
    with contextlib.suppress(PermissionError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _syncfs(root: Path) -> bool:
    """Flush the whole file system; False where there is no such call."""
    library = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None
    syncfs = getattr(library, "syncfs", None)
    if syncfs is None:
        return False
    handle = os.open(root, os.O_RDONLY)
    try:
        if syncfs(handle) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), str(root))
    finally:
        os.close(handle)
    return True
