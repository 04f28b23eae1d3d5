"""A golden description: `cases/pets.yaml` and its pages in `cases/pets.expected`.

`RENEW_CASES=1` writes what is read now; read the difference before you commit.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from msgspec.structs import replace

from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.openapi.document import read_document
from doctrove_builder.importing.openapi.kind import read
from doctrove_builder.importing.source_tree import tree_of

CASE = Path(__file__).with_name("cases") / "pets.yaml"


def written(imported: Imported) -> str:
    facts = (imported.name, imported.license, *map(str, imported.counts.items()))
    made = ["; ".join(facts), *(f"*** {note.place}: {note.message}" for note in imported.notes)]
    for page in imported.pages:
        made += [f"--- {page.path}: {page.title}", page.markdown]
        made += [f"    {a}-{b}: {o.file} {o.lines}" for a, b, o in page.origins]
        made += [f"    {anchor}: {', '.join(names)}" for anchor, names in page.symbols.items()]
    return "\n".join(made) + "\n"


def test_a_description_becomes_the_expected_pages() -> None:
    made = written(read(tree_of({"openapi.yaml": CASE.read_text()}), Options()))
    expected = CASE.with_suffix(".expected")
    if os.environ.get("RENEW_CASES"):
        expected.write_text(made)
    assert made == expected.read_text()


def test_json_and_yaml_say_the_same() -> None:
    text = CASE.read_text()
    as_json = json.dumps(read_document(text, name="x").value, indent=2)
    one = read(tree_of({"openapi.yaml": text}), Options())
    two = read(tree_of({"openapi.json": as_json}), Options())
    assert [replace(page, origins=()) for page in one.pages] == [
        replace(page, origins=()) for page in two.pages
    ]
    rows = as_json.split("\n")
    spans = [origin.lines for page in two.pages for _, _, origin in page.origins if origin.lines]
    assert len(spans) == sum(len(page.origins) for page in one.pages)
    for first, last in spans:
        indent = len(rows[first - 1]) - len(rows[first - 1].lstrip())
        assert rows[first - 1].lstrip().startswith('"')
        assert len(rows[last - 1]) - len(rows[last - 1].lstrip()) == indent


def test_lines_of_yaml_are_those_of_the_operation() -> None:
    imported = read(tree_of({"openapi.yaml": CASE.read_text()}), Options())
    rows = CASE.read_text().split("\n")
    page = next(page for page in imported.pages if page.path == "pets")
    lines = [origin.lines for _, _, origin in page.origins]
    assert [rows[a - 1].strip() for a, _ in filter(None, lines)] == ["get:", "delete:"]
    assert [rows[b - 1].split(":")[0].strip() for _, b in filter(None, lines)] == [
        "404",
        "responses",
    ]
