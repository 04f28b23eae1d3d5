from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from doctrove_schema.errors import InvalidIndex
from doctrove_schema.fields import MAX_NOTES
from doctrove_schema.model import Entry, Include, Index, Origin, Section, Volume
from doctrove_schema.reading import read_index
from doctrove_schema.schemas import schema_text
from doctrove_schema.writing import write_index

Json = dict[str, Any]

SECTION: Json = {"heading": "Routing", "body": "Text."}
VOLUME: Json = {"sections": [SECTION]}
ENTRY: Json = {
    "id": "express",
    "name": "Express",
    "versions": ["5.1.0"],
    "volumes": {"5.1.0": VOLUME},
}
DOCUMENT: Json = {"format": "doctrove-index@1", "entries": [ENTRY]}


def as_bytes(document: object) -> bytes:
    return json.dumps(document).encode()


def with_entry(**changes: object) -> Json:
    return DOCUMENT | {"entries": [ENTRY | changes]}


def with_section(section: object) -> Json:
    return with_entry(volumes={"5.1.0": {"sections": [SECTION, section]}})


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ([], "the top level is an empty array, not an object"),
        (
            DOCUMENT | {"format": "doctrove-index@2"},
            "format is \"doctrove-index@2\", not 'doctrove-index@1'",
        ),
        (DOCUMENT | {"entries": None}, "entries is missing or null, not an array"),
        (DOCUMENT | {"entries": ["express"]}, "entries[0] is a string, not an object"),
        (with_entry(id=" "), 'entries[0].id is " ", not a non-empty string'),
        (with_entry(name=7), "entries[0].name is 7, not a non-empty string"),
        (
            DOCUMENT | {"entries": [ENTRY, ENTRY]},
            'entries[1].id "express" is that of entries[0] too',
        ),
        (with_entry(aliases=None), "entries[0].aliases is not an array of strings"),
        (with_entry(aliases=["x", 1]), "entries[0].aliases is not an array of strings"),
        (with_entry(versions=[]), "entries[0].versions is an empty array, not a non-empty array"),
        (with_entry(versions=[5]), "entries[0].versions[0] is 5, not a non-empty string"),
        (with_entry(volumes=[]), "entries[0].volumes is an empty array, not an object"),
        (
            with_entry(versions=["5.1.0", "4.0.0"]),
            'entries[0].volumes["4.0.0"] is missing, though versions lists it',
        ),
        (
            with_entry(volumes={"5.1.0": True}),
            'entries[0].volumes["5.1.0"] is a boolean, not an object',
        ),
        (
            with_entry(volumes={"5.1.0": {"sections": {}}}),
            'entries[0].volumes["5.1.0"].sections is an object, not an array',
        ),
        (with_section([]), 'entries[0].volumes["5.1.0"].sections[1] is an empty array'),
        (with_section(None), 'entries[0].volumes["5.1.0"].sections[1] is missing or null'),
    ],
)
def test_a_breach_of_the_format_refuses_the_index_and_names_its_place(
    document: object, fault: str
) -> None:
    with pytest.raises(InvalidIndex) as refused:
        read_index(as_bytes(document), name="remote")
    assert refused.value.faults[0].startswith(fault)
    assert str(refused.value).startswith("remote is not a valid index: ")


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "it is not valid JSON"),
        (b"<html>", "it is not valid JSON"),
        (b'{"format": "\xff"}', "it is not valid JSON"),
        (b"[" * 100_000 + b"]" * 100_000, "it is nested too deeply"),
    ],
    ids=["empty", "html", "not-utf-8", "deep"],
)
def test_bytes_that_are_no_json_are_refused(data: bytes, fault: str) -> None:
    with pytest.raises(InvalidIndex) as refused:
        read_index(data, name="remote")
    assert refused.value.faults[0].startswith(fault)


def test_every_fault_is_named_in_one_reading() -> None:
    document = DOCUMENT | {"entries": [1, ENTRY | {"id": ""}, ENTRY | {"versions": 3}]}
    with pytest.raises(InvalidIndex) as refused:
        read_index(as_bytes(document), name="remote")
    assert [fault.split(" ")[0] for fault in refused.value.faults] == [
        "entries[0]",
        "entries[1].id",
        "entries[2].versions",
    ]


def test_endless_faults_are_counted_and_not_kept() -> None:
    document = DOCUMENT | {"entries": [1] * 5_000}
    with pytest.raises(InvalidIndex) as refused:
        read_index(as_bytes(document), name="remote")
    assert len(refused.value.faults) == MAX_NOTES + 1
    assert refused.value.faults[-1] == f"{5_000 - MAX_NOTES} more are not listed"


