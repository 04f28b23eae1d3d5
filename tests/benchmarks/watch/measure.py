"""From saving a file to the changed page shown in a browser, beside its peers on the same text.

    python tests/benchmarks/watch/measure.py authoring
    python tests/benchmarks/watch/measure.py --sections 10000
    PATH=/folder/with/mkdocs/bin:$PATH python tests/benchmarks/watch/measure.py authoring

`mkdocs serve` and `sphinx-autobuild` (with myst-parser) are measured when they are on PATH. A page
counts as shown two animation frames after the new text stands in its document, however it came
there.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import Error, Page, sync_playwright

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NOTE_MARKS = """
window.shownAt = {};
const note = () => {
  for (const mark of document.body?.textContent.match(/MARK\\d+X/g) ?? []) {
    if (mark in window.shownAt) continue;
    window.shownAt[mark] = null;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.shownAt[mark] = performance.timeOrigin + performance.now();
    }));
  }
};
const all = { childList: true, characterData: true, subtree: true };
new MutationObserver(note).observe(document, all);
"""
BODY = """The `{name}` call takes a *path* and options, and returns a **promise**.

- `retry`: how often to try again, a number from 0 to 10
- `timeout`: in milliseconds; 0 waits for ever

```js
const answer = await {name}("/items/{number}", {{ retry: 3 }});
console.log(answer.status);
```

| option | type | default |
| --- | --- | --- |
| retry | number | 0 |
| timeout | number | 1000 |

