"""The disk edge: opens files below a root without leaving it, and reads them.

Names are walked one by one with links refused, so that no link swapped in between a check and its
use is followed. A link that stays below the root is resolved first and then walked the same way.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple

from doctrove_server.host.target import is_hidden

ABSENT = frozenset(
    {
        errno.ENOENT,
        errno.ENOTDIR,
        errno.EISDIR,
        errno.EACCES,
        errno.EPERM,
        errno.ELOOP,
        errno.ENAMETOOLONG,
        errno.EINVAL,
        errno.ENXIO,
        errno.ENODEV,
    }
)
"""Errors that say that there is nothing to serve at a path; any other is a fault of the system."""

_HAS_WALK = os.open in os.supports_dir_fd
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a named pipe without a writer does not hold the host up
    | getattr(os, "O_BINARY", 0)
)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_STEP = _FOLDER | _NO_LINK | getattr(os, "O_PATH", 0)  # to pass through needs no right to list


class Stamp(NamedTuple):
    """What tells one state of a file or folder from another without reading it."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file status."""
    return Stamp(
        status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns
    )


def has_stamp(status: os.stat_result, stamp: Stamp) -> bool:
    """Tell whether a file status has the stamp; the fields that change most often come first."""
    device, inode, size, mtime_ns, ctime_ns = stamp
    return (
        status.st_ctime_ns == ctime_ns
        and status.st_ino == inode
        and status.st_mtime_ns == mtime_ns
        and status.st_size == size
        and status.st_dev == device
    )


def path_of(root: str, parts: tuple[str, ...]) -> str:
    """Return the path of names below a root, for the system alone."""
    return "/".join((root, *parts))


def open_below(root: str, parts: tuple[str, ...]) -> tuple[int, bool]:
    """Open a file or folder below the root; return the descriptor and whether links led to it.

    Raises OSError; for a link that leaves the root, or leads to a hidden name, FileNotFoundError;
    for a folder, where the system opens none (Windows), IsADirectoryError.
    """
    if not _HAS_WALK:
        return _open_by_name(root, parts), True
    try:
        return _walk(root, parts), False
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
            raise
    below = _resolve(root, parts)
    return _walk(os.path.realpath(root), below), True


def read_all(descriptor: int, size: int) -> bytes:
    """Read a file from its start: at most `size` bytes, fewer where it has become shorter."""
    data = read_at(descriptor, size, 0)
    while len(data) < size and (more := read_at(descriptor, size - len(data), len(data))):
        data += more
    return data


def read_at(descriptor: int, size: int, offset: int) -> bytes:
    """Read at most `size` bytes at an offset; empty at the end of the file."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, size, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, size)


def is_unwritten(descriptor: int, stamp: Stamp) -> bool:
    """Tell whether an open file still has the content that it was stamped with.

    A file that was removed or replaced meanwhile has; its status has changed, not its content.
    """
    status = os.fstat(descriptor)
    return (status.st_size, status.st_mtime_ns) == (stamp.size, stamp.mtime_ns)


def list_names(root: str, parts: tuple[str, ...], *, most: int) -> tuple[str, ...]:
    """Return the names in a folder below the root, folders with a slash, sorted; at most `most`.

    Hidden names are left out, and so is what cannot be opened below the root. Raises OSError.
    """
    if _HAS_WALK:
        descriptor, _ = open_below(root, parts)
        try:
            names = sorted(os.listdir(descriptor))  # noqa: PTH208 - a descriptor is no path
        finally:
            os.close(descriptor)
    else:
        names = sorted(os.listdir(path_of(os.path.realpath(root), _resolve(root, parts))))  # noqa: PTH208 - names alone
    shown = (_shown(root, (*parts, name)) for name in names[:most])
    return tuple(filter(None, shown))


def _shown(root: str, parts: tuple[str, ...]) -> str:
    if is_hidden(parts):
        return ""
    try:
        descriptor, _ = open_below(root, parts)
    except IsADirectoryError:
        return parts[-1] + "/"
    except OSError:
        return ""
    try:
        mode = os.fstat(descriptor).st_mode
    finally:
        os.close(descriptor)
    if stat.S_ISDIR(mode):
        return parts[-1] + "/"
    return parts[-1] if stat.S_ISREG(mode) else ""


def _walk(root: str, parts: tuple[str, ...]) -> int:
    if not parts:
        return os.open(root, _FOLDER)
    descriptor = os.open(root, _STEP & ~_NO_LINK)
    try:
        for name in parts[:-1]:
            inner = os.open(name, _STEP, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        return os.open(parts[-1], _FILE | _NO_LINK, dir_fd=descriptor)
    finally:
        os.close(descriptor)


def _resolve(root: str, parts: tuple[str, ...]) -> tuple[str, ...]:
    """Follow the links of a path and return its names below the root."""
    real_root = os.path.realpath(root)
    real = os.path.realpath(path_of(real_root, parts), strict=True)
    if real == real_root:
        return ()
    prefix = real_root.rstrip(os.sep) + os.sep
    if not real.startswith(prefix):
        raise FileNotFoundError(errno.ENOENT, "leaves the root")
    below = Path(real[len(prefix) :]).parts
    if is_hidden(below):
        raise FileNotFoundError(errno.ENOENT, "is hidden")
    return below


def _open_by_name(root: str, parts: tuple[str, ...]) -> int:
    """Open where there are no folder descriptors (Windows): resolve, compare, open."""
    if any(":" in name or name.endswith((".", " ")) for name in parts):
        raise FileNotFoundError(errno.ENOENT, "is no plain name")
    path = path_of(os.path.realpath(root), _resolve(root, parts))
    if Path(path).is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder")
    return os.open(path, _FILE)
