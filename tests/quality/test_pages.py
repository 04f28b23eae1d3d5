"""Every kind of page, held against what others made to judge pages: axe-core and html-validate."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

MOST_BYTES = 60_000
"""What a section page may transfer, compressed, with all that it asks for by itself."""

TRANSFERRED = """["navigation", "resource"]
  .flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, entry) => sum + entry.transferSize, 0)"""

PAGES = {
    "home": ("dist", ""),
    "library": ("dist", "kit/"),
    "volume": ("dist", "kit/2.0.0/"),
    "page": ("dist", "kit/2.0.0/everything/"),
    "old page": ("dist", "kit/1.0.0/everything/"),
    "right to left": ("dist", "אבג/1.0.0/מדריך/"),
    "changes": ("dist", "kit/_changes/2.0.0/"),
    "compare": ("dist", "kit/_changes/?from=1.0.0&to=2.0.0"),
    "latest": ("dist", "kit/latest/everything/"),
    "not found": ("dist", "kit/3.0.0/nothing/"),
    "report": ("report", ""),
}
each_page = pytest.mark.parametrize("name", PAGES)


@pytest.fixture
def open_page(browser: Browser, served: dict[str, str]) -> Iterator[Callable[..., Page]]:
    """Open a page of `PAGES` with these options; nothing may be said in the console."""
    said: list[str] = []
    opened: list[Any] = []

    def go(name: str, **options: Any) -> Page:
        # The checker is a script of its own, which the pages' policy rightly refuses.
        context = browser.new_context(bypass_csp=True, **options)
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        folder, path = PAGES[name]
        page.goto(served[folder] + path, wait_until="load")
        return page

    yield go
    for context in opened:
        context.close()
    # The browser itself says that the answer to the address of nothing is 404.
    assert [line for line in said if "404 (Not Found)" not in line] == []


@each_page
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (320, "light")])
def test_axe_finds_no_violation(
    name: str, scheme: str, width: int, open_page: Callable[..., Page], node_packages: Path
) -> None:
    page = open_page(name, color_scheme=scheme, viewport={"width": width, "height": 900})
    assert violations(page, node_packages) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_open_search(
    scheme: str, open_page: Callable[..., Page], node_packages: Path
) -> None:
    page = open_page("page", color_scheme=scheme)
    page.keyboard.press("/")
    page.get_by_role("combobox", name="Search").fill("retries")
    page.get_by_role("listbox", name="Results").get_by_role("option").first.wait_for()
    assert violations(page, node_packages) == []


@each_page
def test_no_page_is_wider_than_a_narrow_screen(name: str, open_page: Callable[..., Page]) -> None:
    page = open_page(name, viewport={"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_html_validate_finds_no_error(
    built: Path, node_packages: Path, node_tool: Callable[[str], str]
) -> None:
    files = [str(path) for path in sorted(built.glob("dist/**/*.html"))]
    files += [str(path) for path in sorted(built.glob("report/**/*.html"))]
    program = str(node_packages / "node_modules/html-validate/bin/html-validate.mjs")
    done = subprocess.run(
        [node_tool("node"), program, "--formatter=json", *files],
        cwd=node_packages,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=240,
    )
    told = json.loads(done.stdout)
    faults = [
        f"{file['filePath']}:{fault['line']}: {fault['ruleId']}: {fault['message']}"
        for file in told
        for fault in file["messages"]
    ]
    assert faults == []
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["page", "volume"])
def test_a_section_page_transfers_little(
    name: str, browser: Browser, served: dict[str, str]
) -> None:
    page = browser.new_page()
    folder, path = PAGES[name]
    page.goto(served[folder] + path, wait_until="networkidle")
    size = page.evaluate(TRANSFERRED)
    page.close()
    assert 1_000 < size < MOST_BYTES


def violations(page: Page, node_packages: Path) -> list[str]:
    page.add_script_tag(path=node_packages / "node_modules/axe-core/axe.min.js")
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((answer) => answer.violations)")
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]
