"""A running server with a memory and a model's endpoint that answers well, badly, or not at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.compression.conftest import Endpoint, always, hangs, released, says
from tests.compression.misbehaving import LIE, MISBEHAVING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.compression.conftest import Session

GOOD = (
    '`port` is a number and defaults to `8730`, `host` to `"127.0.0.1"`. `Server.run` raises'
    " `PortInUse` when the port is taken; it does not retry by itself. `retries` is `3`, `backoff`"
    " is `0.5`. `Server.serve` replaces it since version 2.1. `SERVER_PORT` overrides `port`."
)
KEY = "secret-key"


@pytest.fixture
def asking(
    start: Callable[..., Session], index: str, tmp_path: Path, section: str, endpoint: Endpoint
) -> Session:
    """Return a server that remembers a section as `server` and asks the endpoint for its levels."""
    config = tmp_path / "config.json"
    block = {"type": "compressed", "summarization": {"method": "abstractive"}}
    config.write_text(json.dumps({"localIndex": index, "mcp": block, "debug": True}))
    env = {
        "DOCTROVE_LLM_URL": endpoint.url,
        "DOCTROVE_LLM_API_KEY": KEY,
        "DOCTROVE_LLM_TIMEOUT_MS": "1500",
    }
    server = start("--config", str(config), "--context-memory", env=env)
    server.call("context_add", text=section, key="server")
    return server


def level_of(answer: dict[str, Any]) -> str:
    """Return how a text was shortened; the answer is whole and within its target."""
    assert not answer.get("isError")
    data = answer["structuredContent"]
    assert 0 < data["tokens"] <= data["originalTokens"] * 0.5
    assert data["text"].strip()
    return str(data["level"])


@pytest.mark.parametrize(
    ("endpoint", "level"),
    [
        pytest.param(says(GOOD), "level-1, abstractive", id="well"),
        pytest.param(says(LIE), "level-1, extractive", id="lies"),
        *(
            pytest.param(MISBEHAVING[name][0], "level-1, extractive", id=name)
            for name in (
                "500",
                "redirects elsewhere",
                "a page",
                "no UTF-8",
                "deep JSON",
                "100 MB",
                "chunks for ever",
                "closes midway",
                "hangs",
                "drips headers",
                "byte by byte",
            )
        ),
    ],
    indirect=["endpoint"],
)
def test_a_level_comes_whatever_the_model_does(
    asking: Session, endpoint: Endpoint, level: str
) -> None:
    # What hangs and drips goes on until the end of the test: only the deadline gives an answer.
    assert level_of(asking.call("context_get", key="server", level=1)) == level
    assert endpoint.keys[0] == f"Bearer {KEY}"
    assert asking.call("context_stats")["structuredContent"]["summaries"] == len(endpoint.asked)
    errors = asking.end()
    assert KEY not in errors
    assert "Traceback" not in errors


@pytest.mark.parametrize("endpoint", [hangs], indirect=True)
def test_other_calls_are_answered_while_the_model_hangs(
    asking: Session, endpoint: Endpoint
) -> None:
    waiting = asking.ask("tools/call", name="context_get", arguments={"key": "server", "level": 1})
    assert endpoint.was_asked.wait(30)
    found = asking.call("doc_extract", id="library", focus="backoff", tokenBudget=300)
    assert found["structuredContent"]["sections"]
    found = asking.call("context_retrieve", query="backoff", tokenBudget=300)
    assert found["structuredContent"]["facts"]
    released.set()
    assert level_of(asking.answer(waiting)) == "level-1, extractive"


@pytest.mark.parametrize("endpoint", [hangs], indirect=True)
def test_a_server_ends_while_the_model_hangs(asking: Session, endpoint: Endpoint) -> None:
    asking.ask("tools/call", name="context_get", arguments={"key": "server", "level": 1})
    assert endpoint.was_asked.wait(30)
    asking.process.terminate()
    assert asking.process.wait(30) == 0


@pytest.mark.parametrize("endpoint", [always(401, b"who")], indirect=True)
def test_a_server_says_once_why_a_model_is_left_alone(asking: Session, endpoint: Endpoint) -> None:
    for level in (1, 2, 3, 1):
        answer = asking.call("context_get", key="server", level=level)
        assert not answer.get("isError")
    stats = asking.call("context_stats")
    assert "2 requests to the language model; 2 questions failed." in stats["content"][0]["text"]
    assert stats["structuredContent"]["summariesFailed"] == len(endpoint.asked) == 2
    errors = asking.end()
    host = endpoint.url.removeprefix("http://").partition("/")[0]
    (line,) = [line for line in errors.splitlines() if "left alone" in line]
    assert line.endswith(
        f"the model at {host} failed 2 times in a row, at last: the endpoint answered status 401;"
        " it is left alone for 60 s"
    )
    assert KEY not in errors
