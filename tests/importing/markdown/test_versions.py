"""A source that holds several versions in folders gives a volume of each, in one run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cli.build import main as build_main
from doctrove_builder.cli.import_ import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Docusaurus site with two released versions, in the working folder."""
    (tmp_path / ".git").mkdir()
    files = {
        "website/docusaurus.config.js": "module.exports = {}\n",
        "website/versioned_docs/version-1.9/intro.md": "# Old\n\nThe old box.\n",
        "website/versioned_docs/version-1.10/intro.md": "# New\n\nThe new box.\n",
        "docs/intro.md": "# Next\n\nThe coming box.\n",
        "i18n/fr/docusaurus-plugin-content-docs/current/intro.md": "# Fr\n\nLa boîte.\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_version_becomes_a_volume_of_one_library(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["markdown", ".", "--id", "acme", "--all-versions", "--into", "authoring"]) == 0
    assert "2 volumes" in capsys.readouterr().out
    (project / "authoring" / "doctrove.yaml").write_text("format: doctrove-authoring@1\n")
    assert build_main(["authoring", "dist", "--strict", "-q"]) == 0
    index = json.loads((project / "dist" / "index.json").read_text())
    volumes = index["entries"][0]["volumes"]
    bodies = {version: volume["sections"][0]["body"] for version, volume in volumes.items()}
    assert bodies == {"1.10": "The new box.", "1.9": "The old box."}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["--all-versions", "--version", "1.9"], "exclude each other", id="both"),
        pytest.param([], "--version is needed", id="neither"),
    ],
)
def test_one_version_or_all_are_asked_for(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert project.is_dir()
    assert main(["markdown", ".", "--id", "acme", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_source_of_one_version_is_said_to_hold_one(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["markdown", str(project / "docs"), "--id", "acme", "--all-versions"]) == 2
    assert "holds one version" in capsys.readouterr().err
