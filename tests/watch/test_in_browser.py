"""The preview in Chromium: reload, the reader's place, the overlay."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Error, Page

PATIENCE = 60_000


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    opened = browser.new_page(viewport={"width": 1000, "height": 600})
    opened.set_default_timeout(PATIENCE)
    faults: list[str] = []

    def note_error(error: Error) -> None:
        faults.append(str(error))

    def note_refusal(message: ConsoleMessage) -> None:
        if "Security" in message.text:
            faults.append(message.text)

    opened.on("pageerror", note_error)
    opened.on("console", note_refusal)
    yield opened
    opened.close()
    assert not faults


def long_page(*, first: str) -> str:
    sections = [f"## Section {number}\n\n" + "Text that is read.\n\n" * 20 for number in range(9)]
    return f"# Guide\n\n{first}\n\n## First\n\nText.\n\n" + "\n".join(sections)


def test_a_reload_keeps_the_section_that_is_read_in_its_place(
    start: Callable[..., Any], files: Any, page: Page
) -> None:
    files.write("tool/1.0.0/guide.md", long_page(first="Before."))
    preview = start()
    page.goto(f"{preview.url}/tool/1.0.0/guide/")
    page.locator("#section-5").evaluate("each => scrollTo(0, each.offsetTop + 40)")
    top = "document.querySelector('#section-5').getBoundingClientRect().top"
    before = page.evaluate(top)
    files.write("tool/1.0.0/guide.md", long_page(first="After. " * 400))
    page.get_by_text("After. After.").wait_for(state="attached")
    page.wait_for_load_state("load")
    assert abs(page.evaluate(top) - before) < 2


VERSION = "document.querySelector('script[data-version]').dataset.version"
INSIDE = "[document.title, document.querySelector('.frame').outerHTML]"
BEGINNING = "# Guide\n\nThe lead.\n\n## First\n\nFirst text.\n\n- one\n- two\n\n"
CODE = "```js\nconst number = {number};\n```\n\n| a | b |\n| - | - |\n| {cell} | 2 |\n"
PAGE = BEGINNING + CODE.format(number=1, cell=1)


TEXT_CHANGES = (
    PAGE.replace("First text", "Other text"),
    PAGE.replace("The lead.", "Another *lead* with `code`, and more."),
    PAGE.replace("- two\n", "- two\n- three\n\nA paragraph.\n\n> A quotation.\n"),
    PAGE.replace("- one\n- two\n\n", ""),
    BEGINNING + CODE.format(number="other(2) + `three`", cell="[it](other.md)"),
)
FRAME_CHANGES = (
    PAGE + "\n## Second\n\nText.\n",
    PAGE.replace("## First", "## Renamed"),
    PAGE + "\n```py\nx = 1\n```\n",
    PAGE.replace("# Guide", "# Manual"),
)


@pytest.mark.parametrize(
    ("texts", "stays"), [(TEXT_CHANGES, True), (FRAME_CHANGES, False)], ids=["text", "frame"]
)
def test_a_change_of_text_is_made_in_the_page_and_gives_what_loading_gives(
    start: Callable[..., Any], files: Any, page: Page, texts: tuple[str, ...], stays: bool
) -> None:
    files.write("tool/1.0.0/index.md", "# Tool\n\nWhat it is.\n")
    files.write("tool/1.0.0/guide.md", PAGE)
    preview = start()
    for text in texts:
        with page.expect_request_finished(lambda request: request.resource_type == "fetch"):
            page.goto(f"{preview.url}/tool/1.0.0/guide/")
        page.locator("#DT-preview a").wait_for()  # it listens
        page.evaluate("window.stayed = true")
        before = page.evaluate(VERSION)
        files.write("tool/1.0.0/guide.md", text)
        page.wait_for_function(f"before => {VERSION} != before", arg=before)
        assert page.evaluate("window.stayed ?? false") == stays, text
        page.wait_for_load_state("load")
        renewed = page.evaluate(INSIDE)
        page.reload()
        assert renewed == page.evaluate(INSIDE)
        code = page.locator("figure.code").first
        assert code.get_by_role("button", name="Copy").count() == 1


def test_problems_lie_over_the_page_until_they_are_repaired(
    start: Callable[..., Any], files: Any, page: Page
) -> None:
    preview = start()
    page.goto(f"{preview.url}/tool/1.0.0/other/")
    page.get_by_role("link", name="Report card").wait_for()
    files.write("tool/1.0.0/other.md", "# Other\n\nSee <b>x</b> [it](guied.md).\n")
    panel = page.get_by_role("alert", name="Problems")
    panel.get_by_text("tool/1.0.0/other.md:3:14").wait_for()
    assert "do you mean `guide.md`?" in panel.inner_text()
    assert "See <b>x</b> [it](guied.md)." in panel.inner_text(), "as text, not as markup"
    assert page.get_by_text("Other text.").is_visible(), "the last good build stays up"
    page.get_by_role("button", name="Close").click()
    panel.wait_for(state="hidden")
    page.get_by_role("button", name="1 error").click()
    panel.wait_for()
    files.write("tool/1.0.0/other.md", "# Other\n\nRepaired.\n")
    page.get_by_text("Repaired.").wait_for()
    page.get_by_role("link", name="Report card").wait_for()
    assert not panel.count()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_problems_can_be_read_on_a_narrow_screen_and_closed_by_keyboard(
    start: Callable[..., Any], files: Any, page: Page, scheme: Literal["light", "dark"]
) -> None:
    long = "a-link-that-is-much-longer-than-a-narrow-screen-is-wide-and-has-no-spaces.md"
    files.write("tool/1.0.0/other.md", f"# Other\n\nSee [it]({long}) and [more]({long}).\n")
    page.set_viewport_size({"width": 320, "height": 568})
    page.emulate_media(color_scheme=scheme)
    preview = start(built=False)
    page.goto(f"{preview.url}/")
    panel = page.get_by_role("alert", name="Problems")
    panel.wait_for()
    assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    ink, paper = (
        panel.evaluate(f"panel => getComputedStyle(panel).{name}")
        for name in ("color", "backgroundColor")
    )
    assert (brightness(ink) > brightness(paper)) == (scheme == "dark")
    panel.get_by_role("button", name="Close").focus()
    page.keyboard.press("Enter")
    panel.wait_for(state="hidden")
    page.keyboard.press("Enter")  # the button that opens it has the focus
    panel.wait_for()
    page.keyboard.press("Escape")
    panel.wait_for(state="hidden")


def brightness(colour: str) -> int:
    return sum(map(int, re.findall(r"\d+", colour)[:3]))


def test_the_report_card_is_reached_from_every_page(start: Callable[..., Any], page: Page) -> None:
    preview = start()
    page.goto(f"{preview.url}/tool/1.0.0/guide/")
    with preview.stream("/_preview/report/") as changes:
        while preview.get("/_preview/report/")[0] != 200:
            next(changes)
    page.get_by_role("link", name="Report card").click()
    page.get_by_role("heading", name="Report card").wait_for()
    page.get_by_role("img", name="Sections of each volume").wait_for()
    page.get_by_role("link", name="Site").click()
    page.wait_for_url(f"{preview.url}/")


LOWEST = """() => Math.max(...[...document.querySelectorAll("main *, footer *, aside *, nav *")]
    .filter((it) => it.checkVisibility({ visibilityProperty: true }))
    .filter((it) => !it.closest("[popover]:not(:popover-open)"))
    .map((it) => it.getBoundingClientRect().bottom))"""


def test_what_the_preview_shows_of_itself_stands_below_the_page(
    start: Callable[..., Any], page: Page
) -> None:
    preview = start()
    page.goto(preview.url)
    with preview.stream("/_preview/report/") as changes:
        while preview.get("/_preview/report/")[0] != 200:
            next(changes)
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 480})
        for path in ("/", "/tool/1.0.0/guide/", "/_preview/report/"):
            page.goto(f"{preview.url}{path}")
            page.locator("#DT-preview a").wait_for()
            page.wait_for_function("document.body.style.paddingBlockEnd > '0'")
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            strip = page.locator("#DT-preview").bounding_box()
            assert strip is not None
            assert (strip["x"], strip["width"]) == (0, width)
            assert page.evaluate(LOWEST) <= strip["y"] + 1, (path, width)
