"""The file of a context memory: private, shared, killed; and memory that stays flat."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.compression.counting import Counting
from doctrove_server.compression.memory.memory import Memory
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import read_settings
from doctrove_server.compression.shelf import Shelf
from doctrove_server.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.compression.conftest import Session

NOW = 1_800_000_000.0


def remembering(shelf: Shelf, path: str = "", most_bytes: int = 1 << 26, **block: Any) -> Memory:
    settings = read_settings({"type": "compressed", **block})
    return Memory(Store(path, most_bytes=most_bytes), settings, shelf=shelf)


def test_a_file_is_its_owners_alone_and_survives(
    shelf: Shelf, section: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    memory = remembering(shelf, str(path))
    memory.add(section, now=NOW, key="server")
    for file in tmp_path.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    memory.close()
    again = remembering(shelf, str(path))
    found = again.get("server", now=NOW)
    assert found is not None
    assert found.text == section
    assert again.retrieve("backoff", budget=500, now=NOW).facts


def test_files_are_private_from_the_first_byte_whatever_the_mask_says(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    one = writer(path, "a", 10_000, umask=0)
    assert one.stdout is not None
    assert one.stdout.readline() == "ready\n"
    assert one.stdout.readline() == "0\n"
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    one.kill()
    one.communicate(timeout=30)
    assert modes == dict.fromkeys(("memory.db", "memory.db-wal", "memory.db-shm"), 0o600)


def test_a_file_that_others_could_read_is_closed_to_them(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.touch(mode=0o644)
    remembering(shelf, str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        ("link", "It is a link; name the file itself"),
        ("folder", "Name a file in it"),
        ("nowhere", "Make its folder, or name another path"),
        ("text", "Move that file away, or name another path"),
    ],
)
def test_what_is_no_memory_is_refused_with_what_to_do(
    shelf: Shelf, tmp_path: Path, kind: str, step: str
) -> None:
    path = tmp_path / "memory.db"
    if kind == "link":
        (tmp_path / "target").touch()
        path.symlink_to(tmp_path / "target")
    elif kind == "folder":
        path.mkdir()
    elif kind == "nowhere":
        path = tmp_path / "missing" / "memory.db"
    else:
        path.write_text("This is no database. " * 100)
    with pytest.raises(ConfigError, match="context memory") as error:
        remembering(shelf, str(path))
    assert str(error.value).endswith(f". {step}")


WRITER = """
import sys
from doctrove_server.compression.counting import BOUND
from doctrove_server.compression.memory.memory import Memory
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import CompressionSettings
from doctrove_server.compression.shelf import Shelf
memory = Memory(Store(sys.argv[1]), CompressionSettings(), shelf=Shelf(BOUND))
print("ready", flush=True)
for n in range(int(sys.argv[3])):
    text = f"{sys.argv[2]} `name_{n}` defaults to `{n}`. " * 20
    memory.add(text, now=float(n), key=f"{sys.argv[2]}{n}")
    print(n, flush=True)
"""


def writer(path: Path, name: str, count: int, umask: int = -1) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
        umask=umask,
    )


def test_two_servers_can_write_one_file(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    writers = [writer(path, name, 60) for name in ("a", "b")]
    for one in writers:
        one.communicate(timeout=60)
        assert one.returncode == 0
    assert remembering(shelf, str(path)).stats.store.items == 120


def test_a_file_is_whole_after_its_server_was_killed(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    for turn in range(3):
        one = writer(path, f"t{turn}-", 10_000)
        assert one.stdout is not None
        written = 0
        for line in one.stdout:
            if line.strip() == str(25 + 10 * turn):
                written = int(line)
                break
        os.kill(one.pid, signal.SIGKILL)
        one.communicate(timeout=30)
        memory = remembering(shelf, str(path))
        for n in range(written + 1):
            assert memory.get(f"t{turn}-{n}", now=NOW) is not None
        memory.close()
        with sqlite3.connect(path) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            items, words = (
                database.execute(f"SELECT count(*) FROM {table}").fetchone()
                for table in ("items", "words")
            )
            assert items == words
        database.close()


ROUGH = Counting(lambda text: len(text) // 4 + 1, exact=False)
"""Counts without keeping anything: what grows is the memory's own."""


SECRET = "xyzzy_4711"


def traces(folder: Path) -> list[str]:
    """Return the files of a folder that hold the secret."""
    return [file.name for file in folder.iterdir() if SECRET.encode() in file.read_bytes().lower()]


