from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from doctrove_schema.model import Entry, Section, Volume
from doctrove_schema.versions import Scheme, select
from doctrove_server.catalog.catalog import Holding
from doctrove_server.compression.answering import budgeted
from doctrove_server.compression.asking import LARGEST_BUDGET, SMALLEST_BUDGET, Ask
from doctrove_server.compression.counting import BOUND
from doctrove_server.compression.packing import DETAILS, Detail
from doctrove_server.compression.shelf import Shelf
from doctrove_server.ranking.sections import SectionHit, tiered
from doctrove_server.ranking.volume import prepared
from doctrove_server.tools.extracted import Pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from doctrove_server.tools.answer import Answer

SHELF = Shelf()
COUNT = SHELF.counts.count
TEXTS = st.text('ab `~\n#->|:!*[]()<{\u4e2d\U0001f600"\\1.', max_size=300)
NAMES = st.text(min_size=1, max_size=12)


def pick(sections: Sequence[Section], *, name: str = "Library", version: str = "1.2.0") -> Pick:
    volume = Volume(sections=tuple(sections))
    entry = Entry(id="library", name=name, versions=(version,), volumes={version: volume})
    selection = select(None, (version,), Scheme.LABEL)
    return Pick(
        holding=Holding(entry=entry, source="local:index"), selection=selection, volume=volume
    )


def ask(of: Pick, budget: int, *, detail: Detail = "auto", focus: str = "") -> Ask:
    hits = tiered(prepared(of.volume.sections), focus) if focus else ()
    hits = hits or tuple(SectionHit(place, 0, ()) for place in range(len(of.volume.sections)))
    return Ask(
        pick=of,
        hits=hits[:12],
        further=hits[12:],
        requested="latest",
        focus=focus,
        budget=budget,
        detail=detail,
    )


def listed(answer: Answer, name: str) -> list[dict[str, Any]]:
    return msgspec.convert(answer.data[name], list[dict[str, Any]])


def written(answer: Answer) -> str:
    """Return the structure as the server writes it."""
    return msgspec.json.encode(answer.data).decode()


def largest(answer: Answer) -> int:
    """Return the tokens of the larger channel."""
    return max(COUNT(answer.text), COUNT(written(answer)))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.builds(Section, id=NAMES, heading=st.text(max_size=40), body=TEXTS), max_size=8),
    st.integers(SMALLEST_BUDGET, 800),
    st.sampled_from(DETAILS),
    st.text(max_size=20),
    NAMES,
)
def test_no_channel_is_ever_above_its_budget(
    sections: list[Section], budget: int, detail: Detail, focus: str, name: str
) -> None:
    answer = budgeted(ask(pick(sections, name=name), budget, detail=detail, focus=focus), SHELF)
    assert largest(answer) <= budget


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("budget", [100, 137, 400, 1500, 6000, LARGEST_BUDGET])
def test_no_channel_of_real_documentation_is_above_its_budget(
    real_sections: tuple[str, ...], budget: int, detail: Detail
) -> None:
    for start in range(0, len(real_sections), 15):
        sections = [
            Section(
                id=f"page/part-{n}",
                heading=text.split("\n", 1)[0].strip("# ")[:80],
                body=text,
                tokens=COUNT(text),
            )
            for n, text in enumerate(real_sections[start : start + 15])
        ]
        for focus in ("", "default option configure error"):
            answer = budgeted(ask(pick(sections), budget, detail=detail, focus=focus), SHELF)
            assert largest(answer) <= budget


@pytest.mark.parametrize(
    "hostile",
    [
        Section(id="x" * 9000, heading="h" * 9000, body="b" * 9000, path="p" * 9000),
        Section(id="\u4e2d" * 400, heading="\U0001f600" * 400, body="\U0001f600" * 4000),
        Section(id="q", heading='"' * 300, body='"\\' * 3000),
        Section(id="n", heading="\n\n", body="\n" * 5000),
        Section(id="f", heading="fence", body="```\n" * 2001),
    ],
    ids=["long names", "emoji", "quotes", "blank", "fences"],
)
@pytest.mark.parametrize("budget", [100, 500, 3000])
def test_no_hostile_section_breaks_a_budget(hostile: Section, budget: int) -> None:
    for detail in DETAILS:
        answer = budgeted(
            ask(pick([hostile] * 3, name="n" * 999), budget, detail=detail, focus="b"), SHELF
        )
        assert largest(answer) <= budget


def test_whole_sections_come_first_and_the_rest_is_in_the_ledger(section: str, story: str) -> None:
    sections = [
        Section(id="server", heading="Server", body=section, tokens=267),
        Section(id="story", heading="Story", body=story, tokens=700),
        Section(id="more", heading="More", body=story, tokens=700),
    ]
    answer = budgeted(ask(pick(sections), 600), SHELF)
    assert section.strip() in answer.text
    shown = listed(answer, "sections")
    assert (shown[0]["id"], shown[0]["level"], shown[0]["body"]) == ("server", "full", section)
    assert shown[0]["ratio"] == shown[0]["retention"] == 1.0
    named = [one["id"] for one in (*shown, *listed(answer, "omitted"))]
    assert {"server", "story", "more"} <= set(named)
    assert "pass `sections` with ids, or a larger `tokenBudget`" in answer.text


def test_a_shortened_section_says_how_much_of_it_is_shown(story: str) -> None:
    answer = budgeted(ask(pick([Section(id="story", heading="Story", body=story)]), 300), SHELF)
    (one,) = listed(answer, "sections")
    assert one["level"] == "units"
    assert 0 < one["tokens"] < one["originalTokens"] == COUNT(story)
    assert 0 < one["ratio"] < 1
    assert f"of {COUNT(story)} tokens" in answer.text


def test_a_ledger_that_is_too_long_is_shortened_and_says_so(section: str) -> None:
    sections = [
        Section(id=f"page/{n}", heading=f"Heading number {n}", body=section) for n in range(40)
    ]
    answer = budgeted(ask(pick(sections), 300), SHELF)
    assert "more, not named for room" in answer.text
    assert answer.data["omittedUnnamed"]


def test_without_a_tokenizer_the_budget_holds_and_the_answer_says_so(story: str) -> None:
    of = pick([Section(id="story", heading="Story", body=story)])
    for budget in (100, 400, 2000):
        answer = budgeted(ask(of, budget, focus="module_7"), Shelf(BOUND))
        assert largest(answer) <= budget
        assert answer.data["estimated"] is True
        assert "estimated" in answer.text


def test_nothing_found_is_said_in_both_channels() -> None:
    answer = budgeted(ask(pick([]), 100), SHELF)
    assert answer.data["total"] == 0
    assert "No section matches" in answer.text
