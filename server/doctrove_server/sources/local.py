"""An index in a file: read once, in a thread, and kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

from doctrove_schema.errors import InvalidIndex
from doctrove_schema.reading import read_index
from doctrove_server.catalog.catalog import Snapshot
from doctrove_server.errors import ConfigError

BUILT_IN = Path(__file__).parent.parent / "data" / "index.json"


class LocalSource:
    """The index in a file; a file that is none is a `ConfigError` for every reader."""

    def __init__(self, path: Path, *, label: str) -> None:
        self._path = path
        self._label = label
        self._reading: asyncio.Task[Snapshot] | None = None

    async def snapshot(self) -> Snapshot:
        """Return the index; the first caller has it read, the others wait for the same reading."""
        if self._reading is None:
            self._reading = asyncio.create_task(asyncio.to_thread(self._read))
        return await asyncio.shield(self._reading)

    def _read(self) -> Snapshot:
        try:
            data = self._path.read_bytes()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise ConfigError(f"local index {self._path}: cannot be read: {reason}") from None
        try:
            reading = read_index(data, name=f"local index {self._path}")
        except InvalidIndex as error:
            raise ConfigError(str(error)) from None
        return Snapshot(label=self._label, index=reading.index, warnings=reading.warnings)


def local_source(path: str) -> LocalSource:
    """Return the source for `--local-index`; its label holds the file's name, not its folder."""
    return LocalSource(Path(path), label=f"local:{Path(path).name}")


def built_in_source() -> LocalSource:
    """Return the demonstration index that ships with the server."""
    return LocalSource(BUILT_IN, label="local:built-in")
