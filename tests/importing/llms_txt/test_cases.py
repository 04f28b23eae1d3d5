"""Golden texts: `cases/NAME.txt` and what its pages are in `cases/NAME.expected`.

`RENEW_CASES=1` writes what is read now; read the difference before you commit.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.importing.llms_txt.kind import KIND, read
from doctrove_builder.importing.option_values import make_options
from doctrove_builder.importing.source_tree import tree_of

if TYPE_CHECKING:
    from doctrove_builder.importing.imported import Imported, Options

CASES = sorted(Path(__file__).with_name("cases").glob("*.txt"))


def options(**written: str) -> Options:
    return make_options(KIND, written, library="x", version="1", open_tree=lambda _: tree_of({}))


def written(imported: Imported) -> str:
    made: list[str] = []
    for page in imported.pages:
        made += [f"--- {page.path}: {page.title} <{page.url}>", page.markdown]
        made += [f"    {a}-{b}: {o.file} {o.lines}" for a, b, o in page.origins]
    made += [f"*** {note.kind} {note.place}: {note.message}" for note in imported.notes]
    return "\n".join(made) + "\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_text_becomes_the_expected_pages(case: Path) -> None:
    made = written(read(tree_of({"llms-full.txt": case.read_text()}), options()))
    expected = case.with_suffix(".expected")
    if os.environ.get("RENEW_CASES"):
        expected.write_text(made)
    assert made == expected.read_text()


def test_code_comes_from_the_lines_that_its_origin_names() -> None:
    text = Path(__file__).with_name("cases") / "source-lines.txt"
    rows = text.read_text().split("\n")
    page = read(tree_of({"llms-full.txt": text.read_text()}), options()).pages[1]
    lines = page.markdown.split("\n")
    first, last, origin = page.origins[-1]
    assert origin.lines is not None
    code = lines[first - 1 : last][-4:]
    assert code == rows[origin.lines[0] - 1 : origin.lines[1]][-4:]
    assert code[0] == "```python"
