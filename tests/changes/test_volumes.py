from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.changes.conftest import make

from doctrove_builder.changes import compare_volumes

if TYPE_CHECKING:
    from doctrove_schema.model import Section

LONG = "A text of its own that nobody else would write by chance, and that is long enough."
OTHER = "Quite another text about how a request finds its handler, with all the parameters."


def told(old: list[Section], new: list[Section]) -> list[tuple[str, str]]:
    """Return the ids of each change, old and new."""
    changes = compare_volumes(old, new).changes
    return [(c.old.id if c.old else "", c.new.id if c.new else "") for c in changes]


CASES: dict[str, tuple[list[Section], list[Section], list[tuple[str, str]]]] = {
    "nothing": ([make("a/x", LONG)], [make("a/x", LONG)], []),
    "added": ([], [make("a/x", LONG)], [("", "a/x")]),
    "removed": ([make("a/x", LONG)], [], [("a/x", "")]),
    "text changed": ([make("a/x", LONG)], [make("a/x", OTHER)], [("a/x", "a/x")]),
    "heading changed": (
        [make("a/x", LONG)],
        [make("a/x", LONG, heading="X and more")],
        [("a/x", "a/x")],
    ),
    "moved to another page as it is": (
        [make("a/x", LONG)],
        [make("b/y", LONG)],
        [("a/x", "b/y")],
    ),
    "moved under its heading with half of its words": (
        [make("a/x", LONG)],
        [make("b/x", LONG.replace("by chance", "at all"))],
        [("a/x", "b/x")],
    ),
    "another text under the same heading is another section": (
        [make("a/x", LONG)],
        [make("b/x", OTHER)],
        [("", "b/x"), ("a/x", "")],
    ),
    "renamed on its page": (
        [make("a/x", LONG)],
        [make("a/y", LONG + " And so on.")],
        [("a/x", "a/y")],
    ),
    "a short text on another page says nothing": (
        [make("a/x", "Deprecated.")],
        [make("b/y", "Deprecated.")],
        [("", "b/y"), ("a/x", "")],
    ),
    "a text that two sections had has not moved": (
        [make("a/x", LONG), make("a/z", LONG)],
        [make("b/y", LONG)],
        [("", "b/y"), ("a/x", ""), ("a/z", "")],
    ),
    "pages that are gone come last": (
        [make("old/x", OTHER), make("a/x", LONG)],
        [make("a/x", LONG + " More."), make("b/z", "New.")],
        [("a/x", "a/x"), ("", "b/z"), ("old/x", "")],
    ),
}


@pytest.mark.parametrize(("old", "new", "expected"), CASES.values(), ids=CASES)
def test_what_became_of_sections(
    old: list[Section], new: list[Section], expected: list[tuple[str, str]]
) -> None:
    assert told(old, new) == expected


SECTIONS = st.lists(
    st.tuples(
        st.sampled_from(["a/x", "a/y", "b/x", "b/y", "c"]),
        st.sampled_from([LONG, OTHER, f"{LONG} More.", "Short."]),
    ),
    unique_by=lambda pair: pair[0],
    max_size=5,
).map(lambda pairs: [make(identity, body) for identity, body in pairs])


@given(SECTIONS, SECTIONS)
def test_the_changes_make_the_new_volume_of_the_old_one(
    old: list[Section], new: list[Section]
) -> None:
    comparison = compare_volumes(old, new)
    result = {section.id: section for section in old}
    for change in comparison.changes:
        if change.old:
            del result[change.old.id]
    for change in comparison.changes:
        if change.new:
            assert change.new.id not in result
            result[change.new.id] = change.new
    assert result == {section.id: section for section in new}
    assert comparison.unchanged == len(new) - sum(c.new is not None for c in comparison.changes)


@given(SECTIONS)
def test_a_volume_does_not_differ_from_itself(sections: list[Section]) -> None:
    assert compare_volumes(sections, sections) == ((), len(sections))


def test_a_page_with_too_many_sections_is_compared_by_id_text_and_heading_alone() -> None:
    old = [make(f"a/old-{n}", f"{LONG} {n}") for n in range(60)]
    new = [make(f"a/new-{n}", f"{LONG} Number {n}") for n in range(60)]
    assert all(not (c.old and c.new) for c in compare_volumes(old, new).changes)
    assert all(c.old for c in compare_volumes(old, new[:40]).changes)
