"""`imports:` in a build and with `--update`: what is made, and what is said of a wrong entry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.importing.command.conftest import PROJECT

from doctrove_builder.cli.build import main as build_main
from doctrove_builder.cli.import_ import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


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