@pytest.mark.parametrize("way", ["key", "all"])
def test_what_is_forgotten_is_in_no_file_any_more(shelf: Shelf, tmp_path: Path, way: str) -> None:
    memory = remembering(shelf, str(tmp_path / "memory.db"))
    for n in range(30):
        memory.add(f"The `name_{n}` of part {n} defaults to `{n}`. " * 20, now=NOW, key=f"k{n}")
    text = f"The password `{SECRET.upper()}` is `{SECRET}`. It defaults to `{SECRET}`.\n\n"
    memory.add(text * 300, now=NOW, key=SECRET, source=SECRET)
    assert traces(tmp_path)
    assert (memory.forget(SECRET) if way == "key" else memory.forget_all()) > 0
    assert traces(tmp_path) == []
    assert memory.add("Another text.", now=NOW).key
    memory.close()
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]
    assert traces(tmp_path) == []


def test_what_is_forgotten_while_another_reads_is_erased_when_the_file_is_opened_again(
    shelf: Shelf, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    memory, other = (remembering(shelf, str(path)) for _ in range(2))
    memory.add(f"The password `a_b` is `{SECRET}`. " * 20, now=NOW, key="secret")
    other.add("Another text.", now=NOW, key="other")
    with contextlib.closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM items").fetchone() == (2,)
        assert memory.forget("secret") == 1
        assert traces(tmp_path)  # the reader may still ask for it
    again = remembering(shelf, str(path))
    assert traces(tmp_path) == []
    for one in (memory, other, again):
        one.close()


KILLED = """
import os, signal, sys
from doctrove_server.compression.counting import BOUND
from doctrove_server.compression.memory.memory import Memory
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import CompressionSettings
from doctrove_server.compression.shelf import Shelf
class Killed(Store):
    def _erase(self):
        os.kill(os.getpid(), signal.SIGKILL)
memory = Memory(Killed(sys.argv[1]), CompressionSettings(), shelf=Shelf(BOUND))
memory.add(f"The password `a_b` is `{sys.argv[2]}`. " * 20, now=1.0, key="secret")
memory.add("Another text.", now=1.0, key="other")
memory.forget("secret")
"""


def test_what_was_forgotten_before_a_kill_is_erased_at_the_next_start(
    shelf: Shelf, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path), SECRET], check=False)
    assert done.returncode == -signal.SIGKILL
    assert traces(tmp_path)
    memory = remembering(shelf, str(path))
    assert traces(tmp_path) == []
    assert memory.get("other", now=NOW) is not None
    assert memory.get("secret", now=NOW) is None
    memory.close()


MIXED = """
import random, sys
from doctrove_server.compression.counting import BOUND
from doctrove_server.compression.memory.memory import Memory
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import CompressionSettings
from doctrove_server.compression.shelf import Shelf
memory = Memory(Store(sys.argv[1]), CompressionSettings(), shelf=Shelf(BOUND))
chosen = random.Random(sys.argv[2])
print("ready", flush=True)
for n in range(int(sys.argv[3])):
    key = f"k{chosen.randrange(30)}"
    what = chosen.choice("aaargf")
    if what == "a":
        text = f"{sys.argv[2]} `name_{n}` defaults to `{n}`. " * chosen.choice((1, 20, 300))
        memory.add(text, now=float(n), key=key)
    elif what == "r":
        memory.retrieve(f"name_{n} default", budget=500, now=float(n))
    elif what == "g":
        memory.get(key, now=float(n))
    else:
        memory.forget(key)
    print(n, flush=True)
"""


