"""Lighthouse's four scores and what a page transfers, for pages of a built site.

    npm ci --prefix tests/benchmarks/site
    python tests/benchmarks/site/lighthouse.py dist express/ express/5.1.0/routing/
    python tests/benchmarks/site/lighthouse.py dist --runs 5 --desktop

The site is served by `doctrove-host` from a free loopback port; its home page is always measured.
Scores are medians. Performance is simulated for a slow phone, but from what the processor took
here: on a busy machine it is lower than on a quiet one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any

PACKAGES = Path(__file__).parent / "node_modules"
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
)


def main() -> int:
    """Print a row for each page; the exit code is 1 when a score is below 100."""
    options = _options()
    if not (PACKAGES / "lighthouse").is_dir():
        print("Lighthouse is not installed: npm ci --prefix tests/benchmarks/site", file=sys.stderr)
        return 2
    host = [str(Path(sys.executable).with_name("doctrove-host")), options.site, "--port", "0"]
    with subprocess.Popen(host, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "http://" in line)
        address = "http://" + line.split("http://")[1].split()[0]
        try:
            return _measure(address, ["", *options.pages], options)
        finally:
            process.terminate()


def _measure(address: str, pages: list[str], options: argparse.Namespace) -> int:
    print(f"{'page':40} {'perf':>5} {'a11y':>5} {'best':>5} {'SEO':>5} {'kB':>6} {'LCP ms':>7}")
    lowest = 100.0
    for page in pages:
        told = [_lighthouse(address + page, desktop=options.desktop) for _ in range(options.runs)]
        scores = [median(_score(one, category) for one in told) for category in CATEGORIES]
        size = median(one["audits"]["total-byte-weight"]["numericValue"] for one in told)
        paint = median(one["audits"]["largest-contentful-paint"]["numericValue"] for one in told)
        shown = " ".join(f"{score:5.0f}" for score in scores)
        print(f"{page or '(home)':40} {shown} {size / 1000:6.1f} {paint:7.0f}", flush=True)
        for fault in sorted({fault for one in told for fault in _faults(one)}):
            print(f"    {fault}")
        lowest = min(lowest, *scores)
    return int(lowest < 100)


def _lighthouse(url: str, *, desktop: bool) -> dict[str, Any]:
    node = shutil.which("node", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    assert node is not None
    assert chromium is not None
    program = str(PACKAGES / "lighthouse/cli/index.js")
    command = [node, program, url, "--output=json", "--quiet", f"--chrome-flags={FLAGS}"]
    if desktop:
        command.append("--preset=desktop")
    env = {**os.environ, "CHROME_PATH": chromium}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env, timeout=300)
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _score(told: dict[str, Any], category: str) -> float:
    return 100 * float(told["categories"][category]["score"] or 0)


def _faults(told: dict[str, Any]) -> list[str]:
    """Name the audits below the best whose weight counts in a score."""
    return [
        f"{category}: {audit['id']} {told['audits'][audit['id']].get('displayValue', '')}".rstrip()
        for category in CATEGORIES
        for audit in told["categories"][category]["auditRefs"]
        if audit["weight"] and (told["audits"][audit["id"]]["score"] or 0) < 0.9
        if told["audits"][audit["id"]]["scoreDisplayMode"] not in {"notApplicable", "manual"}
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Lighthouse scores of a built site.")
    parser.add_argument("site", help="folder that doctrove-build wrote")
    parser.add_argument("pages", nargs="*", help="addresses below the site, such as express/5.1.0/")
    parser.add_argument("--runs", type=int, default=3, help="runs of each page (default: 3)")
    parser.add_argument("--desktop", action="store_true", help="measure a desktop, not a phone")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
