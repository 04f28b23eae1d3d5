"""Where remembered texts are kept: SQLite, in memory or in a file of its owner alone.

A file may be open in several servers at once, and a server may be killed at any moment: every
change is one transaction of a write-ahead log.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import msgspec

from doctrove_server.compression.memory.claim import claim
from doctrove_server.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

_Row = TypeVar("_Row")

MOST_BYTES = 64 << 20
_PAGE = 4096
_BUSY_SECONDS = 10.0
_KEPT_SHARE = 0.9
"""Share of the limit that is left once the least used texts were let go."""

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
_COUNTS = "CREATE VIRTUAL TABLE temp.word_counts USING fts5vocab(main, words, row)"
_COMMON = 500
"""Texts above which a word in all of them says little."""

_ITEM = "items.id, key, text, source, sha256, tokens, added, accessed, accesses"


class Item(msgspec.Struct, frozen=True, array_like=True):
    """One remembered text."""

    id: int
    key: str
    text: str
    source: str
    sha256: str
    tokens: int
    added: float
    """Seconds since 1970."""

    accessed: float
    accesses: int


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in a text."""

    terms: str
    """Ranking terms, each once, with blanks between them."""

    facts: Sequence[tuple[str, str]]
    """Keys and values."""

    gist: Sequence[str]


