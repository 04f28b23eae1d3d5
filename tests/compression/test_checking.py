from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doctrove_server.compression.abstractive import MOST_DRIFT, Question, judged, question
from doctrove_server.compression.checking import faults
from doctrove_server.compression.concepts import analysed
from doctrove_server.compression.embedding import LexicalEmbedder, drift

if TYPE_CHECKING:
    from doctrove_server.compression.shelf import Shelf

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


def asked_about(text: str, budget: int = 150) -> Question:
    found = question(text, budget, tokens=1_000, model="small")
    assert found is not None
    return found


@pytest.mark.parametrize(
    "answer",
    [
        f"<documentation>\n{GOOD}\n</documentation>",
        f"```markdown\n{GOOD}\n```",
        f"\n  {GOOD}\n\n",
    ],
    ids=["our marks", "a fence", "blanks"],
)
def test_what_stands_around_an_answer_is_taken_away(
    answer: str, section: str, shelf: Shelf
) -> None:
    assert judged(asked_about(section), answer, shelf=shelf).text == GOOD


@pytest.mark.parametrize(
    ("more", "kept"),
    [(" Since version", ""), ("\nThe option `backoff", ""), ("\n\n- `port`", "\n\n- `port`")],
    ids=["stopped in a line", "stopped in a name", "an item"],
)
def test_a_sentence_that_was_stopped_is_left_out(
    more: str, kept: str, section: str, shelf: Shelf
) -> None:
    assert judged(asked_about(section), GOOD + more, shelf=shelf).text == GOOD + kept


def test_an_open_code_span_is_refused(section: str, shelf: Shelf) -> None:
    assert judged(asked_about(section), "It listens on `port.", shelf=shelf).faults