A request that is cancelled rejects with `AbortError`; see [the next page](page-{next}.md).
"""


def main() -> int:
    """Measure each program on the tree and print one line for each."""
    parser = argparse.ArgumentParser(description="Measure from saving to showing.")
    parser.add_argument("source", nargs="?", type=Path)
    parser.add_argument("--sections", type=int, default=0, help="make a tree of so many sections")
    parser.add_argument("--saves", type=int, default=15)
    parser.add_argument("--only", default="", help="part of the name of the program to measure")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        tree = work / "authoring"
        if options.sections:
            write_tree(tree, sections=options.sections)
        else:
            shutil.copytree(options.source or Path("authoring"), tree)
        pages = sorted(path for path in tree.rglob("*.md"))
        page = pages[len(pages) // 2]
        print(f"{len(pages)} Markdown files, {os.cpu_count()} cores, {options.saves} saves")
        for name, measure in (
            ("doctrove-watch", measure_doctrove),
            ("mkdocs serve", measure_mkdocs),
            ("sphinx-autobuild", measure_sphinx),
        ):
            if options.only in name:
                print(f"{name:18}{measure(tree, page, work, options.saves)}", flush=True)
    return 0


def write_tree(root: Path, *, sections: int) -> None:
    """Write libraries of two volumes, each of 100 pages with five sections."""
    root.mkdir()
    for library in range(max(1, sections // 1000)):
        folder = root / f"library-{library}"
        folder.mkdir()
        (folder / "library.yaml").write_text(f"name: Library {library}\n")
        for version in ("1.0.0", "2.0.0"):
            (folder / version).mkdir()
            for number in range(100):
                parts = [f"# Page {number} of library {library}, {version}"]
                for section in range(5):
                    text = BODY.format(
                        name=f"call{number}.{section}", number=number, next=(number + 1) % 100
                    )
                    parts.append(f"## Section {section} of {number}\n\n{text}")
                (folder / version / f"page-{number}.md").write_text("\n\n".join(parts))


def measure_doctrove(tree: Path, page: Path, work: Path, saves: int) -> str:
    """Measure `doctrove-watch`."""
    port = free_port()
    command = [sys.executable, "-m", "doctrove_builder.cli.watch", str(tree), "--port", str(port)]
    address = page.relative_to(tree).with_suffix("").as_posix()
    address = re.sub(r"(^|/)index$", "", address)
    with running([*command, "--cache", str(work / "cache")], port, work):
        return timed(f"http://127.0.0.1:{port}/{address}/", page, saves)


def measure_mkdocs(tree: Path, page: Path, work: Path, saves: int) -> str:
    """Measure `mkdocs serve` on the Markdown files of the tree."""
    program = shutil.which("mkdocs")
    if not program:
        return "not installed"
    port, root = free_port(), work / "mkdocs"
    copied = copy_markdown(tree, root / "docs")
    (root / "docs" / "index.md").write_text("# Home\n")
    (root / "mkdocs.yml").write_text("site_name: Measured\n")
    command = [program, "serve", "--livereload", "--dev-addr", f"127.0.0.1:{port}", "--quiet"]
    address = page.relative_to(tree).with_suffix("").as_posix()
    with running(command, port, root):
        return timed(f"http://127.0.0.1:{port}/{address}/", copied[page], saves)


def measure_sphinx(tree: Path, page: Path, work: Path, saves: int) -> str:
    """Measure `sphinx-autobuild` on the Markdown files of the tree."""
    program = shutil.which("sphinx-autobuild")
    if not program:
        return "not installed"
    port, root = free_port(), work / "sphinx"
    copied = copy_markdown(tree, root)
    (root / "conf.py").write_text('project = "Measured"\nextensions = ["myst_parser"]\n')
    (root / "index.rst").write_text(
        "Home\n====\n\n.. toctree::\n   :glob:\n\n   */*/*\n   */*/*/*\n"
    )
    command = [program, "-q", "--port", str(port), str(root), str(work / "sphinx-out")]
    address = page.relative_to(tree).with_suffix(".html").as_posix()
    with running(command, port, root):
        return timed(f"http://127.0.0.1:{port}/{address}", copied[page], saves)


def copy_markdown(tree: Path, target: Path) -> dict[Path, Path]:
    """Copy the Markdown files without front matter; return where each went."""
    copied: dict[Path, Path] = {}
    for file in tree.rglob("*.md"):
        to = copied[file] = target / file.relative_to(tree)
        to.parent.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"\n*MARK\d+X\n", "", file.read_text())
        to.write_text(re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL))
    return copied


def timed(url: str, file: Path, saves: int) -> str:
    """Save the file again and again; return median and slowest time in milliseconds."""
    text = file.read_text()
    taken: list[float] = []
    with sync_playwright() as starter:
        browser = starter.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        page.add_init_script(NOTE_MARKS)
        page.goto(url)
        for number in range(saves + 1):
            taken.append(saved_to_shown(page, file, text, f"MARK{number}X"))
            page.wait_for_timeout(600)
        browser.close()
    rest = sorted(taken[1:])  # the first save finds templates that are not compiled yet
    return f"median {statistics.median(rest):6.0f} ms, slowest {rest[-1]:6.0f} ms"


def saved_to_shown(page: Page, file: Path, text: str, mark: str) -> float:
    """Save the file with a mark and wait for it; return the milliseconds."""
    began = time.time()
    file.write_text(f"{text}\n\n{mark}\n")
    for _ in range(4000):
        with contextlib.suppress(Error):  # it is being loaded
            shown: float | None = page.evaluate("mark => window.shownAt?.[mark] ?? null", mark)
            if shown is not None:
                return shown - began * 1000
        page.wait_for_timeout(25)
    raise SystemExit(f"{mark} was not shown")


@contextlib.contextmanager
def running(command: Sequence[str], port: int, folder: Path) -> Generator[None]:
    """Run a server until it is asked to end; give it when it answers with a page that is built."""
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log)
        try:
            wait_until_built(port, process)
            yield
        except SystemExit:
            print((folder / "log.txt").read_text(errors="replace")[-2000:], file=sys.stderr)
            raise
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


def wait_until_built(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until the home page is there and not the page that says that nothing is built yet."""
    end = time.monotonic() + 900
    while time.monotonic() < end and process.poll() is None:
        with (
            contextlib.suppress(OSError),
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=60) as answer,
        ):
            if b"Nothing is built yet" not in answer.read():
                time.sleep(3)  # the files that follow in the background
                return
        time.sleep(0.2)
    raise SystemExit("the server does not answer")


def free_port() -> int:
    """Return a port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


if __name__ == "__main__":
    raise SystemExit(main())
