"""The files of a report card: HTML, JSON, and the site's own style beside them."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

import msgspec

from doctrove_builder.report.page import page_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from doctrove_builder.report.card import Card

PAGE = "index.html"
DATA = "report.json"

_SHARED = ("favicon.svg", "style.css", "theme.js")


def report_files(card: Card) -> Mapping[str, bytes]:
    """Return the content of every file by its name."""
    assets = resources.files("doctrove_site_template") / "assets"
    own = resources.files("doctrove_builder.report")
    return {
        PAGE: page_of(card).encode(),
        DATA: msgspec.json.format(msgspec.json.encode(card), indent=2) + b"\n",
        "report.css": (own / "report.css").read_bytes(),
        **{name: (assets / name).read_bytes() for name in _SHARED},
    }
