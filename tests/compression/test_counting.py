from __future__ import annotations

import string
from importlib import import_module

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.bound import most_tokens
from doctrove_server.compression.counting import BOUND, counting, pieces

EXACT = counting()
TOKENIZER = import_module("rs_bpe").openai.o200k_base()

CROWDED = (
    string.ascii_lowercase,
    "ABCXYZqjz bqgkEJ",
    "(){}[]<>/*.,:;'\"`#-=_ \n",
    "0123456789\u0663\u096b",
    "\u00e9\u00df\u0436\u4e2d\u6587\u65e5\u672c\U0001f600\U0001f468\u200d\U0001f4bb ",
    "\t\r\n \u00a0",
    "\t\r\n a\x00\x0b\x0c\x1f\x7f",
    "abc'SsTtLlDdMm ",
    " the value of Default configuration() is api/v1.2 ",
)


def test_the_dev_install_counts_exactly() -> None:
    assert EXACT.exact
    assert EXACT.count("hello world") == 2


def test_half_surrogates_are_counted_and_not_an_error() -> None:
    assert EXACT.count("a\ud800b") >= 2
    assert BOUND.count("a\ud800b") >= EXACT.count("a\ud800b")


def test_special_tokens_of_a_model_are_plain_text() -> None:
    assert EXACT.count("<|endoftext|>") > 1
    assert most_tokens("<|endoftext|>") >= EXACT.count("<|endoftext|>")


@given(st.text())
def test_no_text_has_more_tokens_than_its_bound(text: str) -> None:
    assert EXACT.count(text) <= most_tokens(text)


@pytest.mark.parametrize("alphabet", CROWDED)
@given(data=st.data())
def test_no_crowded_text_has_more_tokens_than_its_bound(alphabet: str, data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet, max_size=30))
    assert EXACT.count(text) <= most_tokens(text)


@given(st.lists(st.sampled_from(["Default", " word", "_x", ".get", "HTTPServer", "can't", "\n\n"])))
def test_no_text_of_joined_words_has_more_tokens_than_its_bound(parts: list[str]) -> None:
    text = "".join(parts)
    assert EXACT.count(text) <= most_tokens(text)


SEAMS = st.sampled_from(
    [
        "\n\n",
        "\\n",
        "\\n\\n",
        "\n",
        "\r\n",
        "/",
        " ",
        "\\",
        "\t",
        "n",
        "'s",
        "Word",
        " the",
        "12",
        ".",
    ]
)


@given(st.lists(st.one_of(SEAMS, st.text(max_size=3)), max_size=40))
def test_the_pieces_of_a_text_have_its_tokens_between_them(parts: list[str]) -> None:
    text = "".join(parts).encode("utf-8", "replace").decode()
    assert "".join(pieces(text)) == text
    assert sum(map(TOKENIZER.count, pieces(text))) == TOKENIZER.count(text)


def test_long_markdown_and_json_are_cut_into_pieces() -> None:
    markdown = "\n\n".join(["A paragraph.", "- an item", "/slash", "Another."])
    assert len(pieces(markdown)) == 3
    assert len(pieces(msgspec.json.encode(markdown).decode())) == 4


@pytest.mark.parametrize(
    ("text", "at_most"),
    [
        pytest.param(
            "The server reads the configuration file before it starts. " * 20, 1.3, id="prose"
        ),
        pytest.param("app.get('/users/:id', (req, res) => res.json(user));\n" * 20, 2.1, id="code"),
    ],
)
def test_the_bound_is_near_on_documentation(text: str, at_most: float) -> None:
    assert most_tokens(text) <= at_most * EXACT.count(text)
