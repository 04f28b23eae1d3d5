"""How a build says what it does; who listens decides what is shown."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Where a build says what it does; `step` and `advance` count the same things."""

    def step(self, name: str, total: int) -> None:
        """Begin a step of `total` things."""
        ...

    def advance(self, count: int) -> None:
        """Say that `count` more of them are done."""
        ...

    def note(self, text: str) -> None:
        """Say what is done now, in place of what was said so before; a step may say nothing."""
        ...


class Silent:
    """Says nothing."""

    def step(self, name: str, total: int) -> None:
        """Say nothing."""

    def advance(self, count: int) -> None:
        """Say nothing."""

    def note(self, text: str) -> None:
        """Say nothing."""
