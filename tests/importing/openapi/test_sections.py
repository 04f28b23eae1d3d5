"""What becomes a section and what its schema says, each on a description of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.openapi.kind import named, read
from doctrove_builder.importing.source_tree import SourceTree, tree_of


def source(**parts: object) -> SourceTree:
    info = {"title": "Acme Shop", "version": "1.4.0"}
    return tree_of({"openapi.json": json.dumps({"openapi": "3.1.0", "info": info, **parts})})


def imported(**parts: object) -> Imported:
    return read(source(**parts), Options())


def text_of_schema(schema: dict[str, Any]) -> str:
    return imported(components={"schemas": {"One": schema}}).pages[-1].markdown


CALLED = {"post": {"summary": "Takes data", "responses": {"202": {"description": "Taken"}}}}


@pytest.mark.parametrize("referred", [False, True], ids=["in-place", "by-reference"])
def test_each_operation_of_a_callback_is_a_section_beside_its_caller(*, referred: bool) -> None:
    callback = {"{$request.query.url}/data": CALLED}
    written = {"$ref": "#/components/callbacks/Data"} if referred else callback
    subscribe = {"tags": ["streams"], "responses": {}, "callbacks": {"onData": written}}
    result = imported(
        paths={"/subscribe": {"post": subscribe}},
        security=[{"key": ["all"]}],
        components={"callbacks": {"Data": callback}},
    )
    [page] = [page for page in result.pages if page.path == "streams"]
    _, section = page.markdown.split("## Takes data")
    assert "POST {$request.query.url}/data" in section
    assert "calls this back (`onData of POST /subscribe`)" in section
    assert "`202`: Taken" in section
    assert "Security" not in section
    assert result.counts["operations"] == 2


def test_the_first_items_of_an_array_are_told_each() -> None:
    inner = {"type": "object", "properties": {"x": {"type": "integer"}}}
    text = text_of_schema({"type": "array", "prefixItems": [{"type": "string"}, inner]})
    assert "Type: array of string, object, then any" in text
    assert "- Item 2:\n  - `x` (integer)" in text
    closed = text_of_schema({"type": "array", "prefixItems": [inner], "items": False})
    assert "Type: array of object\n" in closed


def test_properties_by_pattern_are_listed() -> None:
    text = text_of_schema({"patternProperties": {"^x-": {"type": "string", "description": "More"}}})
    assert "- `^x-` (string, for each name that matches): More" in text


def test_examples_of_a_schema_are_shown() -> None:
    plain = text_of_schema({"type": "string", "examples": ["now", "later"]})
    assert "for example `now` or `later`" in plain
    one = text_of_schema({"properties": {"id": {"type": "string", "example": "vs_1"}}})
    assert "- `id` (string, for example `vs_1`)" in one
    both = text_of_schema({"type": "integer", "example": 1, "examples": [1, 2]})
    assert both.count("for example `1` or `2`") == 1
    assert "**Example**" not in both
    blocks = text_of_schema({"type": "object", "examples": [{"a": 1}, {"a": 2}]})
    assert blocks.count("**Example**") == 2


@pytest.mark.parametrize(
    ("licence", "expected"),
    [
        pytest.param({"name": "Apache-2.0"}, "Apache-2.0", id="name-is-spdx"),
        pytest.param({"name": "Ours", "identifier": "MIT"}, "MIT", id="identifier"),
        pytest.param({"name": "Our own terms"}, "", id="other-name"),
    ],
)
def test_the_licence_is_what_spdx_knows(licence: dict[str, str], expected: str) -> None:
    info = {"title": "T", "license": licence}
    assert imported(info=info, paths={"/a": {"get": {}}}).license == expected


def test_a_description_names_itself() -> None:
    assert named(source()) == ("acme-shop", "1.4.0")
