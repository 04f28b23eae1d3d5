"""Where remembered texts are kept: the tables of a database and their limits.

Everything that reads or changes them raises `MemoryFailed` where the database cannot be used.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from doctrove_server.compression.memory.database import Database
from doctrove_server.errors import MemoryFailed

if TYPE_CHECKING:
    from doctrove_server.compression.memory.database import Run

MOST_BYTES = 64 << 20
_KEPT_SHARE = 0.9
"""Share of the limit that is left once the least used texts were let go."""

_COMMON = 500
"""Texts above which a word in all of them says little."""

_MOST_TERMS = 100
"""Of a query; further ones are not looked for."""

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
        """Keep a text; one that cannot be kept is used all the same."""
        with suppress(MemoryFailed):
            self._store.keep_summary(self._item, key, text.encode("utf-8", "replace").decode())


class Store:
    """The tables and their limits; what the texts mean is decided elsewhere."""

    def __init__(self, path: str = "", *, most_bytes: int = MOST_BYTES) -> None:
        """Open a file, or keep the texts in this process without one; raises `ConfigError`."""
        self._most_bytes = most_bytes
        self._database = Database(path)
        self._rows, self._change = self._database.rows, self._database.change

    def close(self) -> None:
        """Close it; what was added is there already."""
        self._database.close()

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
            _forget_parts(run, number)
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
                "DELETE FROM gists WHERE item IN (SELECT item FROM gists CROSS JOIN items"
                " ON items.id = item ORDER BY added DESC, item DESC LIMIT -1 OFFSET ?)",
                (most_gists,),
            )
            self._make_room(run, number)
        if self._database.size(free=True) > self._most_bytes:
            with suppress(MemoryFailed):
                self._database.shrink()
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
        bare = [term.replace('"', "") for term in terms[:_MOST_TERMS]]
        counts = {term: self._texts_with(term) for term in bare}
        rare = [term for term in bare if counts[term] <= _COMMON]
        return rare if any(counts[term] for term in rare) else bare

    def _texts_with(self, term: str) -> int:
        """Return how many texts have a term, counted no further than to know it as common."""
        counted = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
        return self._rows(counted, (f'"{term}"', _COMMON + 1), tuple[int])[0][0]

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
        with self._database.guarded():
            return {item: msgspec.json.decode(text, type=tuple[str, ...]) for item, text in rows}

    def forget(self, key: str) -> int:
        """Forget a text with its facts and gist; return how many texts that were."""
        with self._change() as run:
            found = run("SELECT id FROM items WHERE key = ?", (key,)).fetchall()
            for (number,) in found:
                _forget(run, number)
            self._database.owe(run)
        self._erase()
        return len(found)

    def forget_all(self) -> int:
        """Forget everything; return how many texts that were."""
        with self._change() as run:
            (number,) = run("SELECT count(*) FROM items").fetchone()
            for table in ("items", "facts", "gists", "summaries", "words"):
                run(f"DELETE FROM {table}")
            self._database.owe(run)
        self._erase()
        return int(number)

    @property
    def stats(self) -> StoreStats:
        """How much is remembered now."""
        items, facts, gists = (
            self._rows(f"SELECT count(*) FROM {table}", (), tuple[int])[0][0]
            for table in ("items", "facts", "gists")
        )
        return StoreStats(items=items, facts=facts, gists=gists, bytes=self._database.size())

    def _erase(self) -> None:
        """Leave no trace of what was forgotten; it is forgotten even where that cannot be done."""
        with suppress(MemoryFailed):
            self._database.erase()

    def _make_room(self, run: Run, newest: int) -> None:
        """Let the least recently used texts go, but never the newest one."""
        if self._database.size() <= self._most_bytes:
            return
        while self._database.size() > self._most_bytes * _KEPT_SHARE:
            oldest = run(
                "SELECT id FROM items WHERE id != ? ORDER BY accessed, id LIMIT 20", (newest,)
            ).fetchall()
            if not oldest:
                return
            for (number,) in oldest:
                _forget(run, number)


def _forget(run: Run, number: int) -> None:
    _forget_parts(run, number)
    run("DELETE FROM items WHERE id = ?", (number,))


def _forget_parts(run: Run, number: int) -> None:
    run("DELETE FROM words WHERE rowid = ?", (number,))
    run("DELETE FROM facts WHERE item = ?", (number,))
    run("DELETE FROM gists WHERE item = ?", (number,))
    run("DELETE FROM summaries WHERE item = ?", (number,))
