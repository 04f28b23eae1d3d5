"""package.json: entries, conditions, what is not of the right form."""

from __future__ import annotations

import json

import pytest

from doctrove_builder.importing.errors import NothingImported
from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.npm.kind import KIND, read
from doctrove_builder.importing.npm.package import read_package, repository_url
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_tree import SourceTree, tree_of

DECLARED = "/** Said. */\nexport declare function f(): void;\n/** So too. */\nexport type T = 1;\n"


def package(manifest: object, *files: str) -> SourceTree:
    return tree_of({"package.json": json.dumps(manifest), **dict.fromkeys(files, DECLARED)})


@pytest.mark.parametrize(
    ("manifest", "files", "entries"),
    [
        ({"types": "a.d.ts"}, ["a.d.ts"], (("", "a.d.ts"),)),
        ({"typings": "./a"}, ["a.d.ts"], (("", "a.d.ts"),)),
        ({"main": "lib"}, ["lib/index.d.ts"], (("", "lib/index.d.ts"),)),
        ({"main": "x.mjs"}, ["x.d.mts", "x.d.ts"], (("", "x.d.mts"),)),
        ({"main": "x.cjs"}, ["x.d.cts"], (("", "x.d.cts"),)),
        ({}, ["index.d.ts"], (("", "index.d.ts"),)),
        ({"exports": "./x.js"}, ["x.d.ts"], (("", "x.d.ts"),)),
        ({"exports": {"import": "./x.js"}}, ["x.d.ts"], (("", "x.d.ts"),)),
        ({"exports": {".": ["./no.js", "./x.js"]}}, ["x.d.ts"], (("", "x.d.ts"),)),
        (
            {"exports": {"./b": "./b.js", ".": {"require": "./x.js", "types": "./t.d.ts"}}},
            ["b.d.ts", "x.d.ts", "t.d.ts"],
            (("", "t.d.ts"), ("b", "b.d.ts")),
        ),
        ({"exports": {".": "./no.js"}, "types": "a.d.ts"}, ["a.d.ts"], (("", "a.d.ts"),)),
        (
            {"exports": {".": {"types@>=4.2": "./new.d.ts", "types": "./old.d.ts"}}},
            ["new.d.ts", "old.d.ts"],
            (("", "new.d.ts"),),
        ),
        (
            {"exports": {"./*": {"types": "./dist/*.d.ts", "default": "./dist/*.js"}}},
            ["dist/a.d.ts", "dist/b/c.d.ts", "other.d.ts"],
            (("a", "dist/a.d.ts"), ("b/c", "dist/b/c.d.ts")),
        ),
        (
            {"types": "a.d.ts", "typesVersions": {"<4": {"*": ["old/*"]}, "*": {"*": ["ts/*"]}}},
            ["a.d.ts", "old/a.d.ts", "ts/a.d.ts"],
            (("", "ts/a.d.ts"),),
        ),
        (
            {"types": "a.d.ts", "typesVersions": {"*": {"b": ["no.d.ts", "lib/b.d.ts"]}}},
            ["a.d.ts", "lib/b.d.ts"],
            (("", "a.d.ts"), ("b", "lib/b.d.ts")),
        ),
        ({"types": "../../etc/passwd"}, ["a.d.ts"], ()),
        ({"types": 3, "exports": [1, None]}, ["a.d.ts"], ()),
        ([], ["a.d.ts"], ()),
    ],
)
def test_entries_are_found_by_their_types(
    manifest: object, files: list[str], entries: tuple[tuple[str, str], ...]
) -> None:
    assert read_package(package(manifest, *files)).entries == entries


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("acme/kit", "https://github.com/acme/kit"),
        ("github:acme/kit", "https://github.com/acme/kit"),
        ({"url": "git+https://github.com/acme/kit.git"}, "https://github.com/acme/kit"),
        ({"url": "git@github.com:acme/kit.git"}, "https://github.com/acme/kit"),
        ({"url": "git+ssh://git@github.com/acme/kit.git"}, "https://github.com/acme/kit"),
        ("javascript:alert(1)", ""),
        (7, ""),
    ],
)
def test_a_repository_is_written_as_an_address(written: object, url: str) -> None:
    assert repository_url(written) == url


