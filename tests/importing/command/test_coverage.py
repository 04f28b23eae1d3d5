"""The coverage report: readable as text, and as JSON what its schema says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from doctrove_builder.importing.coverage import (
    Coverage,
    coverage_json,
    coverage_lines,
    family_of,
    table_lines,
)
from doctrove_builder.importing.imported import Note
from doctrove_builder.importing.lock import Pin, lock_bytes
from doctrove_schema.schemas import schema_text

MISSING = tuple(
    Note(kind="include-missing", place=f"a.md:{line}", message="x.py is not in the source")
    for line in range(1, 6)
)
REPORT = Coverage(
    library="acme",
    version="1.0.0",
    kind="markdown",
    source="docs",
    license="MIT",
    pages=1,
    sections=1200,
    tokens=1,
    code_blocks=0,
    assets=2,
    counts={"includes resolved": 3},
    notes=(
        Note(kind="external-picture", place="a.md:1", message="it is on another site"),
        *MISSING,
        Note(kind="undocumented", place="", message="3 more"),
    ),
)


def test_the_text_says_what_notes_have_in_common_and_not_found_comes_first() -> None:
    assert list(coverage_lines(REPORT)) == [
        "acme 1.0.0 (markdown, docs)",
        "  1 page, 1,200 sections, 1 token, 0 code blocks, 2 other files; licence MIT",
        "  3 includes resolved",
        "  not found in the source: 5",
        "    include-missing: 5",
        "      a.md:1: x.py is not in the source",
        "      a.md:2: x.py is not in the source",
        "      a.md:3: x.py is not in the source",
        "      ... and 2 more; --verbose shows all",
        "  without documentation: 1",
        "    undocumented: 1",
        "      3 more",
        "  changed, or as a build will see it: 1",
        "    external-picture: 1",
        "      a.md:1: it is on another site",
    ]
    assert "      a.md:5: x.py is not in the source" in coverage_lines(REPORT, every_note=True)


def test_many_reports_are_a_table_with_sums() -> None:
    bare = Coverage(
        library="b", version="2", kind="npm", source="s", pages=2, sections=3, tokens=5,
        code_blocks=7,
    )  # fmt: skip
    assert list(table_lines([REPORT, bare])) == [
        "volume      kind      pages  sections  tokens  code  notes  licence",
        "acme 1.0.0  markdown      1     1,200       1     0      7  MIT",
        "b 2         npm           2         3       5     7      0  -",
        "2 volumes                 3     1,203       6     7      7",
    ]


@pytest.mark.parametrize(
    ("kind", "family"),
    [
        ("link-nowhere", "not found in the source"),
        ("file-refused", "refused or unreadable"),
        ("page-left-out", "left out"),
        ("page-renamed", "changed, or as a build will see it"),
    ],
)
def test_a_code_belongs_to_a_family(kind: str, family: str) -> None:
    assert family_of(kind) == family


def test_the_json_is_what_its_schema_says() -> None:
    note = Note(kind="package-failed", place="c 1", message="it is not there")
    said = json.loads(coverage_json([REPORT], [note]))
    schema: dict[str, Any] = json.loads(schema_text("coverage"))
    Draft202012Validator.check_schema(schema)
    validator: Any = Draft202012Validator(schema)
    validator.validate(said)
    assert set(said["imports"][0]) == set(schema["$defs"]["import"]["properties"])
    assert not validator.is_valid({**said, "format": "other"})


def test_a_lock_is_what_its_schema_says() -> None:
    pin = Pin(source="npm:a@1", url="https://x/a", name="a.tgz", sha256="a" * 64, bytes=1)
    schema: dict[str, Any] = json.loads(schema_text("lock"))
    validator: Any = Draft202012Validator(schema)
    validator.validate(json.loads(lock_bytes({pin.source: pin}, kept=[pin.source])))
    assert not validator.is_valid({"format": "doctrove-lock@1", "imports": [{"source": "x"}]})
