"""One writer at a time: a lock file beside the destination, released by the kernel at death."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import TYPE_CHECKING

from doctrove_builder.writing.errors import DestinationBusy, disk_failed

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

_PAUSE = 0.05
_held: set[int] = set()
"""Descriptors of the locks of this process."""


@contextlib.contextmanager
def locked(dest: Path, *, patience: float) -> Generator[None, None, None]:
    """Hold the destination's lock; wait for it `patience` seconds at most.

    `dest` is a real path whose parent exists. The lock file goes when the lock is given back; one
    that a killed run left is taken over. Raises `DestinationBusy`, `DiskFailed`.
    """
    file = lock_file(dest)
    deadline = time.monotonic() + patience
    while (handle := _try_lock(file)) is None:
        if time.monotonic() >= deadline:
            raise DestinationBusy(
                f"another build is writing {dest}{_owner(file)}",
                hint="wait until it is done, then run again",
            )
        time.sleep(_PAUSE)
    _held.add(handle)
    try:
        yield
    finally:
        if handle in _held:
            _held.remove(handle)
            with contextlib.suppress(OSError):  # Windows removes no open file; it may stay
                file.unlink()
            os.close(handle)


def lock_file(dest: Path) -> Path:
    """Return where the lock of a destination is."""
    return dest.with_name(f".{dest.name}.lock")


def _try_lock(file: Path) -> int | None:
    """Lock the file that has this name; None when another process has it or just removed it."""
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        raise disk_failed(error, what="write", file=file) from error
    try:
        if _lock(handle) and _is_named(handle, file):
            os.truncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
            return handle
    except OSError as error:
        os.close(handle)
        raise disk_failed(error, what="write", file=file) from error
    os.close(handle)
    return None


def _is_named(handle: int, file: Path) -> bool:
    """Tell whether the file still has its name: its last owner removes it before letting go."""
    try:
        return os.path.samestat(os.fstat(handle), file.stat())
    except FileNotFoundError:
        return False


def _owner(file: Path) -> str:
    try:
        text = file.read_bytes()[:20].decode().strip()
    except (OSError, UnicodeDecodeError):
        return ""
    return f" (process {text})" if text.isdecimal() else ""


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> bool:
        os.lseek(handle, 4096, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(handle, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _leave_to_parent() -> None:
        """Close the locks in a forked child: a worker that outlives us would hold them on."""
        for handle in _held:
            os.close(handle)
        _held.clear()

    os.register_at_fork(after_in_child=_leave_to_parent)
