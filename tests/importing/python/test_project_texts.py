"""What stands beside a package: its README, its licences, its documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.importing.python.conftest import FILES, page_of, read_files

if TYPE_CHECKING:
    from collections.abc import Mapping


def test_objects_that_the_documentation_places_are_links_to_their_sections() -> None:
    imported = read_files(
        {
            **FILES,
            "docs/guide/api.md": "# API\n\n## Client\n\n::: pkg.Client\n\n## Old\n\n::: pkg.gone\n",
        }
    )
    page = page_of(imported, "guide/api")
    assert "[`pkg.Client`](../api/pkg.md#Client)" in page
    assert "\n`pkg.gone`" in page
    assert [note.message for note in imported.notes if note.kind == "object-unresolved"] == [
        "pkg.gone is only named"
    ]
    assert imported.counts["api objects linked"] == 1


@pytest.mark.parametrize(
    ("docs", "path"),
    [("docs/guide.md", "index"), ("docs/index.md", "project")],
    ids=["without a front page", "with one"],
)
def test_a_readme_is_a_page_that_links_to_the_documentation(docs: str, path: str) -> None:
    imported = read_files(
        {
            **FILES,
            "README.md": f"# README\n[![x](https://img.shields.io/x.svg)](https://x.example)\n\n"
            f"See [the guide]({docs}#use).\n",
            docs: "# Guide\n\nText.\n\n## Use\n\nLike this.\n",
        }
    )
    page = next(page for page in imported.pages if page.path == path)
    target = docs.removeprefix("docs/")
    assert (page.title, page.markdown) == ("pkg", f"See [the guide]({target}#use).")
    assert {origin.file for _, _, origin in page.origins} == {"README.md"}


@pytest.mark.parametrize(
    ("more", "path"),
    [({}, "license"), ({"docs/license.md": "# License\n\nMIT.\n"}, "license-text")],
    ids=["alone", "beside a page of its name"],
)
def test_the_texts_of_licences_are_apage_of(more: Mapping[str, str], path: str) -> None:
    text = "Copyright A\n\nPermission is hereby granted, free of charge, to any person obtaining "
    text += "a copy\n"
    imported = read_files({**FILES, **more, "LICENSE": text})
    page = imported.pages[-1]
    assert (page.path, page.title) == (path, "License")
    assert page.markdown == (f'The license is `MIT`.\n\n```text title="LICENSE"\n{text}```\n')
    assert [(first, last, origin.file) for first, last, origin in page.origins] == [
        (3, 7, "LICENSE")
    ]


def test_a_readme_that_the_documentation_includes_has_no_page_of_its_own() -> None:
    imported = read_files(
        {
            **FILES,
            "docs/conf.py": "",
            "docs/index.md": "# Home\n\n```{include} ../README.md\n:start-after: '# Pkg'\n```\n",
        }
    )
    paths = [page.path for page in imported.pages]
    assert paths == ["index", "skills/using/SKILL", "api/pkg", "api/pkg/extra"]
    assert page_of(imported, "index") == "Hello."


def test_a_readme_in_restructured_text_stands_beside_markdown() -> None:
    files = {name: text for name, text in FILES.items() if name != "README.md"}
    imported = read_files(
        {**files, "README.rst": "Pkg\n===\n\n*Yes*.\n", "docs/a.md": "# A\n\nB.\n"}
    )
    assert page_of(imported, "index") == "*Yes*.\n"
    assert page_of(imported, "a") == "B."
