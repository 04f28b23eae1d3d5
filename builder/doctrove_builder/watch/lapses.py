"""How long the steps of a build of the preview take, from the change to the browser being told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from doctrove_builder.pipeline.progress import Progress


class Lapses:
    """The clock of one build; `since` is when the change came, on the performance counter."""

    def __init__(self, *, since: float | None = None) -> None:
        """Begin now."""
        self._began = time.perf_counter()
        self._since = self._began if since is None else since
        self._marks: list[tuple[str, float]] = [("waiting", self._since), ("start", self._began)]
        self._told: float | None = None

    @property
    def seconds(self) -> float:
        """From the beginning of the build until now."""
        return time.perf_counter() - self._began

    def mark(self, name: str) -> None:
        """Say that a step begins; it lasts until the next one."""
        self._marks.append((name, time.perf_counter()))

    def told(self) -> None:
        """Say that browsers are told of the pages that they show; the first time counts."""
        self._told = self._told or time.perf_counter()

    def timing(self, inner: Progress) -> Progress:
        """Return a progress that marks each step here and hands it on."""
        return _Timing(inner, self)

    def line(self) -> str:
        """Return the steps until browsers were told, with their milliseconds."""
        end = self._told or time.perf_counter()
        marks = [mark for mark in self._marks if mark[1] < end]
        ends = [*(began for _, began in marks[1:]), end]
        steps = [
            f"{name} {1000 * (until - began):.0f}"
            for (name, began), until in zip(marks, ends, strict=True)
            if name != "start"
        ]
        return f"told {1000 * (end - self._since):.0f} ms after the change: {', '.join(steps)}"


class _Timing:
    def __init__(self, inner: Progress, lapses: Lapses) -> None:
        self._inner = inner
        self._lapses = lapses

    def step(self, name: str, total: int) -> None:
        self._lapses.mark(name)
        self._inner.step(name, total)

    def advance(self, count: int) -> None:
        self._inner.advance(count)

    def note(self, text: str) -> None:
        self._inner.note(text)
