"""The engine of full text, Pagefind: found where it is installed, run as a process of its own.

Pagefind (PyPI `pagefind[extended]`) reads HTML files and writes an index that a browser reads piece
by piece. It works in a temporary folder: a build that is killed leaves nothing in the tree.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.search.settling import settle_filters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_PACKAGES = ("pagefind", "pagefind-bin-extended", "pagefind-bin")
_KEPT_SUFFIXES = (".pf_meta", ".pf_index", ".pf_fragment", ".pf_filter")
SCRIPT = "pagefind.js"
_KEPT_NAMES = (SCRIPT, "pagefind-entry.json")
_UNKNOWN = "unknown"
LOWEST_PRIORITY = 19
"""As `nice` counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Pagefind as it is installed here."""

    version: str
    """Of all its packages: another one may write other bytes."""


def find_engine() -> Engine | None:
    """Return the engine; None where Pagefind or its program is not installed."""
    found = {name: installed for name in _PACKAGES if (installed := _installed(name))}
    if "pagefind" not in found or len(found) < 2:
        return None
    return Engine(version=" ".join(f"{name}/{number}" for name, number in found.items()))


class Indexing:
    """One run of the engine over some documents; closing it ends the run and removes its files."""

    def __init__(
        self, documents: Iterable[tuple[str, str]], *, language: str, background: bool = False
    ) -> None:
        """Write the documents out and start the engine.

        `language` is a BCP 47 tag. In the `background` it gives way to other programs.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="doctrove-search-")
        root = Path(self._folder.name)
        self._out = root / "out"
        try:
            _write(root / "in", documents)
            self._process = _started(root, self._out, language=language.partition("-")[0].lower())
        except BaseException:
            self._folder.cleanup()
            raise
        if background and hasattr(os, "setpriority"):
            with contextlib.suppress(OSError):  # it has ended already
                os.setpriority(os.PRIO_PROCESS, self._process.pid, LOWEST_PRIORITY)

    def close(self) -> None:
        """End the engine if it still runs, and remove what it wrote."""
        self._process.kill()
        self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._folder.cleanup()

    def interrupt(self) -> None:
        """End the engine before it is done; whoever waits for it is told that it failed."""
        self._process.kill()

    def wait(self) -> str:
        """Wait for the end; return what the engine said if it failed, else nothing."""
        said, _ = self._process.communicate()
        if self._process.returncode == 0 and (self._out / SCRIPT).is_file():
            settle_filters(self._out)
            return ""
        return said.decode("utf-8", "replace").strip()[-500:] or "it wrote no index"

    def files(self) -> Iterator[tuple[str, Path]]:
        """Yield the files that a browser reads, by path, those of its own user interfaces left out.

        They stay until this run is closed.
        """
        needed = [file for file in self._out.rglob("*") if file.is_file() and self._is_read(file)]
        for file in sorted(needed):
            yield file.relative_to(self._out).as_posix(), file

    def _is_read(self, file: Path) -> bool:
        if file.name.startswith("wasm."):
            stemmed = [one for one in self._out.glob("wasm.*.pagefind") if _UNKNOWN not in one.name]
            return file in stemmed or not stemmed
        return file.name in _KEPT_NAMES or file.suffix in _KEPT_SUFFIXES


def _write(root: Path, documents: Iterable[tuple[str, str]]) -> None:
    root.mkdir()
    for path, html in documents:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html, "utf-8", newline="\n")


def _started(root: Path, out: Path, *, language: str) -> subprocess.Popen[bytes]:
    """Start Pagefind. `-P` keeps Python from importing what lies in the working folder."""
    command = [sys.executable, "-P", "-m", "pagefind"]
    options = ["--site", str(root / "in"), "--output-path", str(out), "--silent"]
    return subprocess.Popen(
        [*command, *options, "--force-language", language or _UNKNOWN],
        cwd=root,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
