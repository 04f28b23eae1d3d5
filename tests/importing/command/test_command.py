"""`doctrove-import` as people use it, and `imports:` in a build."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from doctrove_builder.cli.build import main as build_main
from doctrove_builder.cli.import_ import main
from doctrove_builder.provenance import read_provenance

if TYPE_CHECKING:
    from pathlib import Path

SETUP = "open('executed', 'w').write('x')\n"
PROJECT = """\
format: doctrove-authoring@1
title: Acme
imports:
  - kind: markdown
    source: ../docs
    id: acme
    version: "1.0.0"
    license: MIT
    origin:
      repository: https://github.com/acme/acme
      commit: "0123abc"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with documentation, and the working folder in it."""
    (tmp_path / ".git").mkdir()
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "setup.py").write_text(SETUP)
    (docs / "index.md").write_text("# Acme\n\nBoxes. See [use](use.md#open).\n")
    (docs / "use.md").write_text("# Use\n\nText.\n\n## Open\n\n```py\nbox.open()\n```\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _import(*more: str) -> int:
    source = ["markdown", "docs", "--id", "acme", "--version", "1.0.0"]
    return main([*source, "--into", "authoring", *more])


def test_a_folder_becomes_a_volume_that_builds(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _import("--license", "MIT") == 0
    assert "2 pages, 3 sections" in capsys.readouterr().out
    (project / "authoring" / "doctrove.yaml").write_text("format: doctrove-authoring@1\n")
    assert build_main(["authoring", "dist", "--strict", "-q"]) == 0
    index = json.loads((project / "dist" / "index.json").read_text())
    [entry] = index["entries"]
    sections = {one["id"]: one for one in entry["volumes"]["1.0.0"]["sections"]}
    assert entry["license"] == "MIT"
    assert sections["use/open"]["source"]["file"] == "use.md"
    assert sections["use/open"]["source"]["lines"] == [5, 9]
    assert sections["use/open"]["body"] == "```py\nbox.open()\n```"
    assert not list(project.rglob("executed"))


def test_the_report_says_all_as_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "docs" / "use.md").write_text("# Use\n\n[gone](gone.md)\n\n--8<-- 'gone.txt'\n")
    assert _import("--report", "json") == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    [report] = said["imports"]
    assert said["format"] == "doctrove-coverage@1"
    assert (report["pages"], report["library"]) == (2, "acme")
    assert {"include-missing", "link-nowhere"} <= {note["kind"] for note in report["notes"]}


def test_importing_again_renews_what_was_imported_and_keeps_what_was_not(project: Path) -> None:
    assert _import("-q") == 0
    volume = project / "authoring" / "acme" / "1.0.0"
    (volume / "own.md").write_text("# Own\n\nWords.\n")
    before = (volume / "index.md").stat().st_mtime_ns
    (project / "docs" / "use.md").unlink()
    (project / "docs" / "more.md").write_text("# More\n\nText.\n")
    assert _import("-q") == 0
    names = {path.name for path in volume.iterdir()}
    assert names == {"index.md", "more.md", "own.md", "provenance.json", "volume.yaml"}
    assert before <= (volume / "index.md").stat().st_mtime_ns


def test_a_page_that_a_person_changed_is_not_replaced(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _import("-q") == 0
    page = project / "authoring" / "acme" / "1.0.0" / "use.md"
    page.write_text("# Use\n\nCorrected.\n")
    (project / "docs" / "use.md").write_text("# Use\n\nNew.\n")
    assert _import("-q") == 1
    assert "changed by hand" in capsys.readouterr().err
    assert page.read_text() == "# Use\n\nCorrected.\n"
    assert _import("-q", "--force") == 0
    assert "New." in page.read_text()


def test_a_disk_that_refuses_leaves_the_volume_as_it_was(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _import("-q") == 0
    volume = project / "authoring" / "acme" / "1.0.0"
    (volume / "more").write_text("a file where the import wants a folder")
    before = {path.name: path.read_bytes() for path in volume.iterdir()}
    (project / "docs" / "more").mkdir()
    (project / "docs" / "more" / "page.md").write_text("# More\n\nText.\n")
    (project / "docs" / "use.md").write_text("# Use\n\nNew.\n")
    assert _import("-q") == 1
    assert "cannot be written" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in volume.iterdir()} == before
    assert [path.name for path in volume.parent.iterdir() if path.name != "library.yaml"] == [
        "1.0.0"
    ]


@pytest.mark.parametrize(
    ("versions", "listed"),
    [
        pytest.param(["next", "2.0.0"], ["2.0.0", "next"], id="the-first-is-no-number"),
        pytest.param(["1.0.0", "2.0.0", "next"], ["next", "2.0.0", "1.0.0"], id="the-last-is-none"),
        pytest.param(["2.0.0", "1.0.post1"], None, id="numbers-of-python"),
    ],
)
def test_further_versions_keep_library_yaml_fit(
    project: Path, versions: list[str], listed: list[str] | None
) -> None:
    for version in versions:
        assert _import("-q", "--version", version) == 0
    written = (project / "authoring" / "acme" / "library.yaml").read_text()
    shown = "".join(f'  - "{version}"\n' for version in listed or ())
    scheme = f"version_scheme: label\nversions:\n{shown}" if listed else "version_scheme: pep440\n"
    assert written == f'id: "acme"\nname: "acme"\n{scheme}'
    (project / "authoring" / "doctrove.yaml").write_text("format: doctrove-authoring@1\n")
    assert build_main(["authoring", "dist", "-q"]) == 0


def test_a_library_yaml_that_a_person_wrote_is_left_as_it_is(project: Path) -> None:
    assert _import("-q", "--version", "next") == 0
    file = project / "authoring" / "acme" / "library.yaml"
    file.write_text("name: Acme  # ours\nversion_scheme: label\nversions: [next]\n")
    assert _import("-q", "--version", "2.0.0") == 0
    assert file.read_text().startswith("name: Acme  # ours\n")
    assert "2.0.0" not in file.read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        pytest.param(["markdown"], 2, "SOURCE is missing", id="no-source"),
        pytest.param([], 2, "KIND is missing", id="no-kind"),
        pytest.param(["markdwon", "docs"], 2, "do you mean markdown?", id="unknown-kind"),
        pytest.param(["markdown", "docs"], 2, "--id and --version", id="no-id"),
        pytest.param(
            ["markdown", "gone", *["--id", "a", "--version", "1"]], 1, "neither", id="gone"
        ),
        pytest.param(
            ["markdown", "/etc", *["--id", "a", "--version", "1"]], 1, "outside", id="out"
        ),
        pytest.param(
            ["markdown", "docs", *["--id", "a", "--version", "1", "--option", "dosc=x"]],
            2,
            "do you mean docs?",
            id="unknown-option",
        ),
        pytest.param(
            ["markdown", "docs", *["--id", "a", "--version", "1", "--option", "split-level=x"]],
            2,
            "not a whole number",
            id="wrong-option",
        ),
        pytest.param(
            ["markdown", "docs", *["--id", "_a", "--version", "1", "--into", "authoring"]],
            1,
            "begins with",
            id="wrong-id",
        ),
        pytest.param(["markdown", "pypi:acme==1", "--offline"], 1, "--offline", id="offline"),
        pytest.param(["python", "pypi:attrs"], 1, "write pypi:attrs==VERSION", id="no-version"),
        pytest.param(["npm", "npm:@a/b"], 1, "write npm:@a/b@VERSION", id="no-npm-version"),
    ],
)
@pytest.mark.usefixtures("project")
def test_what_is_wrong_is_said_with_its_exit_code(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        (["--option", "split-level=99"], 2, "a whole number from 1 to 6"),
        (["--option", "split-level=0"], 2, "a whole number from 1 to 6"),
        (["--base-url", "javascript:alert(1)"], 2, "not an http or https address"),
        (["--repository", "https:///x"], 2, "not an http or https address"),
        (["--license", "odd!"], 2, "not an SPDX expression"),
        (["--into", "nowhere/x"], 2, "nowhere is not there"),
        (["--into", ".git/config"], 2, "not a folder"),
        (["--allow-host=*"], 2, "'*' is not the name of a host"),
        (["--allow-host", "https://a.example"], 2, "not the name of a host"),
        (["--id", "../x"], 1, "the id '../x' begins with"),
    ],
    ids=[
        *("level-99", "level-0", "base-url", "repository", "license", "into-nowhere", "into-file"),
        *("all-hosts", "host-as-address", "id"),
    ],
)
def test_what_is_wrong_is_refused_before_the_source_is_read(
    project: Path, more: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / ".git" / "config").write_text("")
    arguments = ["markdown", "not-there", "--id", "acme", "--version", "1.0.0"]
    assert main([*arguments, *more]) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("option", ["language=xx", "include-from=../..", "include-from=gone"])
@pytest.mark.usefixtures("project")
def test_an_option_that_names_what_the_source_has_not_is_refused(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _import("--option", option) == 2
    assert option.partition("=")[2] in capsys.readouterr().err


@pytest.mark.parametrize(
    ("kind", "files", "volume"),
    [
        pytest.param(
            "python",
            {
                "pyproject.toml": '[project]\nname = "box"\nversion = "2.1"\n',
                "box.py": '"""A."""\n',
            },
            "box/2.1",
            id="pyproject",
        ),
        pytest.param(
            "python",
            {"PKG-INFO": "Name: box\nVersion: 2.2\n\nText.\n", "box.py": '"""A."""\n'},
            "box/2.2",
            id="pkg-info",
        ),
        pytest.param(
            "npm",
            {"package.json": '{"name": "box", "version": "3.0.0"}', "README.md": "# B\n\nText.\n"},
            "box/3.0.0",
            id="package-json",
        ),
        pytest.param(
            "openapi",
            {
                "openapi.json": '{"openapi": "3.1.0", "info": {"title": "A box", "version": "4.0"},'
                ' "paths": {"/a": {"get": {"summary": "Get"}}}}'
            },
            "a-box/4.0",
            id="openapi",
        ),
    ],
)
def test_a_source_names_itself(
    project: Path, kind: str, files: dict[str, str], volume: str
) -> None:
    (project / "source").mkdir()
    for name, text in files.items():
        (project / "source" / name).write_text(text)
    assert main([kind, "source", "--into", "authoring", "-q"]) == 0
    assert (project / "authoring" / volume / "index.md").exists() or kind == "python"
    assert (project / "authoring" / volume / "volume.yaml").exists()


def test_an_update_says_all_that_is_wrong_with_its_hints(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "authoring").mkdir()
    more = """\
  - { kind: markdwon, source: ../docs, id: b, version: "1.0.0" }
  - { kind: markdown, source: ../docs, id: c }
  - { kind: markdown, source: /etc, id: d, version: "1.0.0" }
