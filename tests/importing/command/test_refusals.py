"""What `doctrove-import` refuses, with which words and exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.importing.command.conftest import import_docs

from doctrove_builder.cli.import_ import main

if TYPE_CHECKING:
    from pathlib import Path


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
    assert import_docs("--option", option) == 2
    assert option.partition("=")[2] in capsys.readouterr().err


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"PK\x03\x04", b"\x1f\x8b\x08broken"])
def test_a_hostile_archive_is_refused_in_a_sentence(
    project: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.zip", "a.tar.gz"):
        (project / name).write_bytes(data)
        source = ["markdown", name, "--id", "a", "--version", "1"]
        assert main([*source, "--into", "authoring"]) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert f"doctrove-import: {name} is " in said.err
    assert not (project / "authoring").exists()
