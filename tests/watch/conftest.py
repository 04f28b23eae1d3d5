"""A small authoring tree and a preview of it in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from pathlib import Path

PATIENCE = 60.0
"""Seconds; nothing here takes so long, and a busy machine is not what is tested."""

Change = tuple[str, Any]


class Preview:
    """A running `doctrove-watch`."""

    def __init__(
        self, source: Path, work: Path, *options: str, before: tuple[str, ...] = ()
    ) -> None:
        self.source = source
        self._temporary = work / "temporary"
        self._temporary.mkdir()
        command = [sys.executable, "-m", "doctrove_builder.cli.watch", str(source), "--port", "0"]
        command += ["--cache", str(work / "cache"), "--jobs", "1", *options]
        self.process = subprocess.Popen(
            [*before, *command],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(self._temporary)},
        )
        self._lines: list[str] = []
        self._ended = False
        self._said = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self.said(r"Preview of .* at (http://\S+)/$")[1]

    @property
    def left_behind(self) -> list[str]:
        return [path.name for path in self._temporary.iterdir()]

    def said(self, pattern: str) -> re.Match[str]:
        """Wait until the terminal has a line of this form."""
        with self._said:
            found: list[re.Match[str]] = []

            def known() -> bool:
                found[:] = [hit for line in self._lines if (hit := re.search(pattern, line))]
                return bool(found) or self._ended

            assert self._said.wait_for(known, PATIENCE), (pattern, self._lines)
            assert found, "\n".join(self._lines)
            return found[0]

    def get(self, path: str, **fields: str) -> tuple[int, dict[str, str], str]:
        request = urllib.request.Request(
            self.url + path, headers={name.replace("_", "-"): text for name, text in fields.items()}
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read().decode()

    def version(self, path: str) -> str:
        found = re.search(r'data-version="([0-9a-f]+)"', self.get(path)[2])
        assert found
        return found[1]

    @contextlib.contextmanager
    def stream(self, path: str, version: str = "") -> Generator[Iterator[Change]]:
        """Listen as the page at this path, which shows the version that is there now."""
        query = f"page={path}&version={version or self.version(path)}"
        url = f"{self.url}/_preview/events?{query}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            yield _changes(answer)

    @staticmethod
    def state_with(changes: Iterator[Change], condition: Callable[[Any], bool]) -> Any:
        """Return the first state of which the condition holds."""
        return next(data for name, data in changes if name == "state" and condition(data))

    def end(self, number: int = signal.SIGINT) -> int:
        """Signal the processes of the preview, as a terminal does."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert not any("Traceback" in line for line in self._lines), "\n".join(self._lines)
        if self.process.stderr:
            self.process.stderr.close()
        return code

    def _read(self) -> None:
        for line in self.process.stderr or ():
            with self._said:
                self._lines.append(line.rstrip("\n"))
                self._said.notify_all()
        with self._said:
            self._ended = True
            self._said.notify_all()


def _changes(lines: Iterator[bytes]) -> Iterator[Change]:
    """Yield name and data of each event."""
    name = ""
    for line in lines:
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field.rstrip(":") == "data" and name:
            yield name, json.loads(value) if value else None
            name = ""


class Files(NamedTuple):
    root: Path

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


def write_small_tree(root: Path) -> Files:
    files = Files(root)
    files.write("doctrove.yaml", 'format: "doctrove-authoring@1"\ntitle: Small\n')
    files.write("tool/library.yaml", "name: Tool\nsummary: A tool.\n")
    files.write("tool/1.0.0/index.md", "# Tool\n\nWhat it is. See [more](guide.md#first).\n")
    files.write("tool/1.0.0/guide.md", "# Guide\n\nThe lead.\n\n## First\n\nFirst text.\n")
    files.write("tool/1.0.0/other.md", "# Other\n\nOther text.\n")
    files.write("tool/2.0.0/volume.yaml", 'extends: "1.0.0"\n')
    files.write("tool/2.0.0/guide.md", "## Second\n\nSecond text.\n")
    return files


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return write_small_tree(tmp_path / "authoring")


@pytest.fixture
def start(files: Files, tmp_path: Path) -> Generator[Callable[..., Preview]]:
    """Start a preview of the tree, and wait for its first build unless told not to."""
    started: list[Preview] = []

    def begin(*options: str, built: bool = True, before: tuple[str, ...] = ()) -> Preview:
        preview = Preview(files.root, tmp_path, *options, before=before)
        started.append(preview)
        if built:
            preview.said(r"^built in ")
        return preview

    yield begin
    for preview in started:
        preview.end()
