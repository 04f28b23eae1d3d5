"""The SQLite database of a context memory: opened, read and changed; every failure is a sentence.

A file may be open in several servers at once, and a server may be killed at any moment: every
change is one transaction of a write-ahead log. Knows tables and rows, no texts.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec

from doctrove_server.compression.memory.claim import claim
from doctrove_server.errors import ConfigError, MemoryFailed

if TYPE_CHECKING:
    from collections.abc import Generator

Run = Callable[..., sqlite3.Cursor]
"""Runs one statement of a change."""

_Row = TypeVar("_Row")

PAGE = 4096
"""Bytes."""

BUSY_SECONDS = 3.0
"""How long another process's change is waited for."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, text TEXT NOT NULL, source TEXT NOT NULL,
    sha256 TEXT NOT NULL, tokens INTEGER NOT NULL, added REAL NOT NULL, accessed REAL NOT NULL,
    accesses INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS by_access ON items (accessed);
CREATE INDEX IF NOT EXISTS by_age ON items (added, id);
CREATE TABLE IF NOT EXISTS facts (
    id INTEGER PRIMARY KEY, item INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
    UNIQUE (name, value));
CREATE INDEX IF NOT EXISTS facts_of ON facts (item);
CREATE TABLE IF NOT EXISTS gists (item INTEGER PRIMARY KEY, phrases TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS summaries (
    item INTEGER NOT NULL, key TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (item, key));
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (terms, tokenize = "unicode61");
"""
_TABLES = frozenset({"items", "facts", "gists", "summaries", "words"})

_ROOM = "Make room on its disk and call again"
_RIGHTS = "Make its file and folder writable and start the server again"
_DAMAGED = "Move its file away and start the server again; what it held is lost"
_NEXT_STEPS = {
    sqlite3.SQLITE_BUSY: "Another program holds its file; call again later",
    sqlite3.SQLITE_FULL: _ROOM,
    sqlite3.SQLITE_IOERR: _ROOM,
    sqlite3.SQLITE_READONLY: _RIGHTS,
    sqlite3.SQLITE_CANTOPEN: _RIGHTS,
    sqlite3.SQLITE_PERM: _RIGHTS,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}


class Database:
    """One connection, for several threads."""

    def __init__(self, path: str = "") -> None:
        """Open a file, or a database of this process without one; raises `ConfigError`."""
        self._lock = threading.RLock()
        if path:
            claim(path)
        self._connection = sqlite3.connect(
            path or ":memory:",
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            self._prepare(path)
        except (sqlite3.Error, UnicodeError) as error:
            self.close()
            raise ConfigError(
                f"the context memory {path} cannot be used: {error}. Move that file away, or name"
                " another path"
            ) from None

    def close(self) -> None:
        """Close it; what was changed is there already."""
        with self._lock:
            self._connection.close()

    def rows(self, statement: str, values: tuple[object, ...], row: type[_Row]) -> list[_Row]:
        """Return what a statement finds; raises `MemoryFailed`."""
        with self.guarded():
            found = self._connection.execute(statement, values).fetchall()
            return msgspec.convert(found, list[row])  # type: ignore[valid-type]  # a type made at run time

    @contextmanager
    def change(self) -> Generator[Run]:
        """Run statements as one change, all or nothing; raises `MemoryFailed`."""
        with self.guarded():
            run = self._connection.execute
            run("BEGIN IMMEDIATE")
            try:
                yield run
                run("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # some failures end it by themselves
                    run("ROLLBACK")
                raise

    def size(self, *, free: bool = False) -> int:
        """Return the bytes that are in use, or with those that are free; raises `MemoryFailed`."""
        pages, unused = (
            self.rows(f"PRAGMA {name}", (), tuple[int])[0][0]
            for name in ("page_count", "freelist_count")
        )
        return (pages if free else pages - unused) * PAGE

    def erase(self) -> None:
        """Let nothing that was deleted stand in the files, and shrink them; raises `MemoryFailed`.

        Words that were deleted stay in an index of FTS5 until its parts are merged
        (https://sqlite.org/fts5.html, "The 'optimize' Command"), and pages in the log until it is
        emptied. Where another process reads, or this one is killed, that is done when the last one
        closes the file, at the next call, or when the file is opened again: `owe` says that it is
        to be done.
        """
        with self.change() as run:
            run("INSERT INTO words (words) VALUES ('optimize')")
        self.shrink()
        ((busy, _, _),) = self.rows("PRAGMA wal_checkpoint(TRUNCATE)", (), tuple[int, int, int])
        if not busy:
            with self.change() as run:
                run("PRAGMA user_version = 0")

    def shrink(self) -> None:
        """Give pages that are free back to the disk; raises `MemoryFailed`."""
        with self.guarded():  # `execute` would step once, which frees one page
            self._connection.executescript("PRAGMA incremental_vacuum")

    def owe(self, run: Run) -> None:
        """Note in a change that `erase` is to be called after it, whatever comes between."""
        run("PRAGMA user_version = 1")

    @contextmanager
    def guarded(self) -> Generator[None]:
        """Use the database alone; what it or its rows have wrong is raised as `MemoryFailed`."""
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise _failed(str(error), getattr(error, "sqlite_errorcode", 0)) from None
            except (msgspec.DecodeError, UnicodeError):
                raise _failed("a row is not as it was written", sqlite3.SQLITE_CORRUPT) from None

    def _prepare(self, path: str) -> None:
        """Set the file up; one that holds all tables is not written to."""
        run = self._connection.execute
        tables = {name for (name,) in run("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables:
            run(f"PRAGMA page_size = {PAGE}")
            run("PRAGMA auto_vacuum = INCREMENTAL")
        elif "words" not in tables:
            raise sqlite3.DatabaseError("it is the database of another program")
        run("PRAGMA secure_delete = ON")
        if path:
            run("PRAGMA journal_mode = WAL")
            run("PRAGMA synchronous = NORMAL")
            run("PRAGMA journal_size_limit = 4194304")
        if not tables >= _TABLES:
            run("BEGIN IMMEDIATE")
            for statement in _SCHEMA.split(";\n"):
                run(statement)
            run("COMMIT")
        if run("PRAGMA user_version").fetchone() == (1,):
            with suppress(MemoryFailed):  # it is asked for again when the file is opened next
                self.erase()


def _failed(reason: str, code: int) -> MemoryFailed:
    """Return the failure with its next step, by the primary code (https://sqlite.org/rescode.html)."""
    step = _NEXT_STEPS.get(code & 0xFF, "Start the server again, or with another --context-memory")
    return MemoryFailed(f"the context memory cannot be used now: {reason}. {step}")
