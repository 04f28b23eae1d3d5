"""The folder that the preview serves: files replaced one by one, pages with the preview's script.

A page carries the version of its own bytes, and the same version is kept here, so that a browser
can be told whether the page that it shows is old.
"""

from __future__ import annotations

import contextlib
import os
import threading
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import unquote

from doctrove_builder.layout import asset_file

if TYPE_CHECKING:
    from pathlib import Path

MISSING = "404.html"


class Served:
    """The files of the preview by their path; for any thread."""

    def __init__(self, folder: Path, *, script: bytes, style: bytes) -> None:
        """Take an empty folder, and what every page of the preview loads."""
        self.root = folder / "site"
        self._new = folder / "new"
        self._script = asset_file("preview.js", sha256(script).hexdigest())
        self._style = asset_file("preview.css", sha256(style).hexdigest())
        self._lock = threading.RLock()
        self._versions: dict[str, str] = {}
        self._sizes: dict[str, int] = {}
        self._digests: dict[str, bytes] = {}
        self.root.mkdir()
        self.write(self._script, script)
        self.write(self._style, style)

    def write(self, path: str, content: bytes) -> bool:
        """Put a file in the place of what was there; return whether it is another one."""
        digest = sha256(content)
        if self._digests.get(path) == digest.digest():
            return False
        with self._lock:
            self._put(path, content, digest.digest(), version=digest.hexdigest()[:16])
        return True

    def copy(self, path: str, source: Path) -> None:
        """Put a file there whose name holds the hash of its content, unless it is there."""
        if path not in self._sizes:
            self.write(path, source.read_bytes())

    def remove(self, path: str) -> None:
        """Take a file away, and the folders that it leaves empty."""
        with self._lock:
            for known in (self._versions, self._sizes, self._digests):
                known.pop(path, None)
            (self.root / path).unlink(missing_ok=True)
            folder = path
            with contextlib.suppress(OSError):  # the first that is not empty
                while folder := folder.rpartition("/")[0]:
                    (self.root / folder).rmdir()

    def sizes(self) -> dict[str, int]:
        """Return the bytes of every file, without what the preview adds to it."""
        with self._lock:
            return dict(self._sizes)

    def version_at(self, address: str) -> str:
        """Return the version of the page that a URL's path shows."""
        path = unquote(address).lstrip("/")
        path = f"{path}index.html" if path.endswith("/") or not path else path
        return self._versions.get(path) or self._versions.get(MISSING, "")

    def _put(self, path: str, content: bytes, digest: bytes, *, version: str) -> None:
        is_page = path.endswith(".html")
        target = self.root / path
        self._new.write_bytes(self._with_script(content, version) if is_page else content)
        if target.is_dir():
            self._remove_below(path)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            self._clear_way(path)
            target.parent.mkdir(parents=True, exist_ok=True)
        os.replace(self._new, target)  # noqa: PTH105 - one call
        self._digests[path] = digest
        self._sizes[path] = len(content)
        if is_page:
            self._versions[path] = version

    def _with_script(self, content: bytes, version: str) -> bytes:
        style = self._style.rpartition("/")[2]
        script = (
            f'<script defer src="/{self._script}" data-style="{style}" data-version="{version}">'
            "</script>"
        ).encode()
        head, found, rest = content.partition(b"</head>")
        return head + script + found + rest

    def _clear_way(self, path: str) -> None:
        """Remove a file that stands where a folder is needed."""
        folder = path
        while folder := folder.rpartition("/")[0]:
            if folder in self._sizes:
                self.remove(folder)

    def _remove_below(self, path: str) -> None:
        for other in [known for known in self._sizes if known.startswith(f"{path}/")]:
            self.remove(other)
