from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Protocol

import pytest

from doctrove_builder.cli.build import main
from doctrove_schema.reading import read_index

CASES = Path(__file__).parent / "cases"
TREE = CASES / "two-volumes-one-extends" / "authoring"
BROKEN = CASES / "extends-in-a-circle" / "authoring"


class Build(Protocol):
    def __call__(self, *options: str) -> int: ...


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TREE, tmp_path / "authoring"))


@pytest.fixture
def dest(tmp_path: Path) -> Path:
    return tmp_path / "dist"


@pytest.fixture
def build(source: Path, dest: Path, tmp_path: Path) -> Build:
    def run(*options: str) -> int:
        cache = f"--cache={tmp_path / 'cache'}"
        return main([str(source), str(dest), cache, "--jobs=1", *options])

    return run


def digests(dest: Path) -> dict[str, str]:
    files = (path for path in dest.rglob("*") if path.is_file())
    return {
        path.relative_to(dest).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def versions(dest: Path) -> dict[str, tuple[str, ...]]:
    index = read_index((dest / "index.json").read_bytes(), name="index").index
    return {entry.id: entry.versions for entry in index.entries}


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


def test_an_unchanged_tree_is_built_again_without_rendering_or_writing_anything(
    build: Build, dest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    times = {path: path.stat().st_mtime_ns for path in dest.rglob("*")}
    capsys.readouterr()
    assert build("--verbose") == 0
    said = capsys.readouterr()
    assert "0 written" in said.out
    assert "3 of 3 pages parsed before; 0 sections rendered anew" in said.out
    assert "render files: 0" in said.err
    assert {path: path.stat().st_mtime_ns for path in dest.rglob("*")} == times


def test_a_changed_page_is_the_only_one_rendered(
    build: Build, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    page = source / "box" / "1.1.0" / "guide.md"
    page.write_text(page.read_text("utf-8").replace("New way", "Newest way"), "utf-8")
    capsys.readouterr()
    assert build("--verbose") == 0
    assert "2 of 3 pages parsed before; 1 section rendered anew" in capsys.readouterr().out


def test_the_cache_does_not_decide_what_is_published(
    build: Build, dest: Path, tmp_path: Path
) -> None:
    build()
    before = digests(dest)
    shutil.rmtree(tmp_path / "cache")
    build()
    assert digests(dest) == before


def test_a_published_file_that_was_changed_by_hand_is_made_again(build: Build, dest: Path) -> None:
    build()
    before = digests(dest)
    (dest / "box" / "1.1.0" / "guide" / "index.html").write_text("changed", "utf-8")
    build()
    assert digests(dest) == before


@pytest.mark.parametrize("damage", [b"", b"no database at all " * 500])
def test_a_damaged_cache_is_replaced(build: Build, tmp_path: Path, damage: bytes) -> None:
    build()
    for suffix in ("-wal", "-shm"):
        (tmp_path / "cache" / f"cache.sqlite{suffix}").unlink(missing_ok=True)
    (tmp_path / "cache" / "cache.sqlite").write_bytes(damage)
    assert build() == 0
    with sqlite3.connect(tmp_path / "cache" / "cache.sqlite") as database:
        assert database.execute("SELECT count(*) FROM value").fetchone()[0] > 0
    database.close()


def test_clean_empties_the_cache_and_nothing_beside_it(
    build: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    mine = tmp_path / "cache" / "mine.txt"
    mine.write_text("kept", "utf-8")
    capsys.readouterr()
    assert build("--clean", "--verbose") == 0
    assert "0 of 3 pages parsed before" in capsys.readouterr().out
    assert mine.read_text("utf-8") == "kept"


def test_check_writes_nothing(source: Path, dest: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*"))
    assert main([str(source), str(dest), "--check", f"--cache={tmp_path / 'cache'}"]) == 0
    assert sorted(tmp_path.rglob("*")) == before


def test_an_error_keeps_the_published_tree_as_it_is(build: Build, source: Path, dest: Path) -> None:
    build()
    before = digests(dest)
    (source / "box" / "1.0.0" / "guide.md").write_text("# Guide\n\n[x](gone.md)\n", "utf-8")
    assert build() == 1
    assert digests(dest) == before


def test_strict_makes_warnings_errors(
    build: Build, source: Path, dest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "box" / "1.0.0" / "raw.md").write_text("# Raw\n\n<form>x</form>\n", "utf-8")
    assert build("--strict") == 1
    assert "error" in capsys.readouterr().err
    assert not dest.exists()
    assert build() == 0


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


def add_library(source: Path, name: str, text: str) -> None:
    folder = source / name / "1.0.0"
    folder.mkdir(parents=True, exist_ok=True)
    (source / name / "library.yaml").write_text(f"name: {name}\n", "utf-8")
    (folder / "guide.md").write_text(text, "utf-8")


def test_only_builds_one_library_and_leaves_the_rest_as_published(
    build: Build, source: Path, dest: Path
) -> None:
    add_library(source, "lid", "# Lid\n\nOld.\n")
    build()
    before = digests(dest)
    add_library(source, "lid", "# Lid\n\nNew, but not chosen.\n")
    (source / "box" / "1.0.0" / "api.md").write_text("# Api\n\n## `box.open()`\n\nYes.\n", "utf-8")
    (source / "box" / "1.1.0" / "volume.yaml").write_text('extends: "1.0.0"\n', "utf-8")
    assert build("--only=box") == 0
    after = digests(dest)
    assert {path: after[path] for path in after if path.startswith("lid/")} == {
        path: before[path] for path in before if path.startswith("lid/")
    }
    index = read_index((dest / "index.json").read_bytes(), name="index").index
    bodies = {entry.id: entry.volumes["1.0.0"].sections[0].body for entry in index.entries}
    assert bodies == {"box": "Yes.", "lid": "Old."}


def test_only_builds_one_version_of_a_library(build: Build, source: Path, dest: Path) -> None:
    build()
    before = digests(dest)
    for version in ("1.0.0", "1.1.0"):
        page = source / "box" / version / "guide.md"
        page.write_text(page.read_text("utf-8").replace("way to", "road to"), "utf-8")
    assert build("--only=box@1.1.0") == 0
    after = digests(dest)
    changed = {path for path in after if after[path] != before.get(path)}
    assert "box/1.1.0/guide/index.html" in changed
    assert not {path for path in changed if path.startswith("box/1.0.0/")}
    assert versions(dest) == {"box": ("1.1.0", "1.0.0")}


def test_only_gives_what_a_full_build_gives_when_nothing_else_changed(
    build: Build, source: Path, dest: Path
) -> None:
    add_library(source, "lid", "# Lid\n\nText.\n")
    build()
    before = digests(dest)
    assert build("--only=box@1.1.0") == 0
    assert digests(dest) == before


def test_only_is_not_kept_from_building_by_mistakes_elsewhere(build: Build, source: Path) -> None:
    add_library(source, "lid", "# Lid\n\nText.\n")
    build()
    add_library(source, "lid", "# Lid\n\n[x](gone.md)\n")
    assert build() == 1
    assert build("--only=box") == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only=bix"], "`bix`, which is not there\n  = do you mean `box`?"),
        (["--only=box@1.1"], "version `1.1` of `box`, which is not there\n  = do you mean"),
    ],
)
def test_only_names_what_is_there(
    build: Build, options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    assert build(*options) == 2
    assert said in capsys.readouterr().err


def test_only_needs_something_published(
    build: Build, dest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build("--only=box") == 2
    assert "build everything once, without --only" in capsys.readouterr().err
    assert not dest.exists()


def test_init_writes_a_tree_that_builds_without_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start, dest = str(tmp_path / "start"), str(tmp_path / "dist")
    assert main([start, "--init"]) == 0
    assert str(Path("start") / "doctrove.yaml") in capsys.readouterr().out
    assert main([start, dest, "--strict", f"--cache={tmp_path / 'cache'}"]) == 0
    assert versions(tmp_path / "dist") == {"example": ("1.1.0", "1.0.0")}
    assert main([start, "--init"]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "dist"], "nowhere is not a folder"),
        (["."], "DEST is missing"),
        ([".", "."], "is the source itself"),
        ([".", "inside"], "is inside the source"),
        ([".", "../dist", "--only=a", "--no-html"], "--no-html would remove it"),
    ],
)
def test_wrong_usage_is_said_and_nothing_is_touched(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "option",
    ["--base-url=ftp://x", "--base-url=https://x/?q", "--jobs=0", "--source-commit=z", "--nope"],
)
def test_a_wrong_option_exits_2(build: Build, option: str) -> None:
    with pytest.raises(SystemExit) as ended:
        build(option)
    assert ended.value.code == 2


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_problems_for_programs_stand_alone_on_standard_output(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(BROKEN), "--check", f"--format={form}"]) == 1
    said = capsys.readouterr()
    assert "extends-circle" in json.dumps(json.loads(said.out))
    assert said.err == ""


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("human", "_templates/layout.html:2"),
        ("github", "file={source}/_templates/layout.html,line=2,"),
        ("json", '/_templates/layout.html"'),
        ("sarif", '/_templates/layout.html"'),
    ],
)
def test_a_fault_of_a_template_is_told_like_other_problems(
    build: Build,
    source: Path,
    dest: Path,
    capsys: pytest.CaptureFixture[str],
    form: str,
    said: str,
) -> None:
    (source / "_templates").mkdir()
    layout = '{% extends "!layout.html" %}\n{% block head %}<script>x</script>{% endblock %}\n'
    (source / "_templates" / "layout.html").write_text(layout, "utf-8")
    assert build(f"--format={form}") == 1
    out, err = capsys.readouterr()
    told = err if form == "human" else out
    assert said.format(source=source) in told
    assert "template-fault" in told
    assert not dest.exists()


def test_check_reads_the_templates_too(
    build: Build, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "_templates").mkdir()
    (source / "_templates" / "page.html").write_text("one\n{% if %}\n", "utf-8")
    assert build("--check") == 1
    assert "_templates/page.html:2" in capsys.readouterr().err


def test_a_file_in_the_place_of_a_folder_is_said(
    build: Build, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = source / "doctrove.yaml"
    assert build(f"--cache={project}") == 2
    assert "--cache names the file" in capsys.readouterr().err
    assert main([str(project), "dist"]) == 2
    assert "is a file; name the authoring folder" in capsys.readouterr().err


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


def test_a_quiet_build_says_nothing(build: Build, capsys: pytest.CaptureFixture[str]) -> None:
    assert build("--quiet") == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")
