"""Another index becomes a volume with the same sections; what is not valid is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.errors import NothingImported, OptionRefused, SourceRefused
from doctrove_builder.importing.index.kind import KIND, read
from doctrove_builder.importing.materialise import Given, materialise
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_tree import tree_of
from doctrove_schema.model import Entry, Index, Origin, Section, Volume
from doctrove_schema.writing import write_index

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Options

SECTIONS = (
    Section(id="guide/start", heading="Start", body="The lead. See [more](start.md#more).",
            page="guide/start", path="https://acme.example/guide/start/"),
    Section(id="guide/start/more", heading="More `code`", page="guide/start", trail=("Start",),
            body="See [api](../api.md#f), [out](../../x.md), [bad](javascript:a()).\n\n"
            "## Deep\n\nend",
            path="https://acme.example/guide/start/#more", symbols=("Acme.more",),
            source=Origin(file="docs/start.md", lines=(3, 9), sha256="0" * 64)),
    Section(id="api/f", heading="f()", page="api", trail=("API",), symbols=("f",),
            body="```md\n## no heading\n[x](y.md)\n```"),
    Section(id="alone", heading="Alone", body="It has no page."),
)  # fmt: skip


def index(*ids: str) -> bytes:
    entries = tuple(
        Entry(
            id=name,
            name=name.title(),
            license="MIT",
            versions=("1.1.0",),
            version_scheme="semver",
            volumes={"1.1.0": Volume(sections=SECTIONS, released="2026-01-02")},
        )
        for name in ids
    )
    return write_index(Index(entries=entries))


def options(library: str = "acme", version: str = "1.1.0", **written: str) -> Options:
    return make_options(
        KIND, written, library=library, version=version, open_tree=lambda _: tree_of({})
    )


def test_sections_keep_their_ids_texts_symbols_addresses_and_origins() -> None:
    imported = read(tree_of({"index.json": index("acme")}), options())
    assert (imported.name, imported.license, imported.released) == ("Acme", "MIT", "2026-01-02")
    start, api, alone = imported.pages
    assert (start.path, start.title) == ("guide/start", "Start")
    assert start.markdown == (
        "The lead. See [more](start.md#more).\n\n## More \\`code\\` {#more}\n\n"
        "See [api](../api.md#f), [out](https://acme.example/x.md), bad.\n\n### Deep\n\nend\n"
    )
    assert start.symbols == {"more": ("Acme.more",)}
    assert start.urls["more"] == "https://acme.example/guide/start/#more"
    assert start.origins == ((3, 9, SECTIONS[1].source),)
    assert api.title == "API"
    assert api.markdown == "## f() {#f}\n\n```md\n## no heading\n[x](y.md)\n```\n"
    assert (alone.path, alone.markdown) == ("index", "## Alone {#alone}\n\nIt has no page.\n")


def test_a_volume_of_it_has_the_same_sections() -> None:
    tree = tree_of({"index.json": index("acme")})
    given = Given(library="acme", version="1.1.0", kind="index", source="index.json")
    volume = materialise(read(tree, options()), given, tree)
    provenance = json.loads(volume.files["provenance.json"])
    assert volume.coverage.sections == len(SECTIONS)
    assert provenance["sections"]["guide/start/more"] == {
        "file": "docs/start.md",
        "lines": [3, 9],
        "sha256": "0" * 64,
    }
    assert provenance["symbols"] == {"guide/start/more": ["Acme.more"], "api/f": ["f"]}


def test_the_library_and_the_version_may_be_called_otherwise_here() -> None:
    tree = tree_of({"dist/index.json": index("one", "two")})
    chosen = options("mine", "9.9.9", entry="two", **{"entry-version": "1.1.0"})
    assert read(tree, chosen).name == "Two"
    assert read(tree_of({"other.json": index("one")}), options("mine")).name == "One"


@pytest.mark.parametrize(
    ("data", "chosen", "error", "match"),
    [
        (index("one", "two"), options(), OptionRefused, "no library 'acme'"),
        (index("acme"), options(entry="acne"), OptionRefused, "no library 'acne'"),
        (index("acme"), options(version="1.0.0"), OptionRefused, r"no version '1\.0\.0'"),
        (index(), options(), NothingImported, "no libraries"),
        (b"{", options(), SourceRefused, "not valid JSON"),
        (b'{"format": "other@1"}', options(), SourceRefused, "doctrove-index@1"),
        (b"[" * 100_000, options(), SourceRefused, "no doctrove-index@1"),
    ],
    ids=["which", "near", "version", "empty", "json", "format", "deep"],
)
def test_what_is_not_there_is_refused_with_the_nearest_named(
    data: bytes, chosen: Options, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        read(tree_of({"index.json": data}), chosen)


def test_a_source_without_an_index_is_refused() -> None:
    with pytest.raises(NothingImported):
        read(tree_of({"a.md": "", "b.md": ""}), options())
    with pytest.raises(OptionRefused):
        read(tree_of({"index.json": index("acme")}), options(file="no.json"))
