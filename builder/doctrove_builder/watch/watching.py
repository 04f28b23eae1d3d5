"""The edge to the file system's events: tells when anything below a folder may have changed.

What changed is not told: a reading of the tree finds it, so that an event that was lost or said too
much does no harm.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from watchdog.events import (
    EVENT_TYPE_CLOSED_NO_WRITE,
    EVENT_TYPE_OPENED,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

from doctrove_builder.authoring import is_ignored

if TYPE_CHECKING:
    from collections.abc import Callable

    from watchdog.observers.api import BaseObserver

POLL_SECONDS = 0.5

logging.getLogger("watchdog").addHandler(logging.NullHandler())
"""It complains of an event that comes while a watch ends; without a handler Python prints that."""

_SILENT = frozenset(
    {
        "9p", "afs", "ceph", "cifs", "drvfs", "fakeowner", "fuse.grpcfuse", "fuse.osxfs",
        "fuse.sshfs", "fuse.vmhgfs-fuse", "grpcfuse", "lustre", "nfs", "nfs4", "osxfs", "prl_fs",
        "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
    }
)  # fmt: skip
"""File systems that do not tell of changes made on another machine."""


def is_of_interest(path: str) -> bool:
    """Tell whether a path below the root is one that is read."""
    return not any(is_ignored(part) for part in Path(path).parts)


class Watching:
    """The watch on one folder; `reason` says why it polls, if it does."""

    def __init__(
        self,
        root: Path,
        notify: Callable[[], None],
        *,
        poll: bool,
        wanted: Callable[[str], bool] = is_of_interest,
        recursive: bool = True,
    ) -> None:
        """Begin to watch; `wanted` tells of a path below the root whether its changes count.

        Without `recursive` only what lies in the root itself is seen. A system without room for
        more watches is polled.
        """
        self._root = Path(os.path.realpath(root))
        self._handler = _Handler(self._root, notify, wanted)
        self._notify = notify
        self._recursive = recursive
        self.reason = "" if not poll else "asked to"
        if not poll and (kind := file_system(self._root)) in _SILENT:
            self.reason = f"{kind} tells of no changes"
        self._observer: BaseObserver | None = None
        self._number = _number(self._root)
        if self._number is not None:
            self._begin()

    def check(self) -> None:
        """Watch the folder that stands there now, when it is another one than before."""
        number = _number(self._root)
        if number == self._number:
            return
        self.end()
        self._number = number
        if number is not None:
            self._begin()
        self._notify()

    def end(self) -> None:
        """Stop watching."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(timeout=2)
            self._observer = None

    def _begin(self) -> None:
        if not self.reason:
            observer = Observer()
            try:
                observer.schedule(self._handler, str(self._root), recursive=self._recursive)
                observer.start()
            except OSError as error:  # the limit of watches, for one
                self.reason = (error.strerror or str(error)).lower()
            else:
                self._observer = observer
                return
        polling = PollingObserver(timeout=POLL_SECONDS)
        polling.schedule(self._handler, str(self._root), recursive=self._recursive)
        polling.start()
        self._observer = polling


class _Handler(FileSystemEventHandler):
    def __init__(
        self, root: Path, notify: Callable[[], None], wanted: Callable[[str], bool]
    ) -> None:
        super().__init__()
        self._root = str(root)
        self._wanted = wanted
        self._notify = notify

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in {EVENT_TYPE_OPENED, EVENT_TYPE_CLOSED_NO_WRITE}:
            return
        paths = (os.fsdecode(path) for path in (event.src_path, event.dest_path) if path)
        if any(self._wanted(os.path.relpath(path, self._root)) for path in paths):
            self._notify()


def file_system(path: Path) -> str:
    """Return the kind of file system that a path is on; empty where that is not known."""
    if sys.platform != "linux":
        return ""
    try:
        lines = Path("/proc/self/mountinfo").read_text("utf-8", "replace").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        mount = before.split(" ")[4].replace("\\040", " ")
        if path.is_relative_to(mount) and len(mount) >= len(best):
            best, kind = mount, after.split(" ")[0]
    return kind


def _number(root: Path) -> tuple[int, int] | None:
    try:
        status = root.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
