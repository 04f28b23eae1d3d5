"""Every key of the configuration block has an effect: two values of it, two different answers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
import pytest
from msgspec.inspect import IntType, StructType, type_info

from doctrove_server.compression.aging import DAY
from doctrove_server.compression.counting import counting
from doctrove_server.compression.memory import calls
from doctrove_server.compression.memory.calls import ContextDesk
from doctrove_server.compression.memory.memory import Memory
from doctrove_server.compression.memory.remembering import LookUps
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import CompressionSettings, read_settings
from doctrove_server.compression.shelf import Shelf
from doctrove_server.config import settings, unknown_keys
from doctrove_server.config_file import read_file

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from doctrove_server.compression.compressed import Compressed

ROOT = Path(__file__).parents[2]
SEED = Path(__file__).parents[3] / "shared" / "seeds" / "compressed-mcp.txt"
NOW = 1_800_000_000.0
SHELF = Shelf(counting())


class Remembered:
    """A memory with a block: a section and a story, added ten days ago."""

    def __init__(self, block: object, texts: Mapping[str, str]) -> None:
        settings = read_settings(block)
        self.memory = Memory(Store(), settings, shelf=SHELF)
        for key, text in texts.items():
            self.memory.add(text, now=NOW - 10 * DAY, key=key)
        self._desk = ContextDesk(
            memory=self.memory,
            look_ups=LookUps(self.memory, clock=lambda: NOW, log=print),
            clock=lambda: NOW,
            default_budget=settings.token_budget.max_compressed_tokens,
        )

    def found(self, query: str, budget: int = 0) -> dict[str, Any]:
        """Return what a retrieval gives; without a budget, within that of the block."""
        given: dict[str, str | int] = {"query": query}
        if budget:
            given["tokenBudget"] = budget
        return calls.retrieve(self._desk, given).data

    def levels(self) -> tuple[Compressed, ...]:
        """Return the shorter forms of the story."""
        item = self.memory.get("story", now=NOW)
        assert item is not None
        return self.memory.levels(item)

    def shown(self) -> str:
        """Return how the story is shown now."""
        return next(
            str(one["level"])
            for one in self.found("module_3", 5_000)["temporal"]
            if one["key"] == "story"
        )

    def spent(self) -> tuple[int, int, int]:
        """Return the tokens of texts, facts and gists in a retrieval that is short of room."""
        found = self.memory.retrieve("module_3 build port", budget=150, now=NOW)
        count = SHELF.counts.count
        return (
            sum(one.tokens for one in found.temporal),
            sum(map(count, found.facts)),
            sum(map(count, found.gists)),
        )


def buckets(days: int, level: str) -> list[dict[str, object]]:
    return [
        {"days": days, "compressionLevel": level},
        {"days": 999_999, "compressionLevel": "high"},
    ]


def shares(temporal: float, key_value: float, gist: float) -> dict[str, float]:
    return {"temporal": temporal, "keyValue": key_value, "gist": gist}


def facts(one: Remembered) -> int:
    return one.memory.stats.store.facts


def gists(one: Remembered) -> int:
    return one.memory.stats.store.gists


# Each key: two values (of the list of buckets and of the shares, all of it), and what is looked at.
EFFECTS: dict[str, tuple[object, object, Callable[[Remembered], object]]] = {
    "summarization.method": (
        "hierarchical",
        "extractive",
        lambda one: [level.text for level in one.levels()],
    ),
    "summarization.levels": (3, 2, lambda one: len(one.levels())),
    "summarization.compressionRatios": (
        [0.5, 0.4, 0.25],
        [0.3, 0.4, 0.25],
        lambda one: one.levels()[0].ratio <= 0.3,
    ),
    "keyValue.enabled": (True, False, facts),
    "keyValue.maxFacts": (1000, 2, facts),
    "gistTokens.enabled": (True, False, gists),
    "gistTokens.tokensPerGist": (10, 2, lambda one: one.found("port", 5_000)["gists"]),
    "gistTokens.maxGists": (100, 1, gists),
    "temporalCompression.enabled": (True, False, Remembered.shown),
    "temporalCompression.ageBuckets.days": (
        buckets(30, "medium"),
        buckets(7, "medium"),
        Remembered.shown,
    ),
    "temporalCompression.ageBuckets.compressionLevel": (
        buckets(30, "medium"),
        buckets(30, "low"),
        Remembered.shown,
    ),
    "tokenBudget.maxCompressedTokens": (
        2048,
        100,
        lambda one: one.found("module_3 backoff")["tokens"] > 100,
    ),
    "tokenBudget.allocation.temporal": (
        shares(0.8, 0.1, 0.1),
        shares(0.1, 0.8, 0.1),
        lambda one: one.spent()[0],
    ),
    "tokenBudget.allocation.keyValue": (
        shares(0.1, 0.8, 0.1),
        shares(0.1, 0.0, 0.9),
        lambda one: one.spent()[1],
    ),
    "tokenBudget.allocation.gist": (
        shares(0.1, 0.1, 0.8),
        shares(0.9, 0.1, 0.0),
        lambda one: one.spent()[2],
    ),
}


def keys(block: Any, place: str = "") -> list[str]:
    """Return the paths of all keys of a block from JSON that hold a value."""
    if isinstance(block, dict):
        parts = cast("dict[str, Any]", block)
        return [path for key, one in parts.items() for path in keys(one, f"{place}.{key}")]
    if place.endswith(".ageBuckets"):
        return keys(block[0], place)
    return [place.removeprefix(".")]


def block_with(path: str, value: object) -> dict[str, object]:
    """Return a block with one key set; the keys of buckets and shares are set all together."""
    part, name, *_ = path.split(".")
    return {"type": "compressed", part: {name: value}}


def test_the_table_holds_every_key(default_block: dict[str, object]) -> None:
    assert sorted(keys(default_block)) == sorted([*EFFECTS, "type"])


@pytest.mark.skipif(not SEED.is_file(), reason="shared material is not here")
def test_the_seeds_example_is_read_exactly_as_it_stands_in_the_seed(
    default_block: dict[str, object], tmp_path: Path
) -> None:
    lines = [line.removeprefix("+") for line in SEED.read_text("utf-8").splitlines()]
    begin = lines.index("## Configuration Example")
    begin = lines.index("```json", begin)
    file = tmp_path / "doctrove-server.json"
    file.write_text("\n".join(lines[begin + 1 : lines.index("```", begin)]))
    read = settings(flags={}, env={}, file=read_file(str(file)), path=str(file))
    assert read.remembers
    assert unknown_keys(read_file(str(file)), path=str(file)) == ()
    assert read_settings(read.compression) == CompressionSettings()
    assert sorted(keys(read.compression)) == sorted([*EFFECTS, "type"])
    assert json.loads(json.dumps(read.compression)) == default_block


@pytest.fixture
def default_block() -> dict[str, object]:
    """Return the block with every key, as the defaults are written."""
    block: dict[str, object] = json.loads(msgspec.json.encode(CompressionSettings()))
    return block


@pytest.mark.parametrize("path", EFFECTS)
def test_each_key_has_an_effect(path: str, section: str, story: str) -> None:
    texts = {"server": section, "story": story}
    one, other, look = EFFECTS[path]
    first = look(Remembered(block_with(path, one), texts))
    assert first == look(Remembered(block_with(path, one), texts))
    assert first != look(Remembered(block_with(path, other), texts))


def test_the_page_names_every_key_with_its_bounds() -> None:
    page = (ROOT / "authoring/doctrove/0.1.0/agents/context-memory.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([\w.]+)` \| (.*)$", page, re.MULTILINE))
    lists = {"temporalCompression.ageBuckets", "tokenBudget.allocation"}
    known = {path for path in EFFECTS if path.rpartition(".")[0] not in lists} | lists | {"type"}
    assert known <= set(rows)
    assert {key for key in rows if "." in key} <= known
    for part in cast("StructType", type_info(CompressionSettings)).fields:
        for field in getattr(part.type, "fields", ()):
            low, high = (getattr(field.type, name, None) for name in ("ge", "le"))
            if isinstance(field.type, IntType) and field.encode_name != "levels":
                assert f"{low} to {high}" in rows[f"{part.encode_name}.{field.encode_name}"]
