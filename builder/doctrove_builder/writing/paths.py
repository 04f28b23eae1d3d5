"""Which paths an artefact may have: those that every disk, git and web server holds apart.

Pure; nothing here looks at a disk. The rules on characters and device names are those of Windows
("Naming Files, Paths, and Namespaces"), the strictest system that a site is checked out on.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from typing import TYPE_CHECKING

from doctrove_builder.writing.errors import ArtefactRefused
from doctrove_schema.names import fold

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_PART_BYTES = 255
MAX_PATH_BYTES = 1024

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"|?*\\]')
_DEVICE = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\.|$)", re.IGNORECASE
)
_GIT = {".git", "git~1"}
"""Names under which git's own folder can be reached on some disk."""


class Claims:
    """The paths of one tree as they are given out; refuses the second of two that collide."""

    def __init__(self, *, reserved: Iterable[str] = ()) -> None:
        """Begin with root names that no artefact may have: a kept file, the manifest."""
        self._reserved = {fold(name): name for name in reserved}
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}
        self._known_folders: set[str] = {""}

    def claim(self, path: str) -> None:
        """Give out a path; raise `ArtefactRefused` when it is unsafe or collides with another."""
        if fault := path_fault(path):
            raise ArtefactRefused(f"the path {path!r} cannot be written: {fault}")
        folder = path.rpartition("/")[0]
        if folder not in self._known_folders:
            self._claim_folder(folder)
        folded = fold(path)
        if other := self._files.get(folded):
            raise _collision(path, other)
        if other := self._folders.get(folded):
            raise ArtefactRefused(f"{path!r} would be a file, and {other!r} is a folder")
        if other := self._reserved.get(folded.partition("/")[0]):
            raise ArtefactRefused(
                f"the path {path!r} is taken: {other} is not the builder's to write"
            )
        self._files[folded] = path

    def _claim_folder(self, folder: str) -> None:
        parent = folder.rpartition("/")[0]
        if parent not in self._known_folders:
            self._claim_folder(parent)
        folded = fold(folder)
        if other := self._files.get(folded):
            raise ArtefactRefused(f"{folder!r} would be a folder, and {other!r} is a file")
        if other := self._folders.get(folded):
            raise _collision(folder, other)
        self._folders[folded] = folder
        self._known_folders.add(folder)


def path_fault(path: str) -> str:
    """Say what keeps a path from being an artefact's; empty when fine."""
    if not unicodedata.is_normalized("NFC", path):
        return "it is not in Unicode normal form C"
    if _FORBIDDEN.search(path):
        return 'it holds a control character or one of \\ < > : " | ? *'
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        return "it is not valid Unicode"
    if size > MAX_PATH_BYTES:
        return f"it is longer than {MAX_PATH_BYTES} bytes"
    return next((fault for part in path.split("/") if (fault := _part_fault(part))), "")


@functools.lru_cache(maxsize=10_000)
def _part_fault(part: str) -> str:
    if part in {"", ".", ".."}:
        return f"it has the part {part!r}"
    if part[-1] in ". " or part[0] == " ":
        return f"{part!r} begins with a space, or ends with a space or a dot"
    if _DEVICE.match(part):
        return f"{part!r} is the name of a device on Windows"
    if part.casefold() in _GIT:
        return f"{part!r} is git's own"
    if len(part.encode()) > MAX_PART_BYTES:
        return f"a part is longer than {MAX_PART_BYTES} bytes"
    return ""


def _collision(path: str, other: str) -> ArtefactRefused:
    if path == other:
        return ArtefactRefused(f"two artefacts have the path {path!r}")
    return ArtefactRefused(
        f"{path!r} and {other!r} are one name on some disks",
        hint="give them names that differ by more than letter case or Unicode form",
    )
