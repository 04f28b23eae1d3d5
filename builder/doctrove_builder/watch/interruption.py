"""Interrupt a build between two of its steps: the preview ends, or there is a newer state."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from doctrove_builder.watch.errors import Stopped, Superseded

if TYPE_CHECKING:
    from doctrove_builder.pipeline.progress import Progress
    from doctrove_builder.watch.changes import Changes


class Interruptible:
    """Tells a build's progress to another, and interrupts the build between two steps."""

    def __init__(self, inner: Progress, changes: Changes, *, until: float = math.inf) -> None:
        """`until` is when, on the monotonic clock, giving up for a newer state ends."""
        self._inner = inner
        self._changes = changes
        self._until = until

    def give_way(self) -> None:
        """Give up for a newer state from now on, however long it takes."""
        self._until = math.inf

    def step(self, name: str, total: int) -> None:
        """Begin a step."""
        self._check()
        self._inner.step(name, total)

    def advance(self, count: int) -> None:
        """Go on in a step."""
        self._check()
        self._inner.advance(count)

    def note(self, text: str) -> None:
        """Say what is done now."""
        self._inner.note(text)

    def _check(self) -> None:
        if self._changes.stopped:
            raise Stopped
        if self._changes.pending and time.monotonic() < self._until:
            raise Superseded
