"""What ends a preview besides Ctrl C: SIGTERM, and SIGHUP when its terminal is closed."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import FrameType


def on_end_signals(action: Callable[[int, FrameType | None], None]) -> None:
    """Let these signals do this; SIGHUP stays ignored where it is (`nohup`)."""
    signal.signal(signal.SIGTERM, action)
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, action)


def interrupted_by_signals() -> None:
    """Let these signals raise `KeyboardInterrupt`, as Ctrl C does."""
    on_end_signals(_interrupt)


@contextmanager
def signals_waiting() -> Generator[None]:
    """Let these signals and Ctrl C wait while something is made that has to be removed again."""
    if sys.platform == "win32":
        yield
        return
    ends = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
