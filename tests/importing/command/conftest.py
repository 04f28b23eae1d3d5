"""A repository with documentation, and what most tests import from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cli.import_ import main

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


def import_docs(*more: str) -> int:
    source = ["markdown", "docs", "--id", "acme", "--version", "1.0.0"]
    return main([*source, "--into", "authoring", *more])
