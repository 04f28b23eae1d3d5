"""The volume that `doctrove-import` writes, and what it keeps when it writes it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.importing.command.conftest import import_docs

from doctrove_builder.cli.build import main as build_main
from doctrove_builder.cli.import_ import main
from doctrove_builder.provenance import read_provenance

if TYPE_CHECKING:
    from pathlib import Path


def test_a_folder_becomes_a_volume_that_builds(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_docs("--license", "MIT") == 0
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
    assert import_docs("--report", "json") == 0
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    [report] = said["imports"]
    assert said["format"] == "doctrove-coverage@1"
    assert (report["pages"], report["library"]) == (2, "acme")
    assert {"include-missing", "link-nowhere"} <= {note["kind"] for note in report["notes"]}


def test_importing_again_renews_what_was_imported_and_keeps_what_was_not(project: Path) -> None:
    assert import_docs("-q") == 0
    volume = project / "authoring" / "acme" / "1.0.0"
    (volume / "own.md").write_text("# Own\n\nWords.\n")
    before = (volume / "index.md").stat().st_mtime_ns
    (project / "docs" / "use.md").unlink()
    (project / "docs" / "more.md").write_text("# More\n\nText.\n")
    assert import_docs("-q") == 0
    names = {path.name for path in volume.iterdir()}
    assert names == {"index.md", "more.md", "own.md", "provenance.json", "volume.yaml"}
    assert before <= (volume / "index.md").stat().st_mtime_ns


def test_a_page_that_a_person_changed_is_not_replaced(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_docs("-q") == 0
    page = project / "authoring" / "acme" / "1.0.0" / "use.md"
    page.write_text("# Use\n\nCorrected.\n")
    (project / "docs" / "use.md").write_text("# Use\n\nNew.\n")
    assert import_docs("-q") == 1
    assert "changed by hand" in capsys.readouterr().err
    assert page.read_text() == "# Use\n\nCorrected.\n"
    assert import_docs("-q", "--force") == 0
    assert "New." in page.read_text()


def test_a_disk_that_refuses_leaves_the_volume_as_it_was(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_docs("-q") == 0
    volume = project / "authoring" / "acme" / "1.0.0"
    (volume / "more").write_text("a file where the import wants a folder")
    before = {path.name: path.read_bytes() for path in volume.iterdir()}
    (project / "docs" / "more").mkdir()
    (project / "docs" / "more" / "page.md").write_text("# More\n\nText.\n")
    (project / "docs" / "use.md").write_text("# Use\n\nNew.\n")
    assert import_docs("-q") == 1
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
        assert import_docs("-q", "--version", version) == 0
    written = (project / "authoring" / "acme" / "library.yaml").read_text()
    shown = "".join(f'  - "{version}"\n' for version in listed or ())
    scheme = f"version_scheme: label\nversions:\n{shown}" if listed else "version_scheme: pep440\n"
    assert written == f'id: "acme"\nname: "acme"\n{scheme}'
    (project / "authoring" / "doctrove.yaml").write_text("format: doctrove-authoring@1\n")
    assert build_main(["authoring", "dist", "-q"]) == 0


def test_a_library_yaml_that_a_person_wrote_is_left_as_it_is(project: Path) -> None:
    assert import_docs("-q", "--version", "next") == 0
    file = project / "authoring" / "acme" / "library.yaml"
    file.write_text("name: Acme  # ours\nversion_scheme: label\nversions: [next]\n")
    assert import_docs("-q", "--version", "2.0.0") == 0
    assert file.read_text().startswith("name: Acme  # ours\n")
    assert "2.0.0" not in file.read_text()


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
    assert import_docs("-q") == 0
    volume = project / "authoring" / "acme" / "1.0.0"
    provenance = read_provenance((volume / "provenance.json").read_bytes())
    assert provenance is not None
    assert provenance.license == "MIT"
    assert (volume / "_licenses" / "LICENSE").read_text() == text
    assert set(provenance.files) >= {"index.md", "use.md", "volume.yaml"}