"""
    (project / "authoring" / "doctrove.yaml").write_text(PROJECT + more)
    assert main(["--update", "authoring", "-q"]) == 1
    said = capsys.readouterr().err
    assert "doctrove.yaml:12:13: `kind` is `markdwon`" in said
    assert "hint: write one of: markdown, python" in said
    assert "doctrove.yaml:13:5: item 3 of `imports` has no `version`" in said
    assert "d 1.0.0: /etc lies outside" in said
    assert "hint: name its folder with --allow-source" in said


def test_a_build_says_a_wrong_import_once(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "authoring").mkdir()
    wrong = PROJECT.replace("kind: markdown", "kind: markdwon")
    (project / "authoring" / "doctrove.yaml").write_text(wrong)
    assert build_main(["authoring", "dist", "--format", "json", "-q"]) == 1
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert [one["rule"] for one in problems] == ["wrong-value"]


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"PK\x03\x04", b"\x1f\x8b\x08broken"])
def test_a_hostile_archive_gives_a_problem_and_no_traceback(project: Path, data: bytes) -> None:
    for name in ("a.zip", "a.tar.gz"):
        (project / name).write_bytes(data)
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from doctrove_builder.cli.import_ import main; sys.exit(main())",
                *["markdown", name, "--id", "a", "--version", "1", "--into", "authoring"],
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=project,
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert "doctrove-import: " in done.stderr
        assert "Traceback" not in done.stderr
    assert not (project / "authoring").exists()


def test_a_build_imports_what_is_declared_and_hand_written_pages_win(project: Path) -> None:
    authoring = project / "authoring"
    own = authoring / "acme" / "1.0.0"
    own.mkdir(parents=True)
    (authoring / "doctrove.yaml").write_text(PROJECT)
    (own / "use.md").write_text("# Use\n\nCorrected. See [the front](index.md).\n")
    (own / "volume.yaml").write_text("summary: Ours\n")
    for _ in range(2):
        assert build_main(["authoring", "dist", "--offline", "--strict", "-q"]) == 0
    index = json.loads((project / "dist" / "index.json").read_text())
    [entry] = index["entries"]
    volume = entry["volumes"]["1.0.0"]
    sections = {one["id"]: one for one in volume["sections"]}
    assert volume["summary"] == "Ours"
    assert set(sections) == {"index", "use"}
    assert sections["index"]["source"]["repository"] == "https://github.com/acme/acme"
    assert sections["index"]["source"]["file"] == "index.md"
    assert sections["use"]["source"]["file"] == "acme/1.0.0/use.md"
    assert len(list((project / ".doctrove" / "imports").iterdir())) == 1


def test_the_same_imports_build_to_the_same_bytes(project: Path) -> None:
    (project / "authoring").mkdir()
    (project / "authoring" / "doctrove.yaml").write_text(PROJECT)
    for dest, cache in (("one", ".a"), ("two", ".b")):
        assert build_main(["authoring", dest, "--cache", cache, "-q"]) == 0
    one, two = (
        {
            p.relative_to(project / d): p.read_bytes()
            for p in (project / d).rglob("*")
            if p.is_file()
        }
        for d in ("one", "two")
    )
    assert one == two


def test_what_cannot_be_imported_is_a_problem_of_its_entry(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "authoring").mkdir()
    more = """\
  - { kind: markdown, source: ../gone, id: b, version: "1.0.0" }
  - { kind: markdown, source: "pypi:x==1.0", id: c, version: "1.0.0" }
  - { kind: markdown, source: ../docs, id: acme, version: "1.0.0" }
