"""The tree beside this file, with all that a page can hold, built and served."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with `dist` (the site) and `report` (the card of its build)."""
    folder = tmp_path_factory.mktemp("quality")
    shutil.copytree(HERE / "authoring", folder / "authoring")
    options = [f"--report={folder / 'report'}", f"--cache={folder / 'cache'}", "--quiet"]
    assert main([str(folder / "authoring"), str(folder / "dist"), "--strict", *options]) == 0
    return folder


@pytest.fixture(scope="session")
def served(built: Path) -> Iterator[dict[str, str]]:
    """The addresses of both folders by name, each from a `doctrove-host` of its own."""
    with _host(built / "dist") as dist, _host(built / "report") as report:
        yield {"dist": dist, "report": report}


@contextmanager
def _host(folder: Path) -> Generator[str]:
    host = Path(sys.executable).with_name("doctrove-host")
    command = [str(host), str(folder), "--port", "0"]
    env = {k: v for k, v in os.environ.items() if not k.startswith("DOCTROVE_")}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "http://" in line)
        yield "http://" + line.split("http://")[1].split()[0]
        process.terminate()
        process.stderr.read()


@pytest.fixture(scope="session")
def node_packages(npm_packages: Callable[[Path], Path]) -> Path:
    """The folder with axe-core and html-validate."""
    return npm_packages(HERE)
