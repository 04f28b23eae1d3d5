from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_server.compression.counting import BOUND
from doctrove_server.compression.packing import DETAILS, Candidate, Detail, pack, within
from doctrove_server.compression.shelf import Shelf

SHELF = Shelf()
COUNT = SHELF.counts.count
TEXTS = st.text("ab `~\n#->|:!*[]()<{\u4e2d1.", max_size=300)


def cost(candidates: list[Candidate], room: int, detail: Detail, query: str = "a") -> int:
    packed = pack(candidates, query=query, room=room, detail=detail, shelf=SHELF)
    return sum(COUNT(one.text) + candidates[one.place].price for one in packed)


@given(
    st.lists(st.builds(Candidate, st.text(max_size=5), TEXTS), max_size=6),
    st.integers(0, 400),
    st.sampled_from(DETAILS),
)
def test_no_pack_is_above_its_room(candidates: list[Candidate], room: int, detail: Detail) -> None:
    assert cost(candidates, room, detail) <= room


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.parametrize("room", [100, 333, 1500, 8000])
def test_no_pack_of_real_sections_is_above_its_room(
    real_sections: tuple[str, ...], room: int, detail: Detail
) -> None:
    for start in range(0, len(real_sections), 12):
        candidates = [Candidate("Heading", text) for text in real_sections[start : start + 6]]
        assert cost(candidates, room, detail, "default option configure error") <= room


def test_the_best_sections_are_whole_while_they_fit(section: str, story: str) -> None:
    candidates = [Candidate("Server", section), Candidate("Story", story), Candidate("More", story)]
    packed = pack(
        candidates, query="module_7", room=COUNT(section) + 150, detail="auto", shelf=SHELF
    )
    assert (packed[0].text, packed[0].level, packed[0].ratio) == (section, "full", 1.0)
    assert packed[1].level == "units"
    assert "`module_7`" in packed[1].text
    assert 0 < packed[1].ratio < 1
    assert 0 < packed[1].retention < 1


def test_a_section_that_does_not_fit_gives_what_the_query_asks_for(section: str) -> None:
    (one,) = pack(
        [Candidate("Server", section)], query="backoff default", room=60, detail="auto", shelf=SHELF
    )
    assert "| `backoff` | `float` | `0.5` |" in one.text


def test_full_gives_whole_sections_and_of_the_first_what_fits(section: str, story: str) -> None:
    both = [Candidate("Server", section), Candidate("Story", story)]
    packed = pack(both, query="port", room=COUNT(section) + 100, detail="full", shelf=SHELF)
    assert [one.level for one in packed] == ["full"]
    packed = pack(both, query="port", room=100, detail="full", shelf=SHELF)
    assert [one.level for one in packed] == ["units"]


def test_a_summary_is_at_most_its_share_and_small_sections_stay_whole(section: str) -> None:
    small = Candidate("Small", "`a` is `1`.")
    packed = pack(
        [Candidate("Server", section), small], query="", room=5000, detail="summary", shelf=SHELF
    )
    assert [one.level for one in packed] == ["summary", "full"]
    assert packed[0].ratio <= 0.4


def test_facts_and_gists_are_lines(section: str) -> None:
    (stated,) = pack(
        [Candidate("Server", section)], query="backoff", room=500, detail="facts", shelf=SHELF
    )
    assert stated.text.startswith("- `backoff` type: `float`\n- `backoff` default: `0.5`\n")
    (gist,) = pack([Candidate("Server", section)], query="", room=500, detail="gist", shelf=SHELF)
    assert all(line.startswith("- ") for line in gist.text.split("\n"))
    (one,) = pack(
        [Candidate("Plain", "Birds sing in old trees. " * 9)],
        query="",
        room=99,
        detail="facts",
        shelf=SHELF,
    )
    assert one.level == "gist"  # it states no facts
    assert one.text.startswith("- ")


def test_within_shortens_until_the_whole_answer_fits(story: str) -> None:
    candidates = [Candidate("Story", story)]

    def make(room: int) -> str:
        return "\n".join(
            p.text for p in pack(candidates, query="", room=room, detail="auto", shelf=SHELF)
        )

    def render(text: str) -> str:
        return msgspec.json.encode({"body": text, "frame": "around " * 30}).decode()

    found = within(200, make, render, COUNT, room=200)
    assert found is not None
    assert 120 < COUNT(found[1]) <= 200
    assert within(10, make, render, COUNT, room=10) is None


def test_the_bound_holds_where_no_tokenizer_is(story: str) -> None:
    shelf = Shelf(BOUND)
    packed = pack(
        [Candidate("Story", story)], query="module_3", room=300, detail="auto", shelf=shelf
    )
    assert 0 < sum(COUNT(one.text) for one in packed) <= 300
