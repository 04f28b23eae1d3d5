from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"], id="plain"),
        pytest.param(
            "Use it, e.g. Express, or i.e. Zod. Done.",
            ["Use it, e.g. Express, or i.e. Zod.", "Done."],
            id="abbreviations",
        ),
        pytest.param(
            "Needs Node.js 5.1.0. Then go.",
            ["Needs Node.js 5.1.0.", "Then go."],
            id="versions and dotted names",
        ),
        pytest.param("Call `a. B` first. Next.", ["Call `a. B` first.", "Next."], id="code spans"),
        pytest.param(
            "See [the docs](https://a.b/c. D) now. End.",
            ["See [the docs](https://a.b/c. D) now.", "End."],
            id="link targets",
        ),
        pytest.param(
            "它返回一个值。然后结束\uff01", ["它返回一个值。", "然后结束\uff01"], id="Chinese"
        ),
        pytest.param("これは値です。次へ。", ["これは値です。", "次へ。"], id="Japanese"),
        pytest.param("By D. Knuth in 1974. Yes.", ["By D. Knuth in 1974.", "Yes."], id="initials"),
        pytest.param("1. First of all", ["1. First of all"], id="enumeration"),
        pytest.param(
            "It ends (really.) Next one.", ["It ends (really.)", "Next one."], id="closing bracket"
        ),
        pytest.param("", [], id="empty"),
    ],
)
def test_sentences_end_where_people_end_them(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text("ab. `[]()\n\u3002!A1", max_size=200))
def test_nothing_but_blanks_is_lost(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


@pytest.mark.parametrize("filler", ["a", "a.", "`a", "`", "\u4e2d", "(", "]("])
def test_a_very_long_word_is_read_in_time_that_grows_with_its_length(filler: str) -> None:
    # In time that grows with the square of it, this would take minutes.
    text = f"First. {filler * 200_000} `x. Then `y` ends. Last."
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
