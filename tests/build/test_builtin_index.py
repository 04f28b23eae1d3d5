"""The index that the server package ships is what the builder makes of the example libraries.

`RENEW_CASES=1 pytest tests/build` writes it anew.
"""

from __future__ import annotations

import os
import shutil
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    import pytest

AUTHORING = Path(__file__).parents[2] / "authoring"
LIBRARIES = ("dayjs", "express", "zod")


def test_the_builtin_index_is_made_from_the_example_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    source = tmp_path / "authoring"
    for library in LIBRARIES:
        shutil.copytree(AUTHORING / library, source / library)
    shutil.copy(AUTHORING / "doctrove.yaml", source)
    dest = tmp_path / "dist"
    cache = f"--cache={tmp_path / 'cache'}"
    assert main([str(source), str(dest), cache, "--strict", "--no-html", "--quiet"]) == 0
    shipped = Path(str(files("doctrove_server") / "data" / "index.json"))
    if os.environ.get("RENEW_CASES"):
        shutil.copy(dest / "index.json", shipped)
    assert (dest / "index.json").read_bytes() == shipped.read_bytes()
