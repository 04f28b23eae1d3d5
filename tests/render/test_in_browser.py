"""The built site in Chromium: versions, copying, theme, menus, reading without JavaScript."""

from __future__ import annotations

import functools
import http.server
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, BrowserContext, Page

    from doctrove_builder.site import Site

BASE = "/re po/docs/"
ROUTING = "express/5.1.0/guide/routing/"


class Host(http.server.SimpleHTTPRequestHandler):
    """Serves a folder below `BASE`, and its 404.html where there is nothing."""

    def translate_path(self, path: str) -> str:
        inside = path.replace("%20", " ").removeprefix(BASE)
        return super().translate_path("/nothing" if inside == path.replace("%20", " ") else inside)

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


@pytest.fixture(scope="module")
def address(
    make_demo_site: Callable[..., Site],
    build_site: Callable[[Site], dict[str, bytes]],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[str]:
    """The small site below a path, its address not known when it was built."""
    folder = tmp_path_factory.mktemp("site")
    for path, content in build_site(make_demo_site()).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    handler = functools.partial(Host, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}{BASE}"
        server.shutdown()
        thread.join()


@pytest.fixture
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    made = browser.new_context(viewport={"width": 1280, "height": 800})
    made.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that may not write an error or a warning to the console."""
    said: list[str] = []
    opened = context.new_page()
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    assert not said


def test_another_version_opens_at_the_section_that_is_read(page: Page, address: str) -> None:
    page.goto(f"{address}{ROUTING}#route-parameters")
    page.locator("summary", has_text="5.1.0").click()
    page.get_by_role("link", name="4.21.2").click()
    page.wait_for_url("**/4.21.2/guide/routing/#route-parameters")
    assert page.evaluate("document.querySelector(':target').id") == "route-parameters"


def test_a_section_that_another_version_lacks_leaves_no_trace(page: Page, address: str) -> None:
    page.goto(f"{address}{ROUTING}#wildcards")
    page.locator("summary", has_text="5.1.0").click()
    page.get_by_role("link", name="4.21.2").click()
    page.wait_for_url("**/4.21.2/guide/routing/")


def test_a_page_that_another_version_lacks_leads_to_its_front_page(
    page: Page, address: str
) -> None:
    page.goto(f"{address}express/5.1.0/api/request/#reqquery")
    page.locator("summary", has_text="5.1.0").click()
    page.get_by_role("link", name="4.21.2").click()
    page.wait_for_url("**/4.21.2/")


def test_the_notice_on_an_old_page_leads_to_the_same_section(page: Page, address: str) -> None:
    page.goto(f"{address}express/4.21.2/guide/routing/#route-parameters")
    page.get_by_role("link", name="This page in 5.1.0").click()
    page.wait_for_url("**/5.1.0/guide/routing/#route-parameters")


def test_the_newest_version_is_reached_by_latest_with_its_section(page: Page, address: str) -> None:
    page.goto(f"{address}express/latest/guide/routing/#wildcards")
    page.wait_for_url("**/5.1.0/guide/routing/#wildcards")


def test_code_and_sections_and_pages_are_copied(page: Page, address: str) -> None:
    page.goto(address + ROUTING)
    clipboard = "navigator.clipboard.readText()"
    page.locator("figure.code").first.hover()
    page.get_by_role("button", name="Copy").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert str(page.evaluate(clipboard)).startswith("const app = express()")
    page.locator("#wildcards").get_by_role("link", name="Copy as Markdown").click()
    page.locator("#wildcards").get_by_text("Copied").wait_for()
    assert str(page.evaluate(clipboard)).startswith("## Wildcards\n\nA segment")
    page.get_by_role("link", name="Copy page for an assistant").click()
    page.locator("article > .tools").get_by_text("Copied").wait_for()
    copied = str(page.evaluate(clipboard))
    assert copied.startswith("# Routing\n\n> Express 5.1.0.")
    assert copied.endswith(f"\n\nSource: {address.replace(' ', '%20')}{ROUTING}\n")


def test_code_is_copied_as_it_is_written_whatever_lines_are_pointed_out(
    page: Page, address: str
) -> None:
    page.goto(address + ROUTING)
    written = 'a = 1\n<span class="hll">b = 2\n</span><span class="hll">\n</span>  c = 3\n'
    page.locator("figure.code code").first.evaluate(
        "(code, html) => (code.innerHTML = html)", written
    )
    page.locator("figure.code").first.hover()
    page.get_by_role("button", name="Copy").first.click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == "a = 1\nb = 2\n\n  c = 3\n"


def test_the_theme_is_chosen_and_remembered(page: Page, address: str) -> None:
    page.goto(address)
    button = page.get_by_role("button", name="Colour theme")
    seen: list[object] = []
    for _ in range(2):
        button.click()
        seen.append(page.evaluate("document.documentElement.dataset.theme"))
    assert seen == ["light", "dark"]
    page.goto(address + ROUTING)
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(16, 19, 26)"


def test_the_version_menu_closes_by_escape_and_by_a_click_elsewhere(
    page: Page, address: str
) -> None:
    page.goto(address + ROUTING)
    menu = page.locator("details.versions")
    menu.locator("summary").click()
    assert menu.get_attribute("open") is not None
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    menu.locator("summary").click()
    page.locator("h1").click()
    assert menu.get_attribute("open") is None


def test_the_table_of_contents_follows_the_scroll(page: Page, address: str) -> None:
    page.goto(address + ROUTING)
    page.locator("#wildcards").evaluate("target => target.scrollIntoView()")
    page.locator(".toc a[aria-current]", has_text="Wildcards").wait_for()


def test_the_catalogue_is_filtered_as_one_types(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("searchbox").fill("expressjs")
    assert page.locator(".cards > li:visible h3").all_inner_texts() == ["Express"]
    page.get_by_role("searchbox").fill("nothing like it")
    assert page.get_by_text("No library matches.").is_visible()
    page.keyboard.press("Escape")
    assert page.locator(".cards > li:visible").count() == 4


def test_the_line_that_connects_an_agent_names_this_site(page: Page, address: str) -> None:
    page.goto(address)
    line = page.locator(".connect code").inner_text()
    assert line == f"doctrove-server --index-url {address.replace(' ', '%20')}"


@pytest.mark.parametrize(
    ("place", "steps"),
    [
        ("nowhere", 1),
        ("nowhere/", 1),
        ("express/9.9.9/guide/routing/", 1),
        ("@scope%252Ftable/9.9.9", 1),
        ("a/b/c/d/e", 5),
    ],
)
def test_what_is_missing_asks_for_nothing_and_leads_home_from_any_depth(
    context: BrowserContext, address: str, place: str, steps: int
) -> None:
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.goto(address + place, wait_until="networkidle")
    assert len(asked) == 1
    assert [text for text in said if "404 (Not Found)" not in text] == []
    bar = page.locator("header.bar")
    assert bar.evaluate("(it) => getComputedStyle(it).position") == "sticky"
    for _ in range(steps):
        page.get_by_role("link", name="All libraries").click()
    page.wait_for_url(address.replace(" ", "%20"))


def test_what_is_missing_knows_the_way_by_the_page_before(
    context: BrowserContext, address: str
) -> None:
    page = context.new_page()
    page.goto(address + ROUTING)
    page.evaluate("location.href = '../../../../x/y/z'")
    link = page.get_by_role("link", name="All libraries")
    expect(link).to_have_attribute("href", BASE.replace(" ", "%20"))


FOLDED = (
    "<details><summary>More</summary><p id='folded'>Folded.</p></details><div class='tabs'>"
    "<input type='radio' name='t' id='a' checked><label for='a'>npm</label>"
    "<div class='tab'>One</div><input type='radio' name='t' id='b'><label for='b'>yarn</label>"
    "<div class='tab'>Two</div></div>"
)


def test_a_print_is_light_and_has_what_is_folded(page: Page, address: str) -> None:
    page.goto(address + ROUTING)
    page.locator("article").evaluate("(it, html) => (it.innerHTML += html)", FOLDED)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for text in ("Folded.", "One", "Two"):
        shown = page.get_by_text(text, exact=True)
        assert shown.evaluate("it => it.checkVisibility({contentVisibilityAuto: true})")


LEFT = """it => { const range = document.createRange();
  const walk = document.createTreeWalker(it, NodeFilter.SHOW_TEXT);
  const letters = [];
  for (let text; (text = walk.nextNode()); )
    for (let at = 0; at < text.length; at += 1) {
      range.setStart(text, at); range.setEnd(text, at + 1);
      const { left, width } = range.getBoundingClientRect();
      if (width) letters.push([left, text.data[at]]);
    }
  return letters.sort(([one], [other]) => one - other).map(([, letter]) => letter).join(""); }"""
"""Return the letters of an element from left to right as they are drawn, all on one line."""


@pytest.mark.parametrize(
    ("place", "selector", "shown"),
    [
        (ROUTING, "section .tools > span", "tokens"),
        (ROUTING, ".foot p", "Express 5.1.0"),
        ("express/", ".timeline h3 a", "6.0.0-beta.1"),
        ("express/", ".button span", "Read 5.1.0"),
    ],
    ids=["count", "footer", "version", "button"],
)
def test_counts_and_versions_are_not_turned_on_a_page_from_right_to_left(
    page: Page, address: str, place: str, selector: str, shown: str
) -> None:
    page.goto(address + place)
    page.evaluate("document.documentElement.dir = 'rtl'")
    element = page.locator(selector).first
    assert shown in str(element.evaluate(LEFT))
    assert element.evaluate(LEFT) == element.inner_text()


def test_a_heading_stands_at_the_side_where_its_text_begins(page: Page, address: str) -> None:
    page.goto(address + ROUTING)
    text = "<h2 id='own'><span>مقدمة</span></h2>"
    page.locator("article").evaluate("(it, html) => (it.innerHTML += html)", text)
    right = "it => it.getBoundingClientRect().right"
    ends = [page.locator(place).evaluate(right) for place in ("#own", "#own span")]
    assert ends[0] - ends[1] < 1


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
@pytest.mark.parametrize("place", ["", "express/", "express/5.1.0/", ROUTING, "many/"])
def test_no_page_is_wider_than_the_window(
    browser: Browser, address: str, width: int, place: str
) -> None:
    page = browser.new_page(viewport={"width": width, "height": 700})
    page.goto(address + place)
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0
    page.close()


def test_navigation_opens_over_the_page_on_a_narrow_screen(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 700}, java_script_enabled=False)
    page.goto(address + ROUTING)
    link = page.get_by_role("navigation", name="Express 5.1.0").get_by_role("link")
    assert link.count() == 0
    page.get_by_role("button", name="Pages").click()
    link.filter(has_text="Middleware").click()
    page.wait_for_url("**/guide/middleware/")
    page.close()


def test_everything_is_read_without_javascript(browser: Browser, address: str) -> None:
    page = browser.new_page(java_script_enabled=False, viewport={"width": 1280, "height": 800})
    page.goto(address)
    page.get_by_role("link", name="Express", exact=True).click()
    page.get_by_role("link", name="Read 5.1.0").click()
    page.get_by_role("link", name="Routing").first.click()
    assert page.get_by_role("heading", name="Route parameters").is_visible()
    page.locator("summary", has_text="5.1.0").click()
    page.get_by_role("link", name="4.21.2").click()
    page.wait_for_url("**/4.21.2/guide/routing/")
    assert page.get_by_role("button").count() == 0
    page.goto(f"{address}express/latest/")
    page.wait_for_url("**/5.1.0/")
    page.close()
