"""A folder renewed as a whole: changed in a copy beside it, which then takes its place."""

from __future__ import annotations

import os
import secrets
import shutil
from typing import TYPE_CHECKING

from doctrove_builder.writing.exchange import exchange_trees, new_name
from doctrove_builder.writing.lock import locked
from doctrove_builder.writing.settling import settle

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATIENCE = 30
"""Seconds to wait for another import of the same folder."""


def renew_folder(folder: Path, change: Callable[[Path], object]) -> None:
    """Let `change` work on a copy of a folder (an empty one where there is none), and exchange.

    At every moment the folder is the old one or the new one; what a killed run left beside it is
    removed. `folder` is a real path. Raises `OSError`, a `WritingError`, and what `change` raises:
    the folder is then as it was.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with locked(folder, patience=PATIENCE):
        settle(folder, keep=())
        new = new_name(folder, secrets.token_hex(4))
        try:
            if folder.exists():
                shutil.copytree(folder, new, symlinks=True, copy_function=_copied)
            else:
                new.mkdir()
            change(new)
            if folder.exists():
                exchange_trees(new, folder)
            else:
                new.rename(folder)
        finally:
            settle(folder, keep=())


def _copied(source: str, name: str) -> None:
    """Give a file a second name, or copy it where the disk has no such names."""
    try:
        os.link(source, name, follow_symlinks=False)
    except (OSError, NotImplementedError):
        shutil.copy2(source, name)
