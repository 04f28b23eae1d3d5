"""Builds into the served folder, one after another."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cache import Cache
from doctrove_builder.pipeline.checking import Request
from doctrove_builder.pipeline.errors import BuildError
from doctrove_builder.pipeline.progress import Silent
from doctrove_builder.watch.rebuilding import Rebuilder
from doctrove_builder.watch.served import Served

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from tests.watch.conftest import Files


@pytest.fixture
def served(tmp_path: Path) -> Served:
    folder = tmp_path / "served"
    folder.mkdir()
    return Served(folder, script=b"script", style=b"style")


@pytest.fixture
def rebuilder(files: Files, served: Served) -> Generator[Rebuilder]:
    with contextlib.closing(Cache(None, today=1)) as cache:
        yield Rebuilder(Request(source=files.root, dest=None), served, cache=cache)


def test_what_a_page_loads_is_there_before_the_page_and_goes_after_it(
    files: Files, served: Served, rebuilder: Rebuilder
) -> None:
    def missing() -> list[str]:
        page = served.root / "tool/1.0.0/guide"
        named = re.findall(r'href="([^"]+\.css)"', (page / "index.html").read_text())
        assert named
        return [name for name in named if not (page / name).exists()]

    told: list[list[str]] = []

    def build() -> None:
        rebuilder.build(
            progress=Silent(),
            executor=None,
            seen=["/tool/1.0.0/guide/"],
            shown=lambda: told.append(missing()),
        )

    def project_styles() -> list[str]:
        return [path.name for path in (served.root / "_assets").glob("project.*.css")]

    build()
    style = files.write("_templates/project.css", "main { color: red }")
    build()
    assert project_styles()
    style.unlink()
    build()
    assert project_styles(), "a browser may have loaded a page that names it"
    assert len(told) >= 3
    assert not any(told)
    rebuilder.finish()
    assert not project_styles()


def test_it_can_be_warmed_up_whatever_was_built(rebuilder: Rebuilder) -> None:
    rebuilder.warm_up()
    rebuilder.build(progress=Silent(), executor=None, shown=lambda: None)
    rebuilder.warm_up()
    assert rebuilder.is_current()


def test_a_folder_that_is_gone_is_one_error(files: Files, rebuilder: Rebuilder) -> None:
    files.root.rename(files.root.with_name("away"))
    with pytest.raises(BuildError, match="is not there any more"):
        rebuilder.build(progress=Silent(), executor=None, shown=lambda: None)
