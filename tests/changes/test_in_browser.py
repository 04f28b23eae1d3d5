"""What changed, in Chromium: marks, pages of neighbouring versions, any two versions by address."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from doctrove_builder.cli.build import main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

CODE = "```js\nlet kept = 1;\nlet retries = {};\n```"
PAGES = {
    "1.0.0": {
        "start.md": "# Start\n\n## Install\n\nRun the installer and wait for it.\n",
        "calls 50%.md": "# Calls\n\n## Retries\n\nIt tries three times.\n\n"
        + CODE.format(3)
        + "\n\n## Gone\n\nNobody needs this.\n",
    },
    "2.0.0": {
        "start.md": "# Start\n\n## Install\n\nRun the installer and wait for it.\n",
        "calls 50%.md": "# Calls\n\n## Retries\n\nIt tries five times.\n\n"
        + CODE.format(5)
        + "\n\n## Timeouts\n\nA call ends after a while, whatever it waits for.\n",
    },
    "3.0.0-beta.1": {
        "start.md": "# Start\n\n## Set up\n\nRun the installer and wait for it.\n",
        "calls 50%.md": "# Calls\n\n## Retries\n\nIt tries five times.\n\n" + CODE.format(5) + "\n",
    },
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A library of three versions, served below a path."""
    folder = tmp_path_factory.mktemp("changes")
    for version, pages in PAGES.items():
        place = folder / "authoring" / "kit" / version
        place.mkdir(parents=True)
        for name, text in pages.items():
            (place / name).write_text(text, "utf-8")
    (folder / "authoring/kit/library.yaml").write_text("name: Kit\n", "utf-8")
    dest = folder / "root/re po/docs"
    dest.parent.mkdir(parents=True)
    options = [f"--cache={folder / 'cache'}", "--quiet"]
    assert main([str(folder / "authoring"), str(dest), *options]) == 0
    host = Path(sys.executable).with_name("doctrove-host")
    env = {k: v for k, v in os.environ.items() if not k.startswith("DOCTROVE_")}
    command = [str(host), str(folder / "root"), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as process:
        assert process.stderr is not None
        line = next(line for line in process.stderr if "http://" in line)
        yield "http://" + line.split("http://")[1].split()[0] + "re%20po/docs/"
        process.terminate()
        process.stderr.read()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that may not write an error or a warning to the console."""
    said: list[str] = []
    opened = browser.new_page(viewport={"width": 1280, "height": 800})
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    opened.close()
    assert not said


def entries(page: Page) -> dict[str, tuple[str, list[str]]]:
    """Return what the page says of each section, by id: its kind, and what is marked."""
    found: dict[str, tuple[str, list[str]]] = {}
    for entry in page.locator(".change").all():
        marked = entry.locator(".diff :is(ins, del)").all_text_contents()
        found[str(entry.get_attribute("id"))] = (entry.locator(".tag").inner_text(), marked)
    return found


TOLD: dict[str, tuple[str, list[str]]] = {
    "s-calls_20_50_25___retries": (
        "changed",
        ["three", "five", "let retries = 3;\n", "let retries = 5;\n"],
    ),
    "s-calls_20_50_25___timeouts": ("added", []),
    "s-calls_20_50_25___gone": ("removed", []),
}


def test_a_mark_on_a_section_leads_to_its_changes(page: Page, address: str) -> None:
    page.goto(f"{address}kit/2.0.0/calls%252050%2525/")
    page.get_by_role("link", name="changed in 2.0.0").click()
    page.wait_for_url("**/kit/_changes/2.0.0/#s-calls_20_50_25___retries")
    assert entries(page) == TOLD
    target = page.evaluate("document.querySelector(':target').id")
    assert target == "s-calls_20_50_25___retries"
    page.locator(".change:target").get_by_role("link", name="Retries").click()
    page.wait_for_url("**/kit/2.0.0/calls%252050%2525/#retries")
    page.get_by_role("link", name="since 2.0.0").click()
    page.wait_for_url("**/kit/_changes/2.0.0/#s-calls_20_50_25___timeouts")


def test_two_versions_that_an_address_names_are_compared_as_the_builder_does(
    page: Page, address: str
) -> None:
    page.goto(f"{address}kit/_changes/?from=1.0.0&to=2.0.0")
    page.get_by_role("heading", name="From 1.0.0 to 2.0.0").wait_for()
    expect(page.locator(".change")).to_have_count(3)
    assert entries(page) == TOLD
    assert page.locator("[data-neighbours]").is_hidden()
    page.locator("[id='s-calls_20_50_25___gone']").get_by_role("link", name="Gone").click()
    page.wait_for_url("**/kit/1.0.0/calls%252050%2525/#gone")


def test_a_reader_chooses_two_versions_from_the_librarys_page(page: Page, address: str) -> None:
    page.goto(f"{address}kit/")
    page.get_by_role("link", name="Compare versions").click()
    page.get_by_label("From").select_option("2.0.0")
    page.get_by_label("to", exact=True).select_option("3.0.0-beta.1")
    page.get_by_role("button", name="Compare").click()
    page.wait_for_url("**/kit/_changes/?from=2.0.0&to=3.0.0-beta.1")
    expect(page.locator(".change")).to_have_count(2)
    assert entries(page) == {
        "s-start__set-up": ("renamed", []),
        "s-calls_20_50_25___timeouts": ("removed", []),
    }
    page.go_back()
    page.get_by_role("heading", name="Version by version").wait_for()


def test_the_section_that_an_address_names_is_shown_once_it_is_compared(
    page: Page, address: str
) -> None:
    page.set_viewport_size({"width": 700, "height": 200})
    page.goto(f"{address}kit/_changes/?from=1.0.0&to=latest#s-calls_20_50_25___gone")
    expect(page.locator(".change")).to_have_count(3)
    expect(page.locator("[id='s-calls_20_50_25___gone']")).to_be_in_viewport()
    assert page.url.endswith("?from=1.0.0&to=latest#s-calls_20_50_25___gone")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("from=9.9.9&to=2.0.0", "There is no version 9.9.9 here."),
        ("from=1.0.0&to=<b>", "There is no version <b> here."),
        ("to=2.0.0", "The address does not say which version to compare from."),
    ],
    ids=["unknown", "hostile", "left-out"],
)
def test_a_version_that_is_not_here_is_named(
    page: Page, address: str, query: str, told: str
) -> None:
    page.goto(f"{address}kit/_changes/?{query}")
    expect(page.get_by_role("alert")).to_have_text(f"{told} Choose two of the versions above.")
    assert page.get_by_role("heading", name="Version by version").is_visible()


def test_a_version_is_not_different_from_itself(page: Page, address: str) -> None:
    page.goto(f"{address}kit/_changes/?from=2.0.0&to=2.0.0")
    page.get_by_text("No section of the documentation differs.").wait_for()


def test_without_javascript_the_neighbours_are_listed(browser: Browser, address: str) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(f"{address}kit/_changes/?from=1.0.0&to=3.0.0-beta.1")
    assert page.get_by_role("button", name="Compare").count() == 0
    assert page.get_by_text("Comparing any two versions needs JavaScript.").is_visible()
    page.get_by_role("link", name="What changed in 3.0.0-beta.1").click()
    assert entries(page)["s-start__set-up"] == ("renamed", [])
    page.get_by_role("link", name="What changed in 2.0.0").click()
    assert entries(page) == TOLD
    page.close()


def test_volumes_that_cannot_be_read_are_told(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.route("**/catalog.json", lambda route: route.abort())
    page.goto(f"{address}kit/_changes/?from=1.0.0&to=2.0.0")
    page.get_by_text("The two versions could not be read.").wait_for()
    page.close()
