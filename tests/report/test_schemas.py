"""The JSON Schemas of what a build writes for people's tools: they describe every key of it."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any, cast

import pytest
from jsonschema import Draft202012Validator

from doctrove_builder.cli.build import main
from doctrove_schema.schemas import schema_text

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "doctrove.yaml": 'format: "doctrove-authoring@1"\ntitle: Described\n',
    "tool/library.yaml": "name: Tool\nsummary: A tool.\n",
    "tool/1.0.0/volume.yaml": 'released: "2024-01-01"\n',
    "tool/1.0.0/code.md": "# Code\n\n```python\nprint(1\n```\n\n## Ünïcode\n\nText.\n",
    "tool/1.0.0/deep/page.md": (
        "---\nsymbols: [tool.run]\n---\n# Page\n\nThe lead.\n\n"
        "## Use\n\nText.\n\n### Inside\n\nMore.\n"
    ),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    for path, text in FILES.items():
        file = folder / "authoring" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    options = ["--report=report", "--cache=cache", "--jobs=1", "--quiet"]
    with contextlib.chdir(folder):
        assert main(["authoring", "dist", *options]) == 0
    return folder


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("report", "report/report.json"),
        ("search", "dist/_search/entry.json"),
        ("names", "dist/_search/names/*/*.json"),
    ],
)
def test_a_schema_describes_all_that_is_written(built: Path, name: str, pattern: str) -> None:
    schema = json.loads(schema_text(name))
    Draft202012Validator.check_schema(schema)
    strict: Any = Draft202012Validator(closed(schema))
    files = list(built.glob(pattern))
    assert files
    for file in files:
        data = json.loads(file.read_text())
        assert not list(strict.iter_errors(data))
        assert list(strict.iter_errors({**data, "format": "doctrove-other@1"}))


def closed(schema: Any) -> Any:
    """Return a schema that allows no key besides those that it names."""
    match schema:
        case [*listed]:
            return [closed(part) for part in listed]
        case _:
            pass
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in cast("dict[str, Any]", schema).items()}
    return {**parts, "additionalProperties": False} if "properties" in parts else parts
