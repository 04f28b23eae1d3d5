"""A real documentation in reStructuredText: whole, balanced, linked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.imported import Options
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.source_folder import open_folder
from doctrove_builder.importing.sphinx.kind import read
from doctrove_builder.provenance import read_provenance
from doctrove_schema.sections import slug

if TYPE_CHECKING:
    from collections.abc import Mapping

CLICK = Path(__file__).parents[3].parent / "shared/corpora/click/8.1.8"
RULES = {"unclosed-code-fence", "rst-error", "directive-unknown", "page-unreadable"}


@pytest.mark.skipif(not CLICK.is_dir(), reason="shared material is not here")
def test_the_sources_of_click_become_pages_without_loss() -> None:
    tree = open_folder(CLICK)
    imported = read(tree, Options(library="click", version="8.1.8"))
    given = Given(library="click", version="8.1.8", kind="sphinx", source="click")
    volume = materialise(imported, given, tree)
    assert len(imported.pages) == 25
    assert volume.coverage.sections > 150
    assert not [note for note in volume.coverage.notes if note.kind in RULES]
    missing = [note for note in volume.coverage.notes if note.kind == "include-missing"]
    assert [note.message for note in missing] == ["../CHANGES.rst is not in the source"]
    provenance = read_provenance(volume.files["provenance.json"])
    assert provenance is not None
    assert all(origin.lines and origin.sha256 for origin in provenance.sections.values())
    _assert_links_lead_somewhere(volume.files)


def _assert_links_lead_somewhere(files: Mapping[str, bytes]) -> None:
    texts = {path: data.decode() for path, data in files.items() if path.endswith(".md")}
    anchors = {
        path: {
            *re.findall(r"\{#([\w.-]+)\}", text),
            *(slug(one) for one in re.findall(r"^#+ (.+)$", text, re.MULTILINE)),
        }
        for path, text in texts.items()
    }
    links = [
        (path, target, anchor)
        for path, text in texts.items()
        for target, anchor in re.findall(r"\]\((?!https?:)([\w./-]*\.md)?(?:#([\w.-]+))?\)", text)
    ]
    assert len(links) > 20
    for path, target, anchor in links:
        where = str(Path(path).parent / target) if target else path
        assert where in texts, (path, target)
        assert not anchor or anchor in anchors[where], (path, target, anchor)
