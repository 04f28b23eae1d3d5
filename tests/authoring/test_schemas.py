"""The JSON Schemas are sound, and the short check of sections is equal to theirs."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from doctrove_builder.authoring import MarkedMapping, parse_mapping
from doctrove_builder.authoring.schema_check import MAX_TOLD, plain
from doctrove_builder.authoring.section_check import is_section
from doctrove_builder.authoring.yaml_reading import read_yaml
from doctrove_builder.rules import BuildRule
from doctrove_schema.schemas import NAMES, schema_text

AUTHORED = ("doctrove", "library", "page", "volume", "volume-file")
SCHEMAS: dict[str, dict[str, Any]] = {name: json.loads(schema_text(name)) for name in AUTHORED}

YAML = cast("Any", yaml)
TEXTS = st.sampled_from(
    [
        *(
            "a",
            "a b",
            "",
            " ",
            "a/b",
            "/a",
            "a//b",
            "..",
            "a/../b",
            "x\n",
            "é/日本",
            "a#b",
            "a%20b",
        ),
        *("https://x.org/", "HTTP://x", "http://", "javascript:x", "https://x y", "x" * 500),
        "\\a",
    ]
)
SCALARS = TEXTS | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False)
KEYS = st.sampled_from(["id", "heading", "path", "body", "symbols", "x-own", "X-own", "since"])
SECTIONS = st.dictionaries(KEYS, SCALARS | st.lists(SCALARS, max_size=3)) | SCALARS
NEARLY_FINE = st.fixed_dictionaries(
    {"heading": TEXTS, "body": TEXTS},
    optional={
        "id": TEXTS,
        "path": TEXTS,
        "symbols": st.lists(TEXTS, max_size=3),
        "x-own": st.integers(),
    },
)


def test_every_authored_file_has_its_schema() -> None:
    assert set(AUTHORED) <= set(NAMES)


def test_an_unknown_schema_is_refused() -> None:
    with pytest.raises(KeyError):
        schema_text("../model")


@pytest.mark.parametrize("name", AUTHORED)
def test_a_schema_is_valid_closed_and_described(name: str) -> None:
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    objects = [schema, *(d for d in schema["$defs"].values() if d["type"] == "object")]
    for mapping in objects:
        assert mapping["additionalProperties"] is False
        assert mapping["patternProperties"] == {"^x-": True}
        for key, value in mapping["properties"].items():
            assert value.get("description") or "$ref" in value, key


@pytest.mark.parametrize("name", AUTHORED)
def test_what_a_schema_gives_as_an_example_is_valid(name: str) -> None:
    schema = SCHEMAS[name]
    for key, value in schema["properties"].items():
        for example in value.get("examples", []):
            validator: Any = Draft202012Validator({**value, "$defs": schema["$defs"]})
            assert list(validator.iter_errors(example)) == [], key


def test_a_single_file_has_the_keys_of_a_volume_and_sections() -> None:
    one, other = SCHEMAS["volume"], SCHEMAS["volume-file"]
    assert {**one["properties"], "sections": other["properties"]["sections"]} == other["properties"]
    shared = one["$defs"].keys()
    assert one["$defs"] == {key: other["$defs"][key] for key in shared}


@settings(deadline=None)
@given(SECTIONS | NEARLY_FINE)
def test_the_short_check_of_a_section_says_what_the_schema_says(section: object) -> None:
    root, _ = read_yaml(YAML.safe_dump({"s": section}, allow_unicode=True), source="f")
    assert isinstance(root, MarkedMapping)
    marked = root.entries["s"].value
    schema = {"$ref": "#/$defs/section", "$defs": SCHEMAS["volume-file"]["$defs"]}
    validator: Any = Draft202012Validator(schema)
    assert is_section(marked) == validator.is_valid(plain(marked))


@settings(deadline=None)
@given(st.lists(NEARLY_FINE | SECTIONS, max_size=4))
def test_a_file_is_faulty_exactly_when_its_schema_says_so(sections: list[object]) -> None:
    text = YAML.safe_dump({"sections": sections}, allow_unicode=True)
    mapping, problems = parse_mapping(text, source="f", schema="volume-file")
    assert mapping is not None
    validator: Any = Draft202012Validator(SCHEMAS["volume-file"])
    assert bool(problems) == (not validator.is_valid(plain(mapping)))


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ("library", f"name: A\naliases: [{', '.join(['1'] * 3000)}]\n"),
        ("library", "name: A\n" + "".join(f"k{n}: x\n" for n in range(3000))),
        ("volume-file", "sections:\n" + "  - {}\n" * 3000),
    ],
    ids=["items", "keys", "sections"],
)
def test_a_flood_of_faults_is_cut_and_said_to_be(schema: str, text: str) -> None:
    _, problems = parse_mapping(text, source="f", schema=schema)
    assert len(problems) == MAX_TOLD + 1
    rules = [problem.rule for problem in problems]
    assert rules.index(BuildRule.TOO_MANY_PROBLEMS) == MAX_TOLD
