"""Find what is mounted at or below a folder: such a folder cannot be exchanged or emptied."""

from __future__ import annotations

import os
import re
from pathlib import Path

_TABLE = Path("/proc/self/mountinfo")
_OCTAL = re.compile(r"\\([0-7]{3})")


def mount_below(folder: Path, *, table: Path = _TABLE) -> Path | None:
    """Return a mount point at or below a real path; None when there is none.

    Linux lists them all, bind mounts of the same disk included (proc_pid_mountinfo(5)); elsewhere
    only the folder itself is looked at.
    """
    if os.path.ismount(folder):
        return folder
    try:
        lines = table.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return None
    points = (Path(mount_point(line)) for line in lines)
    return next((point for point in points if point.is_relative_to(folder)), None)


def mount_point(line: str) -> str:
    """Return the mount point of one line of the table, its octal escapes undone."""
    field = line.split(" ")[4]
    return _OCTAL.sub(lambda match: chr(int(match[1], 8)), field)
