"""Make the new tree beside the old one, and take over from the old one what did not change.

An unchanged file is a second link of the same file, so that it keeps its bytes and times; where the
disk has no links it is a copy with the same times. Nothing is made on the disk before the first
difference: a tree without one costs a comparison only.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
from typing import TYPE_CHECKING

from doctrove_builder.writing.artefact import Reuse
from doctrove_builder.writing.errors import TreeChanged, disk_failed
from doctrove_builder.writing.files import copy_file, create_file, digest_file, read_file
from doctrove_builder.writing.listing import stamp
from doctrove_builder.writing.manifest import MANIFEST, FileEntry, Manifest, write_manifest
from doctrove_builder.writing.paths import Claims

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from doctrove_builder.writing.artefact import Artefact
    from doctrove_builder.writing.listing import Listing


class Staging:
    """A tree in the making; `root` is where it grows, beside the published tree `dest`."""

    def __init__(
        self, root: Path, *, dest: Path, old: Listing, reserved: Collection[str] = ()
    ) -> None:
        """Begin an empty tree; no artefact may have one of the reserved root names."""
        self.root = root
        self.dest = dest
        self.old = old
        self._claims = Claims(reserved=(*reserved, MANIFEST))
        self._folders: set[str] = set()
        self.entries: dict[str, FileEntry] = {}
        """What the tree holds by path."""

        self.unchanged: list[str] = []
        self.written: list[str] = []

    def place(self, artefact: Artefact) -> None:
        """Add a file. Raises `ArtefactRefused`, `DiskFailed`; `TreeChanged` for a lost reuse."""
        path, content = artefact.path, artefact.content
        self._claims.claim(path)
        if isinstance(content, bytes):
            self._place_bytes(path, content)
        elif isinstance(content, Reuse):
            self._place_old(path, content)
        else:
            self._place_copy(path, content)

    def carry(self, path: str) -> None:
        """Take a file of the old tree over, whatever it holds."""
        self._claims.claim(path)
        try:
            digest = digest_file(f"{self.dest}/{path}")
        except OSError as error:
            raise disk_failed(error, what="read", file=self.dest / path) from error
        self._keep(path, digest)

    def carry_unlisted(self, path: str) -> None:
        """Take over a file of the old tree that no build wrote; the manifest does not name it."""
        self._claims.claim(path)
        self.unchanged.append(path)

    def add_manifest(self, generator: str) -> Manifest:
        """Add the list of what was added so far, and return it."""
        manifest = Manifest(generator=generator, files=dict(sorted(self.entries.items())))
        self._place_bytes(MANIFEST, write_manifest(manifest))
        return manifest

    def complete(self, *, keep: Collection[str]) -> None:
        """Bring in what is unchanged and the kept files. Raises `DiskFailed`."""
        for path in (*self.unchanged, *(name for name in keep if self._is_kept_file(name))):
            self._take_over(path)
        if self.dest.is_dir():
            try:
                shutil.copymode(self.dest, self.root)
            except OSError as error:
                raise disk_failed(error, what="write", file=self.root) from error

    def _place_bytes(self, path: str, content: bytes) -> None:
        digest = hashlib.sha256(content).hexdigest()
        old = self.old.files.get(path)
        try:
            if old and old.st_size == len(content) and read_file(f"{self.dest}/{path}") == content:
                self._keep(path, digest)
                return
        except OSError as error:
            raise disk_failed(error, what="read", file=self.dest / path) from error
        self._make_folder_of(path)
        try:
            create_file(f"{self.root}/{path}", content)
        except OSError as error:
            raise disk_failed(error, what="write", file=self.dest / path) from error
        self._add(path, digest, size=len(content))

    def _place_old(self, path: str, reuse: Reuse) -> None:
        old = self.old.files.get(path)
        try:
            if old and (
                stamp(old) == reuse.stamp or digest_file(f"{self.dest}/{path}") == reuse.sha256
            ):
                self._keep(path, reuse.sha256)
                return
        except OSError as error:
            raise disk_failed(error, what="read", file=self.dest / path) from error
        raise TreeChanged(
            f"{self.dest / path} changed while the new tree was made",
            hint="let nothing else write there, then run again",
        )

    def _place_copy(self, path: str, source: Path) -> None:
        try:
            if digest := self._digest_if_same(path, source):
                self._keep(path, digest)
                return
        except OSError as error:
            raise disk_failed(error, what="read", file=source) from error
        self._make_folder_of(path)
        try:
            digest, size = copy_file(str(source), f"{self.root}/{path}")
        except OSError as error:
            raise disk_failed(error, what="copy to", file=self.dest / path) from error
        self._add(path, digest, size=size)

    def _digest_if_same(self, path: str, source: Path) -> str:
        """Return the hash of a source that the old tree holds already, else an empty text."""
        status = source.stat()
        if not stat.S_ISREG(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, "it is not a regular file")
        if not os.access(source, os.R_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        old = self.old.files.get(path)
        if old is None or old.st_size != status.st_size:
            return ""
        digest = digest_file(str(source.resolve()))
        return digest if digest == digest_file(f"{self.dest}/{path}") else ""

    def _keep(self, path: str, digest: str) -> None:
        self.entries[path] = FileEntry(sha256=digest, bytes=self.old.files[path].st_size)
        self.unchanged.append(path)

    def _add(self, path: str, digest: str, *, size: int) -> None:
        self.entries[path] = FileEntry(sha256=digest, bytes=size)
        self.written.append(path)

    def _make_folder_of(self, path: str) -> None:
        """Make the folder that a path of the new tree needs, once."""
        folder = path.rpartition("/")[0]
        if folder in self._folders:
            return
        if folder:
            self._make_folder_of(folder)
        try:
            (self.root / folder).mkdir()
        except OSError as error:
            raise disk_failed(error, what="make", file=self.root / folder) from error
        self._folders.add(folder)

    def _is_kept_file(self, name: str) -> bool:
        """Tell whether a kept name is there and no folder; `settling` moves kept folders."""
        kept = self.dest / name
        return os.path.lexists(kept) and (kept.is_symlink() or not kept.is_dir())

    def _take_over(self, path: str) -> None:
        self._make_folder_of(path)
        source, target = f"{self.dest}/{path}", f"{self.root}/{path}"
        try:
            os.link(source, target, follow_symlinks=False)
        except FileNotFoundError as error:
            raise disk_failed(error, what="take over", file=self.dest / path) from error
        except OSError:  # no links on this disk, or too many of this file
            try:
                shutil.copy2(source, target, follow_symlinks=False)
            except OSError as error:
                raise disk_failed(error, what="copy", file=self.dest / path) from error
