"""Arguments: what is let through, what is refused, and what a refusal says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from doctrove_server.compression.packing import DETAILS
from doctrove_server.errors import InvalidArguments
from doctrove_server.tools.parameters import checked, input_schema
from doctrove_server.tools.registry import TOOLS, Tool

LOOKUP, EXTRACT = TOOLS["catalog_lookup"].parameters, TOOLS["doc_extract"].parameters


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"query": "a", "limit": 1}, {"query": "a", "limit": 1}),
        ({"query": "a", "limit": 20}, {"query": "a", "limit": 20}),
        ({"query": "a", "limit": 5.0}, {"query": "a", "limit": 5}),
        ({"query": "a", "limit": None}, {"query": "a"}),
        ({"query": "   "}, {"query": "   "}),
        ({"query": "a", "extra": {"x": 1}}, {"query": "a"}),
    ],
)
def test_good_arguments_are_let_through(
    arguments: dict[str, object], expected: dict[str, object]
) -> None:
    assert checked("catalog_lookup", LOOKUP, arguments) == expected


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (None, 'lacks its required argument "query"'),
        ({}, 'lacks its required argument "query"'),
        ({"query": None}, 'lacks its required argument "query"'),
        ({"limit": 99}, 'lacks its required argument "query"'),
        ([], "must be an object"),
        ("express", "must be an object"),
        (7, "must be an object"),
        ({"query": ""}, "query must be at least 1 character long"),
        ({"query": 5}, "query must be a string"),
        ({"query": ["a"]}, "query must be a string"),
        ({"query": True}, "query must be a string"),
        ({"query": "a", "limit": "3"}, "limit must be a whole number"),
        ({"query": "a", "limit": 2.5}, "limit must be a whole number"),
        ({"query": "a", "limit": True}, "limit must be a whole number"),
        ({"query": "a", "limit": float("inf")}, "limit must be a whole number"),
        ({"query": "a", "limit": 0}, "limit must not be less than 1"),
        ({"query": "a", "limit": 21}, "limit must not be greater than 20"),
        ({"query": "a", "limit": 10**30}, "limit must not be greater than 20"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_shows_a_call_that_would_do(
    arguments: object, said: str
) -> None:
    with pytest.raises(InvalidArguments) as error:
        checked("catalog_lookup", LOOKUP, arguments)
    assert said in str(error.value)
    call = str(error.value).partition("Call it like this: catalog_lookup(")[2].removesuffix(")")
    assert checked("catalog_lookup", LOOKUP, json.loads(call))


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({}, {"id": "hono"}),
        ({"id": "zod", "sections": 5}, {"id": "zod", "sections": ["routing/route-parameters"]}),
        (
            {"id": "zod", "focus": "a", "maxSections": 0},
            {"id": "zod", "focus": "a", "maxSections": 6},
        ),
        (
            {"id": "zod", "focus": "a" * 200, "detail": "all"},
            {"id": "zod", "focus": "route parameters", "detail": "auto"},
        ),
        ({"sections": ["a"], "version": 5}, {"id": "hono", "sections": ["a"]}),
    ],
)
def test_the_call_that_would_do_holds_what_was_given_and_the_argument_at_fault(
    arguments: dict[str, object], shown: dict[str, object]
) -> None:
    with pytest.raises(InvalidArguments) as error:
        checked("doc_extract", EXTRACT, arguments, library="hono")
    assert str(error.value).endswith(f"Call it like this: doc_extract({json.dumps(shown)})")


@pytest.mark.parametrize("given", ["a,b", " a, b ", ["a", "b"], ["a", " b"]])
def test_a_list_of_strings_may_be_one_string_with_commas(given: object) -> None:
    assert checked("doc_extract", EXTRACT, {"id": "x", "sections": given})["sections"] == ("a", "b")


@pytest.mark.parametrize("given", [5, {"a": 1}, ["a", 1], [["a"]], True])
def test_a_list_of_strings_is_nothing_else(given: object) -> None:
    with pytest.raises(InvalidArguments, match="sections must be a list of strings"):
        checked("doc_extract", EXTRACT, {"id": "x", "sections": given})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            "sumary",
            "must be auto, full, summary, facts or gist, not sumary; perhaps you mean summary",
        ),
        ("FULL", "must be auto, full, summary, facts or gist, not FULL; perhaps you mean full"),
        ("", "must be auto, full, summary, facts or gist"),
        (True, "must be auto, full, summary, facts or gist"),
    ],
)
def test_a_choice_is_one_of_those_that_the_schema_lists(given: object, said: str) -> None:
    with pytest.raises(InvalidArguments, match=f"doc_extract.detail {said}\\. Call"):
        checked("doc_extract", EXTRACT, {"id": "x", "detail": given})
    properties: Any = input_schema(EXTRACT)["properties"]
    assert properties["detail"]["enum"] == list(DETAILS)


@pytest.mark.parametrize(("name", "high"), [("maxSections", 12)])
def test_the_bounds_of_doc_extract_hold(name: str, high: int) -> None:
    for value in (1, high):
        assert checked("doc_extract", EXTRACT, {"id": "a", name: value})[name] == value
    for value in (0, high + 1):
        with pytest.raises(InvalidArguments, match=name):
            checked("doc_extract", EXTRACT, {"id": "a", name: value})


def test_null_is_as_good_as_absent_for_optional_arguments() -> None:
    given = {"id": "a", "version": None, "focus": None, "maxSections": None}
    assert checked("doc_extract", EXTRACT, given) == {"id": "a"}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_input_schemas_are_flat(tool: Tool) -> None:
    schema = input_schema(tool.parameters)
    assert schema.keys() == {"type", "properties", "required"}
    assert schema["type"] == "object"
    properties: Any = schema["properties"]
    for one in properties.values():
        assert one["type"] in {"string", "integer", "array"}
        assert one.get("items", {"type": "string"}) == {"type": "string"}
        assert one["description"]
        assert not one.keys() & {"$ref", "anyOf", "oneOf", "title", "nullable"}
        assert None not in one.values()
