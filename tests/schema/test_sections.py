from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_schema.sections import claim, complete_ids, section_id, section_uri, slug


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("Route parameters", "route-parameters"),
        ("`app.get()` and `app.all()`", "appget-and-appall"),
        ("What's new?", "whats-new"),
        ("snake_case stays", "snake_case-stays"),
        ("  Spaces\tand\nlines ", "spaces-and-lines"),
        ("日本語 の 見出し", "日本語-の-見出し"),
        ("العربية", "العربية"),
        ("Ärger & Öl", "ärger--öl"),
        ("!!!", "section"),
        ("", "section"),
    ],
)
def test_an_anchor_is_made_as_github_makes_it(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor


def test_a_taken_anchor_gets_a_number() -> None:
    taken = {"a", "a-2"}
    assert [claim("a", taken) for _ in range(3)] == ["a-1", "a-3", "a-4"]


@pytest.mark.parametrize(
    ("page", "anchor", "joined"),
    [
        ("tutorial/first-steps", "recap", "tutorial/first-steps/recap"),
        ("routing", "", "routing"),
        ("", "recap", "recap"),
    ],
)
def test_a_section_id_is_page_and_anchor(page: str, anchor: str, joined: str) -> None:
    assert section_id(page, anchor) == joined


@given(st.lists(st.tuples(st.sampled_from(["", "a", "b-1"]), st.just(""), st.text(max_size=3))))
def test_completed_ids_are_unique_and_never_empty(sections: list[tuple[str, str, str]]) -> None:
    ids = list(complete_ids(sections))
    assert len(set(ids)) == len(ids) == len(sections)
    assert all(ids)


def test_an_address_encodes_each_part() -> None:
    assert section_uri("@scope/name", "1.0+b", "a/b") == "doctrove://%40scope%2Fname/1.0%2Bb/a%2Fb"
    assert section_uri("express") == "doctrove://express"
