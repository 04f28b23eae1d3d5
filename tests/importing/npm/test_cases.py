"""Golden packages: each folder of cases/ holds `package/` and the volume's pages in `expected/`.

`RENEW_CASES=1` writes what is read now; read the difference before you commit.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from doctrove_builder.importing.imported import Imported, Options
from doctrove_builder.importing.npm.kind import read
from doctrove_builder.importing.source_tree import tree_of

CASES = sorted(path for path in Path(__file__).with_name("cases").iterdir() if path.is_dir())


def imported_of(case: Path) -> Imported:
    folder = case / "package"
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    tree = tree_of({str(path.relative_to(folder)): path.read_bytes() for path in files})
    return read(tree, Options(library=case.name, version="1.0.0"))


def written(imported: Imported) -> dict[str, str]:
    """Every page with its title, symbols and origins, and the notes."""
    made: dict[str, str] = {}
    for page in imported.pages:
        symbols = [f"{anchor}: {', '.join(names)}" for anchor, names in page.symbols.items()]
        origins = [f"{a}-{b}: {o.file} {o.lines}" for a, b, o in page.origins]
        parts = (f"title: {page.title}", page.markdown.rstrip(), *symbols, *origins)
        made[f"{page.path.replace('/', '+')}.md"] = "\n".join(parts) + "\n"
    facts = (imported.name, imported.summary, imported.repository, imported.license)
    notes = [f"{note.kind} {note.place}: {note.message}" for note in imported.notes]
    counts = [f"{name}: {number}" for name, number in imported.counts.items()]
    made["_facts.txt"] = "\n".join(("; ".join(facts), *counts, *notes)) + "\n"
    return made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_package_becomes_the_expected_pages(case: Path) -> None:
    made = written(imported_of(case))
    if os.environ.get("RENEW_CASES"):
        renew(case / "expected", made)
    expected = {path.name: path.read_text() for path in (case / "expected").iterdir()}
    assert made == expected


def renew(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, text in files.items():
        (folder / name).write_text(text)
