"""What earlier builds computed, by the hash of all that decides it: one SQLite file.

The cache is never needed: a value that is missing, or a file that is broken, is computed anew.
Nothing in a published tree depends on what is in here. A build that is killed leaves it whole
(write-ahead log).
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping
    from pathlib import Path

FILE_NAMES = ("cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm")
KEEP_DAYS = 30
"""A value that no build used for this long is dropped."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS value (
    room TEXT NOT NULL, key TEXT NOT NULL, used INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (room, key)
)
"""
_READ = "SELECT key, content FROM value WHERE room = ? AND key IN (SELECT value FROM json_each(?))"
_TOUCH = """
UPDATE value SET used = ?
WHERE room = ? AND used < ? AND key IN (SELECT value FROM json_each(?))
"""


class Cache:
    """Values by room (what kind of value) and key (hash of its input)."""

    def __init__(self, folder: Path | None, *, today: int) -> None:
        """Open the cache in `folder`, or an empty one that is not kept.

        `today` is a day's number; it only decides what is dropped as unused. A file that SQLite
        cannot read is replaced, and a folder that cannot be written is done without.
        """
        self._today = today
        self._file = folder and folder / FILE_NAMES[0]
        self._database = self._opened()

    def get(self, room: str, keys: Iterable[str]) -> dict[str, bytes]:
        """Return the values that are there, by key."""
        wanted = json.dumps(list(keys))
        found: dict[str, bytes] = {}
        with self._tolerant():
            found.update(self._database.execute(_READ, (room, wanted)))
            self._database.execute(_TOUCH, (self._today, room, self._today, wanted))
        return found

    def put(self, room: str, values: Mapping[str, bytes]) -> None:
        """Keep values for the next build."""
        with self._tolerant():
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(
                "INSERT OR REPLACE INTO value (room, key, used, content) VALUES (?, ?, ?, ?)",
                ((room, key, self._today, content) for key, content in values.items()),
            )
            self._database.execute("COMMIT")

    def close(self) -> None:
        """Drop what is unused for long and write everything out."""
        with self._tolerant():
            self._database.execute("DELETE FROM value WHERE used < ?", (self._today - KEEP_DAYS,))
        self._database.close()

    def _opened(self) -> sqlite3.Connection:
        for _ in range(2):
            with contextlib.suppress(sqlite3.Error, OSError):
                return self._connected()
            self._discard()
        self._file = None
        return self._connected()

    def _connected(self) -> sqlite3.Connection:
        if self._file:
            self._file.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(self._file or ":memory:", timeout=5, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            database.execute(_SCHEMA)
            database.execute("SELECT room, key, used, content FROM value LIMIT 1").fetchall()
        except sqlite3.Error:
            database.close()
            raise
        return database

    def _discard(self) -> None:
        if self._file:
            empty_cache(self._file.parent)

    @contextlib.contextmanager
    def _tolerant(self) -> Generator[None]:
        """Go on without the cache when it fails in the middle (a full disk, a broken page)."""
        try:
            yield
        except sqlite3.Error:
            self._database.close()
            self._file = None
            self._database = self._connected()


def empty_cache(folder: Path) -> None:
    """Remove the cache's own files from a folder, and nothing else."""
    for name in FILE_NAMES:
        with contextlib.suppress(OSError):
            (folder / name).unlink(missing_ok=True)
