"""What a page says about its place: neighbours, versions, canonical address, contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from doctrove_builder.render import plan_site
from doctrove_builder.render.views import (
    HomeView,
    LibraryView,
    MissingView,
    PageView,
    RedirectView,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.render import Look, View
    from doctrove_builder.site import Site

BASE = "https://docs.example.org/repo/"


@pytest.fixture(scope="module")
def views(make_demo_site: Callable[..., Site], look: Look) -> dict[str, View]:
    return {view.path: view for view in plan_site(make_demo_site(base_url=BASE), look)}


def page(views: dict[str, View], path: str) -> PageView:
    view = views[f"{path}/index.html"]
    assert isinstance(view, PageView)
    return view


def test_pages_follow_each_other_in_reading_order(views: dict[str, View]) -> None:
    order = ["", "start/", "guide/routing/", "guide/middleware/", "api/request/", "api/response/"]
    pages = [page(views, f"express/5.1.0/{place}".rstrip("/")) for place in order]
    assert [view.next and view.next.href for view in pages] == [*order[1:], None]
    assert [view.previous and view.previous.href for view in pages] == [None, *order[:-1]]


def test_a_volume_without_a_written_front_page_has_one(views: dict[str, View]) -> None:
    front = page(views, "express/4.21.2")
    assert front.front
    assert front.title == "Express 4.21.2"
    assert front.sections == ()
    assert [link.href for group in front.contents for link in group.pages] == [
        "start/",
        "guide/routing/",
    ]
    assert front.next
    assert front.next.href == "start/"


def test_a_page_without_a_path_is_the_front_page_of_its_volume(views: dict[str, View]) -> None:
    front = page(views, "@scope%2Ftable/1.0.0%2Bb1")
    assert [section.anchor for section in front.sections] == ["", "column-50--more", "a-bare-step"]
    assert [section.level for section in front.sections] == [2, 2, 3]


def test_names_are_encoded_once_in_files_and_again_in_links(views: dict[str, View]) -> None:
    odd = page(views, "@scope%2Ftable/1.0.0%2Bb1/a%20b/50%25%20%231%3F")
    assert odd.here == "a%2520b/50%2525%2520%25231%253F/"
    assert odd.canonical == f"{BASE}@scope%252Ftable/1.0.0%252Bb1/{odd.here}"


@pytest.mark.parametrize(
    ("path", "kind", "href", "same"),
    [
        ("express/5.1.0/guide/routing", "", "", True),
        ("express/4.21.2/guide/routing", "old", "5.1.0/guide/routing/", True),
        ("express/6.0.0-beta.1/guide/routing", "prerelease", "5.1.0/guide/routing/", True),
        ("express/4.21.2", "old", "5.1.0/", True),
        ("many/0.0.0/start", "old", "9.4.0/start/", True),
    ],
    ids=lambda value: str(value).replace("/", "-") or "none",
)
def test_old_versions_and_prereleases_point_to_the_newest(
    views: dict[str, View], path: str, kind: str, href: str, same: bool
) -> None:
    notice = page(views, path).notice
    assert (notice.kind if notice else "") == kind
    if notice:
        assert (notice.href, notice.same) == (href, same)


def test_the_switcher_leads_to_the_same_page_where_it_exists(views: dict[str, View]) -> None:
    shown = page(views, "express/5.1.0/api/request").versions
    assert [(link.version, link.href, link.same) for link in shown] == [
        ("6.0.0-beta.1", "6.0.0-beta.1/api/request/", True),
        ("5.1.0", "5.1.0/api/request/", True),
        ("4.21.2", "4.21.2/", False),
    ]
    assert [link.label for link in shown] == ["prerelease", "latest", ""]


def test_a_long_list_of_versions_is_cut_but_holds_the_page_itself(views: dict[str, View]) -> None:
    oldest = page(views, "many/0.0.0/start")
    assert len(oldest.versions) == 25
    assert oldest.versions[-1].version == "0.0.0"
    assert oldest.more_versions == 26


@pytest.mark.parametrize(
    ("path", "canonical"),
    [
        ("express/4.21.2/guide/routing", "express/5.1.0/guide/routing/"),
        ("express/6.0.0-beta.1/api/request", "express/5.1.0/api/request/"),
        ("express/4.21.2", "express/5.1.0/"),
    ],
)
def test_the_canonical_address_is_the_newest_version_that_has_the_page(
    views: dict[str, View], path: str, canonical: str
) -> None:
    assert page(views, path).canonical == BASE + canonical


def test_every_page_of_the_newest_version_has_a_redirect(views: dict[str, View]) -> None:
    newest = {path for path in views if path.startswith("express/5.1.0/") and "index.html" in path}
    redirects = {path: view for path, view in views.items() if isinstance(view, RedirectView)}
    assert {path.replace("5.1.0", "latest") for path in newest} <= redirects.keys()
    routing = redirects["express/latest/guide/routing/index.html"]
    assert routing.target == "../../../5.1.0/guide/routing/"


def test_the_missing_page_knows_its_root_or_stands_alone(
    make_demo_site: Callable[..., Site], look: Look, views: dict[str, View]
) -> None:
    known = views["404.html"]
    unknown = next(v for v in plan_site(make_demo_site(), look) if isinstance(v, MissingView))
    assert isinstance(known, MissingView)
    assert (known.root, known.alone) == ("/repo/", False)
    assert (unknown.root, unknown.alone) == ("/", True)


def test_unsafe_addresses_of_a_library_are_dropped(views: dict[str, View]) -> None:
    library = views["@scope%2Ftable/index.html"]
    assert isinstance(library, LibraryView)
    assert library.homepage == ""
    assert library.superseded
    assert library.superseded.href == "express/"


def test_the_home_page_counts_what_is_there(views: dict[str, View]) -> None:
    home = views["index.html"]
    assert isinstance(home, HomeView)
    assert [card.versions for card in home.cards] == [3, 1, 1, 50]
    assert home.versions == 55
    assert home.address == BASE


@pytest.mark.parametrize(
    ("language", "direction"), [("en", "ltr"), ("ar", "rtl"), ("he-IL", "rtl"), ("zh", "ltr")]
)
def test_the_direction_of_writing_follows_the_language(
    make_demo_site: Callable[..., Site], look: Look, language: str, direction: str
) -> None:
    home = plan_site(make_demo_site(language=language), look)[0]
    assert isinstance(home, HomeView)
    assert home.shell.direction == direction
