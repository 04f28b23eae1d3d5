"""Starts a command so that Ctrl C and a reader that has left end it without a traceback.

It imports next to nothing itself: what a command needs takes up to a second to import, and Ctrl C
may come at any moment of it.
"""

from __future__ import annotations

import os
import sys

try:
    import signal
    from importlib import import_module
except KeyboardInterrupt:  # even these take some milliseconds
    os._exit(130)

TYPE_CHECKING = False  # the module that has it takes longer to import than all others here
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

INTERRUPTED = 128 + signal.SIGINT
READER_GONE = 128 + 13
"""As a shell says it of a program that SIGPIPE ended."""


def launch(module: str) -> int:
    """Import a module, call its `main` and return the exit code.

    Until `main` runs, and when it is done, nothing is begun that would have to be put in order: the
    process ends at Ctrl C. `main` gets a `KeyboardInterrupt`.
    """
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:  # a shell that starts a job in the background ignores the signal, which stays so
        signal.signal(signal.SIGINT, _end)
    main = import_module(module).main
    try:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code: int = _flushed(main)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return READER_GONE
    finally:
        if ours:
            signal.signal(signal.SIGINT, _end)
    return code


def _end(_number: int, _frame: FrameType | None) -> None:
    """Leave without a word: there is nothing to write or to remove."""
    os._exit(INTERRUPTED)


def _flushed(main: Callable[[], int]) -> int:
    """Run `main` and write what it held back: later nobody would catch that the reader is gone."""
    try:
        return main()
    finally:  # `--help` and wrong usage leave by SystemExit
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # so it is when the descriptor was closed from the start
                stream.flush()


def _drop_output() -> None:
    """Lead what is still to be written to nothing (Python docs, note on SIGPIPE)."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)
