"""Long texts in the memory: bounded work, found by what stands anywhere, and had back whole."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.counting import counting
from doctrove_server.compression.memory import calls
from doctrove_server.compression.memory.calls import ContextDesk
from doctrove_server.compression.memory.excerpts import excerpt, parts, pieces
from doctrove_server.compression.memory.memory import EXAMINED, LEVELLED, Memory
from doctrove_server.compression.memory.remembering import LookUps
from doctrove_server.compression.memory.store import Store
from doctrove_server.compression.settings import CompressionSettings
from doctrove_server.compression.shelf import Shelf
from doctrove_server.errors import InvalidArguments

if TYPE_CHECKING:
    from doctrove_server.compression.shelf import Prepared

NOW = 1_800_000_000.0
COUNT = counting().count
CHAPTERS = [
    f"## Chapter {n}\n\nThe option `option_{n}` is read by the `module_{n}` and defaults to `{n}`."
    f" It is set before the start.\n\n- `first_{n}`: one.\n- `second_{n}`: two.\n\n"
    f"```python\n# a comment\n\nrun_{n}(option_{n}={n})\n```\n\n"
    f"{'Some more words follow. ' * 12}\n\n"
    for n in range(1_500)
]
KINDS = {
    "chapters": "".join(CHAPTERS),
    "a list": "- `a_b`: value 3\n" * 58_000,
    "a table": "| a | b |\n|---|---|\n" + "| `x` | 3 |\n" * 80_000,
    "one line": "word " * 195_000,
    "no blank": "a" * 975_000,
    "ideographs": "\u6587\u6863\u8bf4\u660e\u4f7f\u7528\u3002" * 140_000,
    "open code": "```\n" + "x = 1\n" * 160_000,
}


class Watched(Shelf):
    """A shelf that notes how much it is asked to cut."""

    def __init__(self) -> None:
        super().__init__(counting())
        self.cut: list[int] = []

    def prepared(self, text: str) -> Prepared:
        self.cut.append(len(text))
        return super().prepared(text)


class Desk:
    def __init__(self) -> None:
        self.shelf = Watched()
        memory = Memory(Store(), CompressionSettings(), shelf=self.shelf)
        self._desk = ContextDesk(
            memory=memory,
            look_ups=LookUps(memory, clock=lambda: NOW, log=print),
            clock=lambda: NOW,
            default_budget=2_048,
        )

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        self.shelf.cut.clear()
        return getattr(calls, tool)(self._desk, arguments).data  # type: ignore[no-any-return]


@pytest.mark.parametrize("kind", KINDS)
def test_no_call_cuts_more_than_a_bounded_part_of_a_long_text(kind: str) -> None:
    desk = Desk()
    text = KINDS[kind][:975_000]
    for tool, arguments in (
        ("add", {"key": "long", "text": text}),
        ("retrieve", {"query": "option_1234 x word \u6587"}),
        ("retrieve", {"query": "option_77 value", "tokenBudget": 20_000}),
        ("get", {"key": "long"}),
        ("get", {"key": "long", "level": 1}),
        ("get", {"key": "long", "part": 2}),
    ):
        answer = desk.call(tool, **arguments)
        # Nor is the same cut more than once: an answer has two forms, and a retrieval tries rooms.
        assert max(desk.shelf.cut, default=0) <= EXAMINED
        assert sum(set(desk.shelf.cut)) <= 2 * EXAMINED
        if tool == "get":
            assert 0 < answer["tokens"] <= 7_200
            assert answer["originalTokens"] == COUNT(text)
            assert answer["ratio"] < 0.2
            assert answer["retention"] < 0.2


def test_what_stands_far_into_a_long_text_is_found_and_shown() -> None:
    desk = Desk()
    desk.call("add", key="long", text=KINDS["chapters"])
    desk.call("add", key="short", text="Nothing of the kind: an option, a module and a start.")
    found = desk.call("retrieve", query="option_1321")
    (shown,) = [one for one in found["temporal"] if one["key"] == "long"]
    assert "`option_1321` is read by the `module_1321`" in shown["text"]
    assert "Chapter 1321" in shown["text"]


def test_a_long_text_is_had_back_word_for_word_in_parts() -> None:
    desk = Desk()
    text = KINDS["chapters"][:200_000]
    desk.call("add", key="long", text=text)
    count = desk.call("get", key="long")["parts"]
    read = [desk.call("get", key="long", part=number) for number in range(1, count + 1)]
    assert "".join(one["text"] for one in read) == text
    assert max(one["tokens"] for one in read) <= 7_200
    assert read[1]["level"] == f"part 2 of {count}"
    with pytest.raises(InvalidArguments, match=f"part 1 to {count}"):
        desk.call("get", key="long", part=count + 1)


def test_a_short_text_is_one_part() -> None:
    desk = Desk()
    desk.call("add", key="short", text="A few words.")
    answer = desk.call("get", key="short", part=1)
    assert (answer["text"], answer["level"]) == ("A few words.", "whole")
    with pytest.raises(InvalidArguments, match="has 1 part"):
        desk.call("get", key="short", part=2)


def test_levels_of_a_long_text_are_of_all_of_it() -> None:
    made = excerpt(KINDS["chapters"], (), LEVELLED)
    assert len(made) <= LEVELLED
    shown = [n for n in range(1_500) if f"`option_{n}`" in made]
    gaps = [b - a for a, b in pairwise(shown)]
    assert shown[0] == 0
    assert shown[-1] > 1_450
    assert max(gaps) < 40


def test_an_excerpt_holds_the_pieces_with_the_terms_under_their_headings() -> None:
    body = "\n\n".join(f"Sentence {n} of a long section says little." for n in range(900))
    text = f"# One\n\n{body}\n\nThe needle is here.\n\n{body}\n\n# Two\n\n{body}\n"
    made = excerpt(text, ("needle",), 5_000)
    assert len(made) <= 5_000
    assert made.startswith("# One\n\n")
    assert "The needle is here." in made
    assert "# Two" not in made


def test_pieces_end_where_no_code_is_open() -> None:
    for piece in pieces(KINDS["chapters"]):
        assert piece.count("```") % 2 == 0
        assert len(piece) <= 16_000


DRAWN = ["x", "\n", "\n\n", "# b\n", "```\n", "word " * 900, "\U0001f600" * 50]


@given(st.lists(st.sampled_from(DRAWN)))
def test_pieces_and_parts_are_the_text_and_fit(drawn: list[str]) -> None:
    text = "".join(drawn)
    assert "".join(pieces(text)) == text
    assert all(pieces(text)) or not text
    cut = parts(text, 90, COUNT)
    assert "".join(cut) == text
    assert all(COUNT(one) <= 90 for one in cut)
    assert len(excerpt(text, ("word",), 2_000)) <= 2_000 or len(text) <= 2_000
