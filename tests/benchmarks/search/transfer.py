"""Measure what a visitor of a site of 10,000 sections downloads to search, and what search costs.

    python tests/benchmarks/search/transfer.py [--sections 10000] [--pages 2000]

The text is drawn with a fixed seed from 20,000 made-up words, as frequent as words are in texts
(Zipf). A browser opens a page, types a word and waits for results. Sizes are of what travels: text
as gzip has it, which static hosts use for it, and the engine's own compressed files as they are.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import random
import re
import shutil
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import sync_playwright

from doctrove_builder.cache import Cache
from doctrove_builder.pipeline.progress import Silent
from doctrove_builder.render import make_look, plan_site, render_view
from doctrove_builder.search import Workshop, find_engine, searched_volumes, searching
from doctrove_builder.site import Site, SiteLibrary, SiteVolume
from doctrove_schema.model import Entry, Index, Section, Volume
from doctrove_schema.sections import claim, slug

LIMIT = 300_000
"""Bytes that a search may cost a visitor."""

WORDS = 20_000
COMPRESSED = (".pagefind", ".pf_meta", ".pf_index", ".pf_fragment", ".pf_filter")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (as in the base class)
        pass


def make_index(draw: random.Random, *, sections: int, pages: int) -> Index:
    """Return an index of one volume with so many sections on so many pages."""
    syllables = [a + b for a in "bcdfghklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en")]
    words = ["".join(draw.choices(syllables, k=draw.randint(2, 4))) for _ in range(WORDS)]
    weights = [1 / rank for rank in range(1, WORDS + 1)]

    def text(count: int) -> str:
        return " ".join(draw.choices(words, weights, k=count))

    made: list[Section] = []
    for number in range(pages):
        page, title, taken = f"part-{number // 50}/page-{number}", text(3), set[str]()
        for _ in range(sections // pages):
            heading = text(draw.randint(1, 4))
            anchor = claim(slug(heading), taken)
            made.append(
                Section(
                    id=f"{page}/{anchor}",
                    heading=heading,
                    body=text(draw.randint(40, 160)),
                    page=page,
                    trail=(title,),
                )
            )
    volumes = {"1.0.0": Volume(sections=tuple(made))}
    return Index(entries=(Entry(id="big", name="Big", versions=("1.0.0",), volumes=volumes),))


def write_site(folder: Path, index: Index) -> None:
    """Write the front page of the volume and the files of search, and say what they took."""
    shop = Workshop(
        engine=find_engine(),
        language="en",
        cache=Cache(None, today=1),
        executor=None,
        progress=Silent(),
    )
    began = time.perf_counter()
    size = count = 0
    with searching(searched_volumes(index, scope="latest"), None, shop=shop) as search:
        for artefact in search.artefacts():
            content = artefact.content
            data = content.read_bytes() if isinstance(content, Path) else content
            assert isinstance(data, bytes)
            size, count = size + len(data), count + 1
            _write(folder / artefact.path, data)
    seconds = time.perf_counter() - began
    text = sum(len(s.body) for entry in index.entries for s in entry.volumes["1.0.0"].sections)
    print(f"made: {count:,} files, {size / 1e6:.1f} MB in {seconds:.1f} s")
    print(f"text: {text / 1e6:.1f} MB; search takes {size / text:.2f} of it")
    look = make_look()
    volume = SiteVolume(version="1.0.0", pages=())
    site = Site(
        title="Big",
        libraries=(SiteLibrary(id="big", name="Big", latest="1.0.0", volumes=(volume,)),),
    )
    for view in plan_site(site, look, search="text"):
        _write(folder / view.path, render_view(view, {}, look=look))


def measure(folder: Path, word: str) -> int:
    """Return the bytes that a browser asks for to search a word, from the opening of the dialog."""
    handler = functools.partial(_Quiet, directory=str(folder))
    asked: list[str] = []
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        sync_playwright() as starter,
    ):
        threading.Thread(target=server.serve_forever).start()
        browser = starter.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/big/1.0.0/", wait_until="networkidle")
        page.on("request", lambda request: asked.append(unquote(urlsplit(request.url).path)))
        page.keyboard.press("/")
        page.get_by_role("dialog").get_by_text("Several words narrow").wait_for()
        began = time.perf_counter()
        page.keyboard.type(word, delay=60)
        found = page.get_by_role("status").filter(has_text=re.compile(r"\d+ results?$"))
        found.wait_for()
        print(
            f"search for {word!r}: {found.last.inner_text()}, {time.perf_counter() - began:.2f} s"
        )
        browser.close()
        server.shutdown()
    sizes = [(_travelling(folder / path.lstrip("/")), path) for path in dict.fromkeys(asked)]
    for size, path in sizes:
        print(f"{size:9,}  {path}")
    return sum(size for size, _ in sizes)


def _travelling(file: Path) -> int:
    data = file.read_bytes()
    return len(data) if file.suffix in COMPRESSED else len(gzip.compress(data, mtime=0))


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def main() -> int:
    """Print the figures; fail when a search costs more than it may."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--sections", type=int, default=10_000)
    parser.add_argument("--pages", type=int, default=2_000)
    options = parser.parse_args()
    index = make_index(random.Random(7), sections=options.sections, pages=options.pages)
    sections = index.entries[0].volumes["1.0.0"].sections
    word = max(sections[len(sections) // 2].body.split(), key=len)
    with tempfile.TemporaryDirectory() as folder:
        write_site(Path(folder), index)
        total = measure(Path(folder), word)
    print(f"{options.sections:,} sections on {options.pages:,} pages: {total:,} bytes")
    return 0 if total <= LIMIT else 1


if __name__ == "__main__":
    raise SystemExit(main())
