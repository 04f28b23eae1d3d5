"""Whether a folder may be replaced by a published tree; it touches nothing."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.writing.errors import DestinationRefused, disk_failed
from doctrove_builder.writing.manifest import MANIFEST, read_manifest
from doctrove_builder.writing.mounts import mount_below

if TYPE_CHECKING:
    from collections.abc import Collection

KEPT = ("CNAME", ".git")
"""Root names that a new tree takes over from the old one as they are."""


def check_destination(
    source: Path, dest: Path, *, cache: Path | None = None, keep: Collection[str] = KEPT
) -> None:
    """Raise `DestinationRefused` unless `dest` may be replaced by what is built from `source`.

    It must be absent, empty (but for kept names), or marked by a `manifest.json` that an earlier
    build wrote; hold no mount; and be neither the source, the cache, the working folder or the
    home folder, nor around one of them, nor inside the source or the cache. Links are resolved, and
    folders are compared as the system knows them, so that letter case and bind mounts hide none.
    Raises `DiskFailed` when it cannot be looked at.
    """
    real = real_path(dest)
    apart = [("source", source)] if cache is None else [("source", source), ("cache", cache)]
    for name, folder in apart:
        other = real_path(folder)
        if _same(real, other):
            raise _refused(dest, f"is the {name} itself", hint=_ELSEWHERE)
        if _is_inside(real, other):
            raise _refused(dest, f"is inside the {name} {folder}", hint=_ELSEWHERE)
        if _is_inside(other, real):
            raise _refused(dest, f"holds the {name} {folder}", hint=_ELSEWHERE)
    for name, folder in _own_places():
        if _same(real, folder) or _is_inside(folder, real):
            raise _refused(dest, f"is or holds {name} {folder}", hint=_ELSEWHERE)
    check_replaceable(real, keep=keep)


def check_replaceable(dest: Path, *, keep: Collection[str] = KEPT) -> None:
    """Raise `DestinationRefused` unless the real path `dest` is absent, empty or marked as ours."""
    try:
        status = dest.lstat()
        names = sorted(entry.name for entry in dest.iterdir()) if _is_folder(status) else []
    except FileNotFoundError:
        return
    except OSError as error:
        raise disk_failed(error, what="read", file=dest) from error
    if not _is_folder(status):
        raise _refused(dest, "is not a folder", hint="choose a folder, or a name that is free")
    if mount := mount_below(dest):
        raise _refused(
            dest,
            "is a mount point" if mount == dest else f"holds the mount point {mount}",
            hint=f"choose a folder inside a mount, for instance {mount / 'site'}",
        )
    if not os.access(dest, os.W_OK | os.X_OK):
        raise disk_failed(
            PermissionError(errno.EACCES, "it is read-only"), what="replace", file=dest
        )
    foreign = [name for name in names if name not in keep]
    if not foreign or read_manifest(dest) is not None:
        return
    mark = "its manifest.json is another tool's" if MANIFEST in foreign else "no manifest.json"
    raise _refused(
        dest,
        f"holds files that doctrove-build did not write ({_some(foreign)}; {mark})",
        hint="choose an empty folder; or, if nothing in this one is needed, empty it first",
    )


def real_path(path: Path) -> Path:
    """Resolve a path that may be absent; raise `DestinationRefused` for links in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _refused(path, "is not a usable path", hint="choose another one") from error


_ELSEWHERE = "choose a folder of its own, for instance `dist` beside the source"


def _refused(dest: Path, why: str, *, hint: str) -> DestinationRefused:
    return DestinationRefused(f"the destination {dest} {why}", hint=hint)


def _own_places() -> list[tuple[str, Path]]:
    places = [("the working folder", Path.cwd())]
    with contextlib.suppress(OSError, RuntimeError):  # no home: nothing to protect
        places.append(("your home folder", Path.home().resolve()))
    return places


def _is_inside(inner: Path, outer: Path) -> bool:
    return any(_same(folder, outer) for folder in inner.parents)


def _same(one: Path, other: Path) -> bool:
    if one == other:
        return True
    try:
        return one.samefile(other)
    except OSError:
        return False


def _is_folder(status: os.stat_result) -> bool:
    return stat.S_ISDIR(status.st_mode)


def _some(names: list[str]) -> str:
    shown = ", ".join(name if name.isprintable() else ascii(name) for name in names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown
