"""Descriptions that are split, old, broken, endless or deep."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doctrove_builder.importing.errors import NothingImported, OptionRefused, SourceRefused
from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.openapi.document import MAX_DEPTH, read_document
from doctrove_builder.importing.openapi.kind import KIND, read
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_tree import tree_of


def described(**parts: object) -> str:
    return json.dumps({"openapi": "3.0.3", "info": {"title": "T"}, **parts})


def imported(text: str, **files: str) -> Imported:
    return read(tree_of({"openapi.json": text, **files}), Options())


def operation(**value: object) -> str:
    return described(paths={"/a": {"get": {"summary": "Get", "responses": {}, **value}}})


def test_other_files_of_the_source_are_referred_to() -> None:
    text = operation(requestBody={"$ref": "parts/body.yaml#/bodies/Pet"})
    body = "bodies: {Pet: {content: {text/plain: {schema: {$ref: 'pet.yaml'}}}}}"
    pet = "type: object\nproperties: {name: {type: string, description: Its name}}"
    tree = tree_of({"openapi.json": text, "parts/body.yaml": body, "parts/pet.yaml": pet})
    page = read(tree, Options()).pages[-1]
    assert "`text/plain`: object\n\n- `name` (string): Its name" in page.markdown


@pytest.mark.parametrize(
    "reference",
    ["../../etc/passwd", "/etc/passwd", "https://acme.example/x.yaml", "#/no/where", "no.yaml"],
)
def test_what_is_not_in_the_source_is_said_and_not_read(reference: str) -> None:
    result = imported(operation(requestBody={"$ref": reference}))
    assert [note.kind for note in result.notes] == ["reference-missing"]
    assert "Request body" not in result.pages[-1].markdown


def test_references_that_lead_to_each_other_end() -> None:
    schemas = {"A": {"$ref": "#/components/schemas/B"}, "B": {"$ref": "#/components/schemas/A"}}
    result = imported(described(components={"schemas": schemas}))
    assert {note.kind for note in result.notes} == {"reference-endless"}


def test_a_schema_in_itself_is_written_to_a_depth() -> None:
    body = {"content": {"a/b": {"schema": {"$ref": "node.json"}}}}
    node = {"properties": {"next": {"$ref": "node.json"}, "all": {"items": {"$ref": "node.json"}}}}
    result = read(
        tree_of({"openapi.json": operation(requestBody=body), "node.json": json.dumps(node)}),
        Options(),
    )
    assert 1 < result.pages[-1].markdown.count("`next` (object)") < 200


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"swagger": "2.0", "paths": {}}', NothingImported),
        ('{"openapi": "4.0.0"}', NothingImported),
        ("{}", NothingImported),
        ("[1]", NothingImported),
        (described(), NothingImported),
        ("a: [", SourceRefused),
        ("\x00", SourceRefused),
        ("[" * 100_000, SourceRefused),
        ('{"a": ' * 100_000, SourceRefused),
        ("{a: " * 100_000, SourceRefused),
        ("- " * (MAX_DEPTH + 1) + "a", SourceRefused),
    ],
    ids=range(11),
)
def test_what_is_no_description_is_refused(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        imported(text)


def test_aliases_do_not_expand() -> None:
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    with pytest.raises(NothingImported):
        imported("\n".join(lines))


@pytest.mark.parametrize(
    "value",
    [None, 1, "x", [], [[]], {}, {"a": None}, {"$ref": 3}, {"$ref": "#"}, {"properties": [1]}],
    ids=repr,
)
def test_values_of_the_wrong_form_are_left_out(value: object) -> None:
    keys = ("parameters", "requestBody", "responses", "security", "tags", "callbacks", "summary")
    for key in (*keys, "description", "deprecated", "externalDocs", "x-codeSamples"):
        assert imported(operation(**{"summary": "Get", key: value})).pages
    for key in ("tags", "servers", "components", "info", "security", "webhooks"):
        paths: object = {"/a": {"get": {}}}
        text = json.dumps({"openapi": "3.1.0", "paths": paths, key: value})
        assert imported(text).pages
    assert imported(described(components={"schemas": {"A": value}})).pages


def test_a_file_that_is_named_must_be_there_and_be_one() -> None:
    tree = tree_of({"a.yaml": operation(), "b.yaml": operation(summary="Other")})
    options = make_options(KIND, {"file": "b.yaml"}, library="x", version="1",
                           open_tree=lambda _: tree)  # fmt: skip
    assert "## Other" in read(tree, options).pages[-1].markdown
    with pytest.raises(NothingImported):
        read(tree, Options())
    with pytest.raises(OptionRefused):
        read(tree_of({"a.json": "{}"}), options)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda one: st.lists(one, max_size=3) | st.dictionaries(st.text(max_size=5), one, max_size=3),
    max_leaves=12,
)  # fmt: skip


@given(_JSON, st.sampled_from([None, 0, 1, 2]))
def test_json_is_read_as_json(value: object, indent: int | None) -> None:
    text = json.dumps({"value": value}, indent=indent)
    assert read_document(text, name="x").value == json.loads(text)
