"""Writing downloads to the disk, from several threads, until it is ended."""

from __future__ import annotations

import contextlib
import os
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class Keeping:
    """Writes files as a whole, one at a time."""

    def __init__(self) -> None:
        """Begin."""
        self._turn = threading.Lock()
        self._ended = False

    def keep(self, file: Path, data: bytes) -> None:
        """Write a file; a disk that refuses costs another download, no more."""
        with self._turn, contextlib.suppress(OSError):
            if self._ended:
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            partial = file.with_name(f"{file.name}.{os.getpid()}.part")
            partial.write_bytes(data)
            partial.replace(file)

    def end(self) -> None:
        """Write nothing any more: when this returns, no file is half written."""
        with self._turn:
            self._ended = True
