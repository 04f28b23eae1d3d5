"""The pages of changes: what is on them, in sheets of bounded size, in whole and partial builds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SENTENCE = "The handler finds the parameter {} of its route, and answers."
MOST_BYTES = 200_000


def write(root: Path, version: str, *, pages: int, change: str) -> None:
    """Write a volume of pages with five sections each; `change` stands in every text."""
    folder = root / "kit" / version
    folder.mkdir(parents=True)
    for page in range(pages):
        sections = [
            f"## Section {n}\n\n" + "\n".join(SENTENCE.format(f"{change}{k}") for k in range(9))
            for n in range(5)
        ]
        text = "\n\n".join([f"# Page {page}", *sections])
        (folder / f"page-{page:03}.md").write_text(f"{text}\n", "utf-8")
    (root / "kit/library.yaml").write_text("name: Kit\n", "utf-8")


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., int]:
    def run(*options: str) -> int:
        cache = f"--cache={tmp_path / 'cache'}"
        return main([str(tmp_path / "authoring"), str(tmp_path / "dist"), cache, *options])

    return run


def ids(html: str) -> list[str]:
    return re.findall(r'class="change" id="([^"]+)"', html)


def test_many_changes_stand_in_sheets_and_every_mark_leads_to_its_entry(
    build: Callable[..., int], tmp_path: Path
) -> None:
    write(tmp_path / "authoring", "1.0.0", pages=60, change="a")
    write(tmp_path / "authoring", "2.0.0", pages=60, change="b")
    assert build("--quiet") == 0
    folder = tmp_path / "dist/kit/_changes/2.0.0"
    sheets = sorted(folder.rglob("index.html"))
    entries = {sheet: ids(sheet.read_text("utf-8")) for sheet in sheets}
    assert len(sheets) > 3
    assert sorted(found for sheet in entries.values() for found in sheet) == sorted(
        f"s-page-{page:03}__section-{n}" for page in range(60) for n in range(5)
    )
    assert max(sheet.stat().st_size for sheet in sheets) < MOST_BYTES
    first = (folder / "index.html").read_text("utf-8")
    listed = {
        folder / href for href in re.findall(r'href="\.\./\.\./_changes/2\.0\.0/([^"#]*)"', first)
    }
    assert {place / "index.html" for place in listed} == set(sheets)
    page = tmp_path / "dist/kit/2.0.0/page-059/index.html"
    marks = re.findall(r'class="tag changed" href="([^"#]+)#([^"]+)"', page.read_text("utf-8"))
    assert len(marks) == 5
    for address, entry in marks:
        assert entry in entries[(page.parent / address).resolve() / "index.html"]


def test_a_section_too_long_to_compare_is_named_without_its_text(
    build: Callable[..., int], tmp_path: Path
) -> None:
    for version in ("1.0.0", "2.0.0"):
        folder = tmp_path / "authoring/kit" / version
        folder.mkdir(parents=True)
        text = "\n\n".join(f"Line {n} of {version}." for n in range(3_000))
        (folder / "page.md").write_text(f"# Page\n\n## Long\n\n{text}\n", "utf-8")
    (tmp_path / "authoring/kit/library.yaml").write_text("name: Kit\n", "utf-8")
    assert build("--quiet") == 0
    html = (tmp_path / "dist/kit/_changes/2.0.0/index.html").read_text("utf-8")
    assert "too long to be compared here" in html
    assert "Line 7" not in html


def test_a_build_without_changes_renders_nothing_again(
    build: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "authoring", "1.0.0", pages=2, change="a")
    write(tmp_path / "authoring", "2.0.0", pages=2, change="b")
    assert build() == 0
    capsys.readouterr()
    assert build() == 0
    assert " 0 written," in capsys.readouterr().out


def test_a_build_of_an_older_version_alone_compares_it_with_what_is_published(
    build: Callable[..., int], tmp_path: Path
) -> None:
    write(tmp_path / "authoring", "1.0.0", pages=2, change="a")
    write(tmp_path / "authoring", "2.0.0", pages=2, change="b")
    assert build("--quiet") == 0
    page = tmp_path / "authoring/kit/1.0.0/page-000.md"
    page.write_text(page.read_text("utf-8") + "\n## Only here\n\nNothing more.\n", "utf-8")
    assert build("--only=kit@1.0.0", "--quiet") == 0
    changes = tmp_path / "dist/kit/_changes/2.0.0/index.html"
    partial = changes.read_text("utf-8")
    assert "s-page-000__only-here" in ids(partial)
    assert build("--quiet") == 0
    assert changes.read_text("utf-8") == partial


def test_a_library_with_one_version_has_no_page_of_changes(
    build: Callable[..., int], tmp_path: Path
) -> None:
    write(tmp_path / "authoring", "1.0.0", pages=1, change="a")
    assert build("--quiet") == 0
    assert not (tmp_path / "dist/kit/_changes").exists()
    assert "_changes" not in (tmp_path / "dist/kit/index.html").read_text("utf-8")


HOSTILE = ["<script>alert(1)</script>", "</code></pre><b onclick=alert(1)>", "& \" ' <"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_stands_in_a_text_is_never_markup(
    build: Callable[..., int], tmp_path: Path, text: str
) -> None:
    for version in ("1.0.0", "2.0.0"):
        folder = tmp_path / "authoring/kit" / version
        folder.mkdir(parents=True)
        body = f"Words that stay the same {version}: {text}\n\n```\n{text} {version}\n```\n"
        page = f"# Page\n\n## A `{text}` in {version}\n\n{body}"
        (folder / "page.md").write_text(page, "utf-8")
    (tmp_path / "authoring/kit/library.yaml").write_text("name: Kit\n", "utf-8")
    assert build("--quiet") == 0
    html = (tmp_path / "dist/kit/_changes/2.0.0/index.html").read_text("utf-8")
    main_part = html[html.index("<main") : html.index("</main>")]
    assert not re.search(r"<(script|b)\b", main_part)
    assert "&lt;" in main_part
