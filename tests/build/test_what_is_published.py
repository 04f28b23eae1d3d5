"""What `doctrove-build` publishes: the same bytes from the same input."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from tests.build.conftest import TREE, Build, digests, versions

from doctrove_builder.cli.build import main
from doctrove_schema.reading import read_index


def test_the_root_of_a_published_tree_is_complete(build: Build, dest: Path) -> None:
    assert build("--base-url=https://example.org/docs") == 0
    names = {path.name for path in dest.iterdir()}
    assert names == {
        *("index.html", "index.json", "catalog.json", "manifest.json", "404.html", "llms.txt"),
        *("sitemap.xml", "robots.txt", "feed.xml", ".nojekyll", "_assets", "_volumes", "_schema"),
        "_search",
        "box",
    }


def test_the_same_input_gives_the_same_bytes_with_any_number_of_workers(
    source: Path, tmp_path: Path
) -> None:
    for number in range(200):
        page = source / "box" / "1.0.0" / f"page-{number}.md"
        page.write_text(f"# Page {number}\n\n```python\nprint({number})\n```\n", "utf-8")
    made: list[dict[str, str]] = []
    for jobs in ("1", "3"):
        dest = tmp_path / f"dist-{jobs}"
        cache = tmp_path / f"cache-{jobs}"
        assert main([str(source), str(dest), f"--jobs={jobs}", f"--cache={cache}", "-q"]) == 0
        made.append(digests(dest))
    assert made[0] == made[1]


def test_check_writes_nothing(source: Path, dest: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert main([str(source), str(dest), "--check", f"--cache={tmp_path / 'cache'}"]) == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_no_html_writes_the_index_and_no_page(build: Build, dest: Path) -> None:
    assert build("--no-html") == 0
    assert (dest / "index.json").exists()
    assert not list(dest.rglob("*.html"))


@pytest.mark.parametrize(
    ("epoch", "code", "updated"),
    [("86400", 0, "1970-01-02T00:00:00Z"), ("", 0, "2026-01-02"), ("yesterday", 2, None)],
)
def test_the_date_of_the_index_never_comes_from_a_clock(
    build: Build,
    dest: Path,
    monkeypatch: pytest.MonkeyPatch,
    epoch: str,
    code: int,
    updated: str | None,
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert build() == code
    if updated:
        assert json.loads((dest / "index.json").read_bytes())["updatedAt"] == updated


def test_a_section_names_its_file_lines_and_commit(build: Build, dest: Path) -> None:
    assert build("--source-commit=0123ABCDEF") == 0
    index = read_index((dest / "index.json").read_bytes(), name="index").index
    section = next(s for s in index.entries[0].volumes["1.1.0"].sections if s.id == "guide/limits")
    assert section.source is not None
    assert (section.source.file, section.source.commit) == ("box/1.0.0/guide.md", "0123abcdef")
    first, last = section.source.lines or (0, 0)
    lines = (TREE / "box/1.0.0/guide.md").read_text("utf-8").split("\n")[first - 1 : last]
    assert lines[0] == "## Limits"
    assert section.source.sha256 == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert section.sha256 == hashlib.sha256(section.body.encode()).hexdigest()


def test_init_writes_a_tree_that_builds_without_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start, dest = str(tmp_path / "start"), str(tmp_path / "dist")
    assert main([start, "--init"]) == 0
    assert str(Path("start") / "doctrove.yaml") in capsys.readouterr().out
    assert main([start, dest, "--strict", f"--cache={tmp_path / 'cache'}"]) == 0
    assert versions(tmp_path / "dist") == {"example": ("1.1.0", "1.0.0")}
    assert main([start, "--init"]) == 2


def test_a_picture_that_several_volumes_hold_is_published_once(
    build: Build, source: Path, dest: Path
) -> None:
    for version in ("1.0.0", "1.1.0"):
        folder = source / "box" / version
        (folder / "plot.png").write_bytes(b"the same picture")
        (folder / "shown.md").write_text("# Shown\n\n![Plot](plot.png)\n", "utf-8")
    assert build() == 0
    assert len(list((dest / "_assets").glob("plot.*.png"))) == 1


def test_a_page_is_linked_by_its_encoded_name(build: Build, source: Path, dest: Path) -> None:
    folder = source / "box" / "1.0.0"
    (folder / "a?b#c.md").write_text("# Odd\n\nText.\n", "utf-8")
    (folder / "to.md").write_text("# To\n\n[x](a%3Fb%23c.md)\n", "utf-8")
    assert build() == 0
    assert (dest / "box" / "1.0.0" / "a%3Fb%23c" / "index.html").exists()
