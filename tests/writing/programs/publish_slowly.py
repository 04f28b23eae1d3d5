"""Publish while standing still in the middle: a line when there, on until standard input ends.

With the argument `fork`, a child that inherits everything stands still instead, outliving us.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.writing import Artefact, publish_tree

if TYPE_CHECKING:
    from collections.abc import Iterator


def artefacts(*, fork: bool) -> Iterator[Artefact]:
    """Yield one file before the halt and one behind it."""
    yield Artefact(path="before.txt", content=b"before")
    is_child = fork and os.fork() == 0
    if is_child or not fork:
        # Of two the child says it, which has let go of the lock by then.
        print("half-way", flush=True)  # noqa: T201 - the test waits for it
    sys.stdin.read()
    if is_child:
        os._exit(0)
    yield Artefact(path="behind.txt", content=b"behind")


publish_tree(Path(sys.argv[1]), artefacts(fork="fork" in sys.argv), durable=False)
