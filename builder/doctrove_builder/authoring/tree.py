"""The disk edge of the authoring tree: every file below a root, in one order on every machine.

Follows no link out of the tree, opens nothing but regular files, and stops at its limits. What goes
while it is read was not there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.authoring.fault import fault
from doctrove_builder.authoring.ignored import is_ignored
from doctrove_builder.authoring.readings import Readings
from doctrove_builder.model import Asset, Document, Tree
from doctrove_builder.provenance import PROVENANCE
from doctrove_builder.rules import BuildRule
from doctrove_schema.names import fold

if TYPE_CHECKING:
    from doctrove_builder.authoring.readings import Reading
    from doctrove_schema.problem import Problem

MIB = 1024 * 1024
TEXT_SUFFIXES = (".md", ".markdown", ".yaml", ".yml")
TEMPLATES = "_templates"
"""Folder at the root whose `.html` files are read as text."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """How much is read; what is beyond is a problem."""

    text_bytes: int = 2 * MIB
    """Of one text file."""

    asset_bytes: int = 25 * MIB
    """Of one file that is copied; GitHub warns at 50 MiB and refuses 100."""

    provenance_bytes: int = 64 * MIB
    """Of one provenance.json."""

    all_text_bytes: int = 512 * MIB
    depth: int = 32
    files: int = 100_000


def read_tree(
    root: Path, *, limits: Limits | None = None, readings: Readings | None = None
) -> tuple[Tree, tuple[Problem, ...]]:
    """Read all that is below `root`; what cannot be read is a problem and is left out.

    A text with wrong bytes is kept with U+FFFD in their place, so that the rest of it is checked.
    With `readings` of this tree only files that changed since are opened.
    """
    walk = _Walk(Path(os.path.realpath(root)), limits or Limits(), readings)
    with contextlib.suppress(_Full):
        walk.folder(walk.root, "", (str(walk.root),))
    if readings:
        readings.keep_only(set(walk.documents))
    tree = Tree(
        documents=dict(sorted(walk.documents.items())), assets=dict(sorted(walk.assets.items()))
    )
    return tree, tuple(walk.problems)


class _Full(Exception):
    """Raised when a limit of the whole tree is reached."""


class _Walk:
    """The state of one reading."""

    def __init__(self, root: Path, limits: Limits, readings: Readings | None) -> None:
        self.root = root
        self.documents: dict[str, Document] = {}
        self.assets: dict[str, Asset] = {}
        self.problems: list[Problem] = []
        self._limits = limits
        self._readings = readings
        self._seen = 0
        self._text_bytes = 0

    def folder(self, folder: Path, path: str, above: tuple[str, ...]) -> None:
        """Read a folder; `above` holds the real paths that lead to it, itself included."""
        if len(above) > self._limits.depth:
            self._report(
                BuildRule.TREE_TOO_LARGE,
                path,
                f"folders are nested more than {self._limits.depth} deep",
                "move this folder up",
            )
            return
        try:
            entries = list(os.scandir(folder))
        except OSError as error:
            if not path or not _is_gone(error):
                self._unreadable(path or ".", error)
            return
        taken: dict[str, str] = {}
        for entry in sorted(entries, key=lambda e: (_form_c(e.name), e.name)):
            if not is_ignored(entry.name) and self._may_stand(entry.name, path, taken):
                self._entry(entry, _joined(path, _form_c(entry.name)), above)

    def _may_stand(self, name: str, folder: str, taken: dict[str, str]) -> bool:
        path = _joined(folder, _form_c(name))
        if not name.isprintable():  # surrogates of undecodable bytes are not printable either
            self._report(
                BuildRule.CONTROL_CHARACTER,
                path,
                "the name holds bytes that are not UTF-8, or an invisible character",
                "rename it",
            )
            return False
        other = taken.setdefault(fold(name), name)
        if other == name:
            return True
        self._report(
            BuildRule.NAMES_COLLIDE,
            path,
            f"`{name}` and `{other}` differ only by letter case or Unicode form",
            "rename one of them: many disks cannot hold both",
        )
        return False

    def _entry(self, entry: os.DirEntry[str], path: str, above: tuple[str, ...]) -> None:
        self._seen += 1
        if self._seen > self._limits.files:
            self._report(
                BuildRule.TREE_TOO_LARGE,
                path,
                f"the tree holds more than {self._limits.files:,} files and folders",
                "move what is no documentation out of it",
            )
            raise _Full
        try:
            real = os.path.realpath(entry.path, strict=True) if entry.is_symlink() else entry.path
            status = os.stat(real)  # noqa: PTH116 - one call, no object for each file
        except OSError as error:
            leads_nowhere = entry.is_symlink() and os.path.lexists(entry.path)
            if leads_nowhere or not _is_gone(error):
                self._unreadable(path, error)
            return
        if entry.is_symlink() and not self._leads_inside(real, path):
            return
        if stat.S_ISDIR(status.st_mode):
            self._folder_entry(real, path, above)
        elif stat.S_ISREG(status.st_mode):
            self._file(real, path, status)
        else:
            self._report(
                BuildRule.SPECIAL_FILE,
                path,
                "this is a pipe, a socket or a device, not a file",
                "remove it",
            )

    def _folder_entry(self, real: str, path: str, above: tuple[str, ...]) -> None:
        if real in above:
            self._report(
                BuildRule.SYMLINK_LOOP, path, "the link leads to a folder around it", "remove it"
            )
            return
        self.folder(Path(real), path, (*above, real))

    def _leads_inside(self, real: str, path: str) -> bool:
        inside = Path(real).is_relative_to(self.root)
        parts = Path(real).relative_to(self.root).parts if inside else ()
        if inside and not any(map(is_ignored, parts)):
            return True
        where = "to a file that is passed over" if inside else "out of the authoring folder"
        self._report(
            BuildRule.SYMLINK_OUTSIDE,
            path,
            f"the link leads {where}",
            "copy the file to where the link is",
        )
        return False

    def _file(self, real: str, path: str, status: os.stat_result) -> None:
        is_text = _is_text(path)
        if is_text and self._readings and (known := self._readings.unchanged(path, status)):
            self._document(known)
            return
        limit = self._limits.text_bytes if is_text else self._limits.asset_bytes
        if _is_provenance(path):
            limit = self._limits.provenance_bytes
        try:
            data, size = _content(real, limit=limit) if is_text else (b"", status.st_size)
        except OSError as error:
            if not _is_gone(error):
                self._unreadable(path, error)
            return
        if size > limit:
            self._report(
                BuildRule.FILE_TOO_LARGE,
                path,
                f"the file has {size:,} bytes, more than {limit:,}",
                "split it" if is_text else "make it smaller, or link to it where it is published",
            )
        elif is_text:
            readings = self._readings or Readings()
            self._document(readings.read(data, path=path, status=status))
        else:
            self.assets[path] = Asset(path=path, file=Path(real), size=size)

    def _document(self, reading: Reading) -> None:
        path = reading.document.path
        self._text_bytes += reading.size
        if self._text_bytes > self._limits.all_text_bytes:
            self._report(
                BuildRule.TREE_TOO_LARGE,
                path,
                f"all texts together have more than {self._limits.all_text_bytes:,} bytes",
                "build the libraries from several folders",
            )
            raise _Full
        self.documents[path] = reading.document
        self.problems += reading.problems

    def _unreadable(self, path: str, error: OSError) -> None:
        if error.errno == errno.ELOOP:
            self._report(BuildRule.SYMLINK_LOOP, path, "the link leads to itself", "remove it")
            return
        reason = (error.strerror or "unknown error").lower()
        self._report(
            BuildRule.UNREADABLE_FILE,
            path,
            f"it cannot be read: {reason}",
            "make it readable, or remove it",
        )

    def _report(self, rule: BuildRule, path: str, message: str, hint: str) -> None:
        source = path.encode("utf-8", "backslashreplace").decode()
        self.problems.append(fault(rule, message, source=source, hint=hint))


def _is_gone(error: OSError) -> bool:
    """Tell whether what was listed a moment ago is no more there, or something else is."""
    return isinstance(error, FileNotFoundError | NotADirectoryError)


def _content(real: str, *, limit: int) -> tuple[bytes, int]:
    """Return a regular file's bytes, at most one more than `limit`, and its size."""
    # What was a file a moment ago may be a pipe now: never wait for one, never follow a link.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(real, flags | getattr(os, "O_BINARY", 0)), "rb") as file:  # noqa: PTH123
        size = os.fstat(file.fileno()).st_size
        data = file.read(min(size, limit) + 1)
        return data, max(size, len(data))


def _is_text(path: str) -> bool:
    lowered = path.lower()
    is_template = lowered.startswith(f"{TEMPLATES}/") and lowered.endswith(".html")
    return lowered.endswith(TEXT_SUFFIXES) or is_template or _is_provenance(path)


def _is_provenance(path: str) -> bool:
    """Say whether a file is an imported volume's provenance.json, in the volume's own folder."""
    return path.count("/") == 2 and path.endswith(f"/{PROVENANCE}")


def _form_c(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _joined(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
