"""The search dialog in Chromium: by keyboard, by its filters, in text, names, typos and Chinese."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page, Route

RECORDS = "grid/2.0.0/guide/records/"


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


def ask(page: Page, query: str) -> list[str]:
    """Type a query and return the headings of the results once they are all there."""
    field = page.get_by_role("combobox", name="Search")
    field.wait_for()
    field.fill("")
    page.get_by_role("dialog").get_by_text("Several words narrow").wait_for()
    field.press_sequentially(query)
    page.locator("#DT-results[aria-busy=false]").wait_for(state="attached")
    return options(page).locator("b").all_inner_texts()


def options(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Results").get_by_role("option")


def status(page: Page) -> Locator:
    return page.get_by_role("dialog").get_by_role("status")


def selected(page: Page) -> str:
    return page.locator("[aria-selected=true] b").inner_text()


def test_the_slash_opens_search_and_the_keyboard_leads_to_a_section(
    page: Page, address: str
) -> None:
    page.goto(address)
    page.keyboard.press("/")
    assert ask(page, "grid")[0] == "Grid"
    headings = ask(page, "rec")
    assert headings[0] == "Records"
    assert "The appTableRecord class" in headings
    assert selected(page) == "Records"
    page.keyboard.press("ArrowUp")
    assert selected(page) == headings[-1]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert selected(page) == headings[1]
    active = page.get_by_role("combobox", name="Search").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active} b").inner_text() == headings[1]
    href = options(page).nth(1).get_attribute("href")
    page.keyboard.press("Enter")
    page.wait_for_url(str(href))


def test_a_section_of_the_page_that_is_open_is_reached_too(page: Page, address: str) -> None:
    page.goto(address + RECORDS)
    page.keyboard.press("Control+k")
    ask(page, "filtering")
    page.keyboard.press("Enter")
    page.wait_for_url("**/records/#order")
    assert not page.get_by_role("dialog").is_visible()


def test_what_is_typed_before_the_script_is_there_is_searched(page: Page, address: str) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/search.*.js", hold)
    page.goto(address + RECORDS)
    with page.expect_request("**/search.*.js"):
        page.keyboard.press("/")
    page.keyboard.type("columns")
    held[0].continue_()
    options(page).first.wait_for()
    expect(page.get_by_role("combobox", name="Search")).to_have_value("columns")
    assert selected(page) == "Columns"
    page.keyboard.press("Escape")
    page.unroute("**/search.*.js")


def test_escape_closes_and_gives_the_focus_back(page: Page, address: str) -> None:
    page.goto(address)
    button = page.get_by_role("button", name="Search")
    button.click()
    assert ask(page, "columns") == ["Columns"]
    page.keyboard.press("Escape")
    assert not page.get_by_role("dialog").is_visible()
    expect(button).to_be_focused()
    page.keyboard.press("/")
    expect(page.get_by_role("combobox", name="Search")).to_have_value("columns")


def test_a_slash_that_is_typed_into_a_field_stays_there(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("searchbox").press_sequentially("a/b")
    expect(page.get_by_role("searchbox")).to_have_value("a/b")
    assert page.get_by_role("dialog").count() == 0


def test_nothing_is_loaded_before_one_searches(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address + RECORDS, wait_until="networkidle")
    assert not [url for url in asked if re.search(r"_search/|search\.|finding\.", url)]
    page.keyboard.press("/")
    ask(page, "columns")
    assert [url for url in asked if url.endswith("/_search/text/pagefind.js")]
    assert not [url for url in asked if "/words/" in url]
    assert not [url for url in asked if not url.startswith(address)]


def test_words_of_the_text_are_found_and_marked(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("/")
    assert ask(page, "authentication") == ["Columns"]
    assert options(page).locator("mark").all_inner_texts() == ["authentication"]
    assert re.search("Grid 2.0.0 . Records", options(page).inner_text())


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("table record", "The appTableRecord class"),
        ("tablerec", "The appTableRecord class"),
        ("http headers", "Columns"),
        ("grid columns", "Columns"),
        ("life", "The appTableRecord class"),
    ],
)
def test_identifiers_are_found_by_their_parts(
    page: Page, address: str, query: str, heading: str
) -> None:
    page.goto(address)
    page.keyboard.press("/")
    assert ask(page, query)[0] == heading


@pytest.mark.parametrize(
    ("query", "heading"),
    [
        ("athentication", "Columns"),
        ("colmuns", "Columns"),
        ("filterng", "Sorting & filtering"),
        ("apptablerecrod", "The appTableRecord class"),
    ],
)
def test_a_typo_is_forgiven(page: Page, address: str, query: str, heading: str) -> None:
    page.goto(address)
    page.keyboard.press("/")
    assert ask(page, query)[0] == heading
    assert f"has “{query}”; " in status(page).inner_text()


def test_signs_that_belong_to_a_name_count(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("/")
    assert ask(page, "c")
    assert ask(page, "C++") == []


def test_what_is_nowhere_is_not_found(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("/")
    assert ask(page, "xylophone") == []
    assert not page.get_by_role("listbox").is_visible()


def test_words_inside_chinese_text_are_found(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("/")
    assert ask(page, "解析日期") == ["时区"]
    assert "我们使用解析日期的小型库。不依赖其他" in options(page).inner_text()
    assert ask(page, "时区") == ["时区"]
    assert ask(page, "期日") == []


def test_the_volume_that_is_open_comes_first_and_others_follow(page: Page, address: str) -> None:
    page.goto(f"{address}grid/1.0.0/guide/records/")
    page.keyboard.press("/")
    assert ask(page, "legacy") == ["Legacy cells"]
    assert "is not indexed" in status(page).inner_text()
    ask(page, "authentication")
    group = page.get_by_role("group", name="Elsewhere")
    assert group.get_by_role("option").locator("b").all_inner_texts() == ["Columns"]


@pytest.mark.parametrize(
    ("place", "library"),
    [("", ""), ("grid/", "grid"), (RECORDS, "grid"), ("日期/1.0.0/指南/", "日期")],
    ids=["home", "library", "page", "chinese"],
)
def test_the_filters_begin_with_what_is_open(
    page: Page, address: str, place: str, library: str
) -> None:
    page.goto(address + place)
    page.keyboard.press("/")
    ask(page, "columns")
    chosen = page.get_by_role("combobox", name="Library")
    expect(chosen).to_have_value(library)
    assert page.get_by_role("combobox", name="Version").is_visible() == bool(library)


def test_a_library_and_a_version_are_chosen(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("/")
    assert ask(page, "legacy") == []
    library = page.get_by_role("combobox", name="Library")
    library.select_option("Grid")
    expect(page.get_by_role("combobox", name="Version")).to_have_value("2.0.0")
    page.get_by_role("combobox", name="Version").select_option("1.0.0")
    options(page).filter(has_text="Legacy cells").wait_for()
    library.select_option("日期库")
    assert ask(page, "columns") == []
    library.select_option("All libraries")
    assert ask(page, "columns") == ["Columns"]


def test_names_are_found_where_the_site_has_no_full_text(
    page: Page, address_without_text: str
) -> None:
    page.goto(address_without_text + RECORDS)
    page.keyboard.press("/")
    assert ask(page, "table record") == ["The appTableRecord class"]
    assert ask(page, "authentication") == []


def test_names_are_found_in_a_browser_without_web_assembly(page: Page, address: str) -> None:
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(address + RECORDS)
    page.keyboard.press("/")
    assert ask(page, "colmuns") == ["Columns"]
    assert "Text cannot be searched in this browser" in status(page).inner_text()


def test_search_that_cannot_be_loaded_says_so(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.route("**/_search/**", lambda route: route.abort())
    page.goto(address)
    page.keyboard.press("/")
    status(page).filter(has_text="could not be loaded").wait_for()
    page.unroute("**/_search/**")
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="hidden")
    page.keyboard.press("/")
    assert ask(page, "columns") == ["Columns"]
    page.close()


def test_a_page_that_is_missing_searches_too(browser: Browser, address_with_base: str) -> None:
    page = browser.new_page()
    page.goto(f"{address_with_base}no/such/page/")
    page.keyboard.press("/")
    ask(page, "columns")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sub%20path/grid/2.0.0/guide/records/#columns")
    page.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_the_dialog_fits_the_window(browser: Browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 640})
    page.goto(address + RECORDS)
    page.get_by_role("button", name="Search").click()
    ask(page, "rec")
    dialog = page.get_by_role("dialog")
    assert dialog.evaluate("it => it.scrollWidth - it.clientWidth") == 0
    box = dialog.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] + box["height"] <= 640
    page.close()


def test_without_javascript_there_is_no_button_that_does_nothing(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(address)
    assert page.get_by_role("button").count() == 0
    page.close()
