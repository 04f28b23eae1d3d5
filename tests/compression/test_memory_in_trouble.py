"""A memory whose file is locked, full, damaged or closed: a sentence, and no answer is lost."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.compression.memory.memory import Memory
from doctrove_server.compression.memory.remembering import REST, LookUps
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import CompressionSettings
from doctrove_server.errors import ConfigError, MemoryFailed
from doctrove_server.tools.answer import Shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.compression.conftest import Session

    from doctrove_server.compression.shelf import Shelf

NOT_REMEMBERED = "what was looked up is not remembered: the context memory cannot be used now: "
NOW = 1_800_000_000.0


def looked_up(server: Session) -> None:
    """Look something up and have it."""
    found = server.call("doc_extract", id="library", focus="backoff", maxSections=1)
    (section,) = found["structuredContent"]["sections"]
    assert "`backoff`" in section["body"]


def refused(server: Session, tool: str, reason: str, **arguments: Any) -> None:
    """Call a tool of the memory, which says why it cannot."""
    answer = server.call(tool, **arguments)
    assert answer["isError"] is True
    assert answer["structuredContent"]["error"]["code"] == "internal"
    text = answer["content"][0]["text"]
    assert text.startswith(f"Error (internal): the context memory cannot be used now: {reason}")


def test_a_file_that_another_program_holds_is_said_and_used_again_later(
    start: Callable[..., Session], index: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    server = start("--local-index", index, "--context-memory", str(path))
    server.call("context_add", text="We chose `7`.", key="decision")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        looked_up(server)
        looked_up(server)
        refused(server, "context_add", "database is locked. Another", text="Later.", key="later")
        got = server.call("context_get", key="decision")["structuredContent"]
        assert got["text"] == "We chose `7`."
        other.execute("ROLLBACK")
    assert server.call("context_add", text="Now.", key="now")["structuredContent"]["key"] == "now"
    errors = server.end()
    assert errors.count(NOT_REMEMBERED) == 1
    assert "Traceback" not in errors


def test_a_server_starts_with_a_file_that_another_one_is_writing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    Store(str(path)).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        opened = Store(str(path))
        assert opened.stats.items == 0
        opened.close()


@pytest.mark.skipif(sys.platform != "linux", reason="limits another process's files")
def test_a_full_disk_is_said_and_used_again_when_there_is_room(
    start: Callable[..., Session], index: str, tmp_path: Path
) -> None:
    import resource  # noqa: PLC0415 - not on Windows

    path = tmp_path / "memory.db"
    server = start("--local-index", index, "--context-memory", str(path), "--debug")
    server.call("context_add", text="We chose `7`.", key="decision")
    limits = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    written = (tmp_path / "memory.db-wal").stat().st_size
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (written, limits[1]))
    looked_up(server)
    refused(server, "context_add", "disk I/O error. Make room", text="More. " * 5_000)
    got = server.call("context_get", key="decision")["structuredContent"]
    assert got["text"] == "We chose `7`."
    found = server.call("context_retrieve", query="chose")["structuredContent"]
    assert [one["key"] for one in found["temporal"]] == ["decision"]
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limits)
    added = server.call("context_add", text="More. " * 5_000, key="more")
    assert added["structuredContent"]["key"] == "more"
    errors = server.end()
    assert errors.count(NOT_REMEMBERED) == 1
    assert "; memory: 2 texts" in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("kind", ["garbage", "empty"])
def test_a_file_that_was_overwritten_is_said_and_answers_go_on(
    start: Callable[..., Session], index: str, story: str, shelf: Shelf, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "memory.db"
    memory = Memory(Store(str(path)), CompressionSettings(), shelf=shelf)
    memory.add(story, now=NOW, key="story")
    memory.close()
    server = start("--local-index", index, "--context-memory", str(path), "--debug")
    with path.open("r+b") as file:
        file.write(b"garbage " * (path.stat().st_size // 8) if kind == "garbage" else b"")
        file.truncate()
    looked_up(server)
    looked_up(server)
    refused(server, "context_get", "", key="story")
    refused(server, "context_add", "", text="More.")
    refused(server, "context_retrieve", "", query="module_3")
    refused(server, "context_stats", "")
    errors = server.end()
    assert errors.count(NOT_REMEMBERED) == 1
    assert "Move its file away and start the server again" in errors
    assert "Traceback" not in errors


def test_a_file_that_cannot_be_written_is_refused_at_the_start(
    folder_without_rights: Path,
) -> None:
    path = folder_without_rights / "memory.db"
    Store(str(path)).close()
    path.chmod(0o400)
    with pytest.raises(ConfigError, match="cannot be opened"):
        Store(str(path))


def test_the_database_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, price REAL)")
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="database of another program"):
        Store(str(path))
    assert path.read_bytes() == before


def test_after_a_failure_look_ups_leave_the_memory_alone_for_a_while(
    shelf: Shelf, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    memory = Memory(Store(str(path)), CompressionSettings(), shelf=shelf)
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE gists")
    times = iter([NOW, NOW + 1, NOW + REST - 1, NOW + REST, NOW - REST])
    said: list[str] = []
    look_ups = LookUps(memory, clock=lambda: next(times), log=said.append)
    counts: list[int] = []
    for _ in range(5):
        look_ups.remember([Shown(uri="doctrove://a/1/b", body="Text.", source="b")])
        counts.append(len(said))
    assert counts == [1, 1, 1, 2, 3]
    with pytest.raises(MemoryFailed, match="no such table: gists"):
        memory.add("Text.", now=NOW)


def test_a_change_that_fails_leaves_no_half_of_it(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    memory = Memory(Store(str(path)), CompressionSettings(), shelf=shelf)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("ALTER TABLE gists RENAME TO away")
        with pytest.raises(MemoryFailed):
            memory.add("The `name` is set.", now=NOW, key="k")
        other.execute("ALTER TABLE away RENAME TO gists")
    assert memory.get("k", now=NOW) is None
    assert memory.add("The `name` is set.", now=NOW, key="k").key == "k"


def test_a_question_of_very_many_words_is_answered(shelf: Shelf) -> None:
    memory = Memory(Store(), CompressionSettings(), shelf=shelf)
    memory.add("The `name` is set.", now=NOW, key="k")
    many = " ".join(f"word{n}" for n in range(40_000))
    assert memory.retrieve(f"name {many}", budget=200, now=NOW).tokens <= 200
