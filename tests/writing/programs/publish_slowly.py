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
    if fork and os.fork() == 0:
        sys.stdin.read()
        os._exit(0)
    print("half-way", flush=True)  # noqa: T201 - the parent waits for it
    sys.stdin.read()
    yield Artefact(path="behind.txt", content=b"behind")


publish_tree(Path(sys.argv[1]), artefacts(fork="fork" in sys.argv), durable=False)
