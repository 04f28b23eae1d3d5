"""API objects that pages place: resolved where the package's source is given, else named."""

from __future__ import annotations

import pytest

from doctrove_builder.importing.imported import Options
from doctrove_builder.importing.markdown.kind import read
from doctrove_builder.importing.source_tree import tree_of

PACKAGE = '''"""Boxes."""

class Box:
    """A box."""

    def open(self) -> None:
        """Open it."""

    def close(self) -> None:
        """Close it."""
'''
PAGE = "# API\n\nSee [the box][acme.Box] and [its lid][acme.Lid].\n\n::: acme.Box\n{options}"


def _read(options: str, *, given: bool) -> tuple[str, dict[str, int]]:
    package = tree_of({"acme/__init__.py": PACKAGE})
    tree = tree_of({"mkdocs.yml": "", "docs/api.md": PAGE.replace("{options}", options)})
    values = {"package": package} if given else {}
    imported = read(tree, Options(library="acme", version="1", values=values))
    return imported.pages[0].markdown, dict(imported.counts)


def test_an_object_is_described_with_its_members_and_references_lead_to_it() -> None:
    markdown, counts = _read("", given=True)
    assert "## `Box` {#acme.Box}" in markdown
    assert "{#acme.Box.open}" in markdown
    assert "See [the box](#acme.Box) and its lid." in markdown
    assert counts["api objects resolved"] == 1


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        pytest.param("    options:\n      members: [close]\n", ["close"], id="mkdocstrings"),
        pytest.param("    options:\n      members: false\n", [], id="no-members"),
        pytest.param("    :docstring:\n    :members: open\n", ["open"], id="mkautodoc"),
        pytest.param("    :docstring:\n", [], id="mkautodoc-alone"),
        pytest.param("    options: [\n", ["open", "close"], id="unreadable"),
    ],
)
def test_a_block_says_which_members_it_shows(options: str, shown: list[str]) -> None:
    markdown, _ = _read(options, given=True)
    assert [name for name in ("open", "close") if f"{{#acme.Box.{name}}}" in markdown] == shown


def test_without_the_package_objects_and_the_members_that_are_listed_are_named() -> None:
    markdown, counts = _read("    options:\n      members:\n        - open\n", given=False)
    assert markdown.endswith("`acme.Box`\n\n- `acme.Box.open`")
    assert "See the box and its lid." in markdown
    assert counts == {"api objects only named": 1}
