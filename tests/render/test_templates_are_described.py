"""The description of the templates names every template and every block."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import doctrove_site_template
from doctrove_builder.render import plan_site, render_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from doctrove_builder.render import Look
    from doctrove_builder.site import Site

SECURITY = Path(__file__).parents[2] / "authoring/doctrove/0.1.0/reference/security.md"

INNER = {"html_attributes"}
"""Blocks that the built-in templates keep for themselves."""


def test_every_template_and_every_block_is_described(look: Look) -> None:
    described = doctrove_site_template.__doc__ or ""
    for name, text in look.templates:
        blocks = set(re.findall(r"{% block (\w+) %}", text)) - INNER
        assert name in described
        assert not {block for block in blocks if f"`{block}`" not in described}, name


def test_the_policies_that_are_described_are_those_that_pages_carry(
    look: Look, make_demo_site: Callable[..., Site]
) -> None:
    carried: list[str] = []
    for search in ("text", "names", ""):
        views = plan_site(make_demo_site(), look, search=search)
        home = next(view for view in views if view.path == "index.html")
        page = render_view(home, {}, look=look).decode()
        carried += re.findall(r'"Content-Security-Policy" content="([^"]+)"', page)
    described = re.findall(r"^default-src .*$", SECURITY.read_text("utf-8"), re.MULTILINE)
    assert [unescape(policy) for policy in carried] == [*described, described[-1]]
