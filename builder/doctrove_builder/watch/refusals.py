"""What the system refused, as a sentence and what to do."""

from __future__ import annotations

import errno

_HINTS = {
    errno.ENOSPC: "make room; the next change is built again",
    errno.EDQUOT: "make room; the next change is built again",
    errno.EACCES: "let this user read and write it; the next change is built again",
    errno.EMFILE: "close other programs, or raise the limit of open files (`ulimit -n`)",
}


def reason_of(error: OSError) -> tuple[str, str]:
    """Return what was refused, and a hint or nothing."""
    reason = (error.strerror or str(error) or type(error).__name__).lower()
    message = f"{error.filename}: {reason}" if error.filename else reason
    return message, _HINTS.get(error.errno or 0, "")
