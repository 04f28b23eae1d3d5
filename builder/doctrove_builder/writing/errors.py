"""What stops the writing of a tree.

WritingError              message: what is so; hint: what to do
├── DestinationRefused    the destination is not ours to replace
├── DestinationBusy       another build is writing it
├── ArtefactRefused       a path that not every disk and web server can hold
├── TreeChanged           a file that was to be taken over is no longer what it was
└── DiskFailed            the system refused an operation on a file

Whichever is raised, the destination is a whole tree: the one that was there before or, when only
cleaning up failed, the new one.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class WritingError(Exception):
    """Base of all errors of this package."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class DestinationRefused(WritingError):
    """The destination is not absent, empty or ours, or it stands in a dangerous place."""


class DestinationBusy(WritingError):
    """Another process is writing this destination."""


class ArtefactRefused(WritingError):
    """An artefact's path cannot be written everywhere, or it collides with another one."""


class TreeChanged(WritingError):
    """A file of the published tree changed between the look at it and its taking over."""


class DiskFailed(WritingError):
    """Reading or writing failed in the system; `file` says where."""

    def __init__(self, message: str, *, file: str, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.file = file


def disk_failed(error: OSError, *, what: str, file: Path) -> DiskFailed:
    """Make the error for a failed operation: `what` is its verb, `write` for instance."""
    reason = error.strerror or type(error).__name__
    return DiskFailed(
        f"cannot {what} {file}: {reason[:1].lower()}{reason[1:]}",
        file=str(file),
        hint=_HINTS.get(
            error.errno or 0, "see what keeps the system from doing it, then run again"
        ),
    )


_HINTS = {
    errno.ENOSPC: "make room on this disk, or choose a destination on another one",
    errno.EDQUOT: "your quota on this disk is used up: make room, or choose another disk",
    errno.EFBIG: "a limit on the size of files forbids it (see `ulimit -f`)",
    errno.EROFS: "this disk is read-only: choose a destination on another one",
    errno.EACCES: "give yourself the right to write in this folder, or choose another destination",
    errno.EPERM: "give yourself the right to write in this folder, or choose another destination",
    errno.ENAMETOOLONG: "the name is too long for this disk: choose a shorter path",
    errno.EBUSY: "something holds the folder (a mount, for instance): choose a folder inside it",
    errno.EXDEV: "the folder is on a disk of its own: choose a folder inside it",
    errno.EMFILE: "too many files are open: raise the limit (see `ulimit -n`)",
    errno.ENOENT: "something else removed it meanwhile: run again",
    errno.ENOTDIR: "a part of this path is a file: choose another destination",
    errno.EINVAL: "this disk does not take such a name: choose another destination",
}