def test_a_source_without_package_json_is_refused() -> None:
    with pytest.raises(NothingImported, match=r"package\.json"):
        read(tree_of({"README.md": "# X\n\ntext\n"}), Options())


@pytest.mark.parametrize("name", ["./de", "de"])
def test_an_entry_of_a_pattern_is_read_when_it_is_named(name: str) -> None:
    exports = {".": "./index.js", "./*": "./locales/*.js"}
    tree = package({"name": "x", "exports": exports}, "index.d.ts", "locales/de.d.ts")
    assert [page.path for page in _read(tree, {}).pages] == ["api/x"]
    assert [page.path for page in _read(tree, {"entries": name}).pages] == ["api/x/de"]


def test_an_empty_package_is_refused_and_not_faked() -> None:
    with pytest.raises(NothingImported, match="no README"):
        read(package({"name": "x"}), Options())


def test_a_package_without_types_says_so() -> None:
    tree = tree_of({"package.json": '{"name": "x"}', "README.md": "# X\n\nText.\n", "i.js": "1"})
    imported = read(tree, Options())
    assert [page.path for page in imported.pages] == ["index"]
    assert "no-declarations" in {note.kind for note in imported.notes}


@pytest.mark.parametrize(
    ("written", "pages"),
    [
        ({}, {"index", "api/x", "api/x/more"}),
        ({"entries": "./more"}, {"index", "api/x/more"}),
        ({"api-only": "true"}, {"api/x", "api/x/more"}),
        ({"docs-only": "true"}, {"index"}),
        ({"documented-only": "true"}, {"index", "api/x"}),
    ],
)
def test_options_choose_what_is_read(written: dict[str, str], pages: set[str]) -> None:
    manifest = {"name": "x", "exports": {".": "./a.js", "./more": "./b.js"}}
    tree = tree_of(
        {
            "package.json": json.dumps(manifest),
            "README.md": "# X\n\nText.\n",
            "a.d.ts": DECLARED,
            "b.d.ts": "export type U = 2;\n",
        }
    )
    assert {page.path for page in _read(tree, written).pages} == pages


def test_a_readme_beside_documentation_with_a_front_page_keeps_a_page_of_its_own() -> None:
    tree = tree_of(
        {
            "package.json": '{"name": "x"}',
            "README.md": "# X\n\nText.\n",
            "docs/index.md": "# Docs\n\nMore.\n",
            "docs/guide.md": "# Guide\n\nHow.\n",
        }
    )
    pages = {page.path: page.title for page in read(tree, Options()).pages}
    assert pages == {"index": "Docs", "guide": "Guide", "project": "X"}


def _read(tree: SourceTree, written: dict[str, str]) -> Imported:
    options = make_options(KIND, written, library="x", version="1.0.0", open_tree=lambda _: tree)
    return read(tree, options)


def test_pictures_that_its_pages_show_are_kept_with_them() -> None:
    tree = tree_of(
        {
            "package.json": '{"name": "x", "license": "MIT"}',
            "LICENSE": "Permission is hereby granted, free of charge, to any person\n",
            "README.md": "# X\n\nSee ![a box](img/box.png) here.\n",
            "docs/use.md": "# Use\n\nSee ![a box](../img/box.png) here.\n",
            "img/box.png": b"png",
        }
    )
    imported = read(tree, Options(library="x", version="1"))
    shown = {word for page in imported.pages for word in page.markdown.split() if ".png" in word}
    assert set(imported.assets) == {"assets/img/box.png"}
    assert shown == {"box](assets/img/box.png)"}
