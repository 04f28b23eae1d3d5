"""The thread that builds: waits for a change, builds the newest state, and says how it went."""

from __future__ import annotations

import contextlib
import gc
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from doctrove_builder.pipeline.errors import BuildError
from doctrove_builder.watch.errors import Stopped, Superseded
from doctrove_builder.watch.interruption import Interruptible
from doctrove_builder.watch.lapses import Lapses
from doctrove_builder.watch.refusals import reason_of
from doctrove_builder.watch.remarks import state_of, stopped_state
from doctrove_builder.writing import WritingError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from concurrent.futures import Executor
    from contextlib import AbstractContextManager

    from doctrove_builder.watch.changes import Changes
    from doctrove_builder.watch.hub import Hub
    from doctrove_builder.watch.rebuilding import Rebuilder
    from doctrove_builder.watch.terminal import Terminal

SETTLED = 1.0
"""Seconds without a change after which there is time for what no page waits for."""

PATIENCE = 5.0
"""Seconds after which a newer state waits until the seen pages show the one that is built."""

VANISHED_MOST = 5
"""So many builds in a row are tried again when a file is gone that was there when they began."""

LOOK_EVERY = 1.0
"""Seconds between two looks whether the folder is still the one that is watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What a preview's builds work with."""

    hub: Hub
    changes: Changes
    terminal: Terminal
    executor: Callable[[], AbstractContextManager[Executor | None]]
    """Gives workers for one build."""

    check_watch: Callable[[], None]
    finish: Callable[[], Iterable[None]]
    """Does what no page waits for, a step at a time."""


class Building:
    """One preview's builds, from the first to the end."""

    def __init__(self, rebuilder: Rebuilder, around: Surroundings) -> None:
        """Begin with nothing built."""
        self._rebuilder = rebuilder
        self._around = around
        self._changes = around.changes
        self._vanished = 0

    def run(self) -> None:
        """Build until the changes are stopped."""
        due = True
        while not self._changes.stopped:
            if due:
                self._build_newest()
                # What is there now stays: collecting garbage need not look at it again and again.
                gc.freeze()
            due = self._rest()

    def _rest(self) -> bool:
        """Wait for the next change, doing meanwhile what has time; return whether one came."""
        if not self._changes.wait(SETTLED):
            with self._telling():
                for _ in self._around.finish():
                    if self._changes.pending:
                        break
            if not self._changes.pending and not self._rebuilder.is_current():
                return True  # an event was lost
        while not self._changes.wait(LOOK_EVERY):
            self._around.check_watch()
        if self._changes.stopped:
            return False
        self._changes.take()
        return True

    def _build_newest(self) -> None:
        until = time.monotonic() + PATIENCE
        while not self._changes.stopped:
            try:
                self._build(until=until)
            except Superseded:
                self._changes.take()
            except Stopped:
                return
            else:
                return

    def _build(self, *, until: float) -> None:
        lapses = Lapses(since=self._changes.taken_since)
        inner = self._around.terminal.progress()
        with self._telling(), self._around.executor() as executor, inner as progress:
            steps = Interruptible(lapses.timing(progress), self._changes, until=until)

            def shown() -> None:
                self._around.hub.publish()
                lapses.told()
                steps.give_way()

            with self._trying_again():
                rebuilt = self._rebuilder.build(
                    progress=steps,
                    executor=executor,
                    seen=self._around.hub.open_pages(),
                    shown=shown,
                )
            state = state_of(rebuilt.problems, rebuilt.texts, failed=rebuilt.failed)
            self._around.hub.publish(state)
            self._around.terminal.built(rebuilt, lapses)

    @contextlib.contextmanager
    def _trying_again(self) -> Generator[None]:
        """Take a file that is gone for a change of which the news is on its way."""
        try:
            yield
        except FileNotFoundError as error:
            self._vanished += 1
            if self._vanished > VANISHED_MOST:
                raise
            raise Superseded from error
        self._vanished = 0

    @contextlib.contextmanager
    def _telling(self) -> Generator[None]:
        """Tell of what keeps a build from being made; the next change is another attempt."""
        try:
            yield
        except (WritingError, BuildError) as error:
            self._stopped(error.message, error.hint)
        except OSError as error:
            self._stopped(*reason_of(error))

    def _stopped(self, message: str, hint: str) -> None:
        self._around.hub.publish(stopped_state(message, hint=hint))
        self._around.terminal.stopped(message, hint=hint)