"""
    (project / "authoring" / "doctrove.yaml").write_text(PROJECT + more)
    assert build_main(["authoring", "dist", "--format", "json", "-q"]) == 1
    problems: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["problems"]
    assert [(one["rule"], one["line"]) for one in problems] == [
        ("import-failed", 12),
        ("import-not-pinned", 13),
        ("import-taken", 14),
    ]


def test_an_update_writes_the_lock(project: Path) -> None:
    (project / "authoring").mkdir()
    (project / "authoring" / "doctrove.yaml").write_text(PROJECT)
    assert main(["--update", "authoring", "-q"]) == 0
    lock = json.loads((project / "authoring" / "doctrove.lock").read_text())
    assert lock == {"format": "doctrove-lock@1", "imports": []}


def test_every_kind_is_named_and_explains_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    assert "markdown: " in capsys.readouterr().out
    assert main(["--list", "markdown"]) == 0
    assert "split-level  (number, default 3)" in capsys.readouterr().out
    assert main(["--list", "lock"]) == 0
    assert "only  (list)" in capsys.readouterr().out


def test_a_licence_text_and_the_hashes_of_the_files_are_kept(project: Path) -> None:
    text = "Permission is hereby granted, free of charge, to any person obtaining a copy"
    (project / "docs" / "LICENSE").write_text(text)
    assert _import("-q") == 0
    volume = project / "authoring" / "acme" / "1.0.0"
    provenance = read_provenance((volume / "provenance.json").read_bytes())
    assert provenance is not None
    assert provenance.license == "MIT"
    assert (volume / "_licenses" / "LICENSE").read_text() == text
    assert set(provenance.files) >= {"index.md", "use.md", "volume.yaml"}
