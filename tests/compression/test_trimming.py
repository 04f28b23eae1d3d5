from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.phrases import phrase_of
from doctrove_server.compression.trimming import brief, trimmed


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("However, note that the port is fixed.", "The port is fixed."),
        ("Please note that `a` is really fast.", "`a` is fast."),
        ("It is not really fast.", "It is not really fast."),
        ("Now that all is there, go on.", "Now that all is there, go on."),
        ("You can, of course, use `b`.", "You can use `b`."),
        ("It is read once (as we said before).", "It is read once."),
        ("Then the port is fixed.", "The port is fixed."),
        ("Done \U0001f680 today.", "Done today."),
        ("`really very` stays.", "`really very` stays."),
    ],
)
def test_fillers_go(sentence: str, expected: str) -> None:
    assert trimmed(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The `port` is a number.", "`port` number."),
        ("You can set the `port`.", "set `port`."),
        (
            "The server reads its settings once, which makes it fast.",
            "server reads its settings once.",
        ),
        ("The server reads its settings once, unless told not to.",) * 2,
        ("If it is there, it is read.",) * 2,
        ("The value is not a number.", "value is not number."),
        ("A valid token is kept for an hour.", "valid token is kept for an hour."),
        ("A list of names, at most 30, is read.", "list of names, at most 30, is read."),
        ("It can be *stripped* (e.g. at the end).", "It can be stripped."),
    ],
    ids=[
        "article",
        "modal",
        "explanation",
        "condition",
        "main clause",
        "denial",
        "an hour",
        "value",
        "aside",
    ],
)
def test_a_telegram_is_as_true_as_the_sentence(sentence: str, expected: str) -> None:
    if sentence == expected:
        expected = expected.replace("The ", "")
    assert brief(sentence) == expected


PIECES = """
the a not never if unless 30 `x` `y` which because so using , ; ( ) is are it you can *b* "v" -
"""
WORDS = st.sampled_from(PIECES.split())


@given(st.lists(WORDS, max_size=40))
def test_no_denial_condition_span_or_value_is_lost(words: list[str]) -> None:
    text = " ".join(words)
    for told in (trimmed(text), brief(text), brief(trimmed(text))):
        left = told.split()
        for needed in ("not", "never", "if", "unless", "30", "`x`", '"v"'):
            assert left.count(needed) == words.count(needed)


@pytest.mark.parametrize(
    ("sentence", "said", "expected"),
    [
        ("The last part, `:path`, is kept.", "", "`:path`"),
        (
            "It is represented as a `float` of total seconds.",
            "",
            "represented as `float` of total seconds",
        ),
        ("Use `a` with `b` or `c`.", "`a` and `b`", "Use `a` with `b` or `c`"),
        ("Never use `a` twice.", "", "Never use `a` twice"),
        ("Nothing is named.", "", ""),
        ("Also, a wrong token raises `AuthError`.", "", "wrong token raises `AuthError`"),
        ("If `x` is set, `y` stays off.", "`x`", "`y`"),
        ("All of `a` is said.", "`a`", ""),
    ],
    ids=[
        "a clause",
        "words around",
        "what is new",
        "a denial stays",
        "no name",
        "what decides stays",
        "what holds on a condition",
        "nothing new",
    ],
)
def test_a_phrase_holds_what_is_new_and_the_words_around_it(
    sentence: str, said: str, expected: str
) -> None:
    assert phrase_of(sentence, said=said) == expected
