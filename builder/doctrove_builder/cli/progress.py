"""What a running build says of itself: a bar on a terminal, plain lines elsewhere, or nothing."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

from doctrove_builder.pipeline.progress import Progress, Silent
from doctrove_builder.reporting.escaping import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

SELDOM = 30.0
"""Seconds between two lines about what is done now."""


class Lines:
    """One line on stderr for each step, and seldom one about what is done now."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` is in seconds."""
        self._clock = clock
        self._said = clock()

    def step(self, name: str, total: int) -> None:
        """Say the step and how many things it has."""
        print(f"{name}: {total:,}", file=sys.stderr, flush=True)
        self._said = self._clock()

    def advance(self, count: int) -> None:
        """Say nothing."""

    def note(self, text: str) -> None:
        """Say it, unless something was said a short while ago."""
        if self._clock() - self._said >= SELDOM:
            print(f"  {visible(text)}", file=sys.stderr, flush=True)
            self._said = self._clock()


class Bar:
    """A bar for the step that runs; steps that are done vanish."""

    def __init__(self, rich: RichProgress) -> None:
        self._rich = rich
        self._task: TaskID | None = None

    def step(self, name: str, total: int) -> None:
        """Show the step in place of the one before."""
        if self._task is not None:
            self._rich.remove_task(self._task)
        self._task = self._rich.add_task(name, total=total, note="")
        self._rich.refresh()

    def advance(self, count: int) -> None:
        """Move the bar."""
        if self._task is not None:
            self._rich.update(self._task, advance=count, refresh=True)

    def note(self, text: str) -> None:
        """Show it behind the bar, as far as the line goes."""
        if self._task is not None:
            self._rich.update(self._task, note=visible(text), refresh=True)


@contextlib.contextmanager
def shown_progress(*, quiet: bool) -> Generator[Progress]:
    """Choose how progress is shown, and put the terminal in order at the end."""
    if quiet:
        yield Silent()
    elif sys.stderr.isatty():
        from rich.console import Console  # noqa: PLC0415 - only a terminal needs it
        from rich.progress import Progress as RichProgress  # noqa: PLC0415 - as above
        from rich.progress import TextColumn  # noqa: PLC0415 - as above
        from rich.table import Column  # noqa: PLC0415 - as above

        # Refreshed by hand: a refreshing thread does not go with worker processes.
        console = Console(stderr=True)
        note = TextColumn(
            "{task.fields[note]}",
            markup=False,
            table_column=Column(no_wrap=True, overflow="ellipsis"),
        )
        with RichProgress(
            *RichProgress.get_default_columns(),
            note,
            console=console,
            transient=True,
            auto_refresh=False,
        ) as rich:
            yield Bar(rich)
    else:
        yield Lines()
