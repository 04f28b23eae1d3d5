"""What `doctrove-build` says of wrong options and of an author's mistakes, in every form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.build.conftest import CASES, Build

from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = CASES / "extends-in-a-circle" / "authoring"


def test_strict_makes_warnings_errors(
    build: Build, source: Path, dest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (source / "box" / "1.0.0" / "raw.md").write_text("# Raw\n\n<form>x</form>\n", "utf-8")
    assert build("--strict") == 1
    assert "error" in capsys.readouterr().err
    assert not dest.exists()
    assert build() == 0


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


def test_a_quiet_build_says_nothing(build: Build, capsys: pytest.CaptureFixture[str]) -> None:
    assert build("--quiet") == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "")
