from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_server.compression.aging import DAY
from doctrove_server.compression.chat import CompletionFailed
from doctrove_server.compression.compressed import RATIOS, Level
from doctrove_server.compression.memory.memory import Memory
from doctrove_server.compression.memory.recalled import Retrieved
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import read_settings

if TYPE_CHECKING:
    from pathlib import Path

    from doctrove_server.compression.shelf import Shelf

NOW = 1_800_000_000.0


@pytest.fixture
def memory(shelf: Shelf) -> Memory:
    return remembering(shelf)


def remembering(shelf: Shelf, path: str = "", most_bytes: int = 1 << 26, **block: Any) -> Memory:
    settings = read_settings({"type": "compressed", **block})
    return Memory(Store(path, most_bytes=most_bytes), settings, shelf=shelf)


def tokens_of(found: Retrieved, shelf: Shelf) -> int:
    texts = [one.text for one in found.temporal]
    return sum(shelf.counts.count(text) for text in (*texts, *found.facts, *found.gists))


def test_what_was_added_is_had_back_word_for_word(memory: Memory, section: str) -> None:
    item = memory.add(section, now=NOW, key="server", source="guide/server")
    assert memory.get("server", now=NOW) == item
    assert item.text == section
    assert memory.get("other", now=NOW) is None


def test_a_text_without_a_key_gets_one_of_its_content(memory: Memory, section: str) -> None:
    first, again = memory.add(section, now=NOW), memory.add(section, now=NOW)
    assert first.key == again.key
    assert first.key.startswith("text-")
    assert memory.stats.store.items == 1


@pytest.mark.parametrize("text", ["", "  \n", "x" * 1_000_001])
def test_an_empty_or_huge_text_is_refused(memory: Memory, text: str) -> None:
    with pytest.raises(ValueError, match="1 to 1,000,000 characters"):
        memory.add(text, now=NOW)


def test_a_key_holds_its_last_text(memory: Memory, section: str, story: str) -> None:
    memory.add(section, now=NOW, key="k")
    memory.add(story, now=NOW + 1, key="k")
    found = memory.get("k", now=NOW)
    assert found is not None
    assert found.text == story
    assert not memory.retrieve("backoff retries", budget=500, now=NOW).facts


def test_texts_facts_and_gists_come_for_a_query(
    memory: Memory, shelf: Shelf, section: str, story: str
) -> None:
    memory.add(section, now=NOW, key="server", source="guide/server")
    memory.add(story, now=NOW, key="story")
    found = memory.retrieve("backoff default", budget=1000, now=NOW)
    assert found.temporal[0].key == "server"
    assert found.temporal[0].source == "guide/server"
    assert found.facts[0] == "`backoff` default: `0.5`"
    assert found.gists[0].startswith("server: ")
    assert tokens_of(found, shelf) <= found.tokens <= 1000


def test_a_text_of_a_few_words_alone_is_shown(memory: Memory) -> None:
    memory.add("We chose `7`.", now=NOW, key="decision")
    assert [one.text for one in memory.retrieve("chose", budget=500, now=NOW).temporal] == [
        "We chose `7`."
    ]


@pytest.mark.parametrize("budget", [100, 150, 333, 1000, 5000])
@pytest.mark.parametrize("query", ["", "backoff default", "module_3 build", "nothing of it"])
def test_a_retrieval_is_within_its_budget(
    memory: Memory, shelf: Shelf, section: str, story: str, budget: int, query: str
) -> None:
    for n in range(5):
        memory.add(f"{section}\nCopy {n}.", now=NOW + n)
        memory.add(f"{story}\nCopy {n}.", now=NOW + n)
    found = memory.retrieve(query, budget=budget, now=NOW)
    assert tokens_of(found, shelf) <= found.tokens <= budget


@pytest.mark.parametrize(("days", "level"), [(0, "none"), (3, "low"), (10, "medium"), (60, "high")])
def test_an_older_text_is_shown_shorter_and_says_so(
    memory: Memory, shelf: Shelf, story: str, days: int, level: Level
) -> None:
    memory.add(story, now=NOW, key="story")
    (one,) = memory.retrieve("module_3", budget=5000, now=NOW + days * DAY).temporal
    assert one.level == level
    assert one.ratio <= RATIOS[level]
    assert "`module_3`" in one.text
    assert (one.original_tokens, one.key) == (shelf.counts.count(story), "story")


def test_a_text_that_is_used_often_stays_whole(memory: Memory, story: str) -> None:
    memory.add(story, now=NOW, key="story")
    for _ in range(11):
        memory.get("story", now=NOW)
    (one,) = memory.retrieve("module_3", budget=5000, now=NOW + 60 * DAY).temporal
    assert (one.level, one.text) == ("none", story)


def test_a_section_of_an_older_version_is_shown_shorter(memory: Memory, story: str) -> None:
    for version in ("1.0.0", "2.0.0"):
        memory.add(f"{story}\n{version}", now=NOW, key=f"doctrove://lib/{version}/story")
    shown = {
        one.key: one.level for one in memory.retrieve("module_3", budget=5000, now=NOW).temporal
    }
    assert shown == {
        "doctrove://lib/2.0.0/story": "none",
        "doctrove://lib/1.0.0/story": "low",
    }


def test_a_text_that_is_added_again_is_as_new(memory: Memory, story: str) -> None:
    memory.add(story, now=NOW, key="story")
    memory.add(story, now=NOW + 60 * DAY, key="story")
    (one,) = memory.retrieve("module_3", budget=5000, now=NOW + 60 * DAY).temporal
    assert one.level == "none"


