"""Look at a published tree: its files and their content, never through a symbolic link."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.writing.artefact import Reuse
from doctrove_builder.writing.files import digest_file

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path


class Listing(msgspec.Struct, frozen=True, kw_only=True):
    """What stands below a folder."""

    files: dict[str, os.stat_result]
    """Regular files by path."""

    others: tuple[str, ...] = ()
    """Paths of links, sockets and the like; links are not followed."""


def list_tree(root: Path, *, skip: Collection[str] = ()) -> Listing:
    """List a folder but for the root names to skip; an absent folder is an empty one."""
    files: dict[str, os.stat_result] = {}
    others: list[str] = []
    pending = [""] if root.is_dir() else []
    while pending:
        prefix = pending.pop()
        with os.scandir(f"{root}/{prefix}") as entries:
            for entry in entries:
                path = prefix + entry.name
                if not prefix and entry.name in skip:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(path + "/")
                    continue
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    files[path] = status
                else:
                    others.append(path)
    return Listing(files=files, others=tuple(sorted(others)))


def reusable(dest: Path, wanted: Mapping[str, str]) -> dict[str, Reuse]:
    """Return those paths of `dest` whose content has the wanted hash now, ready to take over.

    `wanted` gives the SHA-256 (hex) by path. A file that is missing, changed or unreadable is left
    out; nothing is raised.
    """
    try:
        files = list_tree(dest).files
    except OSError:
        return {}
    found: dict[str, Reuse] = {}
    for path, sha256 in wanted.items():
        status = files.get(path)
        if status is None:
            continue
        try:
            digest = digest_file(f"{dest}/{path}")
        except OSError:
            continue
        if digest == sha256:
            found[path] = Reuse(sha256=sha256, stamp=stamp(status))
    return found


def stamp(status: os.stat_result) -> tuple[int, ...]:
    """Return what changes when a file's content does."""
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
