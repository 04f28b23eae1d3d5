"""How texts are cut into words and ranking terms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.ranking.places import four_places
from doctrove_server.ranking.stems import stem
from doctrove_server.ranking.words import ends_word, folded, ranking_terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Node.js", ("node", "js")),
        ("C++ and C#", ("c", "and")),
        ("a_b-c", ("a", "b", "c")),
        ("set_logging setLogging", ("set", "logging", "setlogging")),
        ("café", ("café",)),
        ("cafe\u0301", ("café",)),
        ("ÜBER über", ("über",)),
        ("日期库", ("日", "期", "库")),
        ("ルーティング", ("ル", "ー", "テ", "ィ", "ン", "グ")),
        ("경로", ("경", "로")),
        ("маршрут Δοκιμή", ("маршрут", "δοκιμή")),
        ("\uff21\uff22\uff23\uff11\uff12", ("abc12",)),
        ("मार्ग", ("मार्ग",)),
        ("the the THE", ("the",)),
        ("!!! ---", ()),
        ("", ()),
    ],
)
def test_a_text_is_cut_into_words(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("parameters", {"parameter"}),
        ("setLogging", {"setlog", "set", "log"}),
        ("HTTPServer2", {"httpserver2", "http", "server", "2"}),
        ("日", {"日"}),
    ],
)
def test_a_word_is_found_by_its_stem_and_its_parts(word: str, expected: set[str]) -> None:
    assert set(ranking_terms(word)) == expected


@pytest.mark.parametrize(
    "forms",
    [
        ("route", "routes", "routing", "routed"),
        ("query", "queries"),
        ("match", "matches", "matching", "matched"),
        ("run", "running"),
        ("validate", "validates", "validated", "validating"),
        ("parameter", "parameters"),
    ],
    ids=lambda forms: forms[0],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["class", "this", "status", "css", "api", "https", "string"])
def test_words_that_only_look_inflected_stay_apart(word: str) -> None:
    assert stem(word) in {word, word.removesuffix("s")}
    assert len(stem(word)) > 2


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ("expressjs-foo", 9, True),
        ("reactive", 1, False),
        ("react", 5, True),
        ("日期库", 2, True),
        ("日期x", 2, False),
        ("_chunk", 1, False),
        ("a.b", 1, True),
    ],
)
def test_a_word_ends_where_no_letter_follows(text: str, at: int, expected: bool) -> None:
    assert ends_word(text, at) is expected


@given(st.text(max_size=60))
def test_folding_is_stable_and_blind_to_letter_case(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert words(once) == words(text)


@given(st.text(max_size=200))
def test_a_word_has_at_least_one_term_and_each_is_folded(text: str) -> None:
    for word in words(text):
        terms = ranking_terms(word)
        assert terms
        assert all(term == folded(term) for term in terms)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0.03125, 0.0313),
        (0.09375, 0.0938),
        (1 / 3, 0.3333),
        (1 / 6, 0.1667),
        (1.0, 1.0),
        (0.0, 0.0),
    ],
)
def test_scores_are_rounded_half_up_to_four_places(score: float, expected: float) -> None:
    assert four_places(score) == expected


@given(st.floats(min_value=0, max_value=1))
def test_rounding_moves_a_score_by_half_a_place_at_most(score: float) -> None:
    assert abs(four_places(score) - score) <= 0.00005 + 1e-12
