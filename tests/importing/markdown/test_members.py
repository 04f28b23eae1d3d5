"""Options of mkdocstrings that say which members of an object are shown."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import cast

import pytest

from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.markdown.kind import read
from doctrove_builder.importing.python.selection import filter_of
from doctrove_builder.importing.source_tree import tree_of

CASES = Path(__file__).parent / "members" / "cases"
SHOWN: list[dict[str, object]] = json.loads((CASES / "shown.json").read_text("utf-8"))
"""What mkdocstrings-python 2.0.11 gave headings for, attributes included."""

PACKAGE = tree_of({f"acme/{file.name}": file.read_text("utf-8") for file in CASES.glob("acme/*")})
SETTINGS = """\
plugins:
- search
- mkdocstrings:
    handlers:
      python:
        options: {options}
"""


def _read(block: str, settings: str) -> Imported:
    page = f"# API\n\nText.\n\n::: {block}\n"
    tree = tree_of({"mkdocs.yml": settings, "docs/api.md": page})
    return read(tree, Options(library="acme", version="1", values={"package": PACKAGE}))


def _shown(markdown: str) -> set[str]:
    """Return the dotted names that have headings, and the bare ones of lists of attributes."""
    return {
        *re.findall(r"\{#([\w.]+)\}", markdown),
        *re.findall(r"^- `(\w+)`", markdown, re.MULTILINE),
    }


def _expected(names: list[str]) -> set[str]:
    """Return the same of what mkdocstrings shows; constructors stand with their class here."""
    data = {"LIMIT", "BARE", "_hidden", "color", "size", "x"}
    last = [(name, name.rpartition(".")[2]) for name in names]
    return {one if one in data else name for name, one in last if one != "__init__"}


@pytest.mark.parametrize("case", SHOWN, ids=[json.dumps(one["options"]) for one in SHOWN])
@pytest.mark.parametrize("place", ["block", "site"])
def test_the_members_shown_are_those_that_mkdocstrings_shows(
    case: dict[str, object], place: str
) -> None:
    options = json.dumps(case["options"])
    if place == "block":
        block = f"{case['object']}\n    options: {options}"
        imported = _read(block, "plugins: [mkdocstrings]")
    else:
        imported = _read(str(case["object"]), SETTINGS.format(options=options))
    names = cast("list[str]", case["shown"])
    shown = _shown(imported.pages[0].markdown)
    if case["object"] == "acme":  # a module's text has no heading of its own
        shown.add("acme")
    assert shown == _expected(names)


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        pytest.param("plugins: {mkdocstrings: {}}", False, id="a-mapping"),
        pytest.param("plugins: [mkdocstrings]", False, id="its-name"),
        pytest.param("plugins: [search]", True, id="not-there"),
        pytest.param(SETTINGS.format(options="{show_if_no_docstring: true}"), True, id="says-so"),
    ],
)
def test_where_the_site_has_mkdocstrings_its_usual_answers_hold(settings: str, shown: bool) -> None:
    assert ("{#acme.silent}" in _read("acme", settings).pages[0].markdown) is shown


def test_a_block_overrides_the_site_key_by_key() -> None:
    settings = SETTINGS.format(options="{filters: ['^open$'], show_if_no_docstring: true}")
    block = "acme.Box\n    handler: python\n    options:\n      filters: ['^clo']"
    assert "{#acme.Box.close}" in _read(block, settings).pages[0].markdown
    assert "{#acme.Box.open}" not in _read(block, settings).pages[0].markdown


def test_members_that_are_named_stand_in_their_order() -> None:
    markdown = _read(
        "acme.Box\n    options: {members: [open, lid, close]}", "plugins: [mkdocstrings]"
    )
    found = re.findall(r"\{#acme\.Box\.(\w+)\}", markdown.pages[0].markdown)
    assert found == ["open", "lid", "close"]


@pytest.mark.parametrize(
    "text",
    [
        "(a+)+$",
        "!(x*)*",
        r"(a)\1",
        "a*a*a*$",
        "[",
        "(",
        "a{9999999999}",
        "(a){2,}",
    ],
)
def test_a_filter_that_is_no_pattern_or_may_not_end_is_named_and_not_used(text: str) -> None:
    assert filter_of(text) is None
    imported = _read(
        f"acme.Box\n    options: {{filters: [{json.dumps(text)}, '^open$']}}",
        "plugins: [mkdocstrings]",
    )
    notes = [note for note in imported.notes if note.kind == "filter-refused"]
    assert [note.place for note in notes] == ["docs/api.md:5"]
    assert repr(text) in notes[0].message
    assert _shown(imported.pages[0].markdown) == {"acme.Box", "acme.Box.open"}


@pytest.mark.parametrize(
    "text",
    ["!^_[^_]", "^__init__$", "!^(test|_).*", r"!\w+_internal$", "^[+*]{2}", "^(?!_).*", "(ab)?c"],
)
def test_filters_as_people_write_them_are_used(text: str) -> None:
    assert filter_of(text) is not None