class StoreStats(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """How much is remembered."""

    items: int
    facts: int
    gists: int
    bytes: int


class Answers:
    """A model's answers about one text."""

    def __init__(self, store: Store, item: int) -> None:
        self._store = store
        self._item = item

    def get(self, key: str, /) -> str | None:
        """Return what is kept."""
        return self._store.summary(self._item, key)

    def put(self, key: str, text: str, /) -> None:
        """Keep a text."""
        self._store.keep_summary(self._item, key, text.encode("utf-8", "replace").decode())


class Store:
    """The tables and their limits; what the texts mean is decided elsewhere."""

    def __init__(self, path: str = "", *, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._lock = threading.RLock()
        if path:
            claim(path)
        try:
            self._db = sqlite3.connect(
                path or ":memory:",
                timeout=_BUSY_SECONDS,
                isolation_level=None,
                check_same_thread=False,
            )
            self._db.execute(f"PRAGMA page_size = {_PAGE}")
            self._db.execute("PRAGMA auto_vacuum = INCREMENTAL")
            if path:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
                self._db.execute("PRAGMA journal_size_limit = 4194304")
            with self._change():
                for statement in _SCHEMA.split(";\n"):
                    self._db.execute(statement)
            self._db.execute(_COUNTS)
        except sqlite3.Error as error:
            raise ConfigError(f"the context memory {path} cannot be used: {error}") from None

    def close(self) -> None:
        """Close it; what was added is there already."""
        with self._lock:
            self._db.close()

    def put(self, item: Item, parts: Parts, *, most_facts: int, most_gists: int) -> Item:
        """Remember a text under its key, in place of what stands there; accesses go on counting.

        Return what is kept.
        """
        with self._change() as run:
            run(
                "INSERT INTO items (key, text, source, sha256, tokens, added, accessed) VALUES"
                " (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET text = excluded.text,"
                " source = excluded.source, sha256 = excluded.sha256, tokens = excluded.tokens,"
                " added = excluded.added, accessed = excluded.accessed",
                (
                    item.key,
                    item.text,
                    item.source,
                    item.sha256,
                    item.tokens,
                    item.added,
                    item.added,
                ),
            )
            (number,) = run("SELECT id FROM items WHERE key = ?", (item.key,)).fetchone()
            self._forget_parts(number)
            run("INSERT INTO words (rowid, terms) VALUES (?, ?)", (number, parts.terms))
            for name, value in parts.facts:
                run(
                    "INSERT OR REPLACE INTO facts (item, name, value) VALUES (?, ?, ?)",
                    (number, name, value),
                )
            if parts.gist and most_gists:
                phrases = msgspec.json.encode(parts.gist).decode()
                run("INSERT INTO gists (item, phrases) VALUES (?, ?)", (number, phrases))
            run(
                "DELETE FROM facts WHERE id <="
                " (SELECT id FROM facts ORDER BY id DESC LIMIT 1 OFFSET ?)",
                (most_facts,),
            )
            run(
                "DELETE FROM gists WHERE item IN (SELECT item FROM gists JOIN items"
                " ON items.id = item ORDER BY added DESC, item DESC LIMIT -1 OFFSET ?)",
                (most_gists,),
            )
            self._make_room(number)
        return msgspec.structs.replace(item, id=number)

    def get(self, key: str) -> Item | None:
        """Return the text of a key."""
        found = self._rows(f"SELECT {_ITEM} FROM items WHERE key = ?", (key,), Item)
        return found[0] if found else None

    def touch(self, key: str, now: float, *, anew: bool = False) -> None:
        """Count an access; `anew`: the text was added again as it is, so that its age begins."""
        with self._change() as run:
            run("UPDATE items SET accesses = accesses + 1, accessed = ? WHERE key = ?", (now, key))
            if anew:
                run("UPDATE items SET added = accessed WHERE key = ?", (key,))

    def summaries_of(self, item: Item) -> Answers:
        """Return where a model's answers about a text are kept; they go when the text goes."""
        return Answers(self, item.id)

    def summary(self, item: int, key: str) -> str | None:
        """Return an answer about a text."""
        found = self._rows(
            "SELECT answer FROM summaries WHERE item = ? AND key = ?", (item, key), tuple[str]
        )
        return found[0][0] if found else None

    def keep_summary(self, item: int, key: str, answer: str) -> None:
        """Keep an answer about a text, if that is still there."""
        with self._change() as run:
            run(
                "INSERT OR REPLACE INTO summaries (item, key, answer)"
                " SELECT id, ?, ? FROM items WHERE id = ?",
                (key, answer, item),
            )

    def find(self, terms: Sequence[str], *, limit: int) -> list[Item]:
        """Return the texts with one of some terms, best first by BM25; the newest without terms."""
        if not terms:
            return self.newest(limit=limit)
        query = " OR ".join(f'"{term}"' for term in self._telling(terms))
        return self._rows(
            f"SELECT {_ITEM} FROM (SELECT rowid AS id, bm25(words) AS score FROM words"
            " WHERE words MATCH ? ORDER BY score, rowid DESC LIMIT ?) AS found"
            " JOIN items USING (id) ORDER BY score, items.id DESC",
            (query, limit),
            Item,
        )

    def _telling(self, terms: Sequence[str]) -> list[str]:
        """Leave out terms that stand in too many texts to tell them apart, unless all do."""
        bare = [term.replace('"', "") for term in terms]
        marks = ", ".join("?" * len(bare))
        counts = dict(
            self._rows(
                f"SELECT term, doc FROM temp.word_counts WHERE term IN ({marks})",
                tuple(bare),
                tuple[str, int],
            )
        )
        rare = [term for term in bare if counts.get(term, 0) <= _COMMON]
        return rare if any(term in counts for term in rare) else bare

    def newest(self, *, limit: int) -> list[Item]:
        """Return the texts added last."""
        order = "ORDER BY added DESC, items.id DESC LIMIT ?"
        return self._rows(f"SELECT {_ITEM} FROM items {order}", (limit,), Item)

    def facts(self, items: Sequence[int]) -> list[tuple[int, str, str]]:
        """Return the facts of texts: the text's number, the fact's key, its value."""
        marks = ", ".join("?" * len(items))
        return self._rows(
            f"SELECT item, name, value FROM facts WHERE item IN ({marks}) ORDER BY id",
            tuple(items),
            tuple[int, str, str],
        )

    def gists(self, items: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """Return the gists of texts by their numbers."""
        marks = ", ".join("?" * len(items))
        rows = self._rows(
            f"SELECT item, phrases FROM gists WHERE item IN ({marks})",
            tuple(items),
            tuple[int, str],
        )
        return {item: msgspec.json.decode(text, type=tuple[str, ...]) for item, text in rows}

    def forget(self, key: str) -> int:
        """Forget a text with its facts and gist; return how many texts that were."""
        with self._change() as run:
            found = run("SELECT id FROM items WHERE key = ?", (key,)).fetchall()
            self._forget(number for (number,) in found)
        return len(found)

    def forget_all(self) -> int:
        """Forget everything; return how many texts that were."""
        with self._change() as run:
            (number,) = run("SELECT count(*) FROM items").fetchone()
            for table in ("items", "facts", "gists", "summaries", "words"):
                run(f"DELETE FROM {table}")
        with self._lock:
            self._db.execute("PRAGMA incremental_vacuum").fetchall()
        return int(number)

    @property
    def stats(self) -> StoreStats:
        """How much is remembered now."""
        items, facts, gists = (
            self._rows(f"SELECT count(*) FROM {table}", (), tuple[int])[0][0]
            for table in ("items", "facts", "gists")
        )
        return StoreStats(items=items, facts=facts, gists=gists, bytes=self._bytes())

    def _rows(self, statement: str, values: tuple[object, ...], row: type[_Row]) -> list[_Row]:
        with self._lock:
            return msgspec.convert(self._db.execute(statement, values).fetchall(), list[row])  # type: ignore[valid-type]  # a type made at run time

    @contextmanager
    def _change(self) -> Generator[Callable[..., sqlite3.Cursor]]:
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db.execute
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def _bytes(self) -> int:
        with self._lock:
            pages = self._db.execute("PRAGMA page_count").fetchone()[0]
            free = self._db.execute("PRAGMA freelist_count").fetchone()[0]
        return int(pages - free) * _PAGE

    def _make_room(self, newest: int) -> None:
        """Let the least recently used texts go, but never the newest one."""
        if self._bytes() <= self._most_bytes:
            return
        while self._bytes() > self._most_bytes * _KEPT_SHARE:
            oldest = self._db.execute(
                "SELECT id FROM items WHERE id != ? ORDER BY accessed, id LIMIT 20", (newest,)
            ).fetchall()
            if not oldest:
                return
            self._forget(number for (number,) in oldest)

    def _forget(self, numbers: Iterable[int]) -> None:
        for number in list(numbers):
            self._forget_parts(number)
            self._db.execute("DELETE FROM items WHERE id = ?", (number,))

    def _forget_parts(self, number: int) -> None:
        self._db.execute("DELETE FROM words WHERE rowid = ?", (number,))
        self._db.execute("DELETE FROM facts WHERE item = ?", (number,))
        self._db.execute("DELETE FROM gists WHERE item = ?", (number,))
        self._db.execute("DELETE FROM summaries WHERE item = ?", (number,))
