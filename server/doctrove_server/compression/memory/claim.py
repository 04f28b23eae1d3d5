"""The file of a context memory, made its owner's alone (this is an edge)."""

from __future__ import annotations

import os
import stat

from doctrove_server.errors import ConfigError


def claim(path: str) -> None:
    """Make the file its owner's alone before anything is written; refuse links and other files.

    Raises `ConfigError`.
    """
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        number = os.open(path, flags, 0o600)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigError(f"the context memory {path} cannot be opened: {reason}") from None
    try:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise ConfigError(f"the context memory {path} is not a file")
        if hasattr(os, "fchmod"):
            os.fchmod(number, 0o600)
    except OSError as error:
        raise ConfigError(f"the context memory {path} is not ours: {error.strerror}") from None
    finally:
        os.close(number)