@pytest.mark.parametrize(
    ("document", "warning"),
    [
        (with_entry(summary=3), "entries[0].summary is not a string"),
        (with_entry(popularity="many"), "entries[0].popularity is not a number"),
        (with_entry(popularity=True), "entries[0].popularity is not a number"),
        (with_entry(versionScheme="calver"), 'entries[0].versionScheme is "calver", not one of'),
        (with_entry(aliases=["", "ex"]), "entries[0].aliases holds an empty alias"),
        (with_entry(versions=["5.1.0", "5.1.0"]), "entries[0].versions names a version twice"),
        (
            with_entry(volumes={"5.1.0": VOLUME, "9": VOLUME}),
            'entries[0].volumes holds "9", which versions does not list',
        ),
        (with_section({"body": "x"}), 'entries[0].volumes["5.1.0"].sections[1].heading is missing'),
        (with_section({"heading": "x"}), 'entries[0].volumes["5.1.0"].sections[1].body is missing'),
        (
            with_section({**SECTION, "tokens": -1}),
            'entries[0].volumes["5.1.0"].sections[1].tokens is not a whole number from 0',
        ),
        (
            with_section({**SECTION, "source": {"file": "a", "lines": [3, 2]}}),
            'entries[0].volumes["5.1.0"].sections[1].source.lines is not two line numbers',
        ),
    ],
)
def test_an_odd_value_beyond_the_rules_is_dropped_with_a_warning(
    document: object, warning: str
) -> None:
    reading = read_index(as_bytes(document), name="remote")
    assert [text for text in reading.warnings if text.startswith(warning)]
    assert len(reading.warnings) == 1


def test_what_is_missing_is_read_as_empty() -> None:
    section = read_index(as_bytes(with_section({})), name="x").index.entries[0].volumes["5.1.0"]
    assert (section.sections[1].heading, section.sections[1].body) == ("", "")


def test_popularity_written_as_a_string_still_counts() -> None:
    reading = read_index(as_bytes(with_entry(popularity="1000")), name="x")
    assert reading.index.entries[0].popularity == 1000


def test_a_byte_order_mark_is_skipped() -> None:
    assert read_index(b"\xef\xbb\xbf" + as_bytes(DOCUMENT), name="x").index.entries


def test_sections_without_ids_get_them_from_their_headings() -> None:
    sections = [SECTION, SECTION, {**SECTION, "id": "routing-1"}, {**SECTION, "page": "guide"}]
    document = with_entry(volumes={"5.1.0": {"sections": sections}})
    read = read_index(as_bytes(document), name="x").index.entries[0].volumes["5.1.0"].sections
    assert [section.id for section in read] == [
        "routing",
        "routing-2",
        "routing-1",
        "guide/routing",
    ]


texts = st.text(max_size=12)
filled = texts.filter(lambda text: bool(text.strip()))
lines = st.tuples(st.integers(1, 9), st.integers(9, 99))
sections = st.builds(
    Section,
    heading=texts,
    path=texts,
    body=texts,
    page=texts,
    trail=st.lists(texts, max_size=2).map(tuple),
    symbols=st.lists(texts, max_size=2).map(tuple),
    tokens=st.integers(0, 10**6),
    summary=texts,
    summary_by=texts,
    source=st.none()
    | st.builds(
        Origin,
        file=texts,
        lines=st.none() | lines,
        includes=st.lists(st.builds(Include, file=texts, lines=lines), max_size=2).map(tuple),
    ),
)


@st.composite
def indexes(draw: st.DrawFn) -> Index:
    entries: list[Entry] = []
    for library in draw(st.lists(filled, max_size=3, unique=True)):
        versions = draw(st.lists(filled, min_size=1, max_size=3, unique=True))
        volumes: dict[str, Volume] = {}
        for version in versions:
            drawn = draw(st.lists(sections, max_size=3))
            named = (Section(**_fields(s, id=f"s{n}")) for n, s in enumerate(drawn))
            volumes[version] = Volume(summary=draw(texts), sections=tuple(named))
        entries.append(
            Entry(
                id=library,
                name=draw(filled),
                aliases=tuple(draw(st.lists(filled, max_size=2))),
                popularity=draw(st.integers(0, 10**9) | st.floats(0, 1e9)),
                versions=tuple(versions),
                volumes=volumes,
            )
        )
    return Index(updated_at=draw(texts), entries=tuple(entries))


def _fields(section: Section, **changes: Any) -> dict[str, Any]:
    return {name: getattr(section, name) for name in Section.__struct_fields__} | changes


@given(indexes())
def test_what_is_written_is_read_back_equal_and_without_warning(index: Index) -> None:
    reading = read_index(write_index(index), name="x")
    assert (reading.index, reading.warnings) == (index, ())


loose = st.none() | st.booleans() | st.integers(-5, 5) | texts | st.lists(texts, max_size=2)


def objects(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional={k: v | loose for k, v in fields.items()})


loose_sections = objects(
    id=st.just("a"),
    heading=texts,
    path=texts,
    body=texts,
    trail=st.lists(texts, max_size=2),
    tokens=st.integers(-1, 9),
    source=objects(file=texts, lines=st.just([1, 2]), includes=st.lists(objects(file=texts))),
)
loose_volumes = objects(summary=texts, sections=st.lists(loose_sections, max_size=1))
loose_documents = objects(
    format=st.just("doctrove-index@1"),
    entries=st.lists(
        objects(
            id=st.just("express"),
            name=texts,
            aliases=st.lists(texts, max_size=2),
            popularity=st.integers(0, 9),
            versions=st.just(["1.0"]),
            versionScheme=st.sampled_from(["semver", "label", "other"]),
            volumes=st.fixed_dictionaries({"1.0": loose_volumes | loose}),
        ),
        max_size=1,
    ),
)


@given(loose_documents)
def test_the_schema_accepts_what_the_reader_takes_without_fault_or_warning(
    document: Json,
) -> None:
    schema: Any = Draft202012Validator(json.loads(schema_text("index")))
    try:
        clean = not read_index(as_bytes(document), name="x").warnings
    except InvalidIndex:
        clean = False
    assert schema.is_valid(document) == clean
