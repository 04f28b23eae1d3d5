"""Each folder of tests/authoring/cases is an authoring tree, what is said of it, what was read.

`RENEW_CASES=1` writes what is said now into `expected.txt`; read the difference before you commit.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.authoring import parse_authoring, read_tree
from doctrove_builder.markdown import parse_page
from doctrove_builder.reporting import report
from doctrove_schema.sections import section_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.model import Authoring

CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())


def test_there_are_cases() -> None:
    assert len(CASES) > 20


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_tree_is_read_and_its_problems_are_told(case: Path) -> None:
    tree, problems = read_tree(case / "authoring")
    authoring, more = parse_authoring(tree, parse_page=parse_page)
    texts = {path: document.text for path, document in tree.documents.items()}
    said = report((*problems, *more), format="human", texts=texts, root="authoring")
    actual = f"{said}\n" + "\n".join(outline(authoring)) + "\n"
    expected = case / "expected.txt"
    if os.environ.get("RENEW_CASES"):
        expected.write_text(actual, "utf-8")
    assert actual == expected.read_text("utf-8")


def outline(authoring: Authoring) -> Iterator[str]:
    """Yield a line for each library, volume and section."""
    for library in authoring.libraries:
        yield f"{library.id}: {library.name}"
        for volume in library.volumes:
            kind = "file" if volume.single_file else "folder"
            yield f"  {volume.version} ({kind} {volume.file})"
            for page in volume.pages:
                for passage in page.passages:
                    name = section_id(page.path, passage.heading.anchor)
                    yield f"    {name} = {passage.heading.text!r}, lines {passage.lines}"
