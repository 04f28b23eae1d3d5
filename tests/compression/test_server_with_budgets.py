"""The server as a process: budgets, the ceiling, the context memory, the seeds' configuration."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from tests.compression.conftest import SERVER

from doctrove_server.compression.counting import counting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.compression.conftest import Session

COUNT = counting().count
SEED_BLOCK = {
    "type": "compressed",
    "summarization": {"method": "hierarchical", "levels": 3, "compressionRatios": [0.5, 0.4, 0.25]},
    "keyValue": {"enabled": True, "maxFacts": 1000},
    "gistTokens": {"enabled": True, "tokensPerGist": 10, "maxGists": 100},
    "temporalCompression": {
        "enabled": True,
        "ageBuckets": [
            {"days": 1, "compressionLevel": "none"},
            {"days": 7, "compressionLevel": "low"},
            {"days": 30, "compressionLevel": "medium"},
            {"days": 999999, "compressionLevel": "high"},
        ],
    },
    "tokenBudget": {
        "maxCompressedTokens": 2048,
        "allocation": {"temporal": 0.5, "keyValue": 0.3, "gist": 0.2},
    },
}


def tokens(result: dict[str, Any]) -> int:
    (content,) = result["content"]
    return max(
        COUNT(content["text"]),
        COUNT(json.dumps(result["structuredContent"], separators=(",", ":"))),
    )


def test_doc_extract_keeps_to_a_budget_and_gives_what_was_left_out(
    start: Callable[..., Session], index: str
) -> None:
    server = start("--local-index", index)
    for budget in (100, 300, 900, 5000):
        result = server.call("doc_extract", id="library", tokenBudget=budget)
        assert "isError" not in result or not result["isError"]
        assert tokens(result) <= budget
    named = [one["id"] for one in result["structuredContent"]["omitted"]]
    shown = [one["id"] for one in result["structuredContent"]["sections"]]
    assert set(named) | set(shown) == {"server", "story", "huge"}
    asked = server.call("doc_extract", id="library", sections="server")
    (one,) = asked["structuredContent"]["sections"]
    assert (one["id"], one["level"]) == ("server", "full")
    wrong = server.call("doc_extract", id="library", sections="servr")
    assert wrong["structuredContent"]["error"]["code"] == "validation"
    wrong = server.call("doc_extract", id="library", detail="tiny")
    assert "auto, full, summary, facts or gist" in wrong["content"][0]["text"]


def test_a_huge_section_is_held_to_the_ceiling(start: Callable[..., Session], index: str) -> None:
    result = start("--local-index", index).call("doc_extract", id="library", focus="huge")
    assert tokens(result) <= 8_000
    result = start("--local-index", index, "--max-answer-tokens", "500").call(
        "doc_extract", id="library"
    )
    assert tokens(result) <= 500
    result = start("--local-index", index, "--max-answer-tokens", "0").call(
        "doc_extract", id="library", focus="huge"
    )
    assert tokens(result) > 25_000


def test_debug_shows_what_was_compressed_at_the_end(
    start: Callable[..., Session], index: str
) -> None:
    server = start("--local-index", index, "--debug", "--context-memory")
    server.call("doc_extract", id="library", tokenBudget=300)
    server.call("context_retrieve", query="backoff", tokenBudget=300)
    stats = server.call("context_stats")
    answers = stats["structuredContent"]["answers"]
    assert answers["answers"] == 1
    assert 0 < answers["meanRatio"] < 1
    assert 0 < answers["meanRetention"] < 1
    assert "1 answer of doc_extract showed" in stats["content"][0]["text"]
    errors = server.end()
    assert "; compression: " in errors
    assert " 1 answers showed " in errors
    assert " 1 retrievals, mean ratio 0." in errors


def test_without_a_memory_there_are_three_tools(start: Callable[..., Session], index: str) -> None:
    tools = start("--local-index", index).request("tools/list")["tools"]
    assert len(tools) == 3
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)


def test_what_is_looked_up_is_remembered_and_survives_in_a_file(
    start: Callable[..., Session], index: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    server = start("--local-index", index, "--context-memory", str(path))
    assert len(server.request("tools/list")["tools"]) == 8
    server.call("doc_extract", id="library", focus="backoff", maxSections=1)
    server.call("context_add", text="We chose `retries` of `7`.", key="decision")
    server.end()
    again = start("--local-index", index, "--context-memory", str(path))
    found = again.call("context_retrieve", query="backoff retries", tokenBudget=600)
    assert tokens(found) <= 600
    keys = [one["key"] for one in found["structuredContent"]["temporal"]]
    assert "doctrove://library/1.0.0/server" in keys
    assert "decision" in keys
    got = again.call("context_get", key="decision")
    assert got["structuredContent"]["text"] == "We chose `retries` of `7`."
    assert again.call("context_forget", all="yes")["structuredContent"]["forgotten"] == 2


def test_an_answer_from_the_cache_is_remembered_too(
    start: Callable[..., Session], index: str
) -> None:
    server = start("--local-index", index, "--context-memory")
    for _ in range(2):
        server.call("doc_extract", id="library", focus="backoff", maxSections=1)
        forgotten = server.call("context_forget", all="yes")["structuredContent"]["forgotten"]
        assert forgotten == 1


def test_looking_a_section_up_again_counts_as_a_use(
    start: Callable[..., Session], index: str
) -> None:
    server = start("--local-index", index, "--context-memory")
    for _ in range(3):
        server.call("doc_extract", id="library", focus="backoff", maxSections=1)
    got = server.call("context_get", key="doctrove://library/1.0.0/server")["structuredContent"]
    assert got["accesses"] == 3


def test_the_keys_of_texts_and_endpoints_are_in_no_log(
    start: Callable[..., Session], index: str
) -> None:
    server = start("--local-index", index, "--context-memory", "--debug")
    server.call("context_add", text="We chose `7`.", key="private-key-name")
    server.call("context_get", key="private-key-name")
    server.call("context_get", key="missing-key-name")
    server.call("context_forget", key="private-key-name")
    errors = server.end()
    assert "; memory: " in errors
    assert "key-name" not in errors


def test_the_seeds_block_is_accepted_as_written_and_switches_the_memory_on(
    start: Callable[..., Session], index: str, tmp_path: Path
) -> None:
    config = tmp_path / "config.json"
    config.write_text(json.dumps({"localIndex": index, "mcp": SEED_BLOCK}))
    server = start("--config", str(config))
    assert "context_stats" in [tool["name"] for tool in server.request("tools/list")["tools"]]
    assert server.call("context_stats")["structuredContent"]["store"]["items"] == 0
    assert "warning" not in server.end()


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"mcp": {"type": "compressed", "gist": {}}}, "gist"),
        ({"mcp": {"type": "compressed", "keyValue": {"max": 1}}}, "max"),
        ({"mcp": {"type": "stdio"}}, "type"),
        ({"maxAnswerTokens": 50}, "maxAnswerTokens"),
        ({"contextMemory": 5}, "contextMemory"),
        ({"contextMemory": "/nowhere/at/all.db"}, "/nowhere/at/all.db"),
    ],
)
def test_a_wrong_setting_is_named_and_ends_the_start(
    config: dict[str, object], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    done = subprocess.run(
        [SERVER, "--config", str(path)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
