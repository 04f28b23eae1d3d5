"""What tools looked up, remembered by itself: a memory that fails is said and left alone a while.

The answers of those tools are never lost to it, and wait for it once a minute at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from doctrove_server.compression.memory.memory import LONGEST
from doctrove_server.errors import MemoryFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from doctrove_server.compression.memory.memory import Memory
    from doctrove_server.tools.answer import Shown

REST = 60.0
"""Seconds without a further try after a failure."""


class LookUps:
    """Remembers the sections that answers show."""

    def __init__(
        self, memory: Memory, *, clock: Callable[[], float], log: Callable[[str], None]
    ) -> None:
        self._memory = memory
        self._clock = clock
        self._log = log
        self._failed = float("-inf")

    def remember(self, shown: Iterable[Shown]) -> None:
        """Remember sections; what is known already counts as used again."""
        now = self._clock()
        if abs(now - self._failed) < REST:  # a clock that was set back ends the rest too
            return
        try:
            for one in shown:
                self._memory.add(one.body[:LONGEST], now=now, key=one.uri, source=one.source)
        except MemoryFailed as error:
            self._failed = now
            self._log(f"what was looked up is not remembered: {error}")
