"""Each folder of tests/markdown/cases holds a page, what is read in it, and its sections' HTML.

`RENEW_CASES=1` writes what is read and rendered now; read the difference before you commit.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.markdown import parse_page, render_section
from doctrove_builder.model import Document
from doctrove_builder.site import SectionSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from doctrove_builder.model import PageSource, Passage
    from doctrove_schema.problem import Problem

CASES = sorted(path for path in (Path(__file__).parent / "cases").iterdir() if path.is_dir())


def test_there_are_cases() -> None:
    assert len(CASES) > 10


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_page_is_read_and_rendered(case: Path) -> None:
    document = Document(path="page.md", text=(case / "page.md").read_text("utf-8"))
    page, problems = parse_page(document, path="guide/page", split_level=2)
    read = "\n".join(outline(page, problems)) + "\n"
    html = "\n".join(map(rendered, page.passages))
    for name, actual in (("expected.txt", read), ("expected.html", html)):
        if os.environ.get("RENEW_CASES"):
            (case / name).write_text(actual, "utf-8")
        assert actual == (case / name).read_text("utf-8")


def rendered(passage: Passage) -> str:
    """Return a section as a site might show it."""
    source = SectionSource(
        body=passage.body,
        anchors=tuple(heading.anchor for heading in passage.inner),
        links=(("other.md#x", "../other/#x"), ("assets/a.png", "../_assets/a.1f.png 640x480")),
        prefix=passage.heading.anchor or "lead",
        targets=passage.anchors,
    )
    anchor = f' id="{passage.heading.anchor}"' if passage.heading.anchor else ""
    heading = f"<h2{anchor}>{passage.heading.html}</h2>"
    return f"<section>\n{heading}\n{render_section(source)}</section>\n"


def outline(page: PageSource, problems: tuple[Problem, ...]) -> Iterator[str]:
    """Yield lines for everything that is read in a page."""
    yield f"title {page.title!r} = {page.title_html!r}, anchor {page.title_anchor!r}"
    yield f"description {page.description!r}, order {page.order}, replace {page.replace}"
    for passage in page.passages:
        heading = passage.heading
        yield ""
        yield f"{heading.level} {heading.text!r} = {heading.html!r}, anchor {heading.anchor!r}"
        yield f"  heading line {heading.line}, lines {passage.lines}, trail {passage.trail}"
        yield f"  symbols {passage.symbols}, path {passage.path!r}, anchors {passage.anchors}"
        for inner in passage.inner:
            yield f"  inner {inner.level} {inner.text!r} {inner.anchor!r} at {inner.line}"
        for link in passage.links:
            kind = "picture" if link.image else "link"
            yield f"  {kind} {link.href!r} at {link.line}:{link.column}"
        yield from (f"  | {line}" for line in passage.body.split("\n") if passage.body)
    yield ""
    for problem in problems:
        yield (
            f"{problem.line}:{problem.column} {problem.severity.value} {problem.rule.value}: "
            f"{problem.message} ({problem.hint})"
        )
