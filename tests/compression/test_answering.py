from __future__ import annotations

import json
import re
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
    """Return the tokens of the larger channel, the structure written in the ways clients do."""
    forms = (
        json.dumps(answer.data, separators=(",", ":"), ensure_ascii=escaped)
        for escaped in (True, False)
    )
    return max(COUNT(answer.text), *map(COUNT, forms))


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


BOILERPLATE = (
    "Every call of the client opens a new connection and closes it when the answer is read."
)


def alike(number: int) -> Section:
    """Return a long section that says what others say, and one thing more."""
    rest = " ".join(f"Of the {n} others `client_{number}` knows nothing." for n in range(90))
    body = f"{BOILERPLATE} The `client_{number}` keeps {number} connections open.\n\n{rest}"
    return Section(id=f"page/{number}", heading=f"Client {number}", body=body)


@pytest.mark.parametrize("budget", [200, 300, 420, 900])
def test_a_sentence_is_not_given_twice(budget: int) -> None:
    sections = [alike(n) for n in range(9)]
    answer = budgeted(ask(pick(sections), budget, focus="client connection"), SHELF)
    assert answer.text.count(BOILERPLATE) == written(answer).count(BOILERPLATE) == 1
    assert answer.text.count(" connections open.") > 1


def test_a_sentence_of_a_whole_section_is_not_given_again() -> None:
    first = Section(id="first", heading="Client", body=f"The client. {BOILERPLATE}")
    others = [
        Section(id=f"n{n}", heading="Client", body=f"{BOILERPLATE}\n\n" + f"Part {n} is it. " * 60)
        for n in range(4)
    ]
    answer = budgeted(ask(pick([first, *others]), 350, focus="client connection"), SHELF)
    assert listed(answer, "sections")[0]["level"] == "full"
    assert len(listed(answer, "sections")) > 1
    assert answer.text.count(BOILERPLATE) == written(answer).count(BOILERPLATE) == 1


WITHOUT_UNITS_THAT_FIT = {
    "emoji": "\U0001f600" * 4000,
    "one sentence": "word " * 9_000,
    "no blanks": "x1" * 9_000,
    "code": "```python\n" + "\n".join(f"x{n} = {n}" for n in range(900)) + "\n```\n",
    "quotes": '"\\' * 3_000,
    "a span": f"`{'name ' * 4_000}`",
}


@pytest.mark.parametrize("budget", [100, 260, 1_600])
@pytest.mark.parametrize("body", WITHOUT_UNITS_THAT_FIT.values(), ids=WITHOUT_UNITS_THAT_FIT)
def test_a_section_of_which_no_unit_fits_gives_its_beginning(body: str, budget: int) -> None:
    of = pick([Section(id="it", heading="It", body=body)])
    asked = msgspec.structs.replace(ask(of, budget), is_by_id=True)
    answer = budgeted(asked, SHELF)
    (one,) = listed(answer, "sections")
    assert one["level"] == "start"
    assert COUNT(json.dumps(one["body"])) > budget / 5
    shown = one["body"].split("\u2026")[0].split("\n# ...")[0]
    assert shown.strip()
    assert shown in body
    assert answer.text.count("```") % 2 == 0
    assert largest(answer) <= budget


@pytest.mark.parametrize("name", ["emoji", "code", "quotes", "story", "real"])
def test_the_budget_that_is_advised_for_a_section_holds_it_whole(
    name: str, story: str, section: str
) -> None:
    bodies = {**WITHOUT_UNITS_THAT_FIT, "story": story, "real": section * 9}
    bodies["emoji"] = bodies["emoji"][:900]
    of = pick([Section(id=name, heading=name, body=bodies[name], path="https://example.org/a")])
    answer = budgeted(msgspec.structs.replace(ask(of, 150), is_by_id=True), SHELF)
    advised = re.search(r"pass `tokenBudget` (\d+) for the whole", answer.text)
    assert advised
    assert advised[0].replace("`", "")[1:] in str(answer.data["next"])
    whole = budgeted(msgspec.structs.replace(ask(of, int(advised[1])), is_by_id=True), SHELF)
    assert [one["level"] for one in listed(whole, "sections")] == ["full"]
    assert "next" not in whole.data
    assert "---\n" not in whole.text
    assert largest(whole) > int(advised[1]) * 0.8


def test_a_section_whose_structure_no_budget_holds_comes_with_its_address() -> None:
    of = pick([Section(id="it", heading="It", body=WITHOUT_UNITS_THAT_FIT["emoji"])])
    answer = budgeted(msgspec.structs.replace(ask(of, 3_000), is_by_id=True), SHELF)
    assert answer.data["next"] == "Read doctrove://library/1.2.0/it for the whole."