class Writer:
    """A model that writes one text, and counts how often it is asked."""

    model = "writer"

    def __init__(self, text: str) -> None:
        self.text = text
        self.calls = 0

    def complete(self, _prompt: str, /, *, max_tokens: int) -> str:
        self.calls += 1
        if not self.text:
            raise CompletionFailed(f"no {max_tokens} tokens today")
        return self.text


@pytest.mark.parametrize(
    ("text", "way", "asked"),
    [
        ("`module_3` was made in 3 parts, `build_3()` returns `21`.", "extractive", 1),
        ("`build_1()` returns `7`. `build_2()` returns `14`.", "extractive", 1),
        ("", "extractive", 2),
    ],
    ids=["names lost", "names lost too", "the model fails"],
)
def test_a_model_is_asked_for_a_level_when_it_is_read_and_answers_are_kept(
    shelf: Shelf, story: str, text: str, way: str, asked: int
) -> None:
    writer = Writer(text)
    settings = read_settings({"summarization": {"method": "abstractive"}})
    memory = Memory(Store(), settings, shelf=shelf, completer=writer)
    item = memory.add(story, now=NOW, key="story")
    assert len(memory.levels(item)) == 3
    assert writer.calls == 0
    for _ in range(2):
        made = memory.level(item, 2)
        assert made is not None
        assert made.level == f"level-2, {way}"
        assert made.tokens <= item.tokens * 0.2
    assert writer.calls == memory.stats.summaries == asked


def test_what_a_model_wrote_well_is_shown_and_goes_with_its_text(
    shelf: Shelf, section: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"

    def answers() -> int:
        with contextlib.closing(sqlite3.connect(path)) as database:
            return int(database.execute("SELECT count(*) FROM summaries").fetchone()[0])

    text = (
        "`port` is a number and defaults to `8730`, `host` to `127.0.0.1`. `Server.run` raises"
        " `PortInUse` when the port is taken. `retries` is `3`, `backoff` is `0.5`."
        " `SERVER_PORT` overrides `port`."
    )
    writer = Writer(text)
    settings = read_settings({"summarization": {"method": "abstractive"}})
    memory = Memory(Store(str(path)), settings, shelf=shelf, completer=writer)
    item = memory.add(section, now=NOW, key="server")
    made = memory.level(item, 1)
    assert made is not None
    assert (made.level, made.text, made.ref) == ("level-1, abstractive", text, "server")
    assert (writer.calls, answers()) == (1, 1)
    memory.forget("server")
    assert answers() == 0


def test_an_old_text_can_still_be_had_whole(memory: Memory, story: str) -> None:
    memory.add(story, now=NOW, key="story")
    found = memory.get("story", now=NOW + 60 * DAY)
    assert found is not None
    assert found.text == story


def test_what_is_forgotten_is_gone(memory: Memory, section: str, story: str) -> None:
    memory.add(section, now=NOW, key="server")
    memory.add(story, now=NOW, key="story")
    assert memory.forget("server") == 1
    assert memory.forget("server") == 0
    assert not memory.retrieve("backoff", budget=500, now=NOW).facts
    assert memory.forget_all() == 1
    assert memory.stats.store.items == memory.stats.store.facts == 0
    assert memory.retrieve("module_3", budget=500, now=NOW) == Retrieved()


def test_facts_that_are_stated_twice_are_kept_once(memory: Memory) -> None:
    for n in range(3):
        memory.add(f"Copy {n}.\n\n- `port`: Where it listens.", now=NOW, key=f"k{n}")
    assert memory.stats.store.facts == 1


def test_the_newest_facts_and_gists_are_kept_up_to_their_limits(shelf: Shelf) -> None:
    memory = remembering(
        shelf, keyValue={"maxFacts": 4}, gistTokens={"maxGists": 2, "tokensPerGist": 3}
    )
    for n in range(9):
        memory.add(
            f"The `name_{n}` is set here. `opt_{n}` defaults to `{n}`.", now=NOW + n, key=f"k{n}"
        )
    stats = memory.stats.store
    assert (stats.items, stats.facts, stats.gists) == (9, 4, 2)
    assert memory.retrieve("opt_8", budget=500, now=NOW).facts[0] == "`opt_8` default: `8`"


@pytest.mark.parametrize("method", ["hierarchical", "extractive", "abstractive"])
def test_levels_are_made_by_the_method_that_is_set(shelf: Shelf, story: str, method: str) -> None:
    memory = remembering(
        shelf, summarization={"method": method, "levels": 2, "compressionRatios": [0.5, 0.3]}
    )
    levels = memory.levels(memory.add(story, now=NOW, key="story"))
    assert [level.level for level in levels] == ["level-1", "level-2"]
    assert levels[0].ratio <= 0.5
    assert levels[1].ratio <= 0.15
    assert all(level.ref == "story" for level in levels)


def test_statistics_show_how_much_is_shown_and_kept(memory: Memory, story: str) -> None:
    memory.add(story, now=NOW, key="story")
    memory.retrieve("module_3", budget=200, now=NOW)
    stats = memory.stats
    assert (stats.retrievals, stats.shown, stats.estimated) == (1, 1, False)
    assert 0 < stats.mean_ratio < 1
    assert 0 < stats.mean_retention < 1
    assert stats.store.bytes > 0
    assert stats.hits > 0
    assert stats.summaries == 0


def test_the_least_used_texts_go_when_the_size_is_reached(shelf: Shelf) -> None:
    memory = remembering(shelf, most_bytes=300_000)
    for n in range(120):
        memory.add(f"Text {n}. " + "Some words that fill. " * 200, now=NOW + n, key=f"k{n}")
        memory.get("k0", now=NOW + n)
    assert memory.stats.store.bytes <= 300_000
    assert memory.get("k0", now=NOW) is not None
    assert memory.get("k119", now=NOW) is not None
    assert memory.get("k1", now=NOW) is None
