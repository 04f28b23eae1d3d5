"""The files of a small site that programs read, as they are expected byte for byte.

`RENEW_CASES=1` writes what is made now into `cases/`; read the difference before you commit.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from doctrove_builder.site import Site

CASES = Path(__file__).parent / "cases"
FILES = (
    "llms.txt",
    "robots.txt",
    "sitemap.xml",
    "feed.xml",
    "express/5.1.0/index.md",
    "express/5.1.0/index.json",
    "express/5.1.0/guide/routing/index.md",
    "express/5.1.0/guide/routing/index.json",
    "express/latest/guide/routing/index.html",
    "@scope%2Ftable/1.0.0%2Bb1/index.md",
)


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_as_expected(built: dict[str, bytes], site: Site, name: str) -> None:
    folder = CASES / ("with-address" if site.base_url else "without-address")
    file = folder / name.replace("/", "__").replace("%", "-")
    made = re.sub(r"(_assets/\w+)\.[0-9a-f]{16}\.", r"\1.HASH.", built.get(name, b"").decode())
    if os.environ.get("RENEW_CASES"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(made) if made else file.unlink(missing_ok=True)
    assert made == (file.read_text() if file.exists() else "")