@pytest.mark.parametrize("budget", [100, 300, 2_000])
def test_a_section_above_every_budget_comes_with_its_address(budget: int, section: str) -> None:
    huge = Section(id="page/huge", heading="Huge", body="word " * 22_000)
    address = "doctrove://library/1.2.0/page%2Fhuge"
    alone = budgeted(msgspec.structs.replace(ask(pick([huge]), budget), is_by_id=True), SHELF)
    assert f"read {address} for the whole" in alone.text
    assert address in str(alone.data["next"])
    if budget > 1_500:
        both = pick([Section(id="server", heading="Server", body=section), huge])
        answer = budgeted(ask(both, budget), SHELF)
        assert f"read {address}" in answer.text
        assert listed(answer, "omitted")[0]["uri"] == address


def test_the_size_of_what_is_left_out_is_what_is_said_of_it_when_it_is_read(
    section: str, story: str
) -> None:
    of = pick(
        [Section(id="a", heading="A", body=section), Section(id="b", heading="B", body=story)]
    )
    for one in listed(budgeted(ask(of, 260), SHELF), "omitted"):
        place = ["a", "b"].index(one["id"])
        asked = msgspec.structs.replace(ask(of, 2_000), hits=(SectionHit(place, 0, ()),))
        (read,) = listed(budgeted(asked, SHELF), "sections")
        assert read["level"] == "full"
        assert read["originalTokens"] == read["tokens"] == one["tokens"]


@pytest.mark.parametrize("budget", [100, 125, 150, 250, 400])
def test_a_small_budget_is_for_content_not_for_the_ledger(budget: int, section: str) -> None:
    sections = [
        Section(id=f"page/{n}", heading=f"Heading number {n}", body=section) for n in range(40)
    ]
    answer = budgeted(ask(pick(sections), budget, focus="port"), SHELF)
    ledger = answer.text.split("\n---\n")[1]
    assert COUNT(ledger) <= max(0.3 * budget, 25)
    assert "more" in ledger
    assert "tokenBudget" in str(answer.data["next"])
    assert COUNT(answer.text) > budget * 0.75


def test_other_scripts_fill_the_text_and_stay_within_the_budget_however_json_is_written() -> None:
    body = "".join(
        f"\u7b2c{n}\u7ae0\u8bf4\u660e\u6570\u636e\u5e93\u9519\u8bef\u3002" for n in range(400)
    )
    of = pick([Section(id=str(n), heading="\u6570\u636e", body=body) for n in range(3)])
    for budget in (150, 600, 3_000):
        answer = budgeted(ask(of, budget), SHELF)
        assert COUNT(answer.text) > 0.8 * budget
        assert 0.6 * budget < largest(answer) <= budget
        assert listed(answer, "sections")
        # There is no blank after the full stop of such a script.
        assert "\u3002 " not in answer.text


def test_the_ledger_has_the_rest_of_what_is_shown_in_part(story: str) -> None:
    answer = budgeted(ask(pick([Section(id="story", heading="Story", body=story)]), 300), SHELF)
    found = re.search(r"Left out: (\d+) tokens of 1 section shown in part", answer.text)
    assert found
    assert f"units: {COUNT(story) - int(found[1])} of {COUNT(story)} tokens" in answer.text
    assert str(answer.data["next"]).startswith("Pass sections with ids")


def test_what_answers_keep_is_counted(section: str, story: str) -> None:
    shelf = Shelf()
    of = pick(
        [Section(id="a", heading="A", body=section), Section(id="b", heading="B", body=story)]
    )
    answers = [budgeted(ask(of, budget), shelf) for budget in (150, 700, 5_000)]
    shown = [one for answer in answers for one in listed(answer, "sections")]
    stats = shelf.stats.shown
    assert (stats.answers, stats.sections) == (3, len(shown))
    assert 0 < stats.mean_retention < 1
    assert 0 < stats.mean_ratio < 1


def test_a_section_of_which_nothing_is_left_is_not_named_as_shown() -> None:
    leads = "To make an option required, see the list of `options`:\n\n" + "- a word " * 90
    fits = "An option is made required with `required=True`. " * 2
    of = pick(
        [
            Section(id="leads", heading="Make an option required", body=leads),
            Section(id="fits", heading="Options", body=fits + "Other words stand here. " * 90),
        ]
    )
    for budget in (100, 130, 150, 200, 300):
        answer = budgeted(ask(of, budget, focus="how to make an option required"), SHELF)
        for one in listed(answer, "sections"):
            assert str(one["body"]).strip()
        assert " 0 of" not in answer.text
