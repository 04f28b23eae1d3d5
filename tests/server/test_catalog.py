"""Libraries of several sources merged, and found by id, alias or name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_schema.model import Entry, Index, Volume
from doctrove_server.catalog.catalog import Catalog, Snapshot
from doctrove_server.errors import NetworkError


def entry(library: str, name: str = "", **fields: Any) -> Entry:
    return Entry(
        id=library,
        name=name or library,
        versions=("1.0",),
        volumes={"1.0": Volume(sections=())},
        **fields,
    )


def catalog(*entries: Entry, label: str = "local:a") -> Catalog:
    return Catalog([Snapshot(label=label, index=Index(entries=entries))])


LIBRARIES = catalog(
    entry("one", "One", aliases=("TWO", "uno")),
    entry("two", "Two"),
    entry("dayjs", "Day.js", aliases=("day-js",)),
    entry("straße", "Straße"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one", "one"),
        ("ONE", "one"),
        (" one ", "one"),
        ("TWO", "one"),
        ("two", "two"),
        ("Two", "two"),
        ("UNO", "one"),
        ("Day.js", "dayjs"),
        ("day.JS", "dayjs"),
        ("DAY-JS", "dayjs"),
        ("STRASSE", "straße"),
    ],
)
def test_a_library_is_found_by_id_alias_and_name(text: str, expected: str) -> None:
    holding = LIBRARIES.find(text)
    assert holding is not None
    assert holding.entry.id == expected


@pytest.mark.parametrize("text", ["", "   ", "three", "o"])
def test_what_is_no_name_finds_none(text: str) -> None:
    assert LIBRARIES.find(text) is None


@given(st.sampled_from(["one", "two", "dayjs", "straße"]), st.data())
def test_ids_are_found_in_any_letter_case(library: str, data: st.DataObject) -> None:
    cased = "".join(data.draw(st.sampled_from([c.lower(), c.upper()])) for c in library)
    if cased == "TWO":  # an exact alias of another library, which wins
        return
    holding = LIBRARIES.find(cased)
    assert holding is not None
    assert holding.entry.id == library


def test_the_first_source_holds_an_entry_whole() -> None:
    merged = Catalog(
        [
            Snapshot(label="remote:r", index=Index(entries=(entry("a", "Remote"),))),
            Snapshot(label="local:l", index=Index(entries=(entry("a", "Local"), entry("A")))),
        ]
    )
    assert [(h.entry.name, h.source) for h in merged.holdings] == [
        ("Remote", "remote:r"),
        ("A", "local:l"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"), [("dajys", "dayjs"), ("Day js", "dayjs"), ("qqqqqq", ""), ("", "")]
)
def test_the_nearest_library_is_named(text: str, expected: str) -> None:
    assert LIBRARIES.nearest(text) == expected


def test_notes_say_what_failed_and_what_is_old() -> None:
    old = Snapshot(label="local:a", index=Index(entries=()), notice="old copy")
    assert Catalog([old], failure=NetworkError("remote:r: HTTP 500")).notes == (
        "old copy",
        "remote:r: HTTP 500; this answer comes from local:a alone",
    )
