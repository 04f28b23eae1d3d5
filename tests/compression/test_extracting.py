from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from doctrove_schema.model import Entry, Section, Volume
from doctrove_schema.versions import Scheme, select
from doctrove_server.catalog.catalog import Holding
from doctrove_server.compression.extracting import (
    BudgetArgs,
    Found,
    sections_asked,
    under_ceiling,
    within_budget,
)
from doctrove_server.compression.shelf import Shelf
from doctrove_server.errors import InvalidArguments
from doctrove_server.ranking.sections import SectionHit
from doctrove_server.tools.answer import Answer
from doctrove_server.tools.extract import PARAMETERS
from doctrove_server.tools.extracted import Pick
from doctrove_server.tools.parameters import checked

SHELF = Shelf()
COUNT = SHELF.counts.count


@pytest.fixture
def found(section: str, story: str) -> Found:
    sections = (
        Section(id="server", heading="Server", body=section, tokens=267),
        Section(id="story/long", heading="Story", body=story, tokens=600),
        Section(id="end", heading="End", body="The end."),
    )
    volume = Volume(sections=sections)
    entry = Entry(id="library", name="Library", versions=("1.2.0",), volumes={"1.2.0": volume})
    pick = Pick(
        holding=Holding(entry=entry, source="local"),
        selection=select(None, ("1.2.0",), Scheme.SEMVER),
        volume=volume,
    )
    hits = tuple(SectionHit(place, 0.5, ("heading hit: 1 word",)) for place in range(3))
    return Found(pick=pick, hits=hits, shown=2, requested="latest", focus="module_7")


def shown(answer: Answer) -> list[dict[str, Any]]:
    return msgspec.convert(answer.data["sections"], list[dict[str, Any]])


def test_the_parameters_are_checked_like_the_others() -> None:
    given = {"id": "a", "tokenBudget": 100, "detail": "gist"}
    assert checked("doc_extract", PARAMETERS, given) == given
    for wrong in (99, 20_001, "100"):
        with pytest.raises(InvalidArguments, match="tokenBudget"):
            checked("doc_extract", PARAMETERS, {"id": "a", "tokenBudget": wrong})


def test_a_budget_goes_through_all_that_was_found(found: Found) -> None:
    answer = within_budget(found, BudgetArgs(token_budget=600), shelf=SHELF, ceiling=8000)
    assert shown(answer)[0]["id"] == "server"
    assert "`module_7`" in answer.text
    assert COUNT(answer.text) <= 600


def test_sections_are_given_by_their_ids_in_the_order_asked_for(found: Found) -> None:
    hits = sections_asked(found.pick, ("end", "server", "end"))
    assert [found.pick.volume.sections[hit.section].id for hit in hits] == ["end", "server"]
    asked = msgspec.structs.replace(found, hits=hits)
    answer = within_budget(asked, BudgetArgs(sections=("end", "server")), shelf=SHELF, ceiling=8000)
    assert [(one["id"], one["level"]) for one in shown(answer)] == [
        ("end", "full"),
        ("server", "full"),
    ]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (["servr"], 'Did you mean "server"'),
        (
            ["", ""],
            r'must name 1 to 50 .*doc_extract\(\{"id": "library", "sections": \["server"\]\}\)',
        ),
        ([str(n) for n in range(51)], "must name 1 to 50"),
    ],
)
def test_ids_that_are_none_are_refused(found: Found, ids: list[str], message: str) -> None:
    with pytest.raises(InvalidArguments, match=message):
        sections_asked(found.pick, ids)


def test_a_detail_that_is_none_is_refused_with_those_that_are(found: Found) -> None:
    with pytest.raises(InvalidArguments, match="auto, full, summary, facts, gist"):
        within_budget(found, BudgetArgs(token_budget=600, detail="tiny"), shelf=SHELF, ceiling=0)


def test_a_plain_answer_below_the_ceiling_stays_as_it_is(found: Found) -> None:
    plain = Answer(text="text", data={"sections": []})
    assert under_ceiling(plain, found, shelf=SHELF, ceiling=8000) is plain
    near = Answer(text="word " * 900, data={"sections": []})
    assert under_ceiling(near, found, shelf=SHELF, ceiling=1000) is near


def test_other_scripts_count_as_the_server_writes_them(found: Found) -> None:
    body = "\u6570\u636e\u5e93\u9519\u8bef" * 150
    plain = Answer(text=body, data={"sections": [{"body": body}]})
    escaped = json.dumps(plain.data)
    assert COUNT(body) < 1000 < COUNT(escaped)
    assert under_ceiling(plain, found, shelf=SHELF, ceiling=1000) is plain


def test_without_a_budget_and_a_ceiling_named_sections_come_whole(found: Found) -> None:
    pick = msgspec.structs.replace(
        found.pick,
        volume=Volume(sections=(Section(id="huge", heading="Huge", body="word " * 25_000),)),
    )
    huge = msgspec.structs.replace(found, pick=pick, hits=found.hits[:1])
    answer = within_budget(huge, BudgetArgs(sections=("huge",)), shelf=SHELF, ceiling=0)
    assert COUNT(answer.text) > 25_000
    assert shown(answer)[0]["level"] == "full"


@pytest.mark.parametrize("channel", ["text", "data"])
def test_a_plain_answer_above_the_ceiling_is_cut_and_says_what_is_left_out(
    found: Found, channel: str
) -> None:
    huge = "word " * 5000
    plain = Answer(
        text=huge if channel == "text" else "", data={"body": huge} if channel == "data" else {}
    )
    assert under_ceiling(plain, found, shelf=SHELF, ceiling=0) is plain
    answer = under_ceiling(plain, found, shelf=SHELF, ceiling=500)
    assert COUNT(answer.text) <= 500
    assert COUNT(json.dumps(answer.data, separators=(",", ":"))) <= 500
    assert "Left out" in answer.text
    assert answer.data["omitted"]
