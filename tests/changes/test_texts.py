from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.changes import Piece, Row, compare_texts
from doctrove_builder.changes.texts import words_of

LINES = st.lists(
    st.sampled_from(
        [
            "",
            "A word or two.",
            "A word or three.",
            "```js",
            "```",
            "let a = 1;",
            "日本語 text",
            "~~~",
        ]
    ),
    max_size=20,
)


def side(rows: tuple[Row, ...], left_out: str, folded: list[str]) -> str:
    """Return one side's text; folded lines are taken from `folded`, the lines of that side."""
    text = ""
    for row in rows:
        text += "".join(piece.text for piece in row.pieces if piece.kind != left_out)
        at = text.count("\n")
        text += "".join(f"{line}\n" for line in folded[at : at + row.folded])
    return text


@given(LINES, LINES)
def test_the_rows_tell_both_texts(old: list[str], new: list[str]) -> None:
    rows = compare_texts("\n".join(old), "\n".join(new))
    was, now = ("\n".join(text).split("\n") if "\n".join(text) else [] for text in (old, new))
    assert side(rows, "added", was) == "".join(f"{line}\n" for line in was)
    assert side(rows, "removed", now) == "".join(f"{line}\n" for line in now)


@given(LINES)
def test_a_text_does_not_differ_from_itself(lines: list[str]) -> None:
    rows = compare_texts("\n".join(lines), "\n".join(lines))
    assert {piece.kind for row in rows for piece in row.pieces} <= {"same"}


@given(st.text())
def test_words_are_the_whole_text(text: str) -> None:
    assert "".join(words_of(text)) == text


CASES = {
    "a word": (
        "The answer is forty two, as always.",
        "The answer is forty three, as always.",
        [("same", "The answer is forty "), ("removed", "two"), ("added", "three")],
    ),
    "an accent is part of its word": (
        "Ein Käfer krabbelt über den Weg.",
        "Ein Kater krabbelt über den Weg.",
        [("same", "Ein "), ("removed", "Käfer"), ("added", "Kater")],
    ),
    "characters of Chinese text are words": (
        "解析日期和时间",
        "解析日期或时间",
        [("same", "解析日期"), ("removed", "和"), ("added", "或")],
    ),
    "punctuation between differences is a part of them": (
        "Call it with `a.b` and wait for the answer of the server.",
        "Call it with `c.d` and wait for the answer of the server.",
        [("same", "Call it with `"), ("removed", "a.b"), ("added", "c.d")],
    ),
    "passages with little in common stand one after the other": (
        "Nothing of this stays.",
        "Everything else comes instead.",
        [("removed", "Nothing of this stays.\n"), ("added", "Everything else comes instead.\n")],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), CASES.values(), ids=CASES)
def test_prose_is_compared_by_words(old: str, new: str, expected: list[tuple[str, str]]) -> None:
    (row,) = compare_texts(old, new)
    assert not row.is_code
    assert list(row.pieces[: len(expected)]) == [Piece(*piece) for piece in expected]


def test_prose_that_is_wrapped_anew_has_no_difference() -> None:
    (row,) = compare_texts("One two three\nfour five.", "One two\nthree four five.")
    assert row.pieces == (Piece("same", "One two\nthree four five.\n"),)


def test_code_is_compared_by_lines() -> None:
    old = "```js\nlet a = 1;\nlet b = 2;\n```"
    new = "```js\nlet a = 1;\nlet b = 3;\n```"
    rows = compare_texts(old, new)
    assert all(row.is_code for row in rows)
    assert [piece for row in rows for piece in row.pieces] == [
        Piece("same", "```js\nlet a = 1;\n"),
        Piece("removed", "let b = 2;\n"),
        Piece("added", "let b = 3;\n"),
        Piece("same", "```\n"),
    ]


def test_lines_far_from_a_difference_are_folded() -> None:
    lines = [f"Line number {n}." for n in range(20)]
    rows = compare_texts("\n".join(lines), "\n".join([*lines[:10], "A new one.", *lines[10:]]))
    assert [row.folded for row in rows] == [8, 0, 0, 0, 8]
    assert rows[1].pieces[0].text == "Line number 8.\nLine number 9.\n"


def test_a_fence_that_never_ends_is_code_to_the_end() -> None:
    rows = compare_texts("Text\n~~~\na\n```\nb", "Text\n~~~\na\n```\nc")
    assert [row.is_code for row in rows] == [False, True, True]
