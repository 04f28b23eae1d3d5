"""The file of a context memory, made its owner's alone (this is an edge)."""

from __future__ import annotations

import errno
import os
import stat

from doctrove_server.errors import ConfigError

_NEXT_STEPS = {
    errno.ENOENT: "Make its folder, or name another path",
    errno.ENOTDIR: "Name a path in a folder",
    errno.EISDIR: "Name a file in it",
    errno.ELOOP: "It is a link; name the file itself",
    errno.EMLINK: "It is a link; name the file itself",
    errno.ENAMETOOLONG: "Name a shorter path",
}


def claim(path: str) -> None:
    """Make the file its owner's alone before anything is written; refuse links and other files.

    Raises `ConfigError`.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        number = os.open(path, flags, 0o600)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        step = _NEXT_STEPS.get(error.errno or 0, "Name a file that this user may write")
        raise ConfigError(f"the context memory {path} cannot be opened: {reason}. {step}") from None
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise ConfigError(f"the context memory {path} is not a file. Name one")
        if hasattr(os, "fchmod"):
            os.fchmod(number, 0o600)
    except OSError as error:
        raise ConfigError(
            f"the context memory {path} is somebody else's: {error.strerror}. Name another path"
        ) from None
    finally:
        os.close(number)
