"""How sections are ranked for a focus: the seed's score, ties by relevance, the fused profile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_schema.model import Section
from doctrove_server.ranking.sections import PROFILES, SectionHit, fused, tiered
from doctrove_server.ranking.volume import prepared
from doctrove_server.ranking.words import words


def section(heading: str, body: str = "", symbols: tuple[str, ...] = ()) -> Section:
    return Section(id=heading, heading=heading, body=body, symbols=symbols)


def ranked(sections: list[Section], focus: str) -> tuple[SectionHit, ...]:
    return tiered(prepared(sections), focus)


@pytest.mark.parametrize(
    ("heading", "body", "score", "matches"),
    [
        ("a b c", "", 1, ("heading hit: 3 words",)),
        ("A", "b", 0.5, ("heading hit: 1 word", "body hit: 1 word")),
        ("x", "a b c", 0.5, ("body hit: 3 words",)),
        ("x", "c", 0.1667, ("body hit: 1 word",)),
        ("a", "a", 0.3333, ("heading hit: 1 word",)),
    ],
)
def test_the_golden_scores_hold(
    heading: str, body: str, score: float, matches: tuple[str, ...]
) -> None:
    (hit,) = ranked([section(heading, body)], "a b c")
    assert (hit.score, hit.matches) == (score, matches)


@pytest.mark.parametrize("focus", ["zzz", "!!!"])
def test_sections_without_a_word_of_the_focus_are_left_out(focus: str) -> None:
    assert ranked([section("Routing", "Paths and methods")], focus) == ()


def test_words_of_the_focus_count_once() -> None:
    (hit,) = ranked([section("x", "route")], "route route ROUTE")
    assert hit.score == 0.5


def test_equal_scores_are_ordered_by_relevance() -> None:
    sections = [
        section("One", "cache " + "filler words that make it long " * 20),
        section("Two", "cache cache cache"),
        section("Three", "about the cache of responses"),
    ]
    hits = ranked(sections, "cache")
    assert {hit.score for hit in hits} == {0.5}
    assert [hit.section for hit in hits] == [1, 2, 0]


def test_parts_of_identifiers_and_stems_decide_ties_alone() -> None:
    sections = [
        section("One", "logging of things"),
        section("Two", "logging", symbols=("app.setLogging",)),
    ]
    assert [hit.section for hit in ranked(sections, "set logging")] == [1, 0]
    assert {hit.score for hit in ranked(sections, "set logging")} == {0.25}


def test_equals_of_both_keep_their_order() -> None:
    sections = [section(f"S{n}", "same words here") for n in range(6)]
    assert [hit.section for hit in ranked(sections, "words")] == list(range(6))


def test_the_fused_profile_finds_other_forms_of_a_word() -> None:
    sections = [section("Route paths", "How a path is matched."), section("Errors", "Codes.")]
    volume = prepared(sections)
    assert tiered(volume, "routing matching") == ()
    assert [hit.section for hit in fused(volume, "routing matching")] == [0]


TEXTS = st.lists(
    st.sampled_from(["routing", "routes", "Cache", "setCache", "x", "y", "日期", "é"]), max_size=6
).map(" ".join)
SECTIONS = st.lists(st.builds(section, TEXTS, TEXTS), max_size=6)


@given(SECTIONS, TEXTS)
def test_the_score_is_the_law_of_the_seed(sections: list[Section], focus: str) -> None:
    terms = words(focus)
    for hit in ranked(sections, focus):
        found = sections[hit.section]
        heading = [term for term in terms if term in words(found.heading)]
        body = [t for t in terms if t not in heading and t in words(found.body)]
        expected = (2 * len(heading) + len(body)) / (2 * len(terms))
        assert abs(hit.score - min(1, expected)) <= 0.00005 + 1e-12


@given(SECTIONS, TEXTS, st.sampled_from(sorted(PROFILES)))
def test_every_profile_orders_by_score_and_finds_what_shares_a_word(
    sections: list[Section], focus: str, profile: str
) -> None:
    rank = {"tiered": tiered, "fused": fused}[profile]
    hits = rank(prepared(sections), focus)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert len({hit.section for hit in hits}) == len(hits)
    sharing = {
        number
        for number, one in enumerate(sections)
        if set(words(focus)) & set(words(f"{one.heading} {one.body}"))
    }
    assert sharing <= {hit.section for hit in hits}
    if profile == "tiered":
        assert sharing == {hit.section for hit in hits}
