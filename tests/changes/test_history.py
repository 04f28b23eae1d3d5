from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.changes.conftest import make

from doctrove_builder.changes import History, compare_volumes, predecessors, trace

if TYPE_CHECKING:
    from doctrove_schema.model import Section

LONG = "A text of its own that nobody else would write by chance, and that is long enough."

ORDERS: dict[str, tuple[list[str], dict[str, str]]] = {
    "releases": (["3", "2", "1"], {"3": "2", "2": "1", "1": ""}),
    "a release follows the release before its prereleases": (
        ["2", "2-rc", "2-beta", "1"],
        {"2": "1", "2-rc": "2-beta", "2-beta": "1", "1": ""},
    ),
    "a prerelease is all that there is": (["1", "1-rc"], {"1": "1-rc", "1-rc": ""}),
    "one": (["1"], {"1": ""}),
    "none": ([], {}),
}


@pytest.mark.parametrize(("versions", "expected"), ORDERS.values(), ids=ORDERS)
def test_what_a_version_follows(versions: list[str], expected: dict[str, str]) -> None:
    assert predecessors((version, "-" not in version) for version in versions) == expected


def traced(*volumes: tuple[str, list[Section]]) -> History:
    """Return the history up to the last volume; the oldest comes first."""
    history: History | None = None
    sections: list[Section] = []
    for version, own in volumes:
        followed = (compare_volumes(sections, own), history) if history else None
        history = trace(version, own, followed)
        sections = own
    assert history
    return history


def test_the_oldest_volume_says_nothing_of_the_time_before() -> None:
    history = traced(("1", [make("a/x", LONG)]), ("2", [make("a/x", LONG)]))
    assert history == History(since={"a/x": ""}, changed={})


def test_a_section_is_as_old_as_the_first_version_that_has_it() -> None:
    history = traced(("1", []), ("2", [make("a/x", "Old.")]), ("3", [make("a/x", "New.")]))
    assert history.since == {"a/x": "2"}
    assert history.changed == {"a/x": "3"}


def test_a_section_that_comes_back_is_as_old_as_it_was() -> None:
    section = make("a/x", LONG)
    history = traced(("1", []), ("2", [section]), ("3", []), ("4", [section]))
    assert history.since == {"a/x": "2"}
    assert not history.changed


def test_a_section_that_moves_takes_its_age_along() -> None:
    history = traced(
        ("1", []),
        ("2", [make("a/x", LONG)]),
        ("3", [make("b/x", LONG)]),
        ("4", [make("b/x", LONG)]),
    )
    assert history.since["b/x"] == "2"
    assert "b/x" not in history.changed


def test_a_section_that_moves_and_changes_has_changed() -> None:
    history = traced(("1", [make("a/x", LONG)]), ("2", [make("b/x", f"{LONG} More.")]))
    assert history == History(since={"a/x": "", "b/x": ""}, changed={"b/x": "2"})


def test_the_last_change_is_remembered() -> None:
    history = traced(
        ("1", [make("a/x", "One.")]), ("2", [make("a/x", "Two.")]), ("3", [make("a/x", "Two.")])
    )
    assert history.changed == {"a/x": "2"}


def test_what_an_author_says_is_taken_and_handed_on() -> None:
    history = traced(
        ("4.0", [make("a/x", "One.", since="2.1")]),
        ("5.0", [make("a/x", "One."), make("a/y", "Two.", since="4.17")]),
        ("6.0", [make("a/x", "One."), make("a/y", "Two.")]),
    )
    assert history.since == {"a/x": "2.1", "a/y": "4.17"}
