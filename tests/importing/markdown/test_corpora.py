"""Real documentation in five dialects: whole, balanced, linked."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest

from doctrove_builder.importing.markdown.kind import KIND
from doctrove_builder.importing.markdown.lines import Line, Role, roles
from doctrove_builder.importing.markdown.link_text import rewritten
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_folder import open_folder
from doctrove_schema.sections import slug

if TYPE_CHECKING:
    from collections.abc import Mapping

CORPORA = Path(__file__).parents[3].parent / "shared/corpora"
FAULTS = {
    *("unclosed-code-fence", "unclosed-container", "duplicate-heading-id", "broken-link"),
    *("include-circle", "include-outside", "include-too-large", "include-part-missing"),
}
"""Notes that no documentation of people gives rise to."""


class _Links:
    """Collects what the links of a page say."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def target(self, address: str, image: bool, /) -> str:
        if not image and not re.match(r"[A-Za-z][\w+.-]*:|//", address):
            self.seen.append(address)
        return address

    def name(self, address: str, /) -> str:
        return address

    def reference(self, label: str, /) -> str | None:
        del label
        return None


@pytest.mark.skipif(not CORPORA.is_dir(), reason="shared material is not here")
@pytest.mark.parametrize(
    ("name", "pages", "sections", "includes"),
    [
        pytest.param("click/8.5.0", 35, 200, 1, id="click"),
        pytest.param("fastapi/0.141.1", 150, 1_700, 440, id="fastapi"),
        pytest.param("httpx/0.28.1", 23, 170, 0, id="httpx"),
        pytest.param("vite/8.2.2", 50, 580, 1, id="vite"),
        pytest.param("zod/3.23.8", 1, 90, 0, id="zod-3"),
        pytest.param("zod/4.4.3", 17, 280, 0, id="zod-4"),
    ],
)
def test_a_documentation_becomes_pages_without_loss(
    name: str, pages: int, sections: int, includes: int
) -> None:
    library, _, version = name.partition("/")
    tree = open_folder(CORPORA / name)
    options = make_options(KIND, {}, library=library, version=version, open_tree=lambda _: tree)
    imported = KIND.read(tree, options)
    given = Given(library=library, version=version, kind="markdown", source=name)
    volume = materialise(imported, given, tree)
    coverage = volume.coverage
    assert coverage.pages >= pages
    assert coverage.sections >= sections
    assert coverage.counts.get("includes resolved", 0) >= includes
    assert not [note for note in coverage.notes if note.kind in FAULTS]
    files = {posixpath.basename(path) for path in tree.paths}
    for note in coverage.notes:
        if note.kind == "include-missing":
            assert posixpath.basename(note.message.split(" is not in ")[0]) not in files
    texts = {path: data.decode() for path, data in volume.files.items() if path.endswith(".md")}
    for text in texts.values():
        kinds = roles([Line(row, 1) for row in text.split("\n")], indented=False)
        assert kinds.count(Role.OPEN) == kinds.count(Role.CLOSE)
    _assert_links_lead_somewhere(texts)


def _assert_links_lead_somewhere(texts: Mapping[str, str]) -> None:
    anchors = {
        path: set(re.findall(r"\{#([\w.-]+)\}|<a id=\"([^\"]+)\"", text))
        for path, text in texts.items()
    }
    for path, text in texts.items():
        links = _Links()
        plain = re.sub(
            r"^([ >]*)(`{3,})[^`\n]*\n.*?^[ >]*\2`*$", "", text, flags=re.MULTILINE | re.DOTALL
        )
        for paragraph in plain.split("\n\n"):
            rewritten(paragraph, links)
        for address in links.seen:
            file, _, anchor = address.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(file)))
            target = target if file else path
            assert target in texts, f"{path}: {address}"
            known = {one for pair in anchors[target] for one in pair if one}
            known |= {slug(one) for one in re.findall(r"^#+ (.+)$", texts[target], re.MULTILINE)}
            assert not anchor or anchor in known, f"{path}: {address}"
