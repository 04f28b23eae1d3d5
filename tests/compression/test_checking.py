from __future__ import annotations

import pytest

from doctrove_server.compression.abstractive import MOST_DRIFT
from doctrove_server.compression.checking import faults
from doctrove_server.compression.concepts import analysed
from doctrove_server.compression.embedding import LexicalEmbedder, drift

GOOD = (
    '`port` is a number and defaults to `8730`, `host` to `"127.0.0.1"`. `Server.run` raises'
    " `PortInUse` when the port is taken; it does not retry by itself. `retries` is `3`, `backoff`"
    " is `0.5`. `Server.serve` replaces it since version 2.1. `SERVER_PORT` overrides `port`."
)


@pytest.mark.parametrize(
    ("summary", "wrong"),
    [
        pytest.param(GOOD, "", id="good"),
        pytest.param(
            "`timeout_ms` is how long a request may take.",
            "`timeout_ms` is not in the original",
            id="invented name",
        ),
        pytest.param(
            "`port` defaults to `8731`.", "8731 is not in the original", id="invented value"
        ),
        pytest.param(
            "`retries` defaults to `0.5`.",
            "0.5 stands beside other words",
            id="value of another name",
        ),
        pytest.param("The server does retry by itself.", "denies", id="denial dropped"),
        pytest.param(
            "The server listens on one port and never answers each request in its own task.",
            "denies",
            id="denial added",
        ),
        pytest.param("Call `Server(port=127)`.", "127", id="changed argument"),
        pytest.param("A server that does things.", "names are lost", id="names lost"),
    ],
)
def test_a_summary_is_checked_against_the_original(section: str, summary: str, wrong: str) -> None:
    expected = GOOD if "names" in wrong or not wrong else ""
    found = "; ".join(faults(summary, analysed(section), expected=expected))
    assert wrong in found if wrong else found == ""


def test_a_changed_boolean_is_found() -> None:
    original = analysed(
        "Use `@dataclass(slots=False)` here. The option `frozen` is true by default."
    )
    assert faults("Use `@dataclass(slots=True)` here.", original, expected="")
    assert faults("The option `frozen` is false by default.", original, expected="")
    assert not faults("Use `@dataclass(slots=False)` here.", original, expected="")


def test_drift_is_how_far_the_words_are_apart(section: str) -> None:
    embedder = LexicalEmbedder()
    assert drift(section, section, embedder=embedder) == 0.0
    assert 0 < drift(section, GOOD, embedder=embedder) < MOST_DRIFT
    assert drift(section, "Birds sing in old trees.", embedder=embedder) > MOST_DRIFT