def is_whole(path: Path) -> bool:
    """Tell whether the database, its index of words and what belongs to its texts fit together."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        run = database.execute
        run("INSERT INTO words (words) VALUES ('integrity-check')")
        orphans = [
            run(f"SELECT count(*) FROM {table} WHERE item NOT IN (SELECT id FROM items)").fetchone()
            for table in ("facts", "gists", "summaries")
        ]
        counts = [run(f"SELECT count(*) FROM {name}").fetchone() for name in ("items", "words")]
        is_sound = run("PRAGMA integrity_check").fetchone() == ("ok",)
    return is_sound and orphans == [(0,)] * 3 and counts[0] == counts[1]


@pytest.mark.parametrize("killed_at", [0, 7, 40])
def test_two_servers_that_add_read_and_forget_leave_a_whole_file_even_when_killed(
    tmp_path: Path, killed_at: int
) -> None:
    path = tmp_path / "memory.db"
    count = "10000" if killed_at else "60"
    both = [
        subprocess.Popen(
            [sys.executable, "-c", MIXED, str(path), name, count],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("a", "b")
    ]
    if killed_at:
        assert both[0].stdout is not None
        for line in both[0].stdout:
            if line.strip() == str(killed_at):
                break
        for one in both:
            one.kill()
    ends = [one.communicate(timeout=120) for one in both]
    assert [errors for _, errors in ends] == ["", ""]
    if not killed_at:
        assert [one.returncode for one in both] == [0, 0]
    assert is_whole(path)


def test_a_server_that_ends_leaves_one_file_without_what_was_forgotten(
    start: Callable[..., Session], tmp_path: Path
) -> None:
    server = start("--context-memory", str(tmp_path / "memory.db"))
    server.call("context_add", text=f"The password is `{SECRET}`.", key="secret")
    server.call("context_add", text="Another text.", key="other")
    server.call("context_forget", key="secret")
    server.end()
    assert [file.name for file in tmp_path.iterdir()] == ["memory.db"]
    assert traces(tmp_path) == []


def test_keys_texts_and_questions_are_never_logged(
    start: Callable[..., Session], tmp_path: Path, index: str
) -> None:
    path = tmp_path / "memory.db"
    server = start("--debug", "--local-index", index, "--context-memory", str(path))

    def everything() -> list[bool]:
        return [
            bool(server.call(tool, **arguments).get("isError"))
            for tool, arguments in (
                ("context_add", {"text": f"It is `{SECRET}`.", "key": SECRET, "source": SECRET}),
                ("context_add", {"text": f"It is `{SECRET}`.", "key": f"{SECRET}\n"}),
                ("context_add", {"text": SECRET * 100_001}),
                ("context_get", {"key": SECRET}),
                ("context_get", {"key": f"{SECRET}-none"}),
                ("context_get", {"key": SECRET, "level": SECRET}),
                ("context_retrieve", {"query": SECRET, "tokenBudget": 300}),
                ("doc_extract", {"id": "library", "focus": SECRET}),
                ("doc_extract", {"id": "library", "focus": "server", "tokenBudget": 300}),
                ("context_forget", {"key": SECRET, "all": SECRET}),
            )
        ]

    assert everything() == [False, True, True, False, True, True, False, False, False, True]
    for file in tmp_path.glob("memory.db*"):
        file.write_bytes(b"This is no database. " * 4_000)
    assert everything().count(True) > 6
    errors = server.end()
    assert "what was looked up is not remembered" in errors
    assert SECRET not in errors.lower()


def test_the_limits_hold_on_disk_whatever_is_added(shelf: Shelf, tmp_path: Path) -> None:
    limit = 1_000_000
    path = tmp_path / "memory.db"
    blocks = {"keyValue": {"maxFacts": 7}, "gistTokens": {"maxGists": 3}}
    memory = remembering(shelf, str(path), limit, **blocks)
    for n in range(60):
        lines = (1, 5, 200, 2_000)[n % 4]
        text = "".join(f"- `opt_{n}_{i}`: one. Defaults to `{i}`.\n" for i in range(lines))
        memory.add(text, now=NOW + n, key=f"k{n % 45}")
        stats = memory.stats.store
        assert (stats.facts <= 7, stats.gists <= 3, stats.bytes <= limit) == (True, True, True)
    memory.close()
    assert path.stat().st_size <= limit
    memory = remembering(shelf, str(path), limit)
    memory.forget_all()
    memory.close()
    assert path.stat().st_size <= 100_000


def soak(memory: Memory, start: int, turns: int) -> None:
    """Add texts that are all different and made of few words, and retrieve some each time."""
    for n in range(start, start + turns):
        name, part, value = n % 40, n // 40 % 40, n // 1_600
        memory.add(
            f"The `name_{name}` of part {part} defaults to `{value}`. It must be set.",
            now=NOW + n,
            key=f"k{n}",
        )
        memory.retrieve(f"part {part} default", budget=300, now=NOW + n)


def grown(memory: Memory, start: int, turns: int) -> int:
    """Return the bytes that some turns add, once the caches hold nothing from before."""
    tracemalloc.start()
    try:
        soak(memory, start, 500)
        before = tracemalloc.get_traced_memory()[0]
        soak(memory, start + 500, turns)
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def test_memory_stays_flat_over_many_adds_and_retrieves() -> None:
    memory = remembering(Shelf(ROUGH, largest=100_000), most_bytes=300_000)
    soak(memory, 0, 200)
    assert grown(memory, 200, 300) < 600_000
    assert memory.stats.store.bytes <= 300_000


@pytest.mark.slow
def test_memory_stays_flat_over_ten_thousand_adds_and_retrieves() -> None:
    memory = remembering(Shelf(ROUGH, largest=100_000), most_bytes=2_000_000)
    soak(memory, 0, 7_100)
    assert grown(memory, 7_100, 2_400) < 3_000_000
    assert memory.stats.store.bytes <= 2_000_000
