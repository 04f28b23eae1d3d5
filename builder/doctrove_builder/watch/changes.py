"""Whether the sources changed: what the watching thread says and the building thread waits for."""

from __future__ import annotations

import threading
import time

QUIET = 0.015
"""Seconds without a change after which a burst of them is over: an editor's save is several."""

LONGEST_BURST = 1.0
"""Seconds after which a burst that does not end is built all the same."""


class Changes:
    """A mark that any thread can set, and one thread waits for and takes back."""

    def __init__(self, *, quiet: float = QUIET, longest: float = LONGEST_BURST) -> None:
        """Begin without a change; `quiet` and `longest` are seconds, as the constants here."""
        self._quiet = quiet
        self._longest = longest
        self._condition = threading.Condition()
        self._count = 0
        self._taken = 0
        self._stopped = False
        self._since: float | None = None
        self.taken_since: float | None = None
        """When the first of the changes that were taken last came, on the performance counter."""

    def notify(self) -> None:
        """Say that something changed."""
        with self._condition:
            if self._since is None:
                self._since = time.perf_counter()
            self._count += 1
            self._condition.notify_all()

    def stop(self) -> None:
        """Wake whoever waits, for good."""
        with self._condition:
            self._stopped = True
            self._condition.notify_all()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    @property
    def pending(self) -> bool:
        """Whether something changed since the last `take`."""
        return self._count != self._taken

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for a change or the end; return whether one of them came in time."""
        with self._condition:
            return self._condition.wait_for(lambda: self.pending or self._stopped, seconds)

    def take(self) -> None:
        """Wait until the burst is over, and take the mark back."""
        end = time.monotonic() + self._longest
        with self._condition:
            while time.monotonic() < end:
                seen = self._count
                if self._stopped or not self._condition.wait_for(
                    lambda seen=seen: self._count != seen or self._stopped,  # type: ignore[misc] # mypy does not infer the default's type
                    self._quiet,
                ):
                    break
            self._taken = self._count
            self.taken_since, self._since = self._since, None
