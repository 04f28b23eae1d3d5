"""Operations and schemas are spread over pages, so that none grows without a bound."""

from __future__ import annotations

import json
from typing import Any

from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.openapi.grouping import LARGE, MANY, schema_pages, schema_title
from doctrove_builder.importing.openapi.kind import KIND
from doctrove_builder.importing.source_tree import tree_of


def read(**parts: Any) -> Imported:
    document = {"openapi": "3.1.0", "info": {"title": "API", "version": "1"}, **parts}
    return KIND.read(tree_of({"openapi.json": json.dumps(document)}), Options())


def test_many_schemas_have_a_page_for_each_letter_and_links_between_them() -> None:
    schemas: dict[str, Any] = {f"Box{number}": {"type": "string"} for number in range(MANY)}
    schemas["Shelf"] = {"properties": {"box": {"$ref": "#/components/schemas/Box1"}}}
    answer = {"application/json": {"schema": {"$ref": "#/components/schemas/Shelf"}}}
    operation = {"responses": {"200": {"description": "Found", "content": answer}}}
    made = read(paths={"/shelf": {"get": operation}}, components={"schemas": schemas})
    pages = {page.path: page.markdown for page in made.pages}
    assert list(pages) == ["index", "operations", "schemas/b", "schemas/s"]
    assert "[Shelf](schemas/s.md#Shelf)" in pages["operations"]
    assert "[Box1](b.md#Box1)" in pages["schemas/s"]


def test_large_schemas_of_a_letter_have_further_pages() -> None:
    named = {f"w{number:03}": "x" * (LARGE // 100) for number in range(MANY + 100)}
    pages = schema_pages(named)
    assert sorted(set(pages.values())) == ["schemas/w", "schemas/w-2", "schemas/w-3"]
    assert list(pages) == list(named)
    assert schema_title("schemas/w-2") == "Schemas: W, part 2"


def test_many_operations_without_a_tag_have_a_page_for_each_resource() -> None:
    answer = {"responses": {"200": {"description": "Done"}}}
    paths = {
        f"/v1/{'box' if number % 2 else 'shelf'}/{number}": {"get": answer}
        for number in range(MANY + 1)
    }
    made = read(paths={**paths, "/{id}": {"get": answer}})
    assert [page.path for page in made.pages] == ["index", "shelf", "box", "operations"]
