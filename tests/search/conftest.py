"""A small authoring tree with what is hard to find in it, built and served for a browser."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FILES = {
    "doctrove.yaml": "format: doctrove-authoring@1\ntitle: Trove\n",
    "grid/library.yaml": "id: grid\nname: Grid\n",
    "grid/2.0.0/index.md": "# Grid\n\nTables for people.\n",
    "grid/2.0.0/guide/records.md": (
        "# Records\n\nA lead without a heading.\n\n"
        "## The appTableRecord class\n\nHolds one row.\n\n### Life of a row\n\nShort.\n\n"
        "## Columns\n\nRequests need authentication by parseHttpHeaders, or nothing is shown.\n\n"
        "```python\nresult = grid.columns['left']\n```\n\n"
        "## Sorting & filtering {#order}\n\nBy <b>any</b> key.\n"
    ),
    "grid/1.0.0/guide/records.md": "# Records\n\n## Legacy cells\n\nWhat was dropped later.\n",
    "日期/library.yaml": "id: 日期\nname: 日期库\n",
    "日期/1.0.0/指南.md": "# 指南\n\n## 时区\n\n我们使用解析日期的小型库。不依赖其他软件。\n",
}


@pytest.fixture(scope="session")
def write_tree() -> Callable[[Path], Path]:
    """A writer of the tree into a folder."""

    def write(folder: Path) -> Path:
        for path, text in FILES.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return folder

    return write


@pytest.fixture
def source(write_tree: Callable[[Path], Path], tmp_path: Path) -> Path:
    return write_tree(tmp_path / "authoring")


@pytest.fixture(scope="session")
def run_build() -> Callable[..., int]:
    """Runs `doctrove-build` with the cache beside the destination."""

    def run(source: Path, dest: Path, *options: str) -> int:
        cache = f"--cache={dest.with_suffix('.cache')}"
        return main([str(source), str(dest), cache, "--jobs=1", *options])

    return run


@pytest.fixture(scope="session")
def built(
    write_tree: Callable[[Path], Path],
    run_build: Callable[..., int],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The tree, built once with its search."""
    folder = tmp_path_factory.mktemp("search")
    dest = folder / "dist"
    assert run_build(write_tree(folder / "authoring"), dest, "-q") == 0
    return dest


@pytest.fixture(scope="session")
def without_text(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same site as it is without the engine's files."""
    folder = Path(shutil.copytree(built, tmp_path_factory.mktemp("names") / "dist"))
    shutil.rmtree(folder / "_search" / "text")
    entry = folder / "_search" / "entry.json"
    text = entry.read_text("utf-8")
    entry.write_text(text.replace('"text":"text/pagefind.js",', "").replace('"text":true,', ""))
    return folder


class Host(http.server.SimpleHTTPRequestHandler):
    """Serves a folder below `/sub path/`, and its 404.html where there is nothing."""

    def translate_path(self, path: str) -> str:
        inside = path.removeprefix("/sub%20path")
        return super().translate_path(inside if inside != path else "/nothing")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        if code != http.HTTPStatus.NOT_FOUND:
            return super().send_error(code, message, explain)
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as in the base class)
        pass


def serve(folder: Path) -> Iterator[str]:
    """Serve a folder while the caller reads the address."""
    handler = functools.partial(Host, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/sub%20path/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def address(built: Path) -> Iterator[str]:
    """Address of the site, below a path."""
    yield from serve(built)


@pytest.fixture(scope="session")
def address_without_text(without_text: Path) -> Iterator[str]:
    """Address of the site without full text."""
    yield from serve(without_text)


@pytest.fixture
def address_with_base(source: Path, run_build: Callable[..., int]) -> Iterator[str]:
    """Address of the site that knows the path it is published at."""
    dest = source.parent / "dist"
    assert run_build(source, dest, "-q", "--base-url=https://docs.example/sub%20path/") == 0
    yield from serve(dest)
