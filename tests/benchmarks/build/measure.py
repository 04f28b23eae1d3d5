"""What a build of many pages costs: processor seconds, memory, and how that compares with mkdocs.

    python tests/benchmarks/build/measure.py [--pages 2000] [--docs FOLDER] [--mkdocs PATH]

The pages are made here (a title, three paragraphs, a list, a table, ten lines of Python), or taken
from FOLDER, which holds Markdown. mkdocs, when its path is given, builds the same pages with its
own theme, or with Material when that is installed beside it. Processor seconds are those of the
command alone, which a busy machine disturbs least; where it starts workers, only the clock tells.
Ratios are to a full build with one process.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

WORDS = ("index", "volume", "library", "module", "function", "argument", "value", "schema")
BUILD = "import sys; from doctrove_builder.cli.build import main; sys.exit(main(sys.argv[1:]))"


@dataclass(frozen=True, slots=True)
class Cost:
    """What one command took."""

    seconds: float
    cpu: float
    peak: float
    """Largest resident size of one process, in MB."""


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--mkdocs", type=Path, help="the command of another environment")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        volume = folder / "authoring" / "bench" / "1.0.0"
        if options.docs:
            shutil.copytree(options.docs, volume)
        else:
            write_pages(volume, options.pages)
        (volume.parent / "library.yaml").write_text("name: Bench\n", "utf-8")
        measure_builds(folder, volume)
        if options.mkdocs:
            measure_mkdocs(folder, volume, options.mkdocs)


def measure_builds(folder: Path, volume: Path) -> None:
    """Print the builds of doctrove, and the largest page."""
    base = [sys.executable, "-c", BUILD, "authoring", "dist", "--quiet", "--cache=cache"]
    full = run([*base, "--jobs=1"], folder)
    show("full build, one process", full, full)
    pages = sorted((folder / "dist").rglob("index.html"), key=lambda page: page.stat().st_size)
    show("unchanged", run([*base, "--jobs=1"], folder), full)
    page = next(iter(sorted(volume.rglob("*.md"))))
    page.write_text(f"{page.read_text('utf-8')}\nOne more line.\n", "utf-8")
    show("one page changed", run([*base, "--jobs=1"], folder), full)
    shutil.rmtree(folder / "cache")
    shutil.rmtree(folder / "dist")
    show(f"full build, {os.cpu_count()} processes", run(base, folder), full)
    print(f"{len(pages):,} HTML files; the largest has {pages[-1].stat().st_size / 1e3:.1f} kB")


def measure_mkdocs(folder: Path, volume: Path, command: Path) -> None:
    """Print mkdocs' build of the same pages."""
    material = any(command.parent.parent.glob("lib/python*/site-packages/material"))
    theme = "material" if material else "mkdocs"
    settings = f"site_name: Bench\ndocs_dir: {volume}\nsite_dir: site\ntheme: {{name: {theme}}}\n"
    if material:
        settings += "markdown_extensions: [tables, pymdownx.highlight, pymdownx.superfences]\n"
    (folder / "mkdocs.yml").write_text(settings, "utf-8")
    cost = run([str(command), "build", "--quiet"], folder)
    show(f"mkdocs, theme {theme}", cost, cost)
    size = max(page.stat().st_size for page in (folder / "site").rglob("index.html"))
    print(f"its largest page has {size / 1e3:.1f} kB")


def run(command: list[str], folder: Path) -> Cost:
    """Run a command to its end in a folder; raises when it fails."""
    began = time.monotonic()
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} failed")
    seconds = time.monotonic() - began
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3)


def write_pages(folder: Path, count: int) -> None:
    """Write pages of about 150 words, fifty in a folder."""
    draw = random.Random(7)
    for number in range(count):
        page = folder / f"part-{number // 50:03}" / f"page-{number:04}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        one, two, three = (" ".join(draw.choices(WORDS, k=50)) for _ in range(3))
        name = draw.choice(WORDS)
        code = "\n".join(f"{name}_{line} = {name}({line}, key='{line}')" for line in range(10))
        page.write_text(
            f"# {name.title()} {number}\n\n{one}.\n\n## Using {name}\n\n{two}.\n\n"
            f"```python\n{code}\n```\n\n## Notes\n\n{three}.\n\n- one\n- two\n\n"
            f"| name | type |\n| --- | --- |\n| `{name}` | int |\n",
            "utf-8",
        )


def show(name: str, cost: Cost, full: Cost) -> None:
    """Print one row."""
    cpu, clock = cost.cpu / full.cpu, cost.seconds / full.seconds
    print(
        f"{name:26} {cost.cpu:7.1f} CPU-s {cpu:5.2f} {cost.seconds:7.1f} s {clock:5.2f}"
        f" {cost.peak:7.0f} MB"
    )


if __name__ == "__main__":
    main()
