"""Pictures: at their address where one is known, else kept, else only described."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.imported import Options
from doctrove_builder.importing.markdown.kind import read
from doctrove_builder.importing.markdown.pictures import MAX_BYTES
from doctrove_builder.importing.source_tree import tree_of

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Imported

MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy\n"
FILES: dict[str, bytes | str] = {
    "docs/guide/use.md": "# Use\n\nSee ![the box](../img/a%20b.png) and ![sea](/sea.webp).\n",
    "docs/img/a b.png": b"png",
    "docs/public/sea.webp": b"webp",
}


def _read(
    files: dict[str, bytes | str], *, licence: str = "", base_url: str = ""
) -> tuple[Imported, str, list[str]]:
    asked = Options(library="acme", version="1", license=licence, base_url=base_url)
    imported = read(tree_of(files), asked)
    notes = [note.message for note in imported.notes if note.kind == "picture-dropped"]
    return imported, imported.pages[0].markdown, notes


def test_pictures_of_a_licensed_source_are_kept_with_the_volume() -> None:
    imported, markdown, notes = _read({**FILES, "LICENSE": MIT})
    assert imported.assets == {"assets/img/a b.png": b"png", "assets/public/sea.webp": b"webp"}
    shown = "See ![the box](../assets/img/a%20b.png) and ![sea](../assets/public/sea.webp)."
    assert markdown == shown
    assert not notes


def test_without_a_licence_a_picture_is_only_described() -> None:
    imported, markdown, notes = _read(FILES)
    assert (imported.assets, markdown) == ({}, "See the box and sea.")
    assert all("has no known licence" in note for note in notes)
    assert len(notes) == 2


def test_the_licence_that_a_person_names_counts() -> None:
    assert len(_read(FILES, licence="MIT")[0].assets) == 2


def test_with_an_address_of_the_site_nothing_is_copied() -> None:
    imported, markdown, _ = _read({**FILES, "LICENSE": MIT}, base_url="https://acme.example/d/")
    assert not imported.assets
    assert "![the box](https://acme.example/d/img/a%20b.png)" in markdown


def test_what_a_generator_publishes_elsewhere_is_kept_even_so() -> None:
    files = {**FILES, "LICENSE": MIT, "docs/.vitepress/config.ts": ""}
    imported, markdown, _ = _read(files, base_url="https://acme.example/d/")
    assert list(imported.assets) == ["assets/img/a b.png"]
    assert "![sea](https://acme.example/sea.webp)" in markdown


@pytest.mark.parametrize(
    ("address", "why"),
    [
        pytest.param("../../../../etc/passwd", "is not in the source", id="outside"),
        pytest.param("use.md", "is no picture", id="no-picture"),
        pytest.param("data:image/png;base64,AA==", "is not an address of the web", id="data"),
        pytest.param("javascript:alert(1)", "is not an address of the web", id="script"),
        pytest.param("large.png", f"has more than {MAX_BYTES:,} bytes", id="large"),
    ],
)
def test_a_picture_that_cannot_stand_is_said_to_be_dropped(address: str, why: str) -> None:
    files: dict[str, bytes | str] = {
        "LICENSE": MIT,
        "docs/use.md": f"# Use\n\nSee ![the box]({address}) here.\n",
        "docs/large.png": b"0" * (MAX_BYTES + 1),
    }
    imported, markdown, notes = _read(files)
    assert (imported.assets, markdown) == ({}, "See the box here.")
    assert notes == [f"{address} {why}; its description stays"]
