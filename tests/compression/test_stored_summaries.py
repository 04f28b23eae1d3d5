from __future__ import annotations

import pytest

from doctrove_server.compression.packing import Candidate, Packed, pack
from doctrove_server.compression.shelf import Shelf
from doctrove_server.compression.stored import MOST_OF_BODY, stored_summary

SHELF = Shelf()
COUNT = SHELF.counts.count
SUMMARY = (
    "`port` defaults to `8730`, `host` to `127.0.0.1`. `Server.run` raises `PortInUse` when the"
    " port is taken."
)


def summed_up(section: str, summary: str, room: int = 1_000, query: str = "") -> Packed:
    candidate = Candidate("Server", section, summary=summary)
    (one,) = pack((candidate,), query=query, room=room, detail="summary", shelf=SHELF)
    return one


@pytest.mark.parametrize("query", ["", "backoff"])
def test_a_stored_summary_that_holds_is_shown_and_says_its_level(section: str, query: str) -> None:
    shown = summed_up(section, SUMMARY, query=query)
    assert (shown.level, shown.text) == ("abstractive", SUMMARY)
    assert (shown.tokens, shown.original_tokens) == (COUNT(SUMMARY), COUNT(section))
    assert 0 < shown.retention < 1


@pytest.mark.parametrize(
    "summary",
    [
        pytest.param("", id="none"),
        pytest.param("`port` defaults to `8731`.", id="another value"),
        pytest.param("`portal` is where it listens.", id="another name"),
        pytest.param("`Server.run` does retry by itself.", id="a denial dropped"),
        pytest.param("Birds sing in old trees.", id="about something else"),
        pytest.param("```python\nserver = Server(port=8730)", id="an open fence"),
        pytest.param(SUMMARY * 10, id="as long as the section"),
    ],
)
def test_one_that_does_not_hold_gives_way_to_the_sections_own_words(
    section: str, summary: str
) -> None:
    shown = summed_up(section, summary)
    assert shown.level == "summary"
    assert shown.text == summed_up(section, "").text


def test_one_that_does_not_fit_is_not_cut(section: str) -> None:
    shown = summed_up(section, SUMMARY, room=12 + COUNT(SUMMARY) - 1)
    assert shown.level == "summary"


def test_a_huge_section_is_not_compared_with_its_summary() -> None:
    body = "`port` is set. " * 5_000
    assert stored_summary(body, "`port` is set.", 1_000, SHELF) is None
    assert len("`port` is set.") < MOST_OF_BODY * len(body)
