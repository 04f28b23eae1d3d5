"""A page stays small however long its volume is, and planning stays cheap."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

import pytest

from doctrove_builder.render import plan_site, render_view, section_keys, view_key
from doctrove_builder.render.views import PageView

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.render import Look
    from doctrove_builder.site import Site

LIMIT = 40_000
"""Bytes of one HTML page."""


@pytest.mark.parametrize("folders", [0, 1, 20, 700], ids=["flat", "one", "twenty", "many"])
def test_no_page_of_a_volume_of_2000_pages_is_over_40_kilobytes(
    make_long_site: Callable[[int, int], Site], look: Look, folders: int
) -> None:
    site = make_long_site(2000, folders)
    views = [view for view in plan_site(site, look) if isinstance(view, PageView)]
    assert len(views) > 2000
    shown = views[:3] + views[-12:] + views[3:-12:97]
    for view in shown:
        html = dict.fromkeys(section_keys(view), "<p>Text.</p>")
        assert len(render_view(view, html, look=look)) < LIMIT, view.path


def test_every_page_of_a_long_volume_is_listed_on_its_front_page_or_a_sheet(
    make_long_site: Callable[[int, int], Site], look: Look
) -> None:
    views = [v for v in plan_site(make_long_site(900, 7), look) if isinstance(v, PageView)]
    front = views[0]
    sheets = [view for view in views if view.contents and not view.front]
    listed = {link.href for view in sheets for group in view.contents for link in group.pages}
    assert {view.here for view in views if view.page} <= listed
    assert [link.href for link in front.sheets] == [sheet.here for sheet in sheets]


def test_a_page_of_a_long_volume_is_in_its_own_navigation(
    make_long_site: Callable[[int, int], Site], look: Look
) -> None:
    for folders in (0, 7):
        views = [
            v for v in plan_site(make_long_site(500, folders), look) if isinstance(v, PageView)
        ]
        for view in views:
            links = [link.href for group in view.nav for link in group.pages]
            assert view.here in links or not view.page
            assert len(links) <= 60


def test_pages_of_one_block_share_their_navigation(
    make_long_site: Callable[[int, int], Site], look: Look
) -> None:
    views = [v for v in plan_site(make_long_site(500, 5), look) if isinstance(v, PageView)]
    groups = {id(group) for view in views for group in view.nav}
    assert len(groups) < len(views) / 10


def test_a_view_survives_a_process_boundary_with_its_key(
    make_long_site: Callable[[int, int], Site], look: Look
) -> None:
    for view in plan_site(make_long_site(70, 3), look):
        again = pickle.loads(pickle.dumps(view))
        assert again == view
        assert view_key(again) == view_key(view)
