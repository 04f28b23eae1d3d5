"""What each dialect becomes, page by page.

`RENEW_CASES=1` writes what is made now into `expected.md`; read the difference before you commit.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.markdown.kind import KIND
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_folder import open_folder
from doctrove_builder.importing.source_tree import tree_of

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Imported

CASES = sorted(path.parent for path in Path(__file__).parent.glob("cases/*/source"))


def _told(imported: Imported) -> str:
    pages = (
        f"<!-- page {page.path}: {page.title} | {page.url} | {dict(page.symbols)} -->\n"
        f"{page.markdown}\n"
        for page in imported.pages
    )
    notes = (f"- {note.kind} {note.place}: {note.message}" for note in imported.notes)
    counts = (f"- {name}: {number}" for name, number in imported.counts.items())
    return "\n".join([*pages, "<!-- report -->", *counts, *notes, ""])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_dialect_becomes_the_markdown_of_volumes(case: Path) -> None:
    tree = open_folder(case / "source", name="source")
    options = make_options(KIND, {}, library="acme", version="2.0", open_tree=lambda _: tree)
    imported = KIND.read(tree, options)
    told = _told(imported)
    expected = case / "expected.md"
    if os.environ.get("RENEW_CASES"):
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
    volume = materialise(
        imported, Given(library="acme", version="2.0", kind="markdown", source="source"), tree
    )
    said = {note.kind for note in volume.coverage.notes}
    assert not said & {"unclosed-code-fence", "unclosed-container", "duplicate-heading-id"}


def test_a_version_beside_others_is_read_from_its_own_folder() -> None:
    tree = open_folder(Path(__file__).parent / "cases" / "docusaurus" / "source")
    options = make_options(KIND, {}, library="acme", version="1.0.3", open_tree=lambda _: tree)
    imported = KIND.read(tree, options)
    assert [page.title for page in imported.pages] == ["Old"]
    assert KIND.versions is not None
    assert KIND.versions(tree) == ("1.0",)


def test_a_translation_is_read_when_it_is_asked_for() -> None:
    tree = tree_of({"docs/en/a.md": "# A\n\nText.\n", "docs/ja/a.md": "# 字\n\n本文\n"})
    for language, title in (("", "A"), ("ja", "字")):
        options = make_options(
            KIND, {"language": language}, library="x", version="1", open_tree=lambda _: tree
        )
        imported = KIND.read(tree, options)
        assert [page.title for page in imported.pages] == [title]
