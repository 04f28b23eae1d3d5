"""Keeps what Python's resource tracker says to itself away from people.

`multiprocessing` has a process that removes semaphores when all others are gone. When someone kills
it, Python starts another one, which prints a traceback for each semaphore that it never heard of:
nothing is lost then, and nobody can do anything about it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from multiprocessing import util
from typing import Any, cast

_TRACKER = "from multiprocessing.resource_tracker import main"
_SILENT = "import os; os.dup2(os.open(os.devnull, os.O_WRONLY), 2); "

Spawn = Callable[[bytes, Sequence[str | bytes], Sequence[int]], int]


def silence_tracker() -> None:
    """Let a resource tracker that starts from now on print nothing; for the whole process, once."""
    if sys.platform == "win32":  # it has none
        return
    spawn = cast("Spawn", util.spawnv_passfds)
    if getattr(spawn, "is_silent", False):
        return

    def silent(path: bytes, args: Sequence[str | bytes], passfds: Sequence[int]) -> int:
        return spawn(path, [_silenced(one) for one in args], passfds)

    cast("Any", silent).is_silent = True
    cast("Any", util).spawnv_passfds = silent


def _silenced(argument: str | bytes) -> str | bytes:
    if isinstance(argument, str) and argument.startswith(_TRACKER):
        return f"{_SILENT}{argument}"
    return argument
